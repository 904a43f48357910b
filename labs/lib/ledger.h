/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ledger.h - what a program of a lab has counted, beside the answers, as a module's ledger is
 */
#ifndef LABS_LEDGER_H
#define LABS_LEDGER_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "program.h"

#define LEDGER		"/lab/ledger"
#define LEDGER_LINE	(17 * (DERIVE_LEDGER_MAX + 2))	/* bytes */

/* Sixteen digits, and what separates them from what follows. 0: there is no such word. */
static inline char ledger_take_word(const char **text, u64 *word)
{
	char *end;

	*word = strtoull(*text, &end, 16);
	if (end != *text + 16 || (*end != ' ' && *end != '\n'))
		return 0;
	*text = end + 1;
	return *end;
}

/* A line, with its line feed. false: it is none, or was not written as a whole, for this token. */
static inline bool ledger_take_line(const char **text, u64 token, struct derive_ledger *ledger)
{
	u64 word;
	u32 nr;

	for (nr = 0; ledger_take_word(text, &word) == ' '; nr++) {
		if (nr == 1 + DERIVE_LEDGER_MAX)
			return false;
		ledger->word[nr] = word;
	}
	ledger->nr = nr - 1;
	return nr && (*text)[-1] == '\n' && word == derive_ledger_seal(ledger, token);
}

/* What stands there of an earlier run; if nothing does, or it was changed since, 0. */
static inline void ledger_read(u64 token, u64 *numbers, u32 nr)
{
	char text[LEDGER_LINE + 1] = "";
	struct derive_ledger ledger;
	FILE *file = fopen(LEDGER, "r");
	const char *at = text;
	bool is_there;
	u32 i;

	is_there = file && fgets(text, sizeof(text), file) &&
		   ledger_take_line(&at, token, &ledger) && ledger.nr == nr;
	for (i = 0; i < nr; i++)
		numbers[i] = is_there ? derive_ledger_number(&ledger, token, i) : 0;
	if (file)
		fclose(file);
}

static inline void ledger_write(u64 token, const u64 *numbers, u32 nr)
{
	const u64 now = now_ns();
	struct derive_ledger ledger = { .word = { derive_hash(getpid(), 0, &now, sizeof(now)) } };
	FILE *file = fopen(LEDGER, "w");
	u32 i;

	if (!file)
		die(LEDGER);
	for (i = 0; i < nr; i++)
		derive_ledger_add(&ledger, token, numbers[i]);
	for (i = 0; i < 1 + nr; i++)
		fprintf(file, "%016" PRIx64 " ", ledger.word[i]);
	fprintf(file, "%016" PRIx64 "\n", derive_ledger_seal(&ledger, token));
	if (fclose(file))
		die(LEDGER);
}

#endif /* LABS_LEDGER_H */
