/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peek.h - reads a word of a stack
 */
#ifndef KPROF_PEEK_H
#define KPROF_PEEK_H

#include <linux/compiler.h>

/* Not checked by KASAN: it reads the redzones of other functions' frames on purpose. */
static __always_inline unsigned long kprof_peek(unsigned long addr)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)addr);
}

#endif /* KPROF_PEEK_H */
