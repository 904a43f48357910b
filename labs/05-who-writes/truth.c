// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: the processes do exactly what their token says
 */
#include "05-who-writes/params.h"
#include "truth.h"

const char *const lab_title = "Who writes?";

static const char *const names[WRITERS] = { "amber", "birch", "cedar" };
static const char *const tasks[WRITERS] = { "task_amber", "task_birch", "task_cedar" };

static const char *const calls[WHO_NR] = {
	[WHO_DIRECT] = "io_submit 209 2",
	[WHO_SYNC_RANGE] = "sync_file_range 277 84",
	[WHO_MSYNC] = "msync 26 227",
	[WHO_WRITE_SYNC] = "pwrite64 pwrite 18 68",
};

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct who_params p;
	const char **hint;

	(void)ledger;	/* there is no module */
	who_params(&p, token);

	hint = truth_word(t, "process", 20, "The process that waits for the disk: its name.",
			  names[p.culprit]);
	hint[0] = "Which of them write is one question, which of them makes the disk work another.";
	hint[1] = "A request to a disk begins in the process that cannot wait, or else, later, in "
		  "a thread of the kernel.";
	hint[2] = "kprof lat tp:block_rq_issue by=comm tp:block_rq_insert by=comm -a -d 5: who "
		  "issues requests, or has them queued?";

	hint = truth_near(t, "bytes", 15, "How many bytes one of its requests writes.",
			  p.bytes, 0, "bytes");
	hint[0] = "kprof io --comm NAME has the sizes of requests, by powers of two.";
	hint[1] = "A request knows its length. It is an argument of the tracepoints block_rq_issue "
		  "and block_rq_insert.";
	hint[2] = "kprof lat tp:block_rq_issue by='comm,+0x2c($arg1):u32' -a -d 5";

	hint = truth_near(t, "first", 15, "The lowest sector that it writes to.", p.first, 0, "sector");
	hint[0] = "A request knows its first sector, too.";
	hint[1] = "Look at many of them: at which sector is the lowest? Leave out the other "
		  "writers.";
	hint[2] = "kprof lat tp:block_rq_issue by='comm,+0x30($arg1):u64' --comm NAME -d 5 --csv "
		  "--max-rows 2048";

	hint = truth_near(t, "repeat", 15,
			  "After how many of its writes it is at the same sector again.",
			  p.places, 0, "");
	hint[0] = "If it always writes to the same place, that is after one.";
	hint[1] = "To how many places does it write? Measure for so long that each comes several "
		  "times.";
	hint[2] = "kprof trace 'tp:block_rq_issue by=+0x30($arg1):u64' --comm NAME -d 5: count "
		  "the lines from one sector to the same.";

	hint = truth_word(t, "call", 15, "Which system call of it makes the requests: its name.",
			  calls[p.way]);
	hint[0] = "Writing to the page cache makes no request, unless the file was opened so. "
		  "Which call brings data to the disk?";
	hint[1] = "kprof syscalls --comm NAME -d 5: which ones does it make at all?";
	hint[2] = "kprof lat tp:block_rq_issue by=syscall --comm NAME -d 5, or of block_rq_insert: "
		  "its number; by=stack: how the kernel got there.";

	hint = truth_seen(t, 10, tasks[p.culprit]);
	hint[0] = "kprof lat ... by=comm -o kprof.data leaves a recording.";
}
