/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_time.h - how long kprof itself has run on the CPUs: this process and its helpers
 */
#ifndef KPROF_OWN_TIME_H
#define KPROF_OWN_TIME_H

#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds of all threads of this process, and of helpers that own_time_wait() waited for. */
uint64_t own_time_ns(void);

/* waitpid(@pid, @status, 0), also after a signal; for a helper, not for a command of the user. */
pid_t own_time_wait(pid_t pid, int *status);

#endif /* KPROF_OWN_TIME_H */
