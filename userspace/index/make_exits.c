// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_exits.c - find the exits of inlined functions by control flow analysis
 *
 * The own instructions of an inlined instance are those in its ranges that the entry dominates.
 * That excludes instructions that the compiler has moved before the entry. A call of the instance
 * lasts from the entry until none of its own instructions can be reached any more, except through
 * the entry.
 */
#include <stdlib.h>
#include <string.h>

#include "index/make_code.h"
#include "kprof_index.h"
#include "lib/mem.h"

/* Properties of an instruction with regard to one instance. */
enum {
	IN_RANGE = 1,
	WITHOUT = 2,	/* it can be reached without passing the entry */
	OWN = 4,
	ALIVE = 8,	/* an own instruction can be reached from it, or it is one */
	INSIDE = 16,	/* ALIVE, and reachable from the entry */
	CIRCLE = 32,	/* reachable from the instruction that is_in_circle() asks about */
};

/* The instance that is being analysed. */
struct look {
	struct make *m;
	const struct make_code *code;
	struct make_inline *in;
	uint32_t entry;
	unsigned char *seen;	/* of each instruction */
	uint32_t *stack;
};

static bool is_in_ranges(const struct look *l, uint64_t addr)
{
	size_t i;

	for (i = 0; i < l->in->nr_ranges; i++)
		if (addr >= l->m->range[l->in->range + i].start &&
		    addr < l->m->range[l->in->range + i].end)
			return true;
	return false;
}

/* Mark what is reachable from @from, inclusive, through @only (0: any), not passing the entry. */
static void mark_after(struct look *l, uint32_t from, int mark, int only)
{
	uint32_t nr = 0, at, i;

	if (l->seen[from] & mark)
		return;
	l->seen[from] |= mark;
	l->stack[nr++] = from;
	while (nr) {
		const struct code_insn *insn = &l->code->insn[l->stack[--nr]];

		for (i = 0; i < insn->nr_to; i++) {
			at = insn->to[i];
			if (at == l->entry || (l->seen[at] & mark) ||
			    (only && !(l->seen[at] & only)))
				continue;
			l->seen[at] |= mark;
			l->stack[nr++] = at;
		}
	}
}

/* Mark everything from which an own instruction can be reached. */
static void mark_alive(struct look *l)
{
	const struct make_code *code = l->code;
	uint32_t nr = 0, at, i, before;

	for (i = 0; i < code->nr; i++)
		if (l->seen[i] & OWN) {
			l->seen[i] |= ALIVE;
			l->stack[nr++] = i;
		}
	while (nr) {
		at = l->stack[--nr];
		if (at == l->entry)
			continue;
		for (i = code->first_before[at]; i < code->first_before[at + 1]; i++) {
			before = code->before[i];
			if (l->seen[before] & ALIVE)
				continue;
			l->seen[before] |= ALIVE;
			l->stack[nr++] = before;
		}
	}
}

/* Can @from be reached from @to without passing the entry? */
static bool is_in_circle(struct look *l, uint32_t from, uint32_t to)
{
	uint32_t i;

	for (i = 0; i < l->code->nr; i++)
		l->seen[i] &= ~CIRCLE;
	mark_after(l, to, CIRCLE, INSIDE);
	return l->seen[from] & CIRCLE;
}

/*
 * Is there a cycle that does not pass the entry, and has both own instructions and instructions of
 * the host? Then it is a loop of the host that calls the function a second time by another path.
 * This happens if the compiler has duplicated the condition of a loop.
 */
static bool comes_back(struct look *l)
{
	uint32_t i, k, before;

	for (i = 0; i < l->code->nr; i++) {
		if (!(l->seen[i] & OWN) || i == l->entry)
			continue;
		for (k = l->code->first_before[i]; k < l->code->first_before[i + 1]; k++) {
			before = l->code->before[k];
			if ((l->seen[before] & (INSIDE | IN_RANGE)) == INSIDE &&
			    is_in_circle(l, before, i))
				return true;
		}
	}
	return false;
}

/* Is the entry also the head of a loop of the inlined function itself? */
static bool has_turns(const struct look *l)
{
	uint32_t k;

	for (k = l->code->first_before[l->entry]; k < l->code->first_before[l->entry + 1]; k++)
		if (l->seen[l->code->before[k]] & OWN)
			return true;
	return false;
}

static bool add_exit(struct look *l, uint32_t at, bool is_shared)
{
	struct make *m = l->m;
	uint64_t addr = l->code->insn[at].addr;
	size_t i;

	for (i = 0; i < l->in->nr_exits; i++)
		if (m->exit[l->in->exit + i].addr == addr)
			return true;
	if (l->in->nr_exits == MAKE_EXITS)
		return false;
	m->exit = mem_grow(m->exit, &m->exit_room, m->nr_exits + 1, sizeof(*m->exit));
	m->exit[m->nr_exits++] = (struct make_exit){ addr, is_shared };
	l->in->nr_exits++;
	return true;
}

/* Can this exit also be reached from outside of the instance? */
static bool is_shared(const struct look *l, uint32_t at)
{
	uint32_t k;

	if (at == l->code->start)
		return true;
	for (k = l->code->first_before[at]; k < l->code->first_before[at + 1]; k++)
		if (!(l->seen[l->code->before[k]] & INSIDE))
			return true;
	return false;
}

/* Find all exits. Returns false if not all of them can be known. */
static bool find_exits(struct look *l)
{
	const struct make_code *code = l->code;
	uint32_t i, k;

	for (i = 0; i < code->nr; i++) {
		const struct code_insn *insn = &code->insn[i];

		if (!(l->seen[i] & INSIDE))
			continue;
		if (insn->flow == FLOW_TAIL ||
		    (insn->flow == FLOW_RETURN && !add_exit(l, i, false)))
			return false;
		for (k = 0; k < insn->nr_to; k++)
			if (!(l->seen[insn->to[k]] & INSIDE) &&
			    !add_exit(l, insn->to[k], is_shared(l, insn->to[k])))
				return false;
	}
	return l->in->nr_exits;
}

static void look_at(struct look *l)
{
	const struct make_code *code = l->code;
	uint32_t i;

	l->entry = make_code_find(code, l->in->entry);
	if (l->entry == CODE_NOWHERE || !is_in_ranges(l, l->in->entry))
		return;
	memset(l->seen, 0, code->nr);
	if (l->entry != code->start)
		mark_after(l, code->start, WITHOUT, 0);
	for (i = 0; i < code->nr; i++)
		if (is_in_ranges(l, code->insn[i].addr))
			l->seen[i] |= IN_RANGE | (l->seen[i] & WITHOUT ? 0 : OWN);
	mark_alive(l);
	mark_after(l, l->entry, INSIDE, ALIVE);
	/* If an own instruction seems unreachable, the control flow is not fully known. */
	for (i = 0; i < code->nr; i++)
		if ((l->seen[i] & (OWN | INSIDE)) == OWN)
			return;
	l->in->is_looked_at = true;
	l->in->is_doubtful = has_turns(l) || comes_back(l);
	if (l->in->is_doubtful)
		return;
	l->in->exit = l->m->nr_exits;
	if (!find_exits(l)) {
		l->m->nr_exits = l->in->exit;
		l->in->nr_exits = 0;
	}
}

void make_exits(struct make *m, struct elf_input *elf)
{
	struct look l = { .m = m };
	struct make_code *code = make_code_open(m, elf);
	size_t first, nr, i;

	for (first = 0; code && first < m->nr_hosts; first += nr) {
		const struct make_host *host = &m->host[first];

		for (nr = 1; first + nr < m->nr_hosts && host->nr &&
		     host[nr].first == host->first && host[nr].nr == host->nr; nr++)
			;
		if (!host->nr || !make_code_read(code, host, nr))
			continue;
		l.code = code;
		l.seen = mem_realloc(l.seen, code->nr, sizeof(*l.seen));
		l.stack = mem_realloc(l.stack, code->nr, sizeof(*l.stack));
		for (i = 0; i < host->nr; i++) {
			l.in = &m->inlines[host->first + i];
			look_at(&l);
		}
	}
	free(l.seen);
	free(l.stack);
	make_code_close(code);
}
