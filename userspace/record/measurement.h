/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measurement.h - run the module for a command or for processes, then restore it
 *
 * Only the code in record/ talks to the module; this is its entry point for verbs. A
 * measurement ends on a signal, or when its command or the last of its processes exits.
 * Functions that return int return 0, or EXIT_ERROR after a message.
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
	int status;			/* exit status of the command, once it has ended */
};

/*
 * Check the options of a measurement: --pid, which does not go with --all, and --cpus, of which
 * those that come online later are there, too. Returns EXIT_OK, or EXIT_USAGE after a message.
 */
int measurement_check(const struct opt_list *pids, bool all, const char *cpus);

/*
 * Load the module, or stop it if it is loaded, and fork @command (empty: none), which waits.
 * Call measurement_end() in any case, also after an error.
 */
int measurement_begin(struct measurement *s, const char *module, char **command,
		      const struct opt_list *pids);

/*
 * Set the filters: processes, names, CPUs (NULL: all), and the command, unless @all. What this
 * process does is left out, and counted by the module as dropped_own, unless @own.
 */
int measurement_filter(struct measurement *s, const struct opt_list *pids, bool all,
		       const char *comm, const char *cpus, bool own);

/*
 * Enable the module, and start the command. Without one, say how the measurement ends, unless it
 * is to end after some @seconds.
 */
int measurement_start(struct measurement *s, double seconds);

/* Restore the module. */
int measurement_end(struct measurement *s);

#endif /* KPROF_MEASUREMENT_H */
