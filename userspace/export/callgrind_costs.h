/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callgrind_costs.h - the costs of functions and of what they call, added up for callgrind.c
 */
#ifndef KPROF_EXPORT_CALLGRIND_COSTS_H
#define KPROF_EXPORT_CALLGRIND_COSTS_H

#include "export/export_stack.h"
#include "export/export_types.h"
#include "lib/hash.h"
#include "lib/strtab.h"

#define CALLGRIND_SELF	UINT32_MAX	/* in place of a callee: the cost is the function's own */

struct callgrind_function {
	uint32_t name, file, module;	/* in their tables */
	size_t last_stack;		/* private: in which it was met last */
};

/* The cost of a line of a function: its own, or of a callee. */
struct callgrind_cost {
	uint32_t function, callee, line;
	uint64_t *value;		/* by type; belongs to the costs */
	uint64_t stacks;		/* how many samples and calls it is of */
};

/* Zero-initialise, set data and types. */
struct callgrind_costs {
	const struct data *data;
	const struct export_types *types;
	struct callgrind_function *function;
	struct callgrind_cost *cost;
	size_t nr_functions, nr;
	struct strtab names, files, modules;
	/* Private from here on. */
	size_t function_room, room, path_room, stacks;
	struct strtab keys;		/* of functions: name and module */
	struct hash table;		/* of costs */
	struct callgrind_place *path;	/* of the current stack, leaf first */
	struct export_stack stack;
};

/* Add a row to the costs of the functions of its stack. */
void callgrind_costs_add(struct callgrind_costs *c, const struct tally_row *row);

/* Sort costs by function, own ones first, then by callee and line. */
void callgrind_costs_sort(struct callgrind_costs *c);
void callgrind_costs_free(struct callgrind_costs *c);

#endif /* KPROF_EXPORT_CALLGRIND_COSTS_H */
