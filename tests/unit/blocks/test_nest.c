// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_nest.c - what inlined functions and turns of loops cost, of code and counts given here
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks/blocks.h"
#include "data/frames.h"
#include "index/make.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "unit.h"

#define BASE	0xffffffff81000000ull
#define AT(i)	(BASE + 4 * (uint64_t)(i))
#define INSNS	16

/*
 * host() calls walk(), at line 10, which is inlined:
 *	1	before its loop; step() is inlined, at line 20
 *	2	the loop begins
 *	3	step() again, at line 21; it begins with a loop, which is all of it
 *	4	the loop ends
 *	5	after it; here the compiler has put an instruction of host()
 * and, at line 11, again, with code that the compiler has put at several places: 7, which never
 * runs, and 9. Line 12 calls gone(), which never runs (11), as its code is where no jump leads.
 * other(), behind it, calls gone(), too.
 */
static const struct {
	uint32_t from, to, depth, line, entry;
	const char *name;
} inlined[] = {
	{ 1, 6, 0, 10, 1, "walk" }, { 1, 2, 1, 20, 1, "step" }, { 3, 4, 1, 21, 3, "step" },
	{ 7, 10, 0, 11, 9, "walk" }, { 11, 12, 0, 12, 11, "gone" }, { 17, 18, 0, 30, 17, "gone" },
};

#define INLINED	(sizeof(inlined) / sizeof(*inlined))

static uint32_t number(struct strtab *n, const char *text)
{
	return strtab_add(n, text, strlen(text));
}

static void add_inline(struct make *m, size_t i)
{
	m->range = mem_grow(m->range, &m->range_room, m->nr_ranges + 1, sizeof(*m->range));
	m->inlines = mem_grow(m->inlines, &m->inline_room, m->nr_inlines + 1, sizeof(*m->inlines));
	m->inlines[m->nr_inlines++] = (struct make_inline){
		.depth = inlined[i].depth, .name = number(&m->functions, inlined[i].name),
		.file = number(&m->files, "host.c"), .line = inlined[i].line,
		.entry = AT(inlined[i].entry), .range = m->nr_ranges, .nr_ranges = 1,
	};
	m->range[m->nr_ranges++] = (struct make_range){ AT(inlined[i].from), AT(inlined[i].to) };
}

static void add_host(struct make *m, const char *name, uint64_t start, size_t first, size_t nr)
{
	m->host = mem_grow(m->host, &m->host_room, m->nr_hosts + 1, sizeof(*m->host));
	m->host[m->nr_hosts++] = (struct make_host){
		.start = start, .end = start + 4 * INSNS, .name = number(&m->symbols, name),
		.first = first, .nr = nr,
	};
}

/* The index, as a file. */
static void write_index(const char *path, unsigned char id)
{
	struct make m = { .owner = "vmlinux", .build_id_size = 20 };
	struct buf out = { 0 };
	FILE *file = fopen(path, "we");
	size_t i;

	memset(m.build_id, id, 20);
	for (i = 0; i < INLINED; i++)
		add_inline(&m, i);
	add_host(&m, "host", BASE, 0, INLINED - 1);
	add_host(&m, "other", AT(INSNS), INLINED - 1, 1);
	m.section = mem_grow(NULL, &m.section_room, 1, sizeof(*m.section));
	m.section[m.nr_sections++] = (struct make_section){
		BASE, AT(2 * INSNS), number(&m.symbols, ".text"),
	};
	CHECK_INT(make_write(&m, &out), 0);
	CHECK(file && fwrite(out.data, out.len, 1, file) == 1);
	fclose(file);
	buf_free(&out);
	make_free(&m);
}

/* A jump, or a branch if the code after it is reached, too. */
static void jump(struct code_function *f, uint32_t from, uint32_t to, enum code_flow flow)
{
	f->insn[from].flow = flow;
	f->insn[from].target = AT(to);
}

static void make(struct blocks *b)
{
	static const uint32_t header[] = { 4, 20, 3 };
	char path[] = "/tmp/test_nest.XXXXXX";
	const struct frames_options options = { .index = path };
	struct code_function *f = &b->function;
	struct buf symbols = { 0 };
	uint32_t i;

	buf_printf(&symbols, "%llx %x host\n%llx %x other\n", BASE, 4 * INSNS,
		   (unsigned long long)AT(INSNS), 4 * INSNS);
	CHECK_INT(symtab_parse(&b->names.symbols, &symbols), 0);
	buf_add(&b->names.text[DATA_NOTES], header, sizeof(header));
	buf_add(&b->names.text[DATA_NOTES], "GNU\0", 4);
	for (i = 0; i < 20; i++)
		buf_add(&b->names.text[DATA_NOTES], "\7", 1);
	close(mkstemp(path));
	write_index(path, 7);
	CHECK_INT(frames_open(&b->names, &options, "test"), 0);
	unlink(path);
	b->symbol = &b->names.symbols.sym[0];
	f->nr_parts = 1;
	f->nr = INSNS;
	f->part[0] = (struct code_part){ .symbol = b->symbol, .nr = INSNS };
	f->insn = mem_zalloc(INSNS, sizeof(*f->insn));
	for (i = 0; i < INSNS; i++)
		f->insn[i] = (struct code_insn){ .addr = AT(i), .size = 4 };
	jump(f, 3, 3, FLOW_BRANCH);
	jump(f, 4, 2, FLOW_BRANCH);
	jump(f, 6, 9, FLOW_BRANCH);
	jump(f, 8, 12, FLOW_JUMP);
	jump(f, 10, 12, FLOW_JUMP);
	f->insn[15].flow = FLOW_RETURN;
	graph_make(&b->graph, f);
	nest_make(&b->nest, &b->graph, f, &b->names);
}

/* Count all blocks by how often their first instructions ran. */
static void count(struct blocks *b, struct blocks_run *run, const uint64_t ran[INSNS])
{
	uint32_t i;

	b->counted = mem_zalloc(b->graph.nr + 1, sizeof(*b->counted));
	run->count = mem_zalloc(b->graph.nr + 1, sizeof(*run->count));
	for (i = 0; i < b->graph.nr; i++) {
		b->counted[i] = true;
		run->count[i] = ran[b->graph.block[i].first];
	}
	flow_solve(&run->flow, &b->graph, b->counted, run->count);
	run->calls = ran[0];
}

static void end(struct blocks *b, struct blocks_run *run, struct blocks_share *share)
{
	flow_free(&run->flow);
	free(run->count);
	free(share);
	blocks_free(b);
}

/* The node of a function that is called at a line, or of the loop that begins at an instruction. */
static uint32_t find(const struct blocks *b, const char *function, uint32_t line, uint32_t head)
{
	uint32_t i;

	for (i = 0; i < b->nest.nr; i++) {
		const struct nest_node *n = &b->nest.node[i];

		if (strcmp(n->function, function))
			continue;
		if (n->head == GRAPH_NONE ? !head && n->line == line :
					    b->graph.block[n->head].first == head)
			return i;
	}
	CHECK(!"there is such a node");
	return 0;
}

static void check_share(const struct blocks_share *s, uint64_t count, uint64_t entries,
			uint64_t insns, uint64_t fixed)
{
	CHECK_INT(s->count, count);
	CHECK_INT(s->entries, entries);
	CHECK_INT(s->insns, insns);
	CHECK_INT(s->fixed, fixed);
}

static void test_tree(void)
{
	static const char *const order[] = {
		"host", "walk", "step", "loop of walk", "step", "loop of step", "walk", "gone",
	};
	static const uint32_t depth[] = { 0, 1, 2, 2, 3, 4, 1, 1 };
	struct blocks b = { .nr_counted = 0 };
	uint32_t i, at = 0;
	char name[64];

	make(&b);
	CHECK_INT(b.nest.nr, 8);
	for (i = 0; i < 8 && at != NEST_NONE; i++, at = nest_next(&b.nest, at)) {
		const struct nest_node *n = &b.nest.node[at];

		snprintf(name, sizeof(name), "%s%s", n->head == GRAPH_NONE ? "" : "loop of ",
			 n->function);
		CHECK_STR(name, order[i]);
		CHECK_INT(n->depth, depth[i]);
	}
	CHECK_INT(at, NEST_NONE);
	CHECK_INT(find(&b, "walk", 10, 0), b.nest.of[5]);
	CHECK_INT(find(&b, "walk", 0, 2), b.nest.of[4]);
	CHECK_INT(find(&b, "step", 0, 3), b.nest.of[3]);
	CHECK_INT(b.nest.of[6], 0);
	blocks_free(&b);
}

/* 10 calls; the outer loop turns @turns times in each, and the inner one @inner times in these. */
static void check_costs(uint64_t turns, uint64_t inner)
{
	const uint64_t outer = 10 * turns, all = outer * inner;
	const uint64_t ran[INSNS] = {
		10, 10, outer, all, outer, 10, 10, 3, 3, 7, 7, 0, 10, 10, 10, 10,
	};
	struct blocks b = { .nr_counted = 0 };
	struct blocks_run run = { .context = "" };
	struct blocks_share *share;

	make(&b);
	count(&b, &run, ran);
	share = blocks_shares(&b, &run);
	check_share(&share[0], 10, 10, 100 + 2 * outer + all, 100);
	check_share(&share[find(&b, "walk", 10, 0)], 10, 10, 20 + 2 * outer + all, 20);
	check_share(&share[find(&b, "walk", 0, 2)], outer, 10, 2 * outer + all, 2 * outer);
	check_share(&share[find(&b, "step", 20, 0)], 10, 10, 10, 10);
	/* That a loop begins where it is entered makes no calls of its turns. */
	check_share(&share[find(&b, "step", 21, 0)], outer, outer, all, 0);
	check_share(&share[find(&b, "step", 0, 3)], all, outer, all, all);
	/* Entered at one of its places, the other one is left out of its calls. */
	check_share(&share[find(&b, "walk", 11, 0)], 7, 7, 13, 13);
	check_share(&share[find(&b, "gone", 12, 0)], 0, 0, 0, 0);
	end(&b, &run, share);
}

static void test_costs(void)
{
	check_costs(1, 1);
	check_costs(4, 13);
	check_costs(100, 1);
	check_costs(13, 100);
}

/* What a count is not known of is not known, nor what it is in; all else is. */
static void test_unknown(void)
{
	const uint64_t ran[INSNS] = { 10, 10, 40, 40, 40, 10, 10, 3, 3, 7, 7, 0, 10, 10, 10, 10 };
	struct blocks b = { .nr_counted = 0 };
	struct blocks_run run = { .context = "" };
	struct blocks_share *share;

	make(&b);
	count(&b, &run, ran);
	run.flow.node[graph_block_of(&b.graph, 3)] = COUNT_UNKNOWN;
	share = blocks_shares(&b, &run);
	CHECK(share[0].insns == COUNT_UNKNOWN);
	CHECK_INT(share[0].fixed, 100);
	CHECK(share[find(&b, "step", 0, 3)].count == COUNT_UNKNOWN);
	CHECK(share[find(&b, "walk", 10, 0)].insns == COUNT_UNKNOWN);
	CHECK_INT(share[find(&b, "walk", 10, 0)].fixed, 20);
	CHECK_INT(share[find(&b, "walk", 11, 0)].insns, 13);
	end(&b, &run, share);
}

/* Which function is meant by the name of one that has no symbol. */
static void test_host(void)
{
	struct blocks b = { .nr_counted = 0 };
	const struct symbol *host;

	make(&b);
	CHECK_INT(blocks_find_host(&b.names, "walk", &host), EXIT_OK);
	CHECK(host == b.symbol);
	CHECK_INT(blocks_find_host(&b.names, "vmlinux:step", &host), EXIT_OK);
	CHECK(host == b.symbol);
	CHECK_INT(blocks_find_host(&b.names, "vmlinu:step", &host), EXIT_OK);
	CHECK(!host);
	/* It has a symbol. */
	CHECK_INT(blocks_find_host(&b.names, "host", &host), EXIT_OK);
	CHECK(!host);
	CHECK_INT(blocks_find_host(&b.names, "gone", &host), EXIT_ERROR);
	CHECK(!host);
	blocks_free(&b);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "tree", test_tree },
		{ "costs", test_costs },
		{ "unknown", test_unknown },
		{ "host", test_host },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
