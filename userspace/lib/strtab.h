/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strtab.h - a set of texts, each held once and known by its number
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

/* Starts as all zero. */
struct strtab {
	struct strtab_entry *name;	/* in the order in which they came */
	uint32_t nr;
	size_t room;		/* private, as what follows */
	struct hash table;
	struct arena texts;
};

/* The number of a text; STRTAB_NONE: it is not there. */
uint32_t strtab_find(const struct strtab *n, const char *text, size_t len);

/* The same, and if it is new, it is there from now on: with the number that names->nr was. */
uint32_t strtab_add(struct strtab *n, const char *text, size_t len);

void strtab_free(struct strtab *n);

#endif /* KPROF_STRTAB_H */
