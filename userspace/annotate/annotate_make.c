// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_make.c - what was recorded at each instruction of a function
 */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "code/decode.h"
#include "code/text.h"
#include "data/account.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "symbols/named.h"

/* --- the function --- */

/* A stack of the kind of code, or NULL. */
static const struct kprof_stack *stack_of(const struct data *d, const struct tally_row *row,
					  bool is_user)
{
	uint32_t id = is_user ? KPROF_KEY_USTACK(row->key) : KPROF_KEY_KSTACK(row->key);
	const struct kprof_stack *stack = id < d->nr_stacks ? d->stack[id] : NULL;

	return stack && stack->nr && !(stack->flags & KPROF_STACK_USER) == !is_user ? stack : NULL;
}

static bool is_of_target(const struct data *d, const struct tally_row *row)
{
	return data_is_target(d, KPROF_KEY_SOURCE(row->key));
}

static uint64_t value_of(const struct annotate *a, const struct tally_row *row)
{
	return a->unit.by_weight ? row->ns : row->samples;
}

/* Was the program itself interrupted, not the kernel that it had entered? */
static bool was_in_user(const struct tally_row *row)
{
	return row->info & KPROF_INFO_USER;
}

/* The function of the kernel, or of programs, with the most of its own; *most: how much. */
static const struct symbol *find_hottest(struct annotate *a, const struct tally *tally,
					 bool is_user, uint64_t *most)
{
	const struct symtab *symbols = is_user ? &a->data->code : &a->data->symbols;
	uint64_t *self = mem_zalloc(symbols->nr + 1, sizeof(*self));
	const struct kprof_stack *stack;
	const struct symbol *sym;
	size_t i, best = 0;

	for (i = 0; i < tally->nr; i++) {
		stack = stack_of(a->data, &tally->row[i], is_user);
		if (!stack || is_of_target(a->data, &tally->row[i]) ||
		    (is_user && !was_in_user(&tally->row[i])))
			continue;
		sym = symtab_find(symbols, stack->ip[0]);
		/* Where user code has no function, the symbol is one byte. */
		if (sym && (!is_user || sym->size > 1))
			self[sym - symbols->sym] += value_of(a, &tally->row[i]);
	}
	for (i = 0; i < symbols->nr; i++)
		if (self[i] > self[best])
			best = i;
	*most = self[best];
	free(self);
	return *most ? &symbols->sym[best] : NULL;
}

static bool has_samples(const struct annotate *a, const struct tally *tally)
{
	size_t i = 0;

	while (i < tally->nr && is_of_target(a->data, &tally->row[i]))
		i++;
	return i < tally->nr;
}

static int choose_hottest(struct annotate *a, const struct tally *tally)
{
	uint64_t in_kernel, in_user;
	const struct symbol *kernel = find_hottest(a, tally, false, &in_kernel);
	const struct symbol *user = find_hottest(a, tally, true, &in_user);

	a->is_user = in_user > in_kernel;
	a->symbol = a->is_user ? user : kernel;
	if (a->symbol)
		return EXIT_OK;
	if (!tally->nr)
		return EXIT_ERROR;	/* the caller tells why it is empty */
	return a->data->code.nr || !has_samples(a, tally) ?
	       msg_error("no sample is in a function: give the FUNCTION to show") :
	       msg_error("no sample is in a function of the kernel: 'kprof record -g' records "
			 "those of programs, too");
}

static bool has_name(const struct symtab *symbols, const char *name, size_t len)
{
	struct buf bare = { 0 };
	bool has = false;
	size_t i;

	buf_add(&bare, name, len);
	for (i = 0; i < symbols->nr && !has; i++)
		has = named_is(&symbols->sym[i], bare.data) ||
		      named_is_bare(&symbols->sym[i], bare.data);
	buf_free(&bare);
	return has;
}

/* What the kernel has is not looked for in programs, which may have any names. */
static int find_named(struct annotate *a, const char *name)
{
	const struct data *d = a->data;
	size_t len = strcspn(name, "@");

	a->is_user = !has_name(&d->symbols, name, len) && has_name(&d->code, name, len);
	if (a->is_user)
		return named_find(&d->code, name, " in what was recorded", &a->symbol);
	return named_find(&d->symbols, name, d->code.nr ? " in what was recorded" :
			  " in what was recorded, the kernel's stacks alone", &a->symbol);
}

/* --- its instructions --- */

static struct annotate_insn *add_insn(struct annotate *a, uint64_t addr, uint32_t size)
{
	a->insn = mem_grow(a->insn, &a->room, a->nr + 1, sizeof(*a->insn));
	a->insn[a->nr] = (struct annotate_insn){
		.addr = addr, .size = size, .ran = ANNOTATE_NOT_COUNTED
	};
	return &a->insn[a->nr++];
}

/* @least: the size of the smallest instruction of the machine; @len: how much of it is code */
static void decode(struct annotate *a, struct code_text *decoder, size_t least, size_t len)
{
	const uint8_t *bytes = (const uint8_t *)a->code.data;
	struct buf text = { 0 };
	size_t at, size;

	for (at = 0; at < len; at += size) {
		text.len = 0;
		size = code_text_add(decoder, bytes + at, len - at, a->symbol->start + at,
				     a->is_user ? &a->data->code : &a->data->symbols, &text);
		if (!size) {
			size = least < len - at ? least : len - at;
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

/* A program enters the kernel by a system call, which is over then, or by a fault, which is not. */
static bool is_behind_syscall(const struct annotate *a, uint64_t addr)
{
	const char *code = a->code.data;
	uint64_t at = addr - a->symbol->start;

	if (at > a->code.len)
		return false;
	return (at >= 2 && !memcmp(code + at - 2, "\x0f\x05", 2)) ||
	       (at >= 4 && !memcmp(code + at - 4, "\x01\x00\x00\xd4", 4));
}

/*
 * Return addresses are just behind the call, so the address before is inside of it. @first: the
 * frame that is the first caller.
 */
static void count_callers(struct annotate *a, struct points *p, const struct kprof_stack *stack,
			  int first, uint64_t value)
{
	bool is_counted = false;
	int i;

	for (i = first; i < stack->nr; i++) {
		uint64_t at = stack->ip[i];

		at -= i || is_behind_syscall(a, at);
		if (!is_inside(a, at) || !is_first(stack, i))
			continue;
		add_point(p, at, (struct annotate_counts){ .under = value });
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
	bool is_self;

	add_counts(&a->all, &counts);
	if (!stack) {
		a->no_address += row->samples;
		return;
	}
	/* Where a program has entered the kernel, the kernel is what it called. */
	is_self = !a->is_user || was_in_user(row);
	if (is_self && is_inside(a, stack->ip[0]))
		add_point(p, stack->ip[0], counts);
	count_callers(a, p, stack, is_self, counts.self);
}

static int by_addr(const void *va, const void *vb)
{
	const struct point *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Where there are no instructions, each address that was recorded is one. */
static void charge(struct annotate *a, struct points *p)
{
	size_t i, at = 0, decoded = a->nr ? a->code.len : 0;

	if (p->nr)
		qsort(p->point, p->nr, sizeof(*p->point), by_addr);
	for (i = 0; i < p->nr; i++) {
		const struct point *point = &p->point[i];
		bool has_code = point->addr - a->symbol->start < decoded;

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
		const struct kprof_stack *stack = stack_of(a->data, row, a->is_user);

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

static size_t code_len(const struct annotate *a, const struct code_machine *machine)
{
	if (a->is_user || !machine)
		return a->code.len;
	return code_size(machine, (const uint8_t *)a->code.data, a->code.len, a->symbol->start);
}

static void read_code(struct annotate *a)
{
	char *machine = data_meta(a->data, "machine");
	const struct code_machine *known = code_machine_of(machine);
	struct code_text *decoder;

	if (a->is_user)
		annotate_find_user_code(a);
	else
		annotate_find_code(a);
	decoder = code_text_open(machine);
	if (a->is_user && decoder)
		code_text_base(decoder, a->symbol->start & ~KPROF_USER_MASK);
	if (a->origin && decoder)
		decode(a, decoder, known == &code_arm64 ? 4 : 1, code_len(a, known));
	else if (a->origin)
		snprintf(a->why, sizeof(a->why), "%s", code_text_missing());
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
		return EXIT_ERROR;	/* tally_check_source() has told */
	a->is_empty = !tally.nr;
	ret = name ? find_named(a, name) : choose_hottest(a, &tally);
	if (!ret) {
		read_code(a);
		count(a, &tally);
		drop_padding(a);
		count_lost(a);
		if (a->is_user && frames_are_inlined(d))
			annotate_find_user_lines(a);
	}
	tally_free(&tally);
	return ret;
}

void annotate_free(struct annotate *a)
{
	free(a->insn);
	inlined_free(&a->inlined);
	buf_free(&a->code);
	arena_free(&a->texts);
	*a = (struct annotate){ .nr = 0 };
}
