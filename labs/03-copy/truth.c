// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: from the token, and page faults as the kernel counted them
 */
#include <math.h>

#include "03-copy/params.h"
#include "truth.h"

const char *const lab_title = "Copy";

static const char *const causes[COPY_NR] = {
	[COPY_FAULTS] = "faults fault page-faults",
	[COPY_CALLS] = "calls call system-calls syscalls",
	[COPY_USER] = "program user user-mode",
};

static const char *const syncs[COPY_SYNC_NR] = {
	[COPY_SYNC_ALL] = "right",
	[COPY_SYNC_NEXT] = "address",
	[COPY_SYNC_PAGE] = "length",
};

/* The best block, or half of it: that is not much worse. */
static bool is_best(double answer, double best)
{
	return answer >= best / 2 && answer <= best;
}

/* Page faults from fork to main() are some hundred, unless whoever forks has much to copy. */
#define FAULTS_BEFORE	200

/* What the ledger has of a copy, or else what is about right: at least, and at most */
static void faults_of(const struct truth_ledger *ledger, int copy, u32 about, double bounds[2])
{
	bool is_counted = ledger->nr == COPY_NUMBERS && ledger->number[2 * copy + 1];
	int i;

	for (i = 0; i < 2; i++)
		bounds[i] = is_counted ? ledger->number[2 * copy + i] : about;
	bounds[1] = fmin(bounds[1], bounds[0] + FAULTS_BEFORE);
}

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	double faults[2], mapped[2];
	u32 pages, calls;
	struct copy_params p;
	const char **hint;

	copy_params(&p, token);
	pages = p.bytes / PAGE;
	calls = p.cause == COPY_CALLS ? p.bytes / PIECE : (p.bytes - 1) / LARGE_BLOCK + 1;
	/* The program has some of its own; one maps 16 pages of a file that is read. */
	faults_of(ledger, 0,
		  (p.cause == COPY_FAULTS ? pages : LARGE_BLOCK / PAGE) + p.table + 40, faults);
	faults_of(ledger, 1, pages + pages / 16 + 40, mapped);

	/* Some come before the program begins, and are counted for it or not. */
	hint = truth_between(t, "faults", 15,
			     "Mode rw, blocks of 1048576: page faults of the copy (within a "
			     "tenth).", faults[0], faults[1], faults[0] / 10, "");
	hint[0] = "A page of memory that was never touched causes a fault when it is.";
	hint[1] = "kprof has a verb for page faults.";
	hint[2] = "kprof faults -- copy rw 1048576 /tmp/source /tmp/target";

	hint = truth_between(t, "mapped", 10,
			     "Mode mmap, blocks of 65536: page faults of the copy (within a "
			     "tenth).", mapped[0], mapped[1], mapped[0] / 10, "");
	hint[0] = "Measure it as you have measured the other one.";
	hint[1] = "kprof faults -- copy mmap 65536 /tmp/source /tmp/target";
	hint[2] = "All rows of the table count, whatever kind of fault they are.";

	hint = truth_near(t, "calls", 15,
			  "Mode rw, blocks of 1048576: calls of pread64.",
			  calls, 0, "");
	hint[0] = "The length of the file, by that of a block, is what one would expect.";
	hint[1] = "kprof has a verb for system calls.";
	hint[2] = "kprof syscalls -- copy rw 1048576 /tmp/source /tmp/target";

	hint = truth_test(t, "best", 15,
			  "Mode rw: the size of a block, a power of two, with which a copy takes "
			  "least time.",
			  p.best, is_best, "bytes");
	hint[0] = "The program says how long it took. Try all powers of two from 4096 to 1048576.";
	hint[1] = "Where does it stop to become faster?";
	hint[2] = "for n in 4096 8192 16384 ...; do copy rw $n /tmp/source /tmp/target; done";

	hint = truth_word(t, "why", 15,
			  "Why larger blocks take longer: for faults, for calls, or for the "
			  "program's own work.",
			  causes[p.cause]);
	hint[0] = "Count faults and calls at the best size, and at one that clearly takes longer.";
	hint[1] = "Time is spent in the kernel (for calls or faults), or in user mode: which?";
	hint[2] = "Does the number of faults, or of calls, grow when the block does? If neither "
		  "does, it is the program.";

	hint = truth_word(t, "sync", 10,
			  "Mode mmap: what msync is given: the right range, a wrong address, a "
			  "wrong length.",
			  syncs[p.sync]);
	hint[0] = "msync writes back a range of the file. Which ones, of all that was copied?";
	hint[1] = "It calls vfs_fsync_range(file, first byte, last byte, ...): look at its "
		  "arguments.";
	hint[2] = "kprof lat vfs_fsync_range by='$arg2,$arg3' -- copy mmap 65536 /tmp/source "
		  "/tmp/target: is there a row for each block, and all of it?";

	hint = truth_seen(t, 10, "handle_mm_fault vfs_fsync_range vfs_read ksys_pread64 "
				 "__x64_sys_pread64 __arm64_sys_pread64 x64_sys_call");
	hint[0] = "kprof faults -o kprof.data leaves a recording, as does kprof lat.";
}
