/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * made.h - a function that is made up: its instructions, and the graph of its blocks
 */
#ifndef KPROF_UNIT_BLOCKS_MADE_H
#define KPROF_UNIT_BLOCKS_MADE_H

#include "blocks/blocks.h"
#include "lib/mem.h"
#include "unit.h"

#define BASE	0xffffffff81000000ull
#define NAME	"a<b>&\"\033[2J"

/* 0: before; 1-2: a loop of one block; 3: a branch past 4; 4; 5: return. 4 never runs. */
static inline void make(struct blocks *b)
{
	struct code_function *f = &b->function;
	struct buf symbols = { 0 };
	uint32_t i;

	buf_printf(&symbols, "%llx 18 %s\n", BASE, NAME);
	CHECK_INT(symtab_parse(&b->names.symbols, &symbols), 0);
	buf_printf(&b->names.text[DATA_META], "kernel: 6.1.0\n");
	frames_open(&b->names, NULL, "");
	b->symbol = &b->names.symbols.sym[0];
	f->nr_parts = 1;
	f->nr = 6;
	f->part[0] = (struct code_part){ .symbol = b->symbol, .nr = 6 };
	f->insn = mem_zalloc(6, sizeof(*f->insn));
	f->byte = mem_zalloc(6, sizeof(*f->byte));
	for (i = 0; i < 6; i++) {
		f->insn[i] = (struct code_insn){ .addr = BASE + 4 * i, .size = 4 };
		f->byte[i] = 4 * i;
		buf_add(&f->bytes, "\1\2\3\4", 4);
	}
	f->insn[2].flow = FLOW_BRANCH;
	f->insn[2].target = BASE + 4;
	f->insn[3].flow = FLOW_BRANCH;
	f->insn[3].target = BASE + 20;
	f->insn[5].flow = FLOW_RETURN;
	graph_make(&b->graph, f);
	CHECK_INT(b->graph.nr, 5);
	nest_make(&b->nest, &b->graph, f, &b->names);
}

#endif /* KPROF_UNIT_BLOCKS_MADE_H */
