/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strtab.h - a string table: each string is stored once and has a number
 */
#ifndef KPROF_STRTAB_H
#define KPROF_STRTAB_H

#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/hash.h"

#define STRTAB_NONE	UINT32_MAX

struct strtab_entry {
	const char *text;	/* NUL-terminated */
	uint32_t len;
	uint32_t hash;
};

/* Zero-initialise. */
struct strtab {
	struct strtab_entry *name;	/* in the order of insertion */
	uint32_t nr;
	/* Private from here on. */
	size_t room;
	struct hash table;
	struct arena texts;
};

/* The number of a string, or STRTAB_NONE. */
uint32_t strtab_find(const struct strtab *n, const char *text, size_t len);

/* The same, but insert the string if it is new. Its number is the old value of nr. */
uint32_t strtab_add(struct strtab *n, const char *text, size_t len);

void strtab_free(struct strtab *n);

#endif /* KPROF_STRTAB_H */
