// SPDX-License-Identifier: GPL-2.0-only
/*
 * truth.c - what is right in this lab: the program does exactly what its token says
 */
#include "10-try-again/params.h"
#include "truth.h"

const char *const lab_title = "Try again";

void lab_truth(struct truth *t, u64 token, const struct truth_ledger *ledger)
{
	struct again_params p;
	u32 errors, copied;
	const char **hint;

	(void)ledger;	/* there is no module */
	again_params(&p, token);
	errors = (p.blocks - p.first) / p.every + 1;
	copied = p.retries ? p.blocks : p.blocks - errors;

	hint = truth_near(t, "errors", 20, "How many calls of read fail.", errors, 0, "");
	hint[0] = "Count system calls, and their errors.";
	hint[1] = "kprof syscalls --errors -- COMMAND. What are the errors called inside of "
		  "the kernel?";
	hint[2] = "kprof lat vfs_read by=error -- try-again /tmp/copy: a row for calls that fail.";

	hint = truth_near(t, "first", 15,
			  "The first block whose read fails; blocks are numbered from 1.",
			  p.first, 0, "");
	hint[0] = "Which argument of a read differs from block to block?";
	hint[1] = "The second argument of vfs_read, $arg2, is where the data goes to. A key makes a row "
		  "for each of its values.";
	hint[2] = "kprof lat vfs_read 'by=$arg2:x64,$retval:s32' --csv --max-rows 2048: the lowest "
		  "address of the calls that ask for a block is that of block 1, the next block is "
		  "4096 bytes on.";

	hint = truth_near(t, "every", 20, "From then on, every how many blocks one fails.",
			  p.every, 0, "");
	hint[0] = "Errors divided by blocks is not it: think of when they begin.";
	hint[1] = "How far are the buffers of two calls apart that fail one after the other?";
	hint[2] = "Sort the failing calls by address; subtract; divide by 4096.";

	hint = truth_near(t, "retries", 15,
			  "How many of the failed calls the program tries again.",
			  p.retries ? errors : 0, 0, "");
	hint[0] = "A call that is tried again is made twice for the same block.";
	hint[1] = "Is there more than one call with the same buffer?";
	hint[2] = "Of a buffer with a failed call: is there a row of a call that succeeded?";

	hint = truth_near(t, "missing", 10,
			  "How many bytes of the blocks, of 4096 each, are missing in the copy.",
			  (double)p.blocks * BLOCK - (double)copied * p.asked, 0, "bytes");
	hint[0] = "How long would the copy be if nothing were missing? How long is it?";
	hint[1] = "The program says how many blocks there are; ls -l how long the copy is.";
	hint[2] = "blocks * 4096 - length. Is it what you expect of the errors alone? Look at what "
		  "the calls that succeed return.";

	hint = truth_seen(t, 10, "vfs_read pipe_read ksys_read x64_sys_call __x64_sys_read "
				 "__arm64_sys_read");
	hint[0] = "kprof lat -o kprof.data leaves a recording.";
}
