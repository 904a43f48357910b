// SPDX-License-Identifier: GPL-2.0-only
/*
 * file_table.c - the file file_table: the files that places in user stacks are in
 *
 * One line for each, in the order of their numbers: NUMBER KIND MAJOR:MINOR INODE SIZE MTIME TGID
 * BUILD-ID PATH. The table only grows, except for a reset while nothing takes samples.
 */
#include <linux/kernel.h>
#include <linux/kdev_t.h>

#include "base/ids.h"
#include "files/files.h"
#include "files/text_file.h"
#include "user/user.h"

static const char * const kinds[KPROF_NR_MAPPED_KINDS] = {
	[KPROF_MAPPED_FILE] = "file",
	[KPROF_MAPPED_VDSO] = "vdso",
	[KPROF_MAPPED_VDSO32] = "vdso32",
	[KPROF_MAPPED_ANON] = "anon",
	[KPROF_MAPPED_DATA] = "data",
	[KPROF_MAPPED_FULL] = "full",
};

static const char *kind_of(const struct kprof_mapped *file)
{
	return file->is_far && file->kind == KPROF_MAPPED_FILE ? "far" : kinds[file->kind];
}

static int make_file_table(struct kprof_text *text)
{
	const struct kprof_mapped *file;
	char process[KPROF_ID_TEXT];
	u32 id;

	for (id = 1; (file = kprof_mapped_row(id)); id++) {
		kprof_id_print(file->tgid, process);
		kprof_text_printf(text, "%u %s %u:%u %llu %llu %lld %s ", id, kind_of(file),
				  MAJOR(file->dev), MINOR(file->dev), file->ino, file->size,
				  file->mtime, process);
		if (file->build_id_len)
			kprof_text_printf(text, "%*phN ", file->build_id_len, file->build_id);
		else
			kprof_text_write(text, "- ", 2);
		kprof_text_path(text, file->path);
	}
	return 0;
}

KPROF_TEXT_FILE(file_table, make_file_table);
