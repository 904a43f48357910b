/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - reads an entire file
 */
#ifndef KPROF_FILE_H
#define KPROF_FILE_H

#include <linux/types.h>

void *kprof_file_read(const char *path, size_t max, size_t *size);

#endif /* KPROF_FILE_H */
