/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where the kernel and its modules are, or were, as an index has them
 */
#ifndef KPROF_PLACE_H
#define KPROF_PLACE_H

#include "index/index.h"
#include "symbols/symtab.h"

/* By how much a section was moved: what most of its symbols say. */
struct place_move {
	uint64_t by;
	size_t votes;	/* 0: not known, as nothing was recorded there */
};

/* An object of the index. */
struct place {
	const struct index_object *object;
	struct place_move *move;	/* of each section */
	uint32_t nr_moves;		/* 1 where they are moved as a whole */
};

/* Starts as all zero. */
struct places {
	struct place *place;
	size_t nr;
};

/*
 * Compare a kernel, its symbols and its notes, with what the index is of. -1, with @error set,
 * where it is not of that kernel; of modules, those that it is not of are left out.
 */
int places_make(struct places *p, const struct index *index, const struct symtab *symbols,
		const struct buf *notes, char error[256]);
void places_free(struct places *p);

/* As index_frames(), for an address in one of those symbols. 0: the index has nothing. */
int places_frames(const struct places *p, const struct symbol *sym, uint64_t addr,
		  struct index_frame frame[KPROF_INDEX_DEPTH + 1]);

/* Where an inlined function is entered. */
struct place_entry {
	uint64_t addr;
	const char *name, *owner;
	const char *file;	/* of the call */
	uint32_t line;
	bool at_boot;		/* its code is gone when the kernel, or the module, has started */
};

/* Call @entry for all of them, in the order of their addresses as linked. */
void places_each_entry(const struct places *p,
		       void (*entry)(const struct place_entry *entry, void *arg), void *arg);

#endif /* KPROF_PLACE_H */
