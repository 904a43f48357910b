/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * worker.h - a process that answers messages of this one, and may be killed at any moment
 */
#ifndef KPROF_USER_WORKER_H
#define KPROF_USER_WORKER_H

#include <stdbool.h>
#include <sys/types.h>

struct worker {
	pid_t pid;	/* 0: none is running */
	int socket;	/* each message is a packet */
};

/*
 * Start a worker, which runs @serve: a function that reads messages from standard input, answers on
 * it, and never returns. The worker ignores the terminal's signals. It has no open file of this
 * process but the socket; its standard output and standard error are /dev/null. Returns false if
 * the worker cannot be started.
 */
bool worker_start(struct worker *worker, void (*serve)(void));

#endif /* KPROF_USER_WORKER_H */
