/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * until.h - wait until a signal arrives or processes have exited
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_UNTIL_H
#define KPROF_UNTIL_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/opt.h"

struct until {
	sigset_t old_signals;
	struct pollfd *wake;		/* [0]: signalfd; then a pidfd for each process */
	int nr_wake;
	bool interrupted;		/* a signal was received by until_take_signal() */
};

/* From now on SIGINT, SIGTERM and the like end the measurement, not the program. */
int until_begin(struct until *u);

/*
 * Check that these are process ids, and that there are none if @all. Returns EXIT_OK, or EXIT_USAGE
 * after a message.
 */
int until_check_pids(const struct opt_list *pids, bool all);

/* Also wait for a process, or for several. */
int until_process(struct until *u, pid_t pid);
int until_processes(struct until *u, const struct opt_list *pids);
void until_forget_processes(struct until *u);

/* @start plus @seconds, in nanoseconds; 0 seconds: never. */
static inline uint64_t until_deadline(uint64_t start, double seconds)
{
	return seconds > 0 ? start + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}

/*
 * On a terminal, say that a measurement with neither a command nor @seconds has begun, and how it
 * ends. @doing: "measuring" or the like.
 */
void until_say(const struct until *u, bool has_command, double seconds, const char *doing);

/* Sleep for @ns nanoseconds, or until a signal arrives or a process exits. */
int until_sleep(struct until *u, uint64_t ns);

/* After until_sleep() or poll(): did a signal arrive, or have all processes exited? */
bool until_is_over(struct until *u);
bool until_is_interrupted(const struct until *u);

/* Is a signal pending? If so, consume it, so that a second one can be noticed. */
bool until_take_signal(struct until *u);

void until_end(struct until *u);

#endif /* KPROF_UNTIL_H */
