/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marked.h - follows a command and its descendants, and tells of kprof_start() and kprof_stop()
 *
 * A thread that calls one of them stands still until that is told, so what is switched there is
 * switched at that place. This takes ptrace(2), and neither the module nor root.
 *
 *	struct marked m = { .tell = switch_on, .argument = &counters };
 *
 *	marked_open(&m, argv[0])
 *	marked_begin(&m, pid)		a command that has not been started yet
 *	marked_sleep(&m, &until, ns)	again and again
 *	marked_end(&m)			before anybody waits for the command
 *	marked_close(&m)
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_RECORD_MARKED_H
#define KPROF_RECORD_MARKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "record/until.h"

/* One of both, in the file of the program. */
struct marked_place {
	uint64_t offset, counter;	/* of the marker, and of what says whether it is watched */
	bool is_start;
};

/* A thread that is followed. */
struct marked_thread {
	pid_t tid;
	uint64_t shift;		/* from places of the program to addresses; 0: not known */
};

/* Zero-initialise, but for the first two. */
struct marked {
	void (*tell)(void *argument, bool is_start);
	void *argument;
	uint64_t starts;		/* calls of kprof_start() */
	/* Private from here on. */
	struct marked_place *place;
	size_t nr_places;
	struct stat program;
	pid_t command;
	struct marked_thread *thread;
	size_t nr_threads, thread_room;
	int wake;			/* signalfd of SIGCHLD */
	bool is_leaving;
};

/* Find the markers in the program that a command runs. */
int marked_open(struct marked *m, const char *command);
int marked_begin(struct marked *m, pid_t command);

/* As until_sleep(), and sooner if a thread has been served meanwhile. */
int marked_sleep(struct marked *m, struct until *u, uint64_t ns);

/* Let all go, which go on as if nobody had followed them. */
void marked_end(struct marked *m);
void marked_close(struct marked *m);

#endif /* KPROF_RECORD_MARKED_H */
