/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * error.h - reports what was wrong with a request of the user
 */
#ifndef KPROF_ERROR_H
#define KPROF_ERROR_H

#include <linux/compiler.h>

__printf(4, 5)
int kprof_refuse(int err, const char *name, const char *value, const char *why, ...);
int kprof_error_complete(int err, const char *name);
void kprof_error_clear(void);
const char *kprof_error_text(void);

#endif /* KPROF_ERROR_H */
