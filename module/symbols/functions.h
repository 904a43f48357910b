/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - which functions of the kernel have a name
 */
#ifndef KPROF_FUNCTIONS_H
#define KPROF_FUNCTIONS_H

#include <linux/types.h>

#define KPROF_SAME_NAME	32	/* functions of a name whose addresses are kept */

/**
 * struct kprof_symbol - a name, and which functions have it
 * @name:	the name
 * @next:	the next one with the same hash; 0: none
 * @count:	functions that have it
 * @addr:	theirs, in order; 0 where addresses are not to be had
 */
struct kprof_symbol {
	const char *name;
	u32 next;
	u32 count;
	unsigned long addr[KPROF_SAME_NAME];
};

void kprof_symbols_look(const char *text);
const struct kprof_symbol *kprof_symbols_find(const char *name);
void kprof_symbols_forget(void);

/* Functions of that name; 0 also where nobody knows. */
static inline u32 kprof_symbols_count(const char *name)
{
	const struct kprof_symbol *symbol = kprof_symbols_find(name);

	return symbol ? symbol->count : 0;
}

#endif /* KPROF_FUNCTIONS_H */
