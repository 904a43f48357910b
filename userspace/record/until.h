/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * until.h - wait until a signal arrives or processes have exited
 *
 * Functions that return int give 0, or EXIT_ERROR after a message.
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
	struct pollfd *wake;		/* [0]: signals; then the processes waited for */
	int nr_wake;
	bool interrupted;		/* a signal came, and was taken */
};

/* From now on SIGINT, SIGTERM and the like end the measurement, not the program. */
int until_begin(struct until *u);

/* Are these process ids, and none where @all are meant? EXIT_USAGE, after a message, if not. */
int until_check_pids(const struct opt_list *pids, bool all);

/* Wait for this process, too, or for these. */
int until_process(struct until *u, pid_t pid);
int until_processes(struct until *u, const struct opt_list *pids);
void until_forget_processes(struct until *u);

/* When so many seconds from @start on have passed, in nanoseconds; 0 seconds: never. */
static inline uint64_t until_deadline(uint64_t start, double seconds)
{
	return seconds > 0 ? start + (uint64_t)(seconds * 1e9) : UINT64_MAX;
}

/* Sleep for so long, or until one of these comes. */
int until_sleep(struct until *u, uint64_t ns);

/* After until_sleep() or poll(): did a signal come, or did all these processes end? */
bool until_is_over(struct until *u);
bool until_is_interrupted(const struct until *u);

/* Is there a signal? Then it is taken, so that another one can be told from it. */
bool until_take_signal(struct until *u);

void until_end(struct until *u);

#endif /* KPROF_UNTIL_H */
