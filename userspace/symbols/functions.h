/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - the functions of the running kernel: which can be targets, by what names
 */
#ifndef KPROF_FUNCTIONS_H
#define KPROF_FUNCTIONS_H

#include <stdbool.h>

#include "symbols/symtab.h"

#define FUNCTIONS_KALLSYMS	"/proc/kallsyms"
#define FUNCTIONS_BLACKLIST	"/sys/kernel/debug/kprobes/blacklist"

struct function_range {
	uint64_t start, end;
};

struct functions {
	struct symtab symbols;
	struct function_range *range;	/* where no probe may be */
	size_t nr_ranges, range_room;
};

/* Zero-initialise. 0, or -1 with errno as of symtab_load_kallsyms(). */
int functions_load(struct functions *f, const char *kallsyms);
int functions_load_blacklist(struct functions *f, const char *blacklist);
void functions_free(struct functions *f);

/* Is it a name of code that is called, not of padding or a checksum? */
bool function_is_code(const char *name);

/* A pattern, or part of the name; behind "MODULE:" of that module only. */
bool function_matches(const struct symbol *sym, const char *pattern);

/* Why it cannot be a target, or NULL. */
const char *function_obstacle(const struct functions *f, const struct symbol *sym);

/* Is it a variant that the compiler made of a function, such as "shuffle.constprop.0"? */
bool function_is_variant(const char *name);

/* Is it a pattern, not a name? */
bool function_is_pattern(const char *name);

/* "vfs_read, vfs_readv": names that are close to one that is none; "" if there is none. */
void functions_nearest(const struct functions *f, const char *name, struct buf *names);

#endif /* KPROF_FUNCTIONS_H */
