/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules_file.h - the file rules, through which a reader provides the rules of files
 */
#ifndef KPROF_RULES_FILE_H
#define KPROF_RULES_FILE_H

#include <linux/fs.h>

extern const struct file_operations kprof_rules_fops;

#endif /* KPROF_RULES_FILE_H */
