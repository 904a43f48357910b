/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - run a command that waits for its start until it is told to go
 *
 * Functions that return int give 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_COMMAND_H
#define KPROF_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "record/until.h"

struct command {
	pid_t pid;		/* 0: there is none */
	bool runs;		/* it was let go */
	int go;			/* a byte written here starts it */
	int failed;		/* the errno of a start that failed comes out here */
};

/* Fork, with the signals of @mask for the command; it waits. */
int command_start(struct command *c, char **argv, const sigset_t *mask);

/* Let it go; an error where it cannot be executed. */
int command_go(struct command *c, const char *name);

/*
 * End it if it runs still, and say how it ended where that was no success. Returns its
 * exit status as a shell has it (128 and more: a signal); 0 where it did not end by itself.
 */
int command_end(struct command *c, const char *name, struct until *u);

/* The status of a verb: its own where it failed, else that of the command it ran. */
static inline int command_status(int ret, int command)
{
	return (ret == EXIT_OK || ret == EXIT_LOST) && command ? command : ret;
}

#endif /* KPROF_COMMAND_H */
