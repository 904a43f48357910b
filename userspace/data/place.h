/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where the kernel and its modules, as an index has them, were in a recording
 */
#ifndef KPROF_PLACE_H
#define KPROF_PLACE_H

#include "data/data.h"
#include "index/index.h"

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
 * Compare what was recorded with what the index is of. -1, with @error set, where it is not of
 * the kernel that was recorded; of modules, those that it is not of are left out.
 */
int places_make(struct places *p, const struct index *index, const struct data *d,
		char error[256]);
void places_free(struct places *p);

/* As index_frames(), for an address in a symbol of the recording. 0: the index has nothing. */
int places_frames(const struct places *p, const struct symbol *sym, uint64_t addr,
		  struct index_frame frame[KPROF_INDEX_DEPTH + 1]);

#endif /* KPROF_PLACE_H */
