/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame_two.h - two recordings or folded texts as one differential flame graph
 */
#ifndef KPROF_CMD_FLAME_TWO_H
#define KPROF_CMD_FLAME_TWO_H

#include "data/stacks.h"
#include "flame/flame.h"

struct flame_two {
	char *const *path;
	const struct data_fold_options *part;
	enum stacks_by by;
	bool leave_out;		/* what only A has is not drawn */
};

/*
 * Load both, and set what follows from them: what is counted, a title unless there is one, and a
 * legend. Returns as stacks_load(). Call buf_free() on both in all cases.
 */
int flame_load_two(const struct flame_two *two, struct folded *f, struct flame_options *o,
		   struct data_unit *unit, struct buf *title, struct buf *legend);

#endif /* KPROF_CMD_FLAME_TWO_H */
