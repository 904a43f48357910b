/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stay.h - keeps the module's memory, because the kernel will still run code in it
 */
#ifndef KPROF_STAY_H
#define KPROF_STAY_H

#include <linux/types.h>

void kprof_stay(void);
bool kprof_stays(void);
void kprof_stay_keep(void);

#endif /* KPROF_STAY_H */
