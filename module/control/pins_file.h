/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pins_file.h - the file pins, through which a reader opens the files that samples were taken in
 */
#ifndef KPROF_PINS_FILE_H
#define KPROF_PINS_FILE_H

#include <linux/fs.h>

extern const struct file_operations kprof_pins_fops;

#endif /* KPROF_PINS_FILE_H */
