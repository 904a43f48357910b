/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_file.h - a file, in such a way that libdw can read its .eh_frame, whoever wrote it
 */
#ifndef KPROF_USER_FRAME_FILE_H
#define KPROF_USER_FRAME_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise. */
struct frame_file {
	Elf *elf;		/* NULL: it is no ELF file */
	/* what libdw reads instead of what libelf has read */
	void **copy;
	size_t nr, room;
};

void frame_file_open(struct frame_file *file, int fd);

/*
 * Read what libdw will read of the file, which is one. Returns whether anybody should read its
 * .eh_frame: it may be too large, or not there. @file->elf may have become NULL, like the file.
 */
bool frame_file_read(struct frame_file *file, int fd);
void frame_file_close(struct frame_file *file);

#endif /* KPROF_USER_FRAME_FILE_H */
