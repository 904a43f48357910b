/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - reads ELF notes, without trusting them
 */
#ifndef KPROF_NOTES_H
#define KPROF_NOTES_H

#include <linux/types.h>

const u8 *kprof_build_id(const void *notes, size_t size, u32 *length);

#endif /* KPROF_NOTES_H */
