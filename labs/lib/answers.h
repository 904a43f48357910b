/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * answers.h - what a student hands in: key=value lines, sealed guesses, the module's ledger
 */
#ifndef LABS_ANSWERS_H
#define LABS_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "truth.h"

#define ANSWERS_MAX	64
#define ANSWERS_LENGTH	256
#define ANSWERS_GUESS	"guess."	/* before the name of a question */

struct answers {
	struct {
		char key[64], value[ANSWERS_LENGTH];
	} pair[ANSWERS_MAX];
	int nr;
};

/*
 * Read lines KEY=VALUE; blanks around both, empty lines and those that begin with "#" do not
 * matter, nor does a mark of UTF-8 in front, nor whether a key is in upper or lower case; of one
 * that comes twice, the last counts. -1: a line is none of these, too long, or one too many; @line
 * is its number.
 */
int answers_parse(struct answers *a, const char *text, int *line);

/* Is this the key of a guess, not of an answer? */
bool answers_is_guess(const char *key);

/* NULL: the key is not there, or nothing stands behind it. */
const char *answers_get(const struct answers *a, const char *key);

/*
 * The guesses of an answers.txt, one a line, sealed with the token: what stands in "guesses".
 * @missing gets the key of the first guess that has no value; then -1 is returned.
 */
int answers_seal(const struct answers *a, u64 token, char *to, size_t size, const char **missing);

/* Are these guesses as they were sealed? */
bool answers_is_sealed(const char *text, u64 token);

/*
 * The numbers of a ledger, unmasked, one line's behind the other's. -1: the seal of a line does not
 * hold: it was changed, or is of another token; or it is no such line. @line is its number.
 */
int answers_ledger(struct truth_ledger *ledger, const char *text, u64 token, int *line);

#endif /* LABS_ANSWERS_H */
