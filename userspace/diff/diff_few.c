// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_few.c - of two recordings: whether there are enough samples to tell a difference
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "diff/diff_stacks.h"
#include "lib/interval.h"
#include "lib/number.h"

/* So many samples of a function, and twice as many on the other side, are more than chance. */
#define DOUBLED		(3 * INTERVAL_Z95 * INTERVAL_Z95)
#define SMALL_PART	0.01	/* of which a doubling shall be told */

/* They do not keep step with what the kernel does at a round one, and cost little. */
static const unsigned int frequencies[] = { 199, 499, 999, 1999, 4999 };

/* The lowest that takes so many times as many samples, or the highest one. */
static unsigned int frequency_for(double hz)
{
	size_t i = 0;

	while (i + 1 < sizeof(frequencies) / sizeof(*frequencies) && frequencies[i] < hz)
		i++;
	return frequencies[i];
}

static uint64_t frequency_of(const struct data *d)
{
	char *text = data_meta(d, "freq");
	uint64_t hz = number_or_0(text);

	free(text);
	return hz;
}

void diff_print_few(const struct stacks_side side[2], const uint64_t samples[2])
{
	int few = samples[1] < samples[0];
	double needed = DOUBLED / SMALL_PART;
	uint64_t hz;
	unsigned int proposed;

	if (samples[few] >= needed)
		return;
	printf("# few samples, %" PRIu64 " in A and %" PRIu64 " in B: where a function takes less "
	       "than %.0f %%, not even\n#   twice as much can be told from chance",
	       samples[0], samples[1], fmin(100, 100 * DOUBLED / fmax(1, samples[few])));
	hz = frequency_of(&side[few].data);
	proposed = hz ? frequency_for(hz * needed / fmax(1, samples[few])) : 0;
	if (proposed > hz)
		printf("; 'kprof record -F %u' takes %.0f times as many", proposed,
		       (double)proposed / hz);
	putchar('\n');
}
