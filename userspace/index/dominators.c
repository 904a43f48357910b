// SPDX-License-Identifier: GPL-2.0-only
/*
 * dominators.c - the immediate dominators of a function's instructions
 *
 * By the algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": in reverse
 * postorder, again and again until nothing changes.
 */
#include <stdlib.h>
#include <string.h>

#include "index/dominators.h"
#include "lib/mem.h"

/*
 * Fill order[] from its end, each instruction after all that it leads to. Meanwhile rank[] has the
 * next successor to go to, and up[] the way back. Returns how many cannot be reached.
 */
static uint32_t sort(struct dominators *d, const struct make_code *code)
{
	uint32_t at = code->start, left = code->nr, to;

	memset(d->rank, 0, code->nr * sizeof(*d->rank));
	d->up[at] = at;
	for (;;) {
		const struct code_insn *insn = &code->insn[at];

		if (d->rank[at] < insn->nr_to) {
			to = insn->to[d->rank[at]++];
			if (d->up[to] == CODE_NOWHERE) {
				d->up[to] = at;
				at = to;
			}
			continue;
		}
		d->order[--left] = at;
		if (at == code->start)
			return left;
		at = d->up[at];
	}
}

/* The nearest dominator that two instructions have in common, as far as up[] is known. */
static uint32_t common(const struct dominators *d, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (d->rank[a] > d->rank[b])
			a = d->up[a];
		while (d->rank[b] > d->rank[a])
			b = d->up[b];
	}
	return a;
}

static uint32_t immediate(const struct dominators *d, const struct make_code *code, uint32_t at)
{
	uint32_t k, before, found = CODE_NOWHERE;

	for (k = code->first_before[at]; k < code->first_before[at + 1]; k++) {
		before = code->before[k];
		if (d->up[before] != CODE_NOWHERE)
			found = found == CODE_NOWHERE ? before : common(d, found, before);
	}
	return found;
}

void dominators_find(struct dominators *d, const struct make_code *code)
{
	uint32_t first, i, at, found;
	bool changed;

	d->up = mem_grow(d->up, &d->up_room, code->nr, sizeof(*d->up));
	d->order = mem_grow(d->order, &d->order_room, code->nr, sizeof(*d->order));
	d->rank = mem_grow(d->rank, &d->rank_room, code->nr, sizeof(*d->rank));
	memset(d->up, 0xff, code->nr * sizeof(*d->up));
	first = sort(d, code);
	memset(d->up, 0xff, code->nr * sizeof(*d->up));
	for (i = first; i < code->nr; i++)
		d->rank[d->order[i]] = i;
	d->up[code->start] = code->start;
	do {
		changed = false;
		for (i = first + 1; i < code->nr; i++) {
			at = d->order[i];
			found = immediate(d, code, at);
			changed |= found != d->up[at];
			d->up[at] = found;
		}
	} while (changed);
	d->up[code->start] = CODE_NOWHERE;
}

void dominators_free(struct dominators *d)
{
	free(d->up);
	free(d->order);
	free(d->rank);
	*d = (struct dominators){ 0 };
}
