// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_exits.c - find the exits of inlined functions by control flow analysis
 *
 * The own instructions of an inlined instance are those in its ranges that cannot be reached but
 * through one of its entries. That excludes instructions that the compiler has moved before the
 * entry. A call of the instance lasts from an entry until none of its own instructions can be
 * reached any more, except through an entry.
 */
#include <stdlib.h>
#include <string.h>

#include "index/make.h"
#include "index/make_look.h"
#include "kprof_index.h"
#include "lib/mem.h"

/* Can @from be reached from @to without passing an entry? */
static bool is_in_circle(struct look *l, uint32_t from, uint32_t to)
{
	look_unmark(l, LOOK_CIRCLE);
	look_mark_after(l, to, LOOK_CIRCLE, LOOK_INSIDE);
	return l->seen[from] & LOOK_CIRCLE;
}

/*
 * Is there a cycle that passes no entry, and has both own instructions and instructions of
 * the host? Then it is a loop of the host that calls the function a second time by another path.
 * This happens if the compiler has duplicated the condition of a loop.
 */
static bool comes_back(struct look *l)
{
	uint32_t i, k, before;

	for (i = 0; i < l->code->nr; i++) {
		if ((l->seen[i] & (LOOK_OWN | LOOK_ENTRY)) != LOOK_OWN)
			continue;
		for (k = l->code->first_before[i]; k < l->code->first_before[i + 1]; k++) {
			before = l->code->before[k];
			if ((l->seen[before] & (LOOK_INSIDE | LOOK_IN_RANGE)) == LOOK_INSIDE &&
			    is_in_circle(l, before, i))
				return true;
		}
	}
	return false;
}

/* Is the entry also the head of a loop of the inlined function itself? */
static bool has_turns(const struct look *l, uint32_t entry)
{
	uint32_t k;

	for (k = l->code->first_before[entry]; k < l->code->first_before[entry + 1]; k++)
		if (l->seen[l->code->before[k]] & LOOK_OWN)
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
		if (!(l->seen[l->code->before[k]] & LOOK_INSIDE))
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

		if (!(l->seen[i] & LOOK_INSIDE))
			continue;
		if (insn->flow == FLOW_TAIL ||
		    (insn->flow == FLOW_RETURN && !add_exit(l, i, false)))
			return false;
		for (k = 0; k < insn->nr_to; k++)
			if (!(l->seen[insn->to[k]] & LOOK_INSIDE) &&
			    !add_exit(l, insn->to[k], is_shared(l, insn->to[k])))
				return false;
	}
	return l->in->nr_exits;
}

/* Find where calls that begin at one of the entries end. */
static void look_from(struct look *l, uint32_t entry)
{
	look_unmark(l, LOOK_INSIDE);
	look_mark_after(l, entry, LOOK_INSIDE, LOOK_ALIVE);
	l->in->is_looked_at = true;
	l->in->is_doubtful = has_turns(l, entry) || comes_back(l);
	l->in->exit = l->m->nr_exits;
	l->in->nr_exits = 0;
	if (!l->in->is_doubtful && !find_exits(l)) {
		l->m->nr_exits = l->in->exit;
		l->in->nr_exits = 0;
	}
}

/* If an own instruction seems unreachable, the control flow is not fully known. */
static bool is_known(struct look *l)
{
	uint32_t i;

	for (i = 0; i < l->nr_entries; i++)
		look_mark_after(l, l->entry[i], LOOK_INSIDE, LOOK_ALIVE);
	for (i = 0; i < l->code->nr; i++)
		if ((l->seen[i] & (LOOK_OWN | LOOK_INSIDE)) == LOOK_OWN)
			return false;
	return true;
}

static void look_at(struct look *l, struct make_inline *in)
{
	struct make *m = l->m;
	uint32_t i;

	l->in = in;
	memset(l->seen, 0, l->code->nr * sizeof(*l->seen));
	if (!look_for_entries(l))
		return;
	look_mark_before(l, LOOK_OWN, LOOK_ALIVE);
	if (!is_known(l))
		return;
	look_from(l, l->entry[0]);
	in->more = m->nr_more;
	in->nr_more = l->nr_entries - 1;
	m->more = mem_grow(m->more, &m->more_room, m->nr_more + in->nr_more, sizeof(*m->more));
	for (i = 1; i < l->nr_entries; i++) {
		m->more[m->nr_more] = *in;
		l->in = &m->more[m->nr_more++];
		l->in->entry = l->code->insn[l->entry[i]].addr;
		l->in->nr_ranges = 0;
		l->in->nr_more = 0;
		l->in->is_bypassed = false;	/* that is told once */
		look_from(l, l->entry[i]);
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
		l.has_dominators = false;
		for (i = 0; i < host->nr; i++)
			look_at(&l, &m->inlines[host->first + i]);
	}
	free(l.seen);
	free(l.stack);
	dominators_free(&l.dominators);
	make_code_close(code);
}
