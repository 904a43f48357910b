// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep_inlined.c - what is inlined where programs were sampled, and lines, for the recording
 */
#include <stdio.h>
#include <sys/resource.h>

#include "lib/msg.h"
#include "lib/plural.h"
#include "record/keep_inlined.h"
#include "user/inlined.h"

#define SECONDS	30	/* of processor time, for all files */

struct keep_inlined {
	struct buf text;
	double begun;		/* processor time that other processes had taken before */
	size_t places, left_out;
};

/* Processor time of the processes that have ended. */
static double seconds_taken(void)
{
	struct rusage taken;

	if (getrusage(RUSAGE_CHILDREN, &taken))
		return 0;
	return taken.ru_utime.tv_sec + taken.ru_stime.tv_sec +
	       (taken.ru_utime.tv_usec + taken.ru_stime.tv_usec) / 1e6;
}

static void keep_file(struct keep_inlined *k, const struct user_file *file, uint64_t id)
{
	double left = SECONDS - (seconds_taken() - k->begun);
	const struct user_inlined_of of = {
		.fd = file->fd, .path = file->path, .offset = file->offset, .nr = file->nr,
		.base = id << KPROF_USER_SHIFT,
		.seconds = left < USER_INLINED_SECONDS ? left : USER_INLINED_SECONDS,
	};
	struct user_inlined result;
	char error[256];

	k->places += file->nr;
	/* To look for debug information once more takes milliseconds. */
	if (file->is_stripped)
		return;
	if (left <= 0 || user_inlined_read(&of, &result, &k->text, error))
		k->left_out += file->nr;
	else
		k->left_out += result.left_out;
}

void keep_inlined_write(const struct user_files *files, struct data_writer *out)
{
	struct keep_inlined k = { .begun = seconds_taken() };
	uint64_t id;

	for (id = 1; id < files->nr; id++)
		if (files->file[id].fd >= 0 && files->file[id].nr)
			keep_file(&k, &files->file[id], id);
	if (k.text.len)
		data_write(out, DATA_INLINED, 0, k.text.data, k.text.len, true);
	if (k.left_out)
		msg_warn("inlined functions and source lines of %zu of %zu place%s in programs are not kept: their debug information takes too much time or room, or is damaged",
			 k.left_out, k.places, plural(k.places));
	buf_free(&k.text);
}
