/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where the kernel and the modules of an index are, or were, in memory
 */
#ifndef KPROF_PLACE_H
#define KPROF_PLACE_H

#include "index/index.h"
#include "symbols/symtab.h"

/* By how much a section was relocated, by the majority of its symbols. */
struct place_move {
	uint64_t by;
	size_t votes;	/* 0: not known, because nothing was recorded there */
};

/* An object of the index. */
struct place {
	const struct index_object *object;
	struct place_move *move;	/* of each section */
	uint32_t nr_moves;		/* 1 if all sections move together */
};

/* Zero-initialise. */
struct places {
	struct place *place;
	size_t nr;
};

/*
 * Match a kernel, by its symbols and notes, with the index. Returns -1 with @error set if the index
 * is not of that kernel. Modules that do not match are left out.
 */
int places_make(struct places *p, const struct index *index, const struct symtab *symbols,
		const struct buf *notes, char error[256]);
void places_free(struct places *p);

/* Like index_frames(), for an address in one of the symbols. Returns 0 if it is not indexed. */
int places_frames(const struct places *p, const struct symbol *sym, uint64_t addr,
		  struct index_frame frame[KPROF_INDEX_DEPTH + 1]);

/* Where an inlined function is entered. */
struct place_entry {
	uint64_t addr;
	const char *name, *owner;
	const char *file;	/* of the call */
	uint32_t line;
	bool at_boot;		/* init code: freed once the kernel or the module has started */
};

/* Call @entry for each entry of an inlined function, in order of the linked addresses. */
void places_each_entry(const struct places *p,
		       void (*entry)(const struct place_entry *entry, void *arg), void *arg);

#endif /* KPROF_PLACE_H */
