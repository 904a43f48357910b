// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

const char *const lab_title = "The sampler lies";

/*
 * None lies if there is no period (@ms is 0 then), and nobody has to mind.
 *
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

	/* Slower than the period, 1 Hz lies about any of them, and says nothing of this one. */
	return ms ? nr && nr <= 2 && hz * ms >= 1000 : !hz;
}

static bool is_honest(double hz, double ms)
{
	return hz >= 50 && (!ms || moments(hz, ms) >= 40);
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
	double share, period;
	int i;

	sampler_params(&p, token);
	period = p.regular ? p.period_ms : 0;
	for (i = 0; i < 2; i++) {
		share = p.percent[i];
		/* What a measurement has kept it from doing is nobody's time. */
		if (ledger->nr == 5 && truth_is_long(ledger))
			share = 100.0 * n[2 + i] / n[4];
		hint = truth_near(t, names[i], 20 - 5 * i, texts[i], share, 2, "%");
		hint[0] = "Sample at several rates. Do they agree?";
		hint[1] = "Watching a function depends on no rate.";
		hint[2] = "kprof lat 'sampler:lab_*' -a -d 2, and -d 6: what more of total in 4 s";
	}

	hint = truth_near(t, "period", 15,
			  "The period in which all of it comes again, in ms (within 2 %), or 0 if "
			  "there is none.",
			  period, period / 50, "ms");
	hint[0] = "Each of the functions is called once in a period.";
	hint[1] = "How many calls are there in some seconds? And is each as long as the others?";
	hint[2] = "kprof lat lab_north -a -d 2, and -d 6: divide 4 s by the calls that are more. It is a "
		  "whole number. If p50 and p90 differ, there is none.";

	hint = truth_test(t, "lies", 15,
			  "A rate, in Hz, of one sample in a period at least, at which all come at one "
			  "or two moments of it, or 0.",
			  period, lies, "Hz");
	hint[0] = "How far are two samples apart, and how far two calls?";
	hint[1] = "If the two are the same, what does every sample see?";
	hint[2] = "A rate with the same period as the calls. If they have none, no rate lies: 0.";

	hint = truth_test(t, "honest", 15,
			  "A rate, of 50 Hz or more, at which they come at 40 moments or more.",
			  period, is_honest, "Hz");
	hint[0] = "The rates that profilers have by default look odd. Why?";
	hint[1] = "Samples must wander through the period: no small multiple of one may be a multiple "
		  "of the other.";
	hint[2] = "Try a prime number, and compare with what you know of the shares.";

	hint = truth_seen(t, 10, "lab_north lab_south");
	hint[0] = "kprof record writes kprof.data where it is started; kprof lat with -o.";
}
