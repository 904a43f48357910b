// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

const char *const lab_title = "Stutter";

static const char *const functions[STUTTER_FUNCTIONS] = {
	"lab_amber", "lab_birch", "lab_cedar", "lab_delta", "lab_ember", "lab_frost"
};

static const char *const contexts[STUTTER_NR] = {
	[STUTTER_SOFTIRQ] = "softirq",
	[STUTTER_HARDIRQ] = "hardirq",
	[STUTTER_THREAD] = "thread",
	[STUTTER_IRQS_OFF] = "irqs-off",
};

static const char *const cpus[] = { "0 cpu0", "1 cpu1" };

/* Per cent of the CPU's time: what it was told to take, */
static double told(const struct stutter_work *work)
{
	return work->spin_us / (work->period_ms * 10.0);
}

/*
 * and what was counted, if there is a ledger. Where other programs keep the virtual machine from
 * running, the two differ, and the share in a few seconds may be either, or between them.
 */
static double counted(const struct stutter_work *work, const struct truth_ledger *ledger)
{
	if (ledger->nr < 4 || !truth_is_long(ledger))
		return told(work);
	return 100.0 * ledger->number[2] / (ledger->number[1] - ledger->number[0]);
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct stutter_params p;
	const char **hint;

	stutter_params(&p, token);

	hint = truth_word(t, "function", 20, "The function that takes the CPU away: its name.",
			  functions[p.culprit.function]);
	hint[0] = "What runs when the machine hiccups? Sample all of the system, not a command.";
	hint[1] = "kprof list --modules has the functions of modules. Which of them has samples?";
	hint[2] = "Where samples show nothing, watch: kprof lat 'MODULE:*' -a -d 10. More than one "
		  "function is called: compare their totals.";

	hint = truth_word(t, "context", 20,
			  "Where it runs: softirq, hardirq, thread, or irqs-off (interrupts off).",
			  contexts[p.culprit.context]);
	hint[0] = "Who calls the function? The root of its stack says who was interrupted, and "
		  "by what.";
	hint[1] = "kprof report -g has the callers; kprof lat FUNCTION by=context the contexts of "
		  "calls.";
	hint[2] = "A timer cannot interrupt code that has interrupts off. Compare the number of "
		  "samples with their time: how many samples does a call have?";

	hint = truth_word(t, "cpu", 10, "The CPU on which it runs: 0 or 1.", cpus[p.culprit.cpu]);
	hint[0] = "A recording knows the CPU of each sample.";
	hint[1] = "kprof report --help: what can a report be sorted by, or restricted to?";
	hint[2] = "kprof report -C 0, kprof report -C 1; kprof lat FUNCTION by=cpu.";

	hint = truth_between(t, "share", 20,
			     "How much of that CPU's time it takes, in per cent (within 3).",
			     told(&p.culprit), counted(&p.culprit, ledger), 3, "%");
	hint[0] = "Shares of a report are shares of what was sampled. Was everything sampled?";
	hint[1] = "The idle task is left out, unless it is asked for.";
	hint[2] = "kprof record -a --idle -F 999 -d 10, and one CPU only; or the total of kprof lat, "
		  "divided by the time that was measured.";

	hint = truth_near(t, "period", 10,
			  "How often it comes: every so many milliseconds (within 10 %).",
			  p.culprit.period_ms, p.culprit.period_ms / 10.0, "ms");
	hint[0] = "A function can be watched: each of its calls is counted then.";
	hint[1] = "How many calls are there in ten seconds?";
	hint[2] = "kprof lat FUNCTION -a -d 10, and divide.";

	hint = truth_seen(t, 10, functions[p.culprit.function]);
	hint[0] = "kprof record writes kprof.data where it is started: start it in /lab. What has no "
		  "samples is in a recording of calls: kprof lat FUNCTION -a -d 10 -o kprof.data.";
}
