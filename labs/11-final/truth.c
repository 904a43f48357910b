// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and from what the module has counted
 */
#include "params.h"
#include "truth.h"

#define LEDGER	6

const char *const lab_title = "Final";

enum resource { CPU, DISK, LOCKS, NONE };

static const char *const resources[] = {
	[CPU] = "cpu cpu0", [DISK] = "disk lab", [LOCKS] = "locks lock", [NONE] = "none"
};

static const char *const sources[] = {
	[CPU] = "stat /proc/stat",
	[DISK] = "diskstats /proc/diskstats",
	[LOCKS] = "kprof kprof.ko @locks",
	[NONE] = "none",
};

/* What the kernel does while a program forks, faults, writes, fails: on any architecture. */
static const struct {
	const char *names, *functions;
} causes[FINAL_NR] = {
	[FINAL_STUTTER] = { "1 01 stutter", "" },
	[FINAL_HUNDRED] = { "2 02 hundred",
		"kernel_clone copy_process dup_mm dup_mmap copy_mm copy_page_range copy_pte_range "
		"copy_p4d_range __do_sys_clone __x64_sys_clone __do_sys_clone3 __arm64_sys_clone "
		/* What is copied has to be taken down again, which takes as long. */
		"unmap_page_range unmap_vmas unmap_single_vma zap_pte_range zap_present_ptes exit_mmap "
		"exit_mm mmput __mmput do_exit do_group_exit __do_sys_exit_group "
		"__x64_sys_exit_group __arm64_sys_exit_group" },
	[FINAL_COPY] = { "3 03 copy",
		"handle_mm_fault __handle_mm_fault do_anonymous_page do_pte_missing do_fault "
		"do_user_addr_fault exc_page_fault asm_exc_page_fault do_page_fault do_mem_abort "
		"do_translation_fault el0_da clear_page clear_page_erms clear_page_rep "
		"clear_page_orig __pi_clear_page vma_alloc_zeroed_movable_folio alloc_anon_folio" },
	[FINAL_LOAD] = { "4 04 load", "" },
	[FINAL_WRITES] = { "5 05 writes",
		"submit_bio submit_bio_noacct submit_bio_wait blkdev_write_iter vfs_write "
		"ksys_pwrite64 __x64_sys_pwrite64 __arm64_sys_pwrite64 blkdev_direct_IO "
		"blkdev_direct_write __blkdev_direct_IO_simple generic_file_direct_write "
		"__generic_file_write_iter blk_io_schedule io_schedule io_schedule_timeout" },
	[FINAL_ELF] = { "6 06 elf", "load_elf_binary force_fatal_sig bprm_execve" },
};

static const char *const functions_that_work[] = { "lab_grove", "lab_heath" };
static const char *const functions_that_wait[] = {
	"msleep schedule_timeout schedule_timeout_uninterruptible",
	"mutex_lock __mutex_lock __mutex_lock.constprop.0 __mutex_lock_slowpath",
};

static const char *function_of(const struct final_params *p)
{
	if (p->cause == FINAL_STUTTER)
		return functions_that_work[p->function];
	if (p->cause == FINAL_LOAD)
		return functions_that_wait[p->on_lock];
	return causes[p->cause].functions;
}

static const char *task_of(const struct final_params *p)
{
	static const char *const names[FINAL_NAMES] = { "amber", "birch", "cedar" };

	if (p->cause == FINAL_STUTTER)
		return p->in_thread ? "lab" : "kworker";
	return p->cause == FINAL_LOAD ? "lab" : names[p->culprit];
}

static enum resource resource_of(const struct final_params *p)
{
	switch (p->cause) {
	case FINAL_WRITES:
		return DISK;
	case FINAL_LOAD:
		return p->on_lock ? LOCKS : NONE;
	case FINAL_ELF:
		return NONE;
	default:
		return CPU;
	}
}

static void ask_figures(struct truth *t, const struct final_params *p,
			const struct truth_ledger *ledger)
{
	/* One request does not wait for another: it is idle while both processes pause. */
	double paused = p->cause == FINAL_WRITES ? p->pause / (100.0 + p->pause) : 1;
	double disk = 100 - paused * (100 - p->little);
	/* Of those that come at once, the second waits for the first, the third for both. */
	double locks = final_locks_short(p) ? p->waiters - 1 :
		       (double)p->hold_ms * FINAL_HOLDERS * (FINAL_HOLDERS - 1) / 2 / FINAL_HOLD_MS;
	double cpu = resource_of(p) == CPU ? p->percent + 3 : 4, memory = 10 + p->mib / 10.0;
	const u64 *n = ledger->number;
	const char **hint;

	if (ledger->nr == LEDGER && n[4])
		memory = 100 - 100.0 * n[5] / n[4];
	if (ledger->nr == LEDGER && truth_is_long(ledger)) {
		disk = 100.0 * n[2] / (n[1] - n[0]);
		locks = (double)n[3] / (n[1] - n[0]);
	}
	hint = truth_near(t, "cpu", 10, "Utilisation of the CPU, in per cent (within 12).", cpu, 12,
			  "%");
	hint[0] = "All of its time counts in which it is not idle, whoever has it.";
	hint[1] = "Measure for some seconds, while nothing of yours runs.";
	hint[2] = "kprof use -d 10: the row cpu0, utilisation.";

	hint = truth_near(t, "memory", 10, "Utilisation of the memory, in per cent (within 5).",
			  memory, 5, "%");
	hint[0] = "What can be had at once is not in use, even if there is something in it.";
	hint[1] = "MemAvailable in /proc/meminfo is what can be had.";
	hint[2] = "kprof use -d 10: the row memory, utilisation.";

	hint = truth_near(t, "disk", 5,
			  "Utilisation of the disk called lab, in per cent (within 10).", disk, 10,
			  "%");
	hint[0] = "A disk is in use while it has at least one request.";
	hint[1] = "The kernel counts that time for each disk.";
	hint[2] = "kprof use -d 10: the row disk lab, utilisation.";

	hint = truth_near(t, "locks", 5,
			  "Saturation of locks: tasks that wait for one, on average (within 0.15, or a "
			  "fifth).", locks, locks / 5 > 0.15 ? locks / 5 : 0.15, "");
	hint[0] = "No file of the kernel's has it: it has to be measured.";
	hint[1] = "A task that waits all the time counts as one.";
	hint[2] = "kprof use -d 10: the row locks, saturation.";
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct final_params p;
	const char **hint;

	final_params(&p, token);
	ask_figures(t, &p, ledger);

	hint = truth_word(t, "resource", 5,
			  "Which of them is short: cpu, memory, disk, locks, or none.",
			  resources[resource_of(&p)]);
	hint[0] = "Above half, or with more than one that waits: look there.";
	hint[1] = "A little of everything is usual. Is there one that stands out?";
	hint[2] = "If none does, it is none: not all that goes wrong takes something away.";

	hint = truth_word(t, "source", 5,
			  "Where that figure comes from: the file in /proc, or kprof if it is "
			  "measured, or none.",
			  sources[resource_of(&p)]);
	hint[0] = "kprof use says so for each.";
	hint[1] = "The last column.";
	hint[2] = "Give the file's name: vmstat is /proc/vmstat.";

	hint = truth_word(t, "cause", 15, "Which of the labs 1 to 6 it is: its number.",
			  causes[p.cause].names);
	hint[0] = "What is short rules most of them out.";
	hint[1] = "CPU: who has it, and for what? None: do tasks in state D wait, or does something "
		  "fail?";
	hint[2] = "Sample (1, 2, 3), look at what waits (4, 5), or at what is killed (6).";

	hint = truth_word(t, "task", 10,
			  "The name of the task that does it or waits: amber, birch, cedar, lab, kworker.",
			  task_of(&p));
	hint[0] = "Who begins it? A function may be called in the name of another task, too.";
	hint[1] = "Of the kernel's workers, kworker/0:1 and so on, the name up to the / is enough.";
	hint[2] = "kprof report --sort comm,context, or by=comm of what you watch; of a program that cannot "
		  "be started, who starts it.";

	hint = truth_word(t, "function", 15,
			  "The function in which the CPU's time goes, in which is waited, or which "
			  "fails; or its caller.",
			  function_of(&p));
	hint[0] = "Do what you have done in that lab.";
	hint[1] = "kprof report -g has the callers. Any between the system call (or the trap) and the "
		  "innermost one is right.";
	hint[2] = "The function that labs 1 to 6 asked for is right here, too.";

	hint = truth_seen(t, 10, function_of(&p));
	hint[0] = "kprof record, or kprof lat FUNCTION -a -d 5 -o kprof.data.";
}
