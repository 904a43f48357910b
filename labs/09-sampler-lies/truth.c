// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

const char *const lab_title = "The sampler lies";

/*
 * At how many moments of a period of @ms samples at @hz come: 1000 / (@hz * @ms) periods lie
 * between two of them, and the denominator of that fraction, in lowest terms, is the number. 0:
 * this is no rate.
 */
static u32 moments(double hz, double ms)
{
	u32 a = 1000, b, product;

	if (hz < 1 || hz > 20000 || hz != (u32)hz)
		return 0;
	product = hz * ms;
	for (b = product; b; ) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return product / a;
}

static bool lies(double hz, double ms)
{
	u32 nr = moments(hz, ms);

	return nr && nr <= 2;
}

static bool is_honest(double hz, double ms)
{
	return hz >= 50 && moments(hz, ms) >= 40;
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	static const char *const names[] = { "north", "south" };
	static const char *const texts[] = {
		"How much of the CPU's time lab_north takes, in per cent (within 2).",
		"How much of the CPU's time lab_south takes, in per cent (within 2)."
	};
	const u64 *n = ledger->number;
	struct sampler_params p;
	const char **hint;
	double share;
	int i;

	sampler_params(&p, token);
	for (i = 0; i < 2; i++) {
		share = p.percent[i];
		if (ledger->nr == 5 && truth_is_long(ledger))
			share = 100.0 * n[2 + i] / (n[1] - n[0]);
		hint = truth_near(t, names[i], 20 - 5 * i, texts[i], share, 2, "%");
		hint[0] = "Sample at several rates. Do they agree?";
		hint[1] = "Watching a function depends on no rate.";
		hint[2] = "kprof lat 'sampler:lab_*' -a -d 5: total, divided by the time measured.";
	}

	hint = truth_near(t, "period", 15,
			  "The period in which all of it comes again, in milliseconds (within 2 %).",
			  p.period_ms, p.period_ms / 50.0, "ms");
	hint[0] = "Each of the functions is called once in a period.";
	hint[1] = "How many calls are there in five seconds?";
	hint[2] = "kprof lat lab_north -a -d 5, and divide. It is a whole number.";

	hint = truth_test(t, "lies", 15,
			  "A rate, in Hz, at which all samples come at one or two moments of the period.",
			  p.period_ms, lies, "Hz");
	hint[0] = "How far are two samples apart, and how far two calls?";
	hint[1] = "If the two are the same, what does every sample see?";
	hint[2] = "A rate with the same period as the calls.";

	hint = truth_test(t, "honest", 15,
			  "A rate, of 50 Hz or more, at which they come at 40 moments or more.",
			  p.period_ms, is_honest, "Hz");
	hint[0] = "The rates that profilers have by default look odd. Why?";
	hint[1] = "Samples must wander through the period: no small multiple of one may be a multiple "
		  "of the other.";
	hint[2] = "Try a prime number, and compare with what you know of the shares.";

	hint = truth_seen(t, 10, "lab_north lab_south");
	hint[0] = "kprof record writes kprof.data where it is started; kprof lat with -o.";
}
