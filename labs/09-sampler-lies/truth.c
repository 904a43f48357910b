// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

const char *const lab_title = "The sampler lies";

/*
 * At how many moments of a period, of which there are @rate in a second, samples at @hz come:
 * @rate / @hz periods lie between two of them, and the denominator of that fraction, in lowest
 * terms, is the number. 0: this is no rate.
 */
static u32 moments(double hz, double rate)
{
	u32 a = rate, b;

	if (hz < 1 || hz > 20000 || hz != (u32)hz)
		return 0;
	for (b = hz; b; ) {
		u32 rest = a % b;

		a = b;
		b = rest;
	}
	return hz / a;
}

/* If there is no period (@rate is 0 then), none lies, and nobody has to mind. */
static bool lies(double hz, double rate)
{
	u32 nr = moments(hz, rate);

	/* Slower than the period, 1 Hz lies about any of them, and says nothing of this one. */
	return rate ? nr && nr <= 2 && hz >= rate : !hz;
}

static bool is_honest(double hz, double rate)
{
	return rate ? hz >= 50 && moments(hz, rate) >= 40 : !hz;
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
	double share, rate;
	int i;

	sampler_params(&p, token);
	rate = p.regular ? p.rate : 0;
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
			  rate ? 1000 / rate : 0, rate ? 20 / rate : 0, "ms");
	hint[0] = "Each of the functions is called once in a period.";
	hint[1] = "How many calls are there in some seconds? And is each as long as the others?";
	hint[2] = "kprof lat lab_north -a -d 2, and -d 6: divide 4 s by the calls that are more. If "
		  "p50 and p90 differ, there is none.";

	hint = truth_test(t, "lies", 15,
			  "A rate, in Hz, of one sample in a period at least, at which all come at one "
			  "or two moments of it, or 0.",
			  rate, lies, "Hz");
	hint[0] = "How far are two samples apart, and how far two calls?";
	hint[1] = "If the two are the same, what does every sample see?";
	hint[2] = "The rate of the calls: how many are there in a second? The times of kprof trace "
		  "tell 249 from 250, by what usually lies between two. If they have no period, no "
		  "rate lies: 0.";

	hint = truth_test(t, "honest", 15,
			  "A rate, of 50 Hz or more, at which they come at 40 moments or more, or 0 if "
			  "there is no period.",
			  rate, is_honest, "Hz");
	hint[0] = "The rates that profilers have by default look odd. Why?";
	hint[1] = "Samples must wander through the period: no small multiple of one may be a multiple "
		  "of the other.";
	hint[2] = "Try a prime number, and compare with what you know of the shares. Where the calls have "
		  "no period, all rates do: 0.";

	hint = truth_seen(t, 10, "lab_north lab_south");
	hint[0] = "kprof record writes kprof.data where it is started; kprof lat with -o.";
}
