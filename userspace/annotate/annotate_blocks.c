// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_blocks.c - how often each instruction ran, from what kprof blocks --json has written
 */
#include <stdlib.h>
#include <string.h>

#include "annotate/annotate.h"
#include "diff/diff_blocks.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/number.h"

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Counts are of one kernel: another one has other code. */
static int check(const struct annotate *a, const struct diff_blocks_side *side)
{
	char *kernel = data_meta(a->data, "kernel");
	int ret = EXIT_OK;

	if (strcmp(side->function, a->symbol->name) ||
	    !is_same_text(side->module, a->symbol->module))
		ret = msg_error("--blocks: %s is of the function %s, not of %s", side->path,
				side->function, a->symbol->name);
	else if (!side->kernel || strcmp(side->kernel, kernel))
		ret = msg_error("--blocks: %s is of the kernel %s, the recording of %s",
				side->path, side->kernel ? side->kernel : "?", kernel);
	else if (!a->origin || !a->nr)
		ret = msg_error("--blocks: there are no instructions, but only addresses: %s",
				a->why);
	free(kernel);
	return ret;
}

/* The instruction at an address; NULL if none begins there. */
static struct annotate_insn *find_insn(const struct annotate *a, uint64_t addr)
{
	size_t low = 0, high = a->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (a->insn[mid].addr < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < a->nr && a->insn[low].addr == addr ? &a->insn[low] : NULL;
}

/* Add what a block ran in all contexts; COUNT_UNKNOWN if one of them does not know it. */
static uint64_t count_of(const struct diff_blocks_side *side, uint32_t block)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < side->nr_runs; i++) {
		if (side->run[i].block[block] > ANNOTATE_NOT_COUNTED - 1 - sum)
			return ANNOTATE_NOT_COUNTED;
		sum += side->run[i].block[block];
	}
	return sum;
}

static int misfit(const struct diff_blocks_side *side, const struct diff_block *b)
{
	return msg_error("--blocks: %s is of other code: its block at %s does not fit here",
			 side->path, b->place);
}

/* Behind the last instruction is padding, which is not shown. */
static bool is_padding(const struct annotate *a, uint64_t offset)
{
	const struct annotate_insn *last = &a->insn[a->nr - 1];

	return a->symbol->start + offset >= last->addr + last->size;
}

/* Parts elsewhere, such as NAME.cold+0x1c, are not among the instructions. */
static int take_block(struct annotate *a, const struct diff_blocks_side *side, uint32_t block)
{
	const struct diff_block *b = &side->block[block];
	struct annotate_insn *insn;
	uint64_t offset, i;

	if (strncmp(b->place, "+0x", 3))
		return EXIT_OK;
	if (!number_parse(b->place + 3, NUMBER_HEX, &offset) || offset >= a->symbol->size ||
	    b->insns > a->symbol->size - offset)
		return misfit(side, b);
	if (is_padding(a, offset))
		return EXIT_OK;
	insn = find_insn(a, a->symbol->start + offset);
	if (!insn)
		return misfit(side, b);
	for (i = 0; i < b->insns && insn + i < a->insn + a->nr; i++)
		insn[i].ran = count_of(side, block);
	return EXIT_OK;
}

static int take(struct annotate *a, const struct diff_blocks_side *side)
{
	int ret = check(a, side);
	uint32_t i;

	for (i = 0; i < side->nr_blocks && !ret; i++)
		ret = take_block(a, side, i);
	for (i = 0; i < side->nr_runs && !ret; i++)
		if (side->run[i].calls != UINT64_MAX)
			a->counted_calls += side->run[i].calls;
	if (!ret && side->lost)
		msg_warn("%s: counts were lost: %s", side->path, side->lost);
	a->has_counts = !ret;
	return ret;
}

int annotate_take_blocks(struct annotate *a, const char *path)
{
	struct diff_blocks d = { .threshold = 0 };
	struct diff_blocks_side *side = &d.side[DIFF_A];
	struct buf text = { 0 };
	char error[256], nothing[] = "";
	int ret;

	if (input_load(path, &text, error))
		ret = msg_error("--blocks: %s: %s", path, error);
	else
		ret = diff_blocks_read(side, path, text.data ? text.data : nothing);
	if (!ret)
		ret = take(a, side);
	diff_blocks_free(&d);
	buf_free(&text);
	return ret;
}
