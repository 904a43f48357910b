// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain_turns.c - kprof explain --turns: what determines how often the loops of a function turn
 *
 * The loops are those of the code as it runs. A probe where a loop begins counts its turns in each
 * call, as the first key of the function; the others are its arguments, and members behind
 * them, as many in a round as the module takes. The rounds of a loop end when a formula is
 * right for all calls, or when there are no more keys.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "cmd/explain.h"
#include "explain/turns.h"
#include "lib/msg.h"
#include "lib/outside.h"
#include "lib/plural.h"
#include "names/names.h"
#include "record/kmod.h"
#include "symbols/named.h"

#define MAX_ROUNDS	12	/* of a loop */
#define MAX_KEYS	(MAX_ROUNDS * TURNS_KEYS)
#define MAX_LOOPS	16
#define MAX_NAME	47	/* of a key, as the module takes it */

/* The function, its loops and the keys. */
struct turns_work {
	struct explain_work *w;
	struct blocks blocks;
	struct names names;		/* of the keys */
	const char *function;		/* that has the loops: what the other one is inlined into */
	uint32_t loop[MAX_LOOPS];	/* heads */
	int nr_loops, more_loops;
	char *key[MAX_KEYS];
	int nr_keys, more_keys;
	int group[MAX_ROUNDS];		/* first keys of rounds; first what was right for a loop */
	int nr_groups;
};

/* --- loops --- */

/* Is the loop of the function that was given, if that is inlined? By name, at any depth. */
static bool is_wanted(const struct turns_work *t, uint32_t node)
{
	const struct nest *n = &t->blocks.nest;
	const char *colon = strchr(t->w->target, ':'), *name = colon ? colon + 1 : t->w->target;

	for (; node != NEST_NONE; node = n->node[node].parent)
		if (t->function == t->w->target ||
		    (n->node[node].function && !strcmp(n->node[node].function, name)))
			return true;
	return false;
}

static void find_loops(struct turns_work *t)
{
	uint32_t i;

	for (i = 0; i < t->blocks.nest.nr; i++) {
		uint32_t head = t->blocks.nest.node[i].head;

		if (head == GRAPH_NONE || !is_wanted(t, i))
			continue;
		if (t->nr_loops < MAX_LOOPS)
			t->loop[t->nr_loops++] = head;
		else
			t->more_loops++;
	}
}

static void loop_name(const struct turns_work *t, uint32_t head, struct buf *out)
{
	buf_printf(out, "loop at ");
	blocks_place(&t->blocks, head, out);
	buf_printf(out, ", ");
	blocks_function(&t->blocks, head, out);
}

/* --- keys --- */

static void add_key(const char *key, void *data)
{
	struct turns_work *t = data;
	struct buf copy = { 0 };

	if (t->nr_keys == MAX_KEYS || strlen(key) > MAX_NAME) {
		t->more_keys++;
		return;
	}
	buf_printf(&copy, "%s", key);
	t->key[t->nr_keys++] = copy.data;
}

static void add_given_keys(struct turns_work *t, const char *keys)
{
	struct buf key = { 0 };
	size_t len;

	for (;;) {
		len = outside_find(keys, ",");
		key.len = 0;
		buf_add(&key, keys, len);
		add_key(key.data, t);
		if (!keys[len])
			break;
		keys += len + 1;
	}
	buf_free(&key);
}

static void find_keys(struct turns_work *t)
{
	static const char *const arguments[] = {
		"$arg1", "$arg2", "$arg3", "$arg4", "$arg5", "$arg6",
	};
	struct buf why = { 0 };
	size_t i;

	if (names_numbers(&t->names, t->function, add_key, t, &why)) {
		msg_warn("arguments by number, and no members: %s", why.data);
		for (i = 0; i < sizeof(arguments) / sizeof(*arguments); i++)
			add_key(arguments[i], t);
	}
	buf_free(&why);
}

/* --- a round --- */

struct turns_round {
	struct turns_work *t;
	uint32_t head;
	int first, nr;		/* of the keys */
};

/* The target, with the turns that a probe at an instruction counts as its first key. */
struct attempt {
	const struct turns_round *r;
	struct buf why;		/* it was refused */
};

static bool set_target(uint64_t addr, void *arg)
{
	struct attempt *a = arg;
	const struct turns_work *t = a->r->t;
	struct buf line = { 0 }, out = { 0 };
	bool done;
	int k;

	a->why.len = 0;
	buf_printf(&line, "%s by=turns=hits(0x%" PRIx64 ")", t->function, addr);
	for (k = a->r->first; k < a->r->first + a->r->nr; k++)
		buf_printf(&line, ",%s", t->key[k]);
	buf_printf(&line, "%s", t->w->filters);
	done = !names_translate(&a->r->t->names, line.data, &out, &a->why) &&
	       !kmod_try_write("targets", out.data, O_APPEND, &a->why);
	buf_free(&line);
	buf_free(&out);
	return done;
}

static int set_targets(struct setup *c, const void *arg)
{
	struct attempt a = { .r = arg };
	int ret = setup_set_targets(c, NULL, 0, false);
	uint32_t insn;

	if (!ret && !blocks_try(&a.r->t->blocks, a.r->head, set_target, &a, &insn))
		ret = msg_error("%s", a.why.data);
	buf_free(&a.why);
	return ret;
}

static int run_round(struct turns_round *r, struct turns_found *found)
{
	struct explain_work *w = r->t->w;
	struct explain_round round = { .set_targets = set_targets, .arg = r };
	struct lat_table rows = { .nr = 0 };
	struct turns_table table = { .nr = 0 };
	struct buf what = { 0 };
	char error[256];
	int ret;

	buf_printf(&what, "turns of the ");
	loop_name(r->t, r->head, &what);
	buf_printf(&what, ", by %d key%s", r->nr, plural(r->nr));
	round.what = what.data;
	ret = explain_measure_round(w, &round, &rows);
	if (!ret && turns_table_make(&table, &rows, explain_measured_name(&rows, r->t->function),
				     error))
		ret = msg_error("%s", error);
	if (!ret)
		turns_add(found, &table);
	turns_table_free(&table);
	lat_free(&rows);
	buf_free(&what);
	return ret;
}

/* Loops of a function often have an end in common. */
static void try_first(struct turns_work *t, int at)
{
	int group = t->group[at];

	memmove(&t->group[1], &t->group[0], at * sizeof(*t->group));
	t->group[0] = group;
}

static int run_rounds(struct turns_work *t, uint32_t head, struct turns_found *found)
{
	struct turns_round r = { .t = t, .head = head };
	int i, ret = EXIT_OK;

	for (i = 0; !ret && i < t->nr_groups && !t->w->interrupted; i++) {
		r.first = t->group[i];
		r.nr = t->nr_keys - r.first < TURNS_KEYS ? t->nr_keys - r.first : TURNS_KEYS;
		ret = run_round(&r, found);
		if (found->nr && turns_is_known(found))
			try_first(t, i);
		if (!found->calls || turns_is_known(found))
			break;
	}
	return ret;
}

static int explain_loop(struct turns_work *t, uint32_t head)
{
	struct turns_found found = { .nr = 0 };
	struct buf name = { 0 };
	int ret = run_rounds(t, head, &found);

	if (!ret) {
		loop_name(t, head, &name);
		puts(name.data);
		turns_print(&found, stdout);
		fflush(stdout);
	}
	turns_found_free(&found);
	buf_free(&name);
	return ret;
}

/* --- all of it --- */

static int begin(struct turns_work *t, const char *keys, const struct frames_options *frames)
{
	int i, ret = blocks_find(&t->blocks, t->w->target, frames);

	if (!ret)
		ret = blocks_read(&t->blocks);
	if (ret)
		return ret;
	t->function = named_is(t->blocks.symbol, t->w->target) ||
		      strchr(t->w->target, '@') ? t->w->target : t->blocks.symbol->name;
	find_loops(t);
	if (!t->nr_loops)
		return msg_error("%s has no loop%s", t->w->target, t->blocks.graph.has_tables ?
				 " that is seen; its jumps through tables are not followed" : "");
	if (keys)
		add_given_keys(t, keys);
	else
		find_keys(t);
	for (i = 0; i < t->nr_keys; i += TURNS_KEYS)
		t->group[t->nr_groups++] = i;
	t->w->rounds = t->nr_loops * t->nr_groups;
	return EXIT_OK;
}

static void print_rest(const struct turns_work *t)
{
	if (t->more_keys)
		printf("# %d key%s %s not tried, beyond the first %d: give those that may be it\n",
		       t->more_keys, plural(t->more_keys), t->more_keys == 1 ? "was" : "were",
		       t->nr_keys);
	if (t->more_loops)
		printf("# %d more loop%s %s not measured\n", t->more_loops, plural(t->more_loops),
		       t->more_loops == 1 ? "was" : "were");
	puts("# a turn is each time the first block of the loop runs: 'kprof blocks' has the code");
}

int explain_turns(struct explain_work *w, const char *keys, const struct frames_options *frames)
{
	struct turns_work t = { .w = w };
	int ret = begin(&t, keys, frames), i;

	for (i = 0; !ret && i < t.nr_loops && !w->interrupted; i++)
		ret = explain_loop(&t, t.loop[i]);
	if (!ret)
		print_rest(&t);
	while (t.nr_keys)
		free(t.key[--t.nr_keys]);
	names_free(&t.names);
	blocks_free(&t.blocks);
	return ret ? ret : w->lost;
}
