/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the clocks of the system as numbers
 */
#ifndef KPROF_CLOCK_H
#define KPROF_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of a clock of clock_gettime(). */
uint64_t clock_ns(clockid_t clock);

#endif /* KPROF_CLOCK_H */
