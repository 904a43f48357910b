// SPDX-License-Identifier: GPL-2.0-only
/*
 * seal.c - in the guest, before the first measurement: the guesses are sealed
 *
 *	seal TOKEN ANSWERS GUESSES
 *
 * writes the guesses of the file ANSWERS into the file GUESSES, with a seal that shows if they
 * are changed later. Fails, and says so, while a guess is missing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "answers.h"

static int fail(const char *what, const char *name)
{
	fprintf(stderr, "lab: %s: %s\n", name, what);
	return 1;
}

static int read_text(char *text, size_t size, const char *path)
{
	FILE *file = fopen(path, "r");
	size_t len;

	if (!file)
		return -1;
	len = fread(text, 1, size - 1, file);
	text[len] = '\0';
	fclose(file);
	return len == size - 1 || strlen(text) != len ? -1 : 0;
}

int main(int argc, char **argv)
{
	static char text[65536], sealed[ANSWERS_MAX * (ANSWERS_LENGTH + 80)];
	static struct answers answers;
	const char *missing;
	FILE *out;
	int line;
	u64 token;

	if (argc != 4)
		return fail("expected TOKEN ANSWERS GUESSES", "seal");
	token = strtoull(argv[1], NULL, 16);
	if (read_text(text, sizeof(text), argv[2]))
		return fail("cannot be read", argv[2]);
	if (answers_parse(&answers, text, &line)) {
		fprintf(stderr, "lab: %s:%d: expected KEY=VALUE\n", argv[2], line);
		return 1;
	}
	if (answers_seal(&answers, token, sealed, sizeof(sealed), &missing)) {
		fprintf(stderr, "lab: guess first: %s has nothing behind '%s='\n", argv[2],
			missing);
		return 1;
	}
	out = fopen(argv[3], "w");
	if (!out || fputs(sealed, out) < 0 || fclose(out))
		return fail("cannot be written", argv[3]);
	return 0;
}
