/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_look.h - what is found out about one inlined instance from the control flow around it
 */
#ifndef KPROF_INDEX_MAKE_LOOK_H
#define KPROF_INDEX_MAKE_LOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "index/dominators.h"
#include "index/make_code.h"

/* Properties of an instruction with regard to one instance. */
enum {
	LOOK_IN_RANGE = 1,
	LOOK_WITHOUT = 2,	/* it can be reached without passing an entry */
	LOOK_OWN = 4,		/* it is in a range, and cannot */
	LOOK_ALIVE = 8,		/* an own instruction can be reached from it, or it is one */
	LOOK_INSIDE = 16,	/* it is ALIVE, and reachable from the entry in question */
	LOOK_CIRCLE = 32,	/* reachable from where a circle is looked for */
	LOOK_ENTRY = 64,
	LOOK_ENDS = 128,	/* the function's end can be reached without passing an entry */
	LOOK_ABOVE = 256,	/* it dominates an entry */
};

#define LOOK_ENTRIES	8	/* maximum number of entries of an instance */

struct look {
	struct make *m;
	const struct make_code *code;
	struct make_inline *in;
	struct dominators dominators;	/* of the function, once an instance needs them */
	bool has_dominators;
	uint32_t entry[LOOK_ENTRIES];	/* the first is that of the debug information */
	uint32_t nr_entries;
	uint16_t *seen;			/* of each instruction */
	uint32_t *stack;
};

/* Mark what is reachable from @from, inclusive, through @only (0: any), not passing an entry. */
void look_mark_after(struct look *l, uint32_t from, int mark, int only);

/* Take marks off all instructions. */
void look_unmark(struct look *l, int mark);

/* Mark what is marked @from, and all that leads there without passing an entry. */
void look_mark_before(struct look *l, int from, int mark);

/*
 * Find all entries, and mark what is IN_RANGE, WITHOUT and OWN; the instance is_bypassed if there
 * are more. Returns false if the entry that debug information has is not in a range.
 */
bool look_for_entries(struct look *l);

#endif /* KPROF_INDEX_MAKE_LOOK_H */
