// SPDX-License-Identifier: GPL-2.0-only
/*
 * answers.c - what a student hands in, read: by the checker, and by the seal in the guest
 *
 * It uses the C library alone, for the guest has nothing else.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "answers.h"
#include "ledger.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Copy without the blanks around; false: it does not fit. */
static bool copy(char *to, size_t size, const char *from, const char *end)
{
	while (from < end && is_blank(*from))
		from++;
	while (from < end && is_blank(end[-1]))
		end--;
	if ((size_t)(end - from) >= size)
		return false;
	memcpy(to, from, end - from);
	to[end - from] = '\0';
	return true;
}

static int find(const struct answers *a, const char *key)
{
	int i;

	for (i = 0; i < a->nr && strcasecmp(a->pair[i].key, key); i++)
		;
	return i;
}

/* One line, without its line feed. */
static bool parse_line(struct answers *a, const char *from, const char *end)
{
	const char *equals = memchr(from, '=', end - from);
	char key[sizeof(a->pair->key)], value[ANSWERS_LENGTH];
	int at;

	while (from < end && is_blank(*from))
		from++;
	if (from == end || *from == '#')
		return true;
	if (!equals || !copy(key, sizeof(key), from, equals) || !*key ||
	    !copy(value, sizeof(value), equals + 1, end))
		return false;
	at = find(a, key);
	if (at == ANSWERS_MAX)
		return false;
	strcpy(a->pair[at].key, key);
	strcpy(a->pair[at].value, value);
	a->nr += at == a->nr;
	return true;
}

int answers_parse(struct answers *a, const char *text, int *line)
{
	size_t len;

	a->nr = 0;
	if (!strncmp(text, "\xef\xbb\xbf", 3))	/* some editors write the mark of UTF-8 */
		text += 3;
	for (*line = 1; *text; ++*line) {
		len = strcspn(text, "\n");
		if (!parse_line(a, text, text + len))
			return -1;
		text += len + (text[len] == '\n');
	}
	return 0;
}

const char *answers_get(const struct answers *a, const char *key)
{
	int at = find(a, key);

	return at < a->nr && *a->pair[at].value ? a->pair[at].value : NULL;
}

bool answers_is_guess(const char *key)
{
	return !strncasecmp(key, ANSWERS_GUESS, strlen(ANSWERS_GUESS));
}

int answers_seal(const struct answers *a, u64 token, char *to, size_t size, const char **missing)
{
	size_t len = 0;
	int i;

	for (i = 0; i < a->nr; i++) {
		if (!answers_is_guess(a->pair[i].key))
			continue;
		*missing = a->pair[i].key;
		if (!*a->pair[i].value)
			return -1;
		len += snprintf(to + len, size - len, "%s=%s\n", a->pair[i].key,
				a->pair[i].value);
	}
	*missing = "guess";
	if (!len)
		return -1;
	snprintf(to + len, size - len, "seal=%016" PRIx64 "\n", derive_seal(token, to, len));
	return 0;
}

bool answers_is_sealed(const char *text, u64 token)
{
	const char *seal = strstr(text, "\nseal=");
	char *end;

	if (!seal || strtoull(seal + strlen("\nseal="), &end, 16) !=
		     derive_seal(token, text, seal + 1 - text))
		return false;
	return !end[strspn(end, "\r\n")];	/* nothing behind it, which would count */
}

int answers_ledger(struct truth_ledger *ledger, const char *text, u64 token, int *line)
{
	const int max = sizeof(ledger->number) / sizeof(*ledger->number);
	struct derive_ledger counted;
	u32 i;

	ledger->nr = 0;
	for (*line = 1; *text; ++*line) {
		if (!ledger_take_line(&text, token, &counted) ||
		    ledger->nr + (int)counted.nr > max)
			return -1;
		for (i = 0; i < counted.nr; i++)
			ledger->number[ledger->nr++] = derive_ledger_number(&counted, token, i);
	}
	return 0;
}
