/* SPDX-License-Identifier: GPL-2.0-only */
/* workqueue.h - work that nobody does by itself, for the host: a test calls it */
#ifndef KPROF_SHIM_WORKQUEUE_H
#define KPROF_SHIM_WORKQUEUE_H

#define system_dfl_wq	0

struct work_struct {
	void (*func)(struct work_struct *work);
};

#define DECLARE_DELAYED_WORK(name, code)	struct work_struct name = { code }
#define queue_delayed_work(queue, work, delay)	((void)(work), (void)(delay))
#define cancel_delayed_work_sync(work)		((void)(work))

#endif /* KPROF_SHIM_WORKQUEUE_H */
