// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_blocks_match.c - which blocks of two versions of a function are the same
 *
 * The best alignment of the two sequences, as of two texts: blocks keep their order. A pair counts
 * for what its blocks have in common; blocks with nothing in common are no pair. But where a
 * function is entered is the same, whatever is done there, and so is a single block between two
 * that are.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff_blocks.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/strtab.h"

#define MAX_PAIRS	(32u << 20)	/* which are all looked at */

/* The texts of a block as numbers, equal ones of both sides the same: each pair is looked at. */
struct traits {
	uint32_t place, line, code, function;	/* STRTAB_NONE: there is none */
	uint64_t insns;
};

static uint32_t number_of(struct strtab *texts, const char *text)
{
	return text ? strtab_add(texts, text, strlen(text)) : STRTAB_NONE;
}

static struct traits *traits_of(struct strtab *texts, const struct diff_blocks_side *side)
{
	struct traits *traits = mem_zalloc(side->nr_blocks, sizeof(*traits));
	uint32_t i;

	for (i = 0; i < side->nr_blocks; i++) {
		const struct diff_block *b = &side->block[i];

		traits[i] = (struct traits){
			.place = number_of(texts, b->place), .line = number_of(texts, b->line),
			.code = number_of(texts, b->code), .insns = b->insns,
			.function = number_of(texts, b->function),
		};
	}
	return traits;
}

static bool equal(uint32_t a, uint32_t b)
{
	return a == b && a != STRTAB_NONE;
}

/* How much two blocks have in common; 0: they are not the same. */
static uint32_t likeness(const struct traits *a, const struct traits *b)
{
	bool same_function = equal(a->function, b->function), same_line = equal(a->line, b->line);
	bool same_place = equal(a->place, b->place), same_insns = a->insns == b->insns;

	if (equal(a->code, b->code))
		return 8 + 4 * same_function + 2 * same_line + same_place;
	if (!same_function)
		return 0;
	if (same_line)
		return 4 + 2 * same_insns + same_place;
	/* Without lines, instructions are all there is to tell a changed block by. */
	if (a->line != STRTAB_NONE && b->line != STRTAB_NONE)
		return 0;
	return same_insns ? 1 + same_place : 0;
}

/* score[i][j]: of the best alignment of the blocks behind the first i of A and j of B. */
static void find_scores(const struct diff_blocks_side *a, const struct diff_blocks_side *b,
			uint32_t *score)
{
	struct strtab texts = { .nr = 0 };
	struct traits *of_a = traits_of(&texts, a), *of_b = traits_of(&texts, b);
	size_t row = (size_t)b->nr_blocks + 1;
	uint32_t i, j;

	for (i = a->nr_blocks; i-- > 0; ) {
		for (j = b->nr_blocks; j-- > 0; ) {
			uint32_t *at = &score[i * row + j];
			uint32_t like = likeness(&of_a[i], &of_b[j]);

			*at = at[1] > at[row] ? at[1] : at[row];
			/* What has nothing in common would be as good as a gap: it is one. */
			if (like && at[row + 1] + like > *at)
				*at = at[row + 1] + like;
		}
	}
	free(of_a);
	free(of_b);
	strtab_free(&texts);
}

static void take_best(struct diff_blocks_side *a, struct diff_blocks_side *b,
		      const uint32_t *score)
{
	size_t row = (size_t)b->nr_blocks + 1;
	uint32_t i = 0, j = 0;

	while (i < a->nr_blocks && j < b->nr_blocks) {
		const uint32_t *at = &score[i * row + j];

		if (*at == at[1]) {
			j++;
		} else if (*at == at[row]) {
			i++;
		} else {
			a->block[i].other = j;
			b->block[j++].other = i++;
		}
	}
}

static bool is_same_function(const struct diff_block *a, const struct diff_block *b)
{
	return a->function && b->function && !strcmp(a->function, b->function);
}

static void pair(struct diff_blocks_side *a, struct diff_blocks_side *b, uint32_t i, uint32_t j)
{
	if (i >= a->nr_blocks || j >= b->nr_blocks || a->block[i].other != DIFF_NO_BLOCK ||
	    b->block[j].other != DIFF_NO_BLOCK || !is_same_function(&a->block[i], &b->block[j]))
		return;
	a->block[i].other = j;
	b->block[j].other = i;
}

/* Pair those that changed in place: the first ones, and one between two pairs or at the end. */
static void pair_changed(struct diff_blocks_side *a, struct diff_blocks_side *b)
{
	uint32_t i, next, j = 0;

	pair(a, b, 0, 0);
	for (i = 0; i < a->nr_blocks; i++) {
		if (a->block[i].other != DIFF_NO_BLOCK) {
			j = a->block[i].other + 1;
			continue;
		}
		/* Alone between the pair before and the next one, or the end: on both sides? */
		next = i + 1 < a->nr_blocks ? a->block[i + 1].other : b->nr_blocks;
		if (i && a->block[i - 1].other != DIFF_NO_BLOCK && next == j + 1)
			pair(a, b, i, j);
	}
}

/* The length of a function's name without what the compiler appends to its variants. */
static size_t length_of_base(const char *name)
{
	static const char *const suffixes[] = { ".part.", ".isra.", ".constprop.", ".cold" };
	size_t len = strlen(name), i;
	const char *at;

	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		at = strstr(name, suffixes[i]);
		if (at && (size_t)(at - name) < len)
			len = at - name;
	}
	return len;
}

static bool are_of_one_function(const char *a, const char *b)
{
	size_t len = length_of_base(a);

	return len == length_of_base(b) && !memcmp(a, b, len);
}

int diff_blocks_match(struct diff_blocks_side side[DIFF_NR_SIDES])
{
	struct diff_blocks_side *a = &side[DIFF_A], *b = &side[DIFF_B];
	uint64_t pairs = ((uint64_t)a->nr_blocks + 1) * ((uint64_t)b->nr_blocks + 1);
	uint32_t *score;

	if (!are_of_one_function(a->function, b->function))
		return msg_usage("'%s' is of %s and '%s' of %s: blocks of one function are compared",
				 a->path, a->function, b->path, b->function);
	if (pairs > MAX_PAIRS)
		return msg_error("%u blocks in '%s' and %u in '%s' are too many to compare: their "
				 "product is more than %u", a->nr_blocks, a->path, b->nr_blocks,
				 b->path, MAX_PAIRS);
	score = mem_zalloc(pairs, sizeof(*score));
	find_scores(a, b, score);
	take_best(a, b, score);
	pair_changed(a, b);
	free(score);
	return EXIT_OK;
}

uint32_t diff_blocks_alone(const struct diff_blocks_side *side)
{
	uint32_t i, nr = 0;

	for (i = 0; i < side->nr_blocks; i++)
		nr += side->block[i].other == DIFF_NO_BLOCK;
	return nr;
}
