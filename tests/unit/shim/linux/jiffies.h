/* SPDX-License-Identifier: GPL-2.0-only */
/* jiffies.h - time, for the host: a test lets it pass */
#ifndef KPROF_SHIM_JIFFIES_H
#define KPROF_SHIM_JIFFIES_H

#define HZ	100

static unsigned long jiffies = -1000ul;

#define time_after(a, b)	((long)((b) - (a)) < 0)
#define time_before(a, b)	time_after(b, a)

#endif /* KPROF_SHIM_JIFFIES_H */
