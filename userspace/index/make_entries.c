// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_entries.c - find where inlined functions are entered, besides where debug information says
 *
 * Debug information has one entry of an instance. Compilers duplicate code, for example where a
 * condition is known on one of the ways to it, and a call by way of a copy passes another entry.
 * What is in the instance's ranges and can be reached without the entry is either such a copy, or
 * was moved ahead by the scheduler. Only what acts is no doubt a copy: what stores, calls or has
 * to do with the machine is not done where it is not asked for.
 */
#include "index/make.h"
#include "index/make_look.h"

void look_mark_after(struct look *l, uint32_t from, int mark, int only)
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
			if ((l->seen[at] & (mark | LOOK_ENTRY)) ||
			    (only && !(l->seen[at] & only)))
				continue;
			l->seen[at] |= mark;
			l->stack[nr++] = at;
		}
	}
}

void look_mark_before(struct look *l, int from, int mark)
{
	const struct make_code *code = l->code;
	uint32_t nr = 0, at, i, before;

	for (i = 0; i < code->nr; i++)
		if (l->seen[i] & from) {
			l->seen[i] |= mark;
			l->stack[nr++] = i;
		}
	while (nr) {
		at = l->stack[--nr];
		if (l->seen[at] & LOOK_ENTRY)
			continue;
		for (i = code->first_before[at]; i < code->first_before[at + 1]; i++) {
			before = code->before[i];
			if (l->seen[before] & mark)
				continue;
			l->seen[before] |= mark;
			l->stack[nr++] = before;
		}
	}
}

void look_unmark(struct look *l, int mark)
{
	uint32_t i;

	for (i = 0; i < l->code->nr; i++)
		l->seen[i] &= ~mark;
}

static void mark_ranges(struct look *l)
{
	const struct make_range *range = l->m->range + l->in->range;
	uint32_t i, k;

	for (i = 0; i < l->code->nr; i++)
		for (k = 0; k < l->in->nr_ranges; k++)
			if (l->code->insn[i].addr >= range[k].start &&
			    l->code->insn[i].addr < range[k].end)
				l->seen[i] |= LOOK_IN_RANGE;
}

static void mark_without(struct look *l)
{
	const struct make_code *code = l->code;
	uint32_t i;

	look_unmark(l, LOOK_WITHOUT | LOOK_ENDS);
	if (!(l->seen[code->start] & LOOK_ENTRY))
		look_mark_after(l, code->start, LOOK_WITHOUT, 0);
	for (i = 0; i < code->nr; i++)
		if (code->insn[i].flow == FLOW_RETURN || code->insn[i].flow == FLOW_TAIL ||
		    !code->insn[i].nr_to)
			l->seen[i] |= LOOK_ENDS;
	look_mark_before(l, LOOK_ENDS, LOOK_ENDS);
}

/* Is the instruction executed by calls that pass none of the entries? */
static bool is_missed(const struct look *l, uint32_t at)
{
	const int missed = LOOK_IN_RANGE | LOOK_WITHOUT | LOOK_ENDS;

	return (l->seen[at] & missed) == missed && l->code->insn[at].acts;
}

static void add_entry(struct look *l, uint32_t at)
{
	l->entry[l->nr_entries++] = at;
	l->seen[at] |= LOOK_ENTRY;
	mark_without(l);
}

/* Do calls that begin at one of the entries go on at @at, without coming by @parting again? */
static bool goes_on_at(struct look *l, uint32_t at, uint32_t parting)
{
	uint32_t i;

	look_unmark(l, LOOK_CIRCLE);
	l->seen[parting] |= LOOK_ENTRY;
	for (i = 0; i < l->nr_entries; i++)
		look_mark_after(l, l->entry[i], LOOK_CIRCLE, 0);
	l->seen[parting] &= ~LOOK_ENTRY;
	return l->seen[at] & LOOK_CIRCLE;
}

/*
 * Where is the copy entered that @at is in? Its code begins after the ways to the entries and to
 * the copy have parted. Returns CODE_NOWHERE if @at is on the way to an entry, or if calls that
 * began at one come there.
 */
static uint32_t entry_of_copy(struct look *l, uint32_t at)
{
	uint32_t entry = at, i;

	if (!l->has_dominators)
		dominators_find(&l->dominators, l->code);
	l->has_dominators = true;
	look_unmark(l, LOOK_ABOVE);
	for (i = 0; i < l->nr_entries; i++)
		for (at = l->entry[i]; at != CODE_NOWHERE; at = l->dominators.up[at])
			l->seen[at] |= LOOK_ABOVE;
	if (l->seen[entry] & LOOK_ABOVE)
		return CODE_NOWHERE;
	for (at = entry; at != CODE_NOWHERE && !(l->seen[at] & LOOK_ABOVE);
	     at = l->dominators.up[at])
		if (l->seen[at] & LOOK_IN_RANGE)
			entry = at;
	return at == CODE_NOWHERE || goes_on_at(l, entry, at) ? CODE_NOWHERE : entry;
}

bool look_for_entries(struct look *l)
{
	uint32_t i, entry = make_code_find(l->code, l->in->entry);

	mark_ranges(l);
	if (entry == CODE_NOWHERE || !(l->seen[entry] & LOOK_IN_RANGE))
		return false;
	l->nr_entries = 0;
	add_entry(l, entry);
	for (i = 0; i < l->code->nr && l->nr_entries < LOOK_ENTRIES; i++) {
		if (!is_missed(l, i))
			continue;
		entry = entry_of_copy(l, i);
		if (entry != CODE_NOWHERE)
			add_entry(l, entry);
	}
	for (i = 0; i < l->code->nr; i++) {
		if ((l->seen[i] & (LOOK_IN_RANGE | LOOK_WITHOUT)) == LOOK_IN_RANGE)
			l->seen[i] |= LOOK_OWN;
		l->in->is_bypassed |= is_missed(l, i);
	}
	return true;
}
