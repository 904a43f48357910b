/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hold_file.h - the file hold: nothing is sampled while it is open
 */
#ifndef KPROF_HOLD_FILE_H
#define KPROF_HOLD_FILE_H

#include <linux/fs.h>
#include <linux/types.h>

extern const struct file_operations kprof_hold_fops;

bool kprof_hold_is_open(void);

#endif /* KPROF_HOLD_FILE_H */
