/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dominators.h - which instructions every way to an instruction leads over
 */
#ifndef KPROF_INDEX_DOMINATORS_H
#define KPROF_INDEX_DOMINATORS_H

#include <stddef.h>
#include <stdint.h>

#include "index/make_code.h"

/* Zero-initialise. */
struct dominators {
	/*
	 * Of each instruction its immediate dominator, the last one before it that every way from
	 * the function's start leads over. Of the start itself, and of what is unreachable,
	 * CODE_NOWHERE.
	 */
	uint32_t *up;
	uint32_t *order, *rank;		/* in reverse postorder; rank: of each its place there */
	size_t up_room, order_room, rank_room;
};

void dominators_find(struct dominators *d, const struct make_code *code);
void dominators_free(struct dominators *d);

#endif /* KPROF_INDEX_DOMINATORS_H */
