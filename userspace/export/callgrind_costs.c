// SPDX-License-Identifier: GPL-2.0-only
/*
 * callgrind_costs.c - the costs of functions and of what they call, added up for callgrind.c
 *
 * Readers take the inclusive cost of a function as that of all calls of it, or as its own and that
 * of its calls. With recursion a sample would count several times in that. So of a function that is
 * several times in a stack only the innermost one is left. Then a sample is once in the inclusive
 * cost of each function of its stack, as in a report. Each stack begins with its task, because what
 * is called in one stack and the first function of another would lack the cost of the latter.
 */
#include <stdlib.h>
#include <string.h>

#include "data/data_fold.h"
#include "export/callgrind_costs.h"
#include "lib/mem.h"

struct callgrind_place {
	uint32_t function, line;
};

static uint32_t text(struct strtab *table, const char *name)
{
	return strtab_add(table, name, strlen(name));
}

/* The number of a function. Not all places of it may have a file; without any it is its module. */
static uint32_t add_function(struct callgrind_costs *c, const char *name, const char *module,
			     const char *file)
{
	struct callgrind_function f = {
		.name = text(&c->names, name), .file = text(&c->files, module),
		.module = text(&c->modules, module),
	};
	const uint32_t key[] = { f.name, f.module };
	const uint32_t id = strtab_add(&c->keys, (const char *)key, sizeof(key)), none = f.file;

	if (id == c->nr_functions) {
		c->function = mem_grow(c->function, &c->function_room, id + 1ul,
				       sizeof(*c->function));
		c->function[c->nr_functions++] = f;
	}
	if (file && c->function[id].file == none)
		c->function[id].file = text(&c->files, file);
	return id;
}

static uint32_t hash(const struct callgrind_cost *cost)
{
	return hash_number((uint64_t)cost->function << 32 | cost->callee, cost->line);
}

static struct callgrind_cost *cost_of(struct callgrind_costs *c, const struct callgrind_cost *like)
{
	size_t i;

	if (hash_grow(&c->table, c->nr + 1))
		for (i = 0; i < c->nr; i++)
			hash_put(&c->table, hash(&c->cost[i]), i);
	hash_each(i, &c->table, hash(like)) {
		struct callgrind_cost *cost = &c->cost[hash_at(&c->table, i)];

		if (cost->function == like->function && cost->callee == like->callee &&
		    cost->line == like->line)
			return cost;
	}
	hash_put(&c->table, hash(like), c->nr);
	c->cost = mem_grow(c->cost, &c->room, c->nr + 1, sizeof(*c->cost));
	c->cost[c->nr] = *like;
	c->cost[c->nr].value = mem_zalloc(c->types->nr, sizeof(*like->value));
	return &c->cost[c->nr++];
}

static void add_cost(struct callgrind_costs *c, const struct tally_row *row,
		     const struct callgrind_place *place, uint32_t callee)
{
	const struct callgrind_cost like = {
		.function = place->function, .callee = callee, .line = place->line,
	};
	struct callgrind_cost *cost = cost_of(c, &like);
	size_t i;

	for (i = 0; i < c->types->nr; i++)
		cost->value[i] += export_value(&c->types->type[i], row);
	cost->stacks += row->samples;
}

static void add_place(struct callgrind_costs *c, size_t *nr, uint32_t function, uint32_t line)
{
	c->path = mem_grow(c->path, &c->path_room, *nr + 1, sizeof(*c->path));
	c->path[(*nr)++] = (struct callgrind_place){ .function = function, .line = line };
}

/* Make c->path the functions of a row, leaf first, and then its task. Returns how many. */
static size_t take_path(struct callgrind_costs *c, const struct tally_row *row)
{
	size_t i, k, nr, len = 0;
	uint32_t id;

	c->stacks++;
	export_stack_of(&c->stack, c->data, row);
	for (i = 0; i < c->stack.nr; i++) {
		const struct frame *frame = export_frames(c->data, &c->stack.place[i], &nr);

		for (k = 0; k < nr; k++) {
			id = add_function(c, frame[k].function, frame_module(&frame[k]),
					  frame[k].file);
			if (c->function[id].last_stack == c->stacks)
				continue;
			c->function[id].last_stack = c->stacks;
			add_place(c, &len, id, frame[k].line);
		}
	}
	id = add_function(c, data_task_name(c->data, KPROF_KEY_TASK(row->key)), "[task]", NULL);
	add_place(c, &len, id, 0);
	return len;
}

void callgrind_costs_add(struct callgrind_costs *c, const struct tally_row *row)
{
	const size_t nr = take_path(c, row);
	size_t i;

	for (i = 0; i < nr; i++)
		add_cost(c, row, &c->path[i], i ? c->path[i - 1].function : CALLGRIND_SELF);
}

static int compare(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int by_place(const void *va, const void *vb)
{
	const struct callgrind_cost *a = va, *b = vb;
	int order = compare(a->function, b->function);

	/* CALLGRIND_SELF is the largest number, and 0 after this. */
	if (!order)
		order = compare(a->callee + 1, b->callee + 1);
	return order ? order : compare(a->line, b->line);
}

void callgrind_costs_sort(struct callgrind_costs *c)
{
	if (c->nr)
		qsort(c->cost, c->nr, sizeof(*c->cost), by_place);
}

void callgrind_costs_free(struct callgrind_costs *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->cost[i].value);
	free(c->cost);
	free(c->function);
	free(c->path);
	free(c->stack.place);
	hash_free(&c->table);
	strtab_free(&c->names);
	strtab_free(&c->files);
	strtab_free(&c->modules);
	strtab_free(&c->keys);
}
