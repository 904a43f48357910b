/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stay.h - the module's memory stays, because somebody will return into it
 */
#ifndef KPROF_STAY_H
#define KPROF_STAY_H

#include <linux/types.h>

void kprof_stay(void);
bool kprof_stays(void);
void kprof_stay_keep(void);

#endif /* KPROF_STAY_H */
