// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from the clock of the program
 */
#include <math.h>

#include "02-hundred/params.h"
#include "truth.h"

const char *const lab_title = "A hundred of them";

/* On 6.1: tables of the memory are copied for a process, not for a thread. */
void lab_model(u64 token, struct truth_ledger *ledger)
{
	struct hundred_params p;

	hundred_params(&p, token);
	ledger->number[0] = p.threads ? 53000 : 110000 + 37000 * p.mib;
	ledger->nr = 1;
}

/*
 * Of a thread, about half is its stack, and half is that pages are cleared, for that and others:
 * whether one of these has most of it depends on the kernel, and on a recording's few samples.
 */
static const char *const functions_of_threads =
	"copy_process dup_task_struct alloc_thread_stack_node copy_thread __vmalloc_node_range "
	"__vmalloc_node_range_noprof clear_page_erms clear_page_rep clear_page_orig";

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct hundred_params p;
	const char **hint;

	hundred_params(&p, token);

	hint = truth_word(t, "kind", 20, "What the program makes: threads or processes.",
			  p.threads ? "threads thread" : "processes process");
	hint[0] = "Threads share their memory, a process has its own.";
	hint[1] = "One function of the kernel makes both: kernel_clone. Its flags tell which.";
	hint[2] = "kprof lat kernel_clone by='+0($arg1):x64' -- hundred: flags; 0x100 is CLONE_VM.";

	hint = truth_near(t, "number", 15, "How many of them.", p.number, 0, "");
	hint[0] = "Each of them is a call.";
	hint[1] = "kprof lat FUNCTION -- hundred counts calls of the program alone.";
	hint[2] = "kprof lat kernel_clone -- hundred: the column calls.";

	hint = truth_factor(t, "each", 20,
			    "How many instructions the kernel needs for one (up to 1.3 times more or less).",
			    ledger->nr == 1 ? ledger->number[0] : NAN, 1.3, "");
	hint[0] = "In this machine an instruction takes a nanosecond.";
	hint[1] = "How long does a call of kernel_clone take?";
	hint[2] = "kprof lat kernel_clone -- hundred: the column avg.";

	hint = truth_word(t, "function", 15,
			  "The function below kernel_clone in which most of that is spent, or its callee; "
			  "copy_process if none below it has most.",
			  p.threads ?
			  functions_of_threads :
			  "dup_mmap dup_mm copy_mm copy_page_range copy_pte_range "
			  "copy_p4d_range copy_present_pte copy_present_ptes");
	hint[0] = "A picture shows it: record, then look who is above whom.";
	hint[1] = "kprof record -F 9999 -- hundred; kprof report -g. Which children of kernel_clone are "
		  "there?";
	hint[2] = "kprof report | grep -e copy -e dup: the column children.";

	/* Each stack has a page, too. */
	hint = truth_factor(t, "resident", 10,
			    "The resident memory of the program, in MiB (up to 1.3 times more or less).",
			    p.mib + p.number / 256.0, 1.3, "MiB");
	hint[0] = "It is what a new process needs tables for.";
	hint[1] = "/proc/PID/status has it while the program runs.";
	hint[2] = "hundred & sleep 0.5; grep VmRSS /proc/$!/status";

	hint = truth_seen(t, 10, "kernel_clone copy_process");
	hint[0] = "kprof lat -o kprof.data leaves a recording.";
}
