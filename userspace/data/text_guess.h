/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_guess.h - which program printed a text of stacks, as its first lines tell
 *
 * No single line decides: the text of a tracepoint may end in a number, as folded text does. All
 * lines at the beginning of a text are looked at, and what most of them can only be counts.
 */
#ifndef KPROF_TEXT_GUESS_H
#define KPROF_TEXT_GUESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/folded_parse.h"
#include "data/stack_list.h"
#include "data/text_kind.h"

#define TEXT_GUESS_LOOK	(64u << 10)	/* bytes from which a text is judged */

struct text_guess {
	enum text_kind kind;
	bool is_doubtful;	/* then: */
	enum text_kind other;	/* it may be of this kind instead */
	uint64_t line;		/* the number of the first line that both kinds have */
	struct stack_list_look list;	/* if it is one */
	enum folded_columns columns;	/* if it is folded text */
	/* The first line that is no stack, if it is hardly any text of stacks; or line 0. */
	uint64_t wrong;
	const char *wrong_text;
	size_t wrong_len;
};

/* Judge a text by its beginning. */
void text_guess_kind(const char *text, size_t len, struct text_guess *guess);

#endif /* KPROF_TEXT_GUESS_H */
