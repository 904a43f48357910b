// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_json.c - how often each block of a function ran, as JSON
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/json.h"

void blocks_put_count(struct json *j, const char *name, uint64_t count)
{
	if (count == COUNT_UNKNOWN)
		json_null(j, name);
	else
		json_u64(j, name, count);
}

void blocks_put_place(struct json *j, const char *name, const struct blocks *b, uint32_t node)
{
	struct buf text = { 0 };

	if (node == graph_outside(&b->graph))
		buf_printf(&text, "leave");
	else
		blocks_place(b, node, &text);
	json_text(j, name, text.data);
	buf_free(&text);
}

/* The functions that a block belongs to, innermost first. */
void blocks_put_functions(struct json *j, const struct blocks *b, uint32_t block)
{
	const struct code_insn *insn = &b->function.insn[b->graph.block[block].first];
	size_t nr, i;
	const struct frame *frame = frames_at(&b->names, insn->addr, &nr);

	json_array(j, "functions", JSON_LINE);
	for (i = 0; i < nr; i++)
		json_text(j, NULL, frame[i].name);
	json_close(j);
}

/* The line of the innermost function, or null. */
static void put_line(struct json *j, const struct blocks *b, uint32_t block)
{
	const struct code_insn *insn = &b->function.insn[b->graph.block[block].first];
	struct buf line = { 0 };
	size_t nr;
	const struct frame *frame = frames_at(&b->names, insn->addr, &nr);

	if (frame->file)
		buf_printf(&line, "%s:%u", frame->file, frame->line);
	json_text(j, "line", line.data);
	buf_free(&line);
}

static void put_code(struct json *j, const struct blocks *b, uint32_t block)
{
	char code[17];

	snprintf(code, sizeof(code), "%016" PRIx64, blocks_code(b, block));
	json_text(j, "code", code);
}

static void put_insns(struct json *j, const struct blocks *b, const struct graph_block *block)
{
	uint32_t i;

	json_array(j, "instructions", JSON_LINE);
	for (i = block->first; i < block->first + block->nr; i++) {
		struct buf text = { 0 };

		code_function_print(&b->function, &b->names.symbols, i, &text);
		json_text(j, NULL, text.len ? text.data : "?");
		buf_free(&text);
	}
	json_close(j);
}

static void put_block(struct json *j, const struct blocks_output *o, const struct blocks *b,
		      const struct blocks_run *run, uint32_t i)
{
	const struct graph_block *block = &b->graph.block[i];

	json_object(j, NULL, JSON_LINE);
	blocks_put_place(j, "block", b, i);
	blocks_put_count(j, "count", run->flow.node[i]);
	json_bool(j, "counted", b->counted[i]);
	json_u64(j, "insns", block->nr);
	if (block->loop == GRAPH_NONE)
		json_null(j, "loop");
	else
		blocks_put_place(j, "loop", b, block->loop);
	if (block->is_head)
		blocks_put_count(j, "entries", flow_entries(&run->flow, &b->graph, i));
	json_bool(j, "stray", block->is_stray);
	blocks_put_functions(j, b, i);
	put_line(j, b, i);
	put_code(j, b, i);
	if (o->with_insns)
		put_insns(j, b, block);
	json_close(j);
}

static void put_run(struct json *j, const struct blocks_output *o, const struct blocks *b,
		    const struct blocks_run *run)
{
	const struct graph *g = &b->graph;
	uint32_t i;

	json_object(j, NULL, JSON_LINES);
	json_text(j, "context", run->context);
	blocks_put_count(j, "calls", run->calls);
	json_u64(j, "instructions", run->insns);
	json_bool(j, "all_known", !run->is_partial);
	json_u64(j, "checked", run->flow.checks);
	json_u64(j, "wrong", run->flow.wrong);
	json_array(j, "blocks", JSON_LINES);
	for (i = 0; i < g->nr; i++)
		put_block(j, o, b, run, i);
	json_close(j);
	json_array(j, "edges", JSON_LINES);
	for (i = 0; i < g->nr_edges; i++) {
		json_object(j, NULL, JSON_LINE);
		blocks_put_place(j, "from", b, g->edge[i].from);
		blocks_put_place(j, "to", b, g->edge[i].to);
		blocks_put_count(j, "count", run->flow.edge[i]);
		json_close(j);
	}
	json_close(j);
	blocks_put_nest(j, b, run);
	json_close(j);
}

void blocks_print_json(const struct blocks_output *o, const struct blocks *b,
		       const struct blocks_runs *runs)
{
	struct json j = json_begin(o->out);
	char *kernel = data_meta(&b->names, "kernel");
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "function", b->symbol->name);
	json_text(&j, "module", b->symbol->module);
	json_text(&j, "kernel", kernel);
	free(kernel);
	json_u64(&j, "counted", b->nr_counted);
	json_u64(&j, "refused", b->nr_refused);
	json_text(&j, "refusal", b->nr_refused ? b->refusal.data : NULL);
	json_u64(&j, "own", o->own);
	json_u64(&j, "missed", runs->missed);
	json_text(&j, "lost", o->lost);
	json_array(&j, "runs", JSON_LINES);
	for (i = 0; i < runs->nr; i++)
		put_run(&j, o, b, &runs->run[i]);
	json_end(&j);
}
