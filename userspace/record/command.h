/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - fork a command that waits until it is told to start
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_COMMAND_H
#define KPROF_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "lib/exit.h"
#include "record/until.h"

struct command {
	/*
	 * In a process group of its own, with nothing to read or write: one of many runs, of which
	 * nothing is to be left, and whose end is not worth a message.
	 */
	bool apart;
	pid_t pid;		/* 0: there is none */
	bool runs;		/* it has been started */
	int not_run;		/* EXIT_NOT_RUN or EXIT_NOT_FOUND if it cannot be executed */
	int go;			/* a byte written here starts it */
	int failed;		/* if execvp() fails, its errno can be read here */
	/* What the new process does before execvp(), if anything; returns 0 or an errno. */
	int (*before_exec)(void *argument);
	void *argument;
};

/* Fork the command, which then waits. @mask is its signal mask. */
int command_start(struct command *c, char **argv, const sigset_t *mask);

/* Start it. Returns an error if it cannot be executed. */
int command_go(struct command *c, const char *name);

/* The two halves of that, for who has to serve the command between them: start it; could it be? */
int command_release(struct command *c, const char *name);
int command_ran(struct command *c, const char *name);

/*
 * End the command if it still runs, and report how it ended if it failed. Returns its exit
 * status as a shell does (128 + N for signal N, 126 or 127 if it could not be executed), or 0 if
 * it did not end by itself.
 */
int command_end(struct command *c, const char *name, struct until *u);

/* The same of one that has ended, with a status of waitpid(). */
int command_ended(struct command *c, const char *name, int status);

/*
 * The exit status of a verb: its own if it failed, else that of the command it ran. If it failed
 * because there was nothing to run, the status says that.
 */
static inline int command_status(int ret, int command)
{
	bool not_run = command == EXIT_NOT_RUN || command == EXIT_NOT_FOUND;

	return command && (ret == EXIT_OK || ret == EXIT_LOST || not_run) ? command : ret;
}

#endif /* KPROF_COMMAND_H */
