// SPDX-License-Identifier: GPL-2.0-only
/*
 * next.c - choose the functions whose calls are worth measuring next, from samples
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_fold.h"
#include "data/late.h"
#include "data/missed.h"
#include "data/next.h"
#include "lib/interval.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "symbols/functions.h"

#define CALLERS_MAX	3
#define CALLERS_LEAST	0.005	/* of the whole: what is not 0 % */

bool next_is_entry(const char *name)
{
	static const char *const begin[] = {
		"entry_", "asm_", "exc_", "sysvec_", "do_syscall_", "do_fast_syscall_", "do_int80_",
		"x64_sys_call", "ia32_sys_call", "syscall_enter_from_", "syscall_exit_to_",
		"irqentry_", "ret_from_fork", "el0", "el1", "do_el0_svc", "invoke_syscall",
	};
	size_t i;

	for (i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (!strncmp(name, begin[i], strlen(begin[i])))
			return true;
	return false;
}

/* A function with a symbol that can be a target: its name is no address and needs no quotes. */
static bool can_be_watched(const struct frame *frame)
{
	return !frame->is_user && !frame->is_inlined && *frame->name != '[' &&
	       strncmp(frame->name, "0x", 2) && !function_is_cold_part(frame->name) &&
	       !(next_is_entry(frame->name) && !frame->module) &&
	       !strpbrk(frame->name, " \t'\"[") && *frame_module(frame) != '/';
}

static bool is_own(const struct frame *frame)
{
	return !frame->is_user && frame->module && !strcmp(frame->module, "kprof");
}

static struct next_function *get(struct next *n, const struct frame *frame)
{
	struct buf name = { 0 };
	uint32_t id;

	if (frame->module)
		buf_printf(&name, "%s:", frame->module);
	buf_printf(&name, "%s", frame->name);
	id = strtab_add(&n->names, name.data, name.len);
	buf_free(&name);
	if (id == n->nr) {
		n->function = mem_grow(n->function, &n->room, n->nr + 1, sizeof(*n->function));
		n->function[n->nr++] = (struct next_function){ .name = n->names.name[id].text };
	}
	return &n->function[id];
}

static const struct kprof_stack *kernel_stack(const struct data *d, const struct tally_row *row)
{
	struct data_stack stacks[DATA_ROW_STACKS];

	data_row_stacks(d, row, stacks);
	return stacks[0].stack && stacks[0].stack->nr ? stacks[0].stack : NULL;
}

/* The length of a tick; 0 if it is not known, or if ticks are not what was counted. */
static double tick_ns(const struct data *d)
{
	char *event = data_meta(d, "event"), *freq = data_meta(d, "freq");
	uint64_t hz = number_or_0(freq);
	double ns = strcmp(event, "timer") || !hz ? 0 : 1e9 / hz;

	free(event);
	free(freq);
	return ns;
}

/* Note which functions are there on a side. */
static void see(struct next *n, const struct data *d, const struct kprof_stack *stack, int side)
{
	size_t nr, f;
	int i;

	for (i = 0; i < stack->nr; i++) {
		const struct frame *frame = frames_at(d, stack->ip[i] - !!i, &nr);

		for (f = 0; f < nr && !frame[f].is_user; f++)
			get(n, &frame[f])->sides |= 1u << side;
	}
}

/* How the ticks of a recording are counted. */
struct ticks {
	double ns;	/* the length of one; 0: not known */
	bool is_told;	/* the module told by how much samples came late */
};

/* Of a row that is not late as a whole. */
static double late_ticks(const struct tally_row *row, const struct ticks *tick)
{
	if (!tick->ns)
		return 0;
	/* Else ticks that kprof left out itself, to use less of a CPU, look the same. */
	return tick->is_told ? row->late / tick->ns : row->ns / tick->ns - row->samples;
}

/* The ticks that a row stands for: all of them if it is late, else those merged into others. */
static void add_ticks(struct next_function *f, int side, const struct tally_row *row,
		      const struct ticks *tick, bool is_late)
{
	double ticks = tick->ns ? row->ns / tick->ns : row->samples;

	f->ticks[side] += ticks;
	f->late[side] += is_late ? ticks : late_ticks(row, tick);
}

void next_add_ticks(struct next *n, const struct data *d, const struct tally *t, int side)
{
	struct late late = { 0 };
	struct ticks tick = { tick_ns(d), missed_is_told(d) };
	size_t i, nr;

	n->sides |= 1u << side;
	late_open(&late, d);
	for (i = 0; i < t->nr; i++) {
		const struct tally_row *row = &t->row[i];
		const struct kprof_stack *stack = kernel_stack(d, row);
		const struct frame *frame = stack ? frames_at(d, stack->ip[0], &nr) : NULL;

		if (!frame)
			continue;
		if (!frame->is_user)
			add_ticks(get(n, frame), side, row, &tick,
				  late_is_opening(&late, stack->ip[0]));
		see(n, d, stack, side);
	}
	late_close(&late);
}

static double worth(const struct next *n, int side)
{
	return n->worth[side] > 0 ? n->worth[side] : 1;
}

double next_late_part(const struct next *n, const struct next_function *f)
{
	double a = worth(n, 0), b = worth(n, 1);
	double ticks = b * f->ticks[1] - a * f->ticks[0];
	double late = b * f->late[1] - a * f->late[0];
	double chance = INTERVAL_Z95 * sqrt(a * a * f->ticks[0] + b * b * f->ticks[1]);

	if (fabs(late) <= chance || late * ticks <= 0)
		return 0;
	return fmin(late / ticks, 1);
}

bool next_is_late(const struct next *n, const struct next_function *f)
{
	double ticks = f->ticks[0] + f->ticks[1];

	return (ticks && f->late[0] + f->late[1] >= NEXT_LATE_PART * ticks) ||
	       next_late_part(n, f) >= NEXT_LATE_PART;
}

/* The functions to which a stack is charged; NULL: there is none. */
struct chosen {
	struct next_function *common;	/* the innermost worth it that all sides have */
	struct next_function *added;	/* the outermost that one side only has */
};

/* Only outside of kprof. */
static struct chosen choose(struct next *n, const struct data *d, const struct kprof_stack *stack)
{
	struct chosen c = { NULL, NULL };
	struct next_function *one;
	size_t nr, f;
	int i;

	for (i = 0; i < stack->nr; i++) {
		const struct frame *frame = frames_at(d, stack->ip[i] - !!i, &nr);

		for (f = 0; f < nr && !frame[f].is_user; f++) {
			if (is_own(&frame[f])) {
				c = (struct chosen){ NULL, NULL };
				continue;
			}
			if (!can_be_watched(&frame[f]))
				continue;
			one = get(n, &frame[f]);	/* see() has made them all */
			if (next_is_late(n, one))
				continue;
			if (one->sides != n->sides)
				c.added = one;
			else if (!c.common)
				c.common = one;
		}
	}
	return c;
}

void next_add_counts(struct next *n, const struct data *d, const struct tally *t, int side,
		     bool by_weight)
{
	size_t i;

	for (i = 0; i < t->nr; i++) {
		const struct kprof_stack *stack = kernel_stack(d, &t->row[i]);
		double count = by_weight ? t->row[i].ns : t->row[i].samples;
		struct chosen c = { NULL, NULL };

		if (stack)
			c = choose(n, d, stack);
		if (c.common)
			c.common->count[side] += count;
		if (c.added)
			c.added->count[side] += count;
	}
}

const struct next_function *next_find(const struct next *n, const char *module, const char *name)
{
	struct buf target = { 0 };
	uint32_t id;

	buf_printf(&target, "%s%s%s", module, *module ? ":" : "", name);
	id = strtab_find(&n->names, target.data, target.len);
	buf_free(&target);
	return id == STRTAB_NONE ? NULL : &n->function[id];
}

const struct next_function *next_find_shown(const struct next *n, const char *shown)
{
	const char *module = strstr(shown, " ["), *end = module ? strchr(module, ']') : NULL;
	size_t len = module ? (size_t)(module - shown) : strlen(shown);
	struct buf name = { 0 };
	uint32_t id;

	if (!module && len > 4 && !strcmp(shown + len - 4, "_[i]"))
		len -= 4;
	if (end)
		buf_printf(&name, "%.*s:", (int)(end - module - 2), module + 2);
	buf_printf(&name, "%.*s", (int)len, shown);
	id = strtab_find(&n->names, name.data, name.len);
	buf_free(&name);
	return id == STRTAB_NONE ? NULL : &n->function[id];
}

/* Of a row in which @f is the leaf: the caller that can be measured; else NULL. */
static const struct next_function *caller_in(struct next *n, const struct data *d,
					     const struct tally_row *row,
					     const struct next_function *f)
{
	const struct kprof_stack *stack = kernel_stack(d, row);
	const struct next_function *one;
	const struct frame *frame;
	size_t nr, k;
	int i;

	for (i = 0; stack && i < stack->nr; i++) {
		frame = frames_at(d, stack->ip[i] - !!i, &nr);
		if (!i && (!nr || frame->is_user || get(n, frame) != f))
			return NULL;
		for (k = 0; k < nr && !frame[k].is_user; k++) {
			if (!can_be_watched(&frame[k]))
				continue;
			one = get(n, &frame[k]);
			if (one != f && !next_is_late(n, one))
				return one;
		}
	}
	return NULL;
}

void next_add_callers(struct next *n, const struct data *d, const struct tally *t,
		      const struct next_function *f, double sign, struct next_callers *c)
{
	size_t i;

	/* next_add_ticks() has made all functions there are. */
	if (!c->ns)
		*c = (struct next_callers){ mem_zalloc(n->nr + 1, sizeof(*c->ns)), n->nr };
	for (i = 0; i < t->nr; i++) {
		const struct next_function *by = caller_in(n, d, &t->row[i], f);

		if (by)
			c->ns[by - n->function] += sign * t->row[i].ns;
	}
}

void next_print_callers(const struct next *n, struct next_callers *c, double of, FILE *out)
{
	size_t nr, i, most;

	for (nr = 0; nr < CALLERS_MAX; nr++) {
		for (most = i = 0; i < c->nr; i++)
			if (c->ns[i] > c->ns[most])
				most = i;
		if (!c->nr || c->ns[most] <= 0 || c->ns[most] < CALLERS_LEAST * of)
			return;
		fprintf(out, "%s %s %.0f %%", nr ? "," : ":", n->function[most].name,
			100 * c->ns[most] / of);
		c->ns[most] = 0;	/* the next one is the next largest */
	}
}

void next_print_late(FILE *out)
{
	fputs("#   no tick comes while interrupts are off: functions that ran then, and have no such row,\n"
	      "#   took more time than they show; a function that ends by jumping to another function is\n"
	      "#   in no stack, and its caller has its time\n", out);
}

void next_free(struct next *n)
{
	free(n->function);
	strtab_free(&n->names);
}

/* The words were joined by spaces: if one may have needed quotes, the text cannot be pasted. */
static bool is_plain(const char *command)
{
	return !strpbrk(command, "\"'`$&|;<>(){}[]*?~#!\\\n\t");
}

void next_add_command(const struct data *d, struct buf *line)
{
	char *command = data_meta(d, "command");

	if (*command)
		buf_printf(line, " -- %s", is_plain(command) ? command : "COMMAND...");
	else
		buf_printf(line, " -a -d 10");
	free(command);
}
