/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * process.h - what /proc tells of a process, by its id in the PID namespace of this program
 */
#ifndef KPROF_PROCESS_H
#define KPROF_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/buf.h"

#define PROCESS_COMM_MAX	15	/* bytes of a task's name, TASK_COMM_LEN without its NUL */

/*
 * Is the /proc that is mounted here that of this program's PID namespace? In a new namespace
 * without a /proc of its own, /proc/5 is another process than kill(5) reaches.
 */
bool process_proc_is_ours(void);

/* Returns EXIT_OK; or EXIT_ERROR, after a message that says how to mount a /proc. */
int process_check_proc(void);

/* The process of a thread; 0 if there is no such thread, or /proc is not ours. */
pid_t process_of_thread(pid_t tid);

/*
 * The id that a process has in its own PID namespace, which is what the process knows of itself; 0
 * if it is not known.
 */
uint64_t process_own_id(uint64_t pid);

/*
 * Read /proc/PID/stat into @text. Returns its third field, the state, with the others behind it; or
 * NULL if the process is not there. The second field is a name, which may have anything in it.
 */
const char *process_read_stat(struct buf *text, uint64_t pid);

/* What is behind @nr more fields; NULL if there are not so many, or @at is NULL. */
const char *process_skip_fields(const char *at, int nr);

#endif /* KPROF_PROCESS_H */
