/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strtab.h - a set of texts, each held once and known by its number
 */
#ifndef KPROF_NAMES_H
#define KPROF_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"
#include "lib/hash.h"

#define NAMES_NONE	UINT32_MAX

struct name {
	const char *text;	/* NUL-terminated */
	uint32_t len;
	uint32_t hash;
};

/* Starts as all zero. */
struct names {
	struct name *name;	/* in the order in which they came */
	uint32_t nr;
	size_t room;		/* private, as what follows */
	struct hash table;
	struct arena texts;
};

/* The number of a text; NAMES_NONE: it is not there. */
uint32_t names_find(const struct names *n, const char *text, size_t len);

/* The same, and if it is new, it is there from now on: with the number that names->nr was. */
uint32_t names_add(struct names *n, const char *text, size_t len);

void names_free(struct names *n);

#endif /* KPROF_NAMES_H */
