/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * generated.h - the names of code that a process has generated, which it alone can tell
 *
 * It writes them into a jit-PID.dump, or into /tmp/perf-PID.map. PID is its number in its own PID
 * namespace, and /tmp is that of its own mount namespace.
 */
#ifndef KPROF_USER_GENERATED_H
#define KPROF_USER_GENERATED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "user/code.h"

/* Code of a file that the process has mapped, as in /proc/PID/maps. */
struct generated_map {
	uint64_t start, end, offset;
	uint64_t dev_major, dev_minor, ino;
};

/* What is noted of a process while it runs: later its number may be another process's. */
struct generated {
	uint64_t tgid;		/* in the PID namespace of this process */
	bool is_in_proc;	/* by that number; if not, nothing below is known */
	uint64_t own;		/* in its own PID namespace */
	uid_t owner;		/* of the process; if it had ended already, the caller */
	int64_t started;	/* seconds since 1970; 0: not known */
	bool is_held;		/* generated_hold() was called */
	bool is_elsewhere;	/* it has other mounts, or another root directory */
	int tmp;		/* its /tmp, if it is elsewhere; -1: not open */
	struct generated_map *map;	/* what it had mapped when generated_hold() was called */
	size_t nr_maps;
	size_t before;		/* bytes that its map had when kprof began; 0: not known */
};

/*
 * Note a process. It may have ended. If it is not in /proc by that number, as it is in another PID
 * namespace, nothing is known of it, and nothing that it tells is read.
 */
void generated_note(struct generated *g, uint64_t tgid, bool is_in_proc);

/*
 * It has samples in code that it has generated: note what takes long to find out, and is gone when
 * it has ended.
 */
void generated_hold(struct generated *g);
void generated_free(struct generated *g);

/* A file that the process has mapped, as profilers find jitdumps by that. */
struct generated_dump {
	const char *path;	/* as the process sees it */
	uint64_t dev_major, dev_minor, ino;
};

/* Is that what the jitdump of this process is called? */
bool generated_is_dump(const struct generated *g, const char *path);

/* Add the functions of a jitdump that the process has mapped. Returns false if it tells of none. */
bool generated_read_dump(struct user_functions *f, const struct generated *g,
			 const struct generated_dump *dump);

/* The same of a jitdump in /tmp; if there is none, of the perf-PID.map. */
void generated_read(struct user_functions *f, const struct generated *g);

#endif /* KPROF_USER_GENERATED_H */
