// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_make.c - what was recorded at each instruction of a function
 */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "code/text.h"
#include "data/account.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "symbols/named.h"

/* --- the function --- */

/* The kernel stack of a row, or NULL. */
static const struct kprof_stack *stack_of(const struct data *d, const struct tally_row *row)
{
	uint32_t id = KPROF_KEY_KSTACK(row->key);
	const struct kprof_stack *stack = id < d->nr_stacks ? d->stack[id] : NULL;

	return stack && stack->nr && !(stack->flags & KPROF_STACK_USER) ? stack : NULL;
}

static bool is_of_target(const struct data *d, const struct tally_row *row)
{
	uint32_t id = KPROF_KEY_SOURCE(row->key);

	return id < d->nr_sources && d->source[id].is_target;
}

static uint64_t value_of(const struct annotate *a, const struct tally_row *row)
{
	return a->unit.by_weight ? row->ns : row->samples;
}

static int choose_hottest(struct annotate *a, const struct tally *tally)
{
	const struct symtab *symbols = &a->data->symbols;
	uint64_t *self = mem_zalloc(symbols->nr + 1, sizeof(*self));
	const struct kprof_stack *stack;
	const struct symbol *sym;
	size_t i, best = 0;

	for (i = 0; i < tally->nr; i++) {
		stack = stack_of(a->data, &tally->row[i]);
		sym = stack && !is_of_target(a->data, &tally->row[i]) ?
			symtab_find(symbols, stack->ip[0]) : NULL;
		if (sym)
			self[sym - symbols->sym] += value_of(a, &tally->row[i]);
	}
	for (i = 0; i < symbols->nr; i++)
		if (self[i] > self[best])
			best = i;
	a->symbol = symbols->nr && self[best] ? &symbols->sym[best] : NULL;
	free(self);
	return a->symbol ? EXIT_OK :
	       msg_error("no sample has an address in the kernel: give a FUNCTION");
}

/* --- its instructions --- */

static struct annotate_insn *add_insn(struct annotate *a, uint64_t addr, uint32_t size)
{
	a->insn = mem_grow(a->insn, &a->room, a->nr + 1, sizeof(*a->insn));
	a->insn[a->nr] = (struct annotate_insn){ .addr = addr, .size = size };
	return &a->insn[a->nr++];
}

/* @least: the size of the smallest instruction of the machine */
static void decode(struct annotate *a, struct code_text *decoder, size_t least)
{
	const uint8_t *bytes = (const uint8_t *)a->code.data;
	struct buf text = { 0 };
	size_t at, size;

	for (at = 0; at < a->code.len; at += size) {
		text.len = 0;
		size = code_text_add(decoder, bytes + at, a->code.len - at, a->symbol->start + at,
				     &a->data->symbols, &text);
		if (!size) {
			size = least < a->code.len - at ? least : a->code.len - at;
			buf_printf(&text, "(bad)");
		}
		add_insn(a, a->symbol->start + at, size)->text =
			arena_copy(&a->texts, text.data, text.len);
	}
	buf_free(&text);
}

/* --- what was recorded --- */

/* What was recorded at an address of the function. */
struct point {
	uint64_t addr;
	struct annotate_counts counts;
};

struct points {
	struct point *point;
	size_t nr, room;
};

static void add_counts(struct annotate_counts *to, const struct annotate_counts *counts)
{
	to->self += counts->self;
	to->samples += counts->samples;
	to->under += counts->under;
	to->calls += counts->calls;
}

static void add_point(struct points *p, uint64_t addr, struct annotate_counts counts)
{
	p->point = mem_grow(p->point, &p->room, p->nr + 1, sizeof(*p->point));
	p->point[p->nr++] = (struct point){ addr, counts };
}

static bool is_inside(const struct annotate *a, uint64_t addr)
{
	return addr - a->symbol->start < a->symbol->size;
}

/* Is the frame the first one of the stack at this address? A recursive function has several. */
static bool is_first(const struct kprof_stack *stack, int frame)
{
	int i;

	for (i = 1; i < frame; i++)
		if (stack->ip[i] == stack->ip[frame])
			return false;
	return true;
}

/* Return addresses are just behind the call, so the address before is inside of it. */
static void count_callers(struct annotate *a, struct points *p, const struct kprof_stack *stack,
			  uint64_t value)
{
	bool is_counted = false;
	int i;

	for (i = 1; i < stack->nr; i++) {
		if (!is_inside(a, stack->ip[i] - 1) || !is_first(stack, i))
			continue;
		add_point(p, stack->ip[i] - 1, (struct annotate_counts){ .under = value });
		if (!is_counted)
			a->in.under += value;
		is_counted = true;
	}
}

/* A call of a watched function: where it begins, or where it is called from. */
static void count_call(struct annotate *a, struct points *p, const struct kprof_stack *stack,
		       uint64_t calls)
{
	struct annotate_counts counts = { .calls = calls };

	a->all.calls += calls;
	if (stack && is_inside(a, stack->ip[0]))
		add_point(p, stack->ip[0], counts);
	else if (stack && stack->nr > 1 && is_inside(a, stack->ip[1] - 1))
		add_point(p, stack->ip[1] - 1, counts);
}

static void count_sample(struct annotate *a, struct points *p, const struct kprof_stack *stack,
			 const struct tally_row *row)
{
	struct annotate_counts counts = { .self = value_of(a, row), .samples = row->samples };

	add_counts(&a->all, &counts);
	if (!stack) {
		a->no_address += row->samples;
		return;
	}
	if (is_inside(a, stack->ip[0]))
		add_point(p, stack->ip[0], counts);
	count_callers(a, p, stack, counts.self);
}

static int by_addr(const void *va, const void *vb)
{
	const struct point *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Without instructions, each address that was recorded is one. */
static void charge(struct annotate *a, struct points *p)
{
	bool has_code = a->nr;
	size_t i, at = 0;

	if (p->nr)
		qsort(p->point, p->nr, sizeof(*p->point), by_addr);
	for (i = 0; i < p->nr; i++) {
		const struct point *point = &p->point[i];

		while (has_code && at + 1 < a->nr && a->insn[at + 1].addr <= point->addr)
			at++;
		if (!has_code && (!a->nr || a->insn[a->nr - 1].addr != point->addr))
			add_insn(a, point->addr, 1);
		add_counts(&a->insn[has_code ? at : a->nr - 1].counts, &point->counts);
		a->in.self += point->counts.self;
		a->in.samples += point->counts.samples;
		a->in.calls += point->counts.calls;
	}
}

static void count(struct annotate *a, const struct tally *tally)
{
	struct points p = { .nr = 0 };
	size_t i;

	for (i = 0; i < tally->nr; i++) {
		const struct tally_row *row = &tally->row[i];
		const struct kprof_stack *stack = stack_of(a->data, row);

		if (is_of_target(a->data, row))
			count_call(a, &p, stack, row->samples);
		else
			count_sample(a, &p, stack, row);
	}
	charge(a, &p);
	free(p.point);
}

/* Functions are aligned: what is between them belongs to the one before. */
static void drop_padding(struct annotate *a)
{
	while (a->nr && !a->insn[a->nr - 1].counts.samples && a->insn[a->nr - 1].text &&
	       (!strncmp(a->insn[a->nr - 1].text, "nop", 3) ||
		!strncmp(a->insn[a->nr - 1].text, "int3", 4)))
		a->nr--;
}

static void count_lost(struct annotate *a)
{
	struct account account;

	if (!account_of_data(&account, a->data))
		return;
	a->lost = account.total.lost;
	account_free(&account);
}

static void read_code(struct annotate *a)
{
	char *machine = data_meta(a->data, "machine");
	struct code_text *decoder;

	annotate_find_code(a);
	decoder = code_text_open(machine);
	if (a->origin && decoder)
		decode(a, decoder, strcmp(machine, "aarch64") ? 1 : 4);
	else if (a->origin)
		snprintf(a->why, sizeof(a->why),
			 "this kprof was built without capstone, which decodes instructions");
	code_text_close(decoder);
	free(machine);
}

int annotate_make(struct annotate *a, const struct data *d, const char *name,
		  const struct tally_query *query)
{
	struct tally tally = { 0 };
	int ret;

	a->data = d;
	data_unit_choose(&a->unit, d, DATA_COUNT_DEFAULT, query->source);
	if (tally_make(&tally, d, query))
		return msg_error("--source: '%s' is no source of the recording", query->source);
	ret = name ? named_find(&d->symbols, name, " in what was recorded", &a->symbol) :
		     choose_hottest(a, &tally);
	if (!ret) {
		read_code(a);
		count(a, &tally);
		drop_padding(a);
		count_lost(a);
	}
	tally_free(&tally);
	return ret;
}

void annotate_free(struct annotate *a)
{
	free(a->insn);
	buf_free(&a->code);
	arena_free(&a->texts);
	*a = (struct annotate){ .nr = 0 };
}
