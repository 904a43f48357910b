// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks_read.c - reads what kprof blocks --json has written
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff_blocks.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"

static int bad(const struct diff_blocks_side *side, const char *what)
{
	return msg_error("%s: not what 'kprof blocks --json' writes: %s", side->path, what);
}

/* null is a count that is not known. */
static uint64_t count_of(const struct json_value *object, const char *name)
{
	uint64_t count;

	return json_get_u64(object, name, &count) ? count : UINT64_MAX;
}

/* --- the function --- */

static int read_block(struct diff_blocks_side *side, const struct json_value *from)
{
	struct diff_block *b = &side->block[side->nr_blocks];
	const struct json_value *functions = json_get(from, "functions");
	const struct json_value *first = json_next(functions, NULL);

	*b = (struct diff_block){
		.place = json_get_text(from, "block"), .line = json_get_text(from, "line"),
		.code = json_get_text(from, "code"), .other = DIFF_NO_BLOCK,
		.function = first && first->type == JSON_TEXT ? first->text : NULL,
	};
	if (!b->place || !json_get_u64(from, "insns", &b->insns))
		return bad(side, "a block has no place or no number of instructions");
	side->nr_blocks++;
	return EXIT_OK;
}

/* --- edges: their blocks, found by their places --- */

struct place {
	const char *text;
	uint32_t block;
};

static int by_text(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	return strcmp(a->text, b->text);
}

static uint32_t find_place(const struct diff_blocks_side *side, const struct place *places,
			   const char *text)
{
	const struct place key = { .text = text ? text : "" }, *found;

	if (text && !strcmp(text, "leave"))
		return side->nr_blocks;
	found = bsearch(&key, places, side->nr_blocks, sizeof(key), by_text);
	return found ? found->block : DIFF_NO_BLOCK;
}

static int read_edges(struct diff_blocks_side *side, const struct json_value *edges)
{
	struct place *places = mem_zalloc((size_t)side->nr_blocks + 1, sizeof(*places));
	const struct json_value *from = NULL;
	int ret = EXIT_OK;
	uint32_t i;

	for (i = 0; i < side->nr_blocks; i++)
		places[i] = (struct place){ side->block[i].place, i };
	qsort(places, side->nr_blocks, sizeof(*places), by_text);
	while (!ret && (from = json_next(edges, from)) != NULL) {
		struct diff_flow *e = &side->edge[side->nr_edges++];

		e->from = find_place(side, places, json_get_text(from, "from"));
		e->to = find_place(side, places, json_get_text(from, "to"));
		if (e->from == DIFF_NO_BLOCK || e->to == DIFF_NO_BLOCK)
			ret = bad(side, "an edge is not between two blocks");
	}
	free(places);
	return ret;
}

/* All runs have the same blocks and edges: take those of the first one. */
static int read_function(struct diff_blocks_side *side, const struct json_value *run)
{
	const struct json_value *blocks = json_get(run, "blocks"), *from = NULL;
	const struct json_value *edges = json_get(run, "edges");
	int ret = EXIT_OK;

	if (!blocks || !blocks->nr || !edges)
		return bad(side, "no blocks or no edges");
	side->block = mem_zalloc(blocks->nr, sizeof(*side->block));
	side->edge = mem_zalloc((size_t)edges->nr + 1, sizeof(*side->edge));
	while (!ret && (from = json_next(blocks, from)) != NULL)
		ret = read_block(side, from);
	if (!ret)
		ret = read_edges(side, edges);
	return ret ? ret : diff_nest_read(side, run);
}

/* --- what ran --- */

/* Returns NULL if there are not @nr of them. */
static uint64_t *read_counts(const struct json_value *list, uint32_t nr)
{
	uint64_t *count = mem_zalloc((size_t)nr + 1, sizeof(*count));
	const struct json_value *from = NULL;
	uint32_t i = 0;

	if (list && list->nr == nr)
		while ((from = json_next(list, from)) != NULL)
			count[i++] = count_of(from, "count");
	if (list && list->nr == nr)
		return count;
	free(count);
	return NULL;
}

static int read_run(struct diff_blocks_side *side, const struct json_value *from)
{
	struct diff_blocks_run *run = &side->run[side->nr_runs++];

	*run = (struct diff_blocks_run){
		.context = json_get_text(from, "context"), .calls = count_of(from, "calls"),
		.insns = count_of(from, "instructions"),
		.block = read_counts(json_get(from, "blocks"), side->nr_blocks),
		.edge = read_counts(json_get(from, "edges"), side->nr_edges),
	};
	if (!run->context || !run->block || !run->edge)
		return bad(side, "a context has other blocks than the first one");
	return diff_nest_read_run(side, run, from);
}

static int by_context(const void *va, const void *vb)
{
	const struct diff_blocks_run *a = va, *b = vb;

	return strcmp(a->context, b->context);
}

int diff_blocks_read(struct diff_blocks_side *side, const char *path, char *json)
{
	const struct json_value *all, *runs, *run = NULL;
	char error[256];
	uint32_t i;
	int ret;

	side->path = path;
	if (json_tree_read(&side->json, json, error))
		return msg_error("%s: no JSON: %s", path, error);
	all = side->json.value;
	side->function = json_get_text(all, "function");
	side->module = json_get_text(all, "module");
	side->kernel = json_get_text(all, "kernel");
	side->lost = json_get_text(all, "lost");
	runs = json_get(all, "runs");
	if (!side->function || !runs || !runs->nr)
		return bad(side, "no function or no runs");
	ret = read_function(side, json_next(runs, NULL));
	side->run = mem_zalloc(runs->nr, sizeof(*side->run));
	while (!ret && (run = json_next(runs, run)) != NULL)
		ret = read_run(side, run);
	if (ret)
		return ret;
	qsort(side->run, side->nr_runs, sizeof(*side->run), by_context);
	for (i = 1; i < side->nr_runs; i++)
		if (!strcmp(side->run[i - 1].context, side->run[i].context))
			return bad(side, "a context comes twice");
	return EXIT_OK;
}
