// SPDX-License-Identifier: GPL-2.0-only
/*
 * span_sums.c - the time of all rows that have one text in common, such as of one lock
 *
 * The rows of a lock are as many as it has callers and holders; what it costs is in none of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/plural.h"
#include "span/span.h"

#define SUMS_SHOWN	3

struct sum {
	const char *text;
	double ns;
	uint64_t calls, rows;
};

static int longest_first(const void *va, const void *vb)
{
	const struct sum *a = va, *b = vb;

	if (a->ns != b->ns)
		return a->ns > b->ns ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* As many as there are rows at most. Free the result. */
static struct sum *add_up(const struct span_table *t, int text, size_t *nr)
{
	struct sum *sum = mem_zalloc(t->ids.nr, sizeof(*sum));
	struct strtab names = { 0 };
	size_t i;

	for (i = 0; i < t->ids.nr; i++) {
		const struct span_row *row = &t->row[i];
		uint32_t id = strtab_add(&names, row->text[text], strlen(row->text[text]));

		sum[id].text = row->text[text];
		sum[id].ns += row->sum.total;
		sum[id].calls += row->sum.calls;
		sum[id].rows++;
	}
	*nr = names.nr;
	strtab_free(&names);
	if (*nr)
		qsort(sum, *nr, sizeof(*sum), longest_first);
	return sum;
}

void span_print_sums(const struct span_table *t, int text, uint64_t duration)
{
	size_t i, nr;
	struct sum *sum = add_up(t, text, &nr);

	for (i = 0; i < nr && i < SUMS_SHOWN; i++) {
		printf("# %s: %.6f s in all, %" PRIu64 " time%s, in %" PRIu64 " row%s", sum[i].text,
		       sum[i].ns / 1e9, sum[i].calls, plural(sum[i].calls), sum[i].rows,
		       plural(sum[i].rows));
		if (duration)
			printf("; on average %.2f tasks waited at a time", sum[i].ns / duration);
		putchar('\n');
	}
	free(sum);
}
