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

bool blocks_try(const struct blocks *b, uint32_t block, bool (*use)(uint64_t addr, void *arg),
		void *arg, uint32_t *insn)
{
	const struct graph_block *at = &b->graph.block[block];
	uint32_t i, tries = at->nr < TRIES ? at->nr : TRIES;

	/* Nops come last: they are what gets patched. */
	for (i = 0; i < 2 * tries; i++) {
		bool is_second = i >= tries;

		*insn = at->first + i % tries;
		if (b->function.insn[*insn].is_idle == is_second &&
		    use(b->function.insn[*insn].addr, arg))
			return true;
	}
	return false;
}

struct probe {
	const char *keys;
	struct buf why;		/* it was refused */
};

static bool set_probe(uint64_t addr, void *arg)
{
	struct probe *p = arg;
	struct buf line = { 0 };
	bool done;

	p->why.len = 0;
	buf_printf(&line, "0x%" PRIx64 "%s%s", addr, *p->keys ? BLOCKS_POINT : "", p->keys);
	done = !kmod_try_write("targets", line.data, O_APPEND, &p->why);
	buf_free(&line);
	return done;
}

static bool watch_block(struct blocks *b, uint32_t block, const char *keys)
{
	struct probe p = { .keys = keys };
	uint32_t insn;
	bool done = blocks_try(b, block, set_probe, &p, &insn);

	if (done)
		b->probed[block] = insn;
	if (!done && !b->refusal.len) {
		blocks_place(b, block, &b->refusal);
		buf_printf(&b->refusal, ": %s", p.why.data);
	}
	buf_free(&p.why);
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
