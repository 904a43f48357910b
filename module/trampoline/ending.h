/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ending.h - tasks that end inside of watched calls, which never return
 */
#ifndef KPROF_ENDING_H
#define KPROF_ENDING_H

int kprof_ending_init(void);
void kprof_ending_exit(void);

#endif /* KPROF_ENDING_H */
