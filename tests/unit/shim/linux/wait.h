/* SPDX-License-Identifier: GPL-2.0-only */
/* wait.h - a queue that nobody waits in, for the host */
#ifndef KPROF_SHIM_WAIT_H
#define KPROF_SHIM_WAIT_H

typedef struct {
	int unused;
} wait_queue_head_t;

#endif /* KPROF_SHIM_WAIT_H */
