/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * markers.h - the markers (USDT) of a program or a library, and where their arguments are
 */
#ifndef KPROF_USER_MARKERS_H
#define KPROF_USER_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/buf.h"

#define USER_MARKERS_MAX	65536	/* notes of one file; the rest is left out */

enum user_machine { USER_X86_64, USER_X86, USER_ARM64, USER_OTHER };

/**
 * struct user_marker - one place of a marker; the compiler may have made several of one
 * @provider:	first half of its name
 * @name:	second half
 * @arguments:	what the compiler says of its arguments: "-4@%eax 8@-16(%rbp)"
 * @offset:	where it is in the file
 * @counter:	where its semaphore is in the file; 0: it has none
 * @machine:	whose registers @arguments are
 */
struct user_marker {
	const char *provider, *name, *arguments;
	uint64_t offset, counter;
	enum user_machine machine;
};

/* Zero-initialise. */
struct user_markers {
	struct user_marker *item;
	size_t nr, room;
	struct arena texts;
};

/* Read the markers of an ELF file; of any other file there are none. They are sorted by name. */
void user_markers_read(struct user_markers *m, int fd);
void user_markers_free(struct user_markers *m);

/**
 * struct user_marker_argument - an argument, as the module's keys have it
 * @fetch:	a register, or memory beside one: "%ax", "-16(%bp)"
 * @type:	"s32" or the like
 * @bytes:	its size
 */
struct user_marker_argument {
	char fetch[48];
	char type[4];
	int bytes;
};

unsigned int user_marker_nr_arguments(const struct user_marker *marker);

/*
 * Argument @number, from 1 on. Returns false if there is none, or if it is where the module does
 * not look; @why, which must be empty, says which.
 */
bool user_marker_argument(const struct user_marker *marker, unsigned int number,
			  struct user_marker_argument *arg, struct buf *why);

#endif /* KPROF_USER_MARKERS_H */
