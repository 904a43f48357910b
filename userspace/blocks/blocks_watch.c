// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_watch.c - put counting probes on the blocks that need one
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "record/kmod.h"

#define TRIES	16	/* instructions of a block to try a probe on */

/*
 * Kprobes refuse instructions that the kernel may patch. All instructions of a block run equally
 * often, so any one will do. Nops come last: they are what gets patched.
 */
static bool watch_block(struct blocks *b, uint32_t block, const char *keys)
{
	const struct graph_block *at = &b->graph.block[block];
	uint32_t i, tries = at->nr < TRIES ? at->nr : TRIES;
	struct buf why = { 0 };
	bool done = false;

	for (i = 0; i < 2 * tries && !done; i++) {
		uint32_t insn = at->first + i % tries;
		bool is_second = i >= tries;
		struct buf line = { 0 };

		if (b->function.insn[insn].is_idle != is_second)
			continue;
		why.len = 0;
		buf_printf(&line, "0x%" PRIx64 "%s%s", b->function.insn[insn].addr,
			   *keys ? BLOCKS_POINT : "", keys);
		done = !kmod_try_write("targets", line.data, O_APPEND, &why);
		if (done)
			b->probed[block] = insn;
		buf_free(&line);
	}
	if (!done && !b->refusal.len) {
		blocks_place(b, block, &b->refusal);
		buf_printf(&b->refusal, ": %s", why.data);
	}
	buf_free(&why);
	return done;
}

/* Where calls end: with the entry, this is what the counts are checked by. */
static bool is_exit(const struct graph *g, uint32_t block)
{
	uint32_t i;

	for (i = 0; i < g->nr_edges; i++)
		if (g->edge[i].from == block && g->edge[i].to == graph_outside(g))
			return true;
	return false;
}

static void add_checks(const struct graph *g, bool *chosen, const bool *refused, bool every)
{
	uint32_t i;

	for (i = 0; i < g->nr; i++)
		if (!refused[i] && (every || !i || g->block[i].is_stray || is_exit(g, i)))
			chosen[i] = true;
}

int blocks_watch(struct blocks *b, struct setup *c, const char *keys, bool every)
{
	const struct graph *g = &b->graph;
	bool *chosen = mem_zalloc(g->nr + 1, sizeof(*chosen));
	bool *refused = mem_zalloc(g->nr + 1, sizeof(*refused));
	bool again = true;
	uint32_t i;
	int ret = setup_set_targets(c, NULL, 0, false);

	/* What is refused changes which others are needed. */
	while (!ret && again) {
		again = false;
		flow_choose(g, refused, chosen);
		add_checks(g, chosen, refused, every);
		for (i = 0; i < g->nr; i++) {
			if (!chosen[i] || b->counted[i])
				continue;
			b->counted[i] = watch_block(b, i, keys);
			b->nr_counted += b->counted[i];
			refused[i] = !b->counted[i];
			b->nr_refused += refused[i];
			again |= refused[i];
		}
	}
	if (!ret && !b->nr_counted)
		ret = msg_error("%s cannot be watched: %s", b->symbol->name, b->refusal.data);
	free(chosen);
	free(refused);
	return ret;
}
