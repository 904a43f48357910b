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

#include "record/until.h"

struct command {
	pid_t pid;		/* 0: there is none */
	bool runs;		/* it has been started */
	int go;			/* a byte written here starts it */
	int failed;		/* if execvp() fails, its errno can be read here */
};

/* Fork the command, which then waits. @mask is its signal mask. */
int command_start(struct command *c, char **argv, const sigset_t *mask);

/* Start it. Returns an error if it cannot be executed. */
int command_go(struct command *c, const char *name);

/*
 * End the command if it still runs, and report how it ended if it failed. Returns its exit
 * status as a shell does (128 + N for signal N), or 0 if it did not end by itself.
 */
int command_end(struct command *c, const char *name, struct until *u);

/* The exit status of a verb: its own if it failed, else that of the command it ran. */
static inline int command_status(int ret, int command)
{
	return (ret == EXIT_OK || ret == EXIT_LOST) && command ? command : ret;
}

#endif /* KPROF_COMMAND_H */
