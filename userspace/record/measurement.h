/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measurement.h - a time in which the module works for us: whom for, and until when
 *
 * It ends with a signal, with the command that was given, or with the last of
 * the processes that were. Functions that return int give 0, or EXIT_ERROR
 * after a message.
 */
#ifndef KPROF_MEASUREMENT_H
#define KPROF_MEASUREMENT_H

#include <stdbool.h>

#include "lib/opt.h"
#include "record/command.h"
#include "record/setup.h"
#include "record/until.h"

struct measurement {
	struct setup setup;
	struct command command;
	const char *name;		/* of the command, or NULL */
	struct until until;
	int status;			/* of the command, once it has ended */
};

/*
 * Load or stop the module, fork @command (empty: none), and wait for it or
 * for @pids. measurement_end() undoes it, after an error, too.
 */
int measurement_begin(struct measurement *s, const char *module, char **command,
		      const struct opt_list *pids);

/* Only these processes, these names, these CPUs (NULL: all); the command, unless @all. */
int measurement_filter(struct measurement *s, const struct opt_list *pids, bool all,
		       const char *comm, const char *cpus);

/* Work, and let the command go. */
int measurement_start(struct measurement *s);

/* The module is as it was before. */
int measurement_end(struct measurement *s);

#endif /* KPROF_MEASUREMENT_H */
