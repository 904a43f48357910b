/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notes.h - what the linker wrote into ELF notes, trusting nothing in them
 */
#ifndef KPROF_NOTES_H
#define KPROF_NOTES_H

#include <linux/types.h>

const u8 *kprof_build_id(const void *notes, size_t size, u32 *length);

#endif /* KPROF_NOTES_H */
