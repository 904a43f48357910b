/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * functions.h - the functions of the running kernel: which of them can be targets?
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
	struct function_range *range;	/* the kprobes blacklist */
	size_t nr_ranges, range_room;
};

/* Zero-initialise. Returns 0, or -1 with errno set as by symtab_load_kallsyms(). */
int functions_load(struct functions *f, const char *kallsyms);
int functions_load_blacklist(struct functions *f, const char *blacklist);
void functions_free(struct functions *f);

/* Does the name belong to a function, not to padding or a checksum? */
bool function_is_code(const char *name);

/* Is it what the compiler has put aside of a function, such as "vfs_read.cold"? */
bool function_is_cold_part(const char *name);

/* Match a symbol with a pattern or a part of a name; after "MODULE:", in that module only. */
bool function_matches(const struct symbol *sym, const char *pattern);

/* Why a function cannot be a target; NULL if it can. */
const char *function_obstacle(const struct functions *f, const struct symbol *sym);

/* Is it a compiler-generated variant of a function, such as "shuffle.constprop.0"? */
bool function_is_variant(const char *name);

/* The tracepoint whose probes this function calls; NULL if it is no such function. */
const char *function_tracepoint(const char *name);

/*
 * Is it the function that a system call begins with, on x86-64 or arm64? Or the next one: where the
 * first one ends with a jump to it, the first is in no stack.
 */
bool function_begins_call(const char *name);

/* Is it a pattern, not a name? */
bool function_is_pattern(const char *name);

/* Names that are similar to an unknown name: "vfs_read, vfs_readv"; "" if there are none. */
void functions_nearest(const struct functions *f, const char *name, struct buf *names);

#endif /* KPROF_FUNCTIONS_H */
