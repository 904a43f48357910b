/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - finds the functions of the kernel that have a given name
 */
#ifndef KPROF_FUNCTIONS_H
#define KPROF_FUNCTIONS_H

#include <linux/string.h>
#include <linux/types.h>

#define KPROF_SAME_NAME	32	/* maximum number of addresses stored for a name */

/**
 * struct kprof_symbol - a name, and the functions that have it
 * @name:	the name
 * @next:	the next one with the same hash; 0: none
 * @count:	number of functions with that name
 * @addr:	their addresses, sorted; 0 if addresses are not available
 */
struct kprof_symbol {
	const char *name;
	u32 next;
	u32 count;
	unsigned long addr[KPROF_SAME_NAME];
};

void kprof_symbols_look(const char *text);
void kprof_symbols_keep(const char *text);
void kprof_symbols_let_go(void);
const struct kprof_symbol *kprof_symbols_find(const char *name);
void kprof_symbols_forget(void);

/* Number of functions with that name; 0 also if it is not known. */
static inline u32 kprof_symbols_count(const char *name)
{
	const struct kprof_symbol *symbol = kprof_symbols_find(name);

	return symbol ? symbol->count : 0;
}

/* The part after "module:". */
static inline const char *kprof_symbols_bare(const char *symbol)
{
	const char *colon = strchr(symbol, ':');

	return colon ? colon + 1 : symbol;
}

#endif /* KPROF_FUNCTIONS_H */
