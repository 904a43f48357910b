// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_names.c - split the context of a row into keys, and find names for numbers
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lat/lat.h"
#include "lib/number.h"
#include "symbols/kernel_names.h"

/* The end of a name, which may have commas in parentheses: linear($arg1,5). */
static const char *end_of_name(const char *at)
{
	int depth = 0;

	for (; *at && (depth || (*at != '=' && *at != ',')); at++)
		depth += *at == '(' ? 1 : *at == ')' && depth ? -1 : 0;
	return at;
}

/* The end of a value: of a text in quotes, of "[4,8)", or the next comma. */
static const char *end_of_value(const char *at)
{
	if (*at == '"') {
		for (at++; *at && *at != '"'; at++)
			at += *at == '\\' && at[1];
		return at + !!*at;
	}
	if (*at == '[' || *at == '(') {
		const char *end = strpbrk(at + 1, ")]");

		if (end)
			return end + 1;
	}
	return at + strcspn(at, ",");
}

bool lat_next_key(const char **at, struct lat_key *key)
{
	const char *end;

	if (!**at)
		return false;
	key->name = *at;
	end = end_of_name(*at);
	key->name_len = end - *at;
	key->value = *end == '=' ? end + 1 : end;
	end = *end == '=' ? end_of_value(key->value) : end;
	key->len = end - key->value;
	*at = *end == ',' ? end + 1 : end;
	return true;
}

static bool is_key(const struct lat_key *key, const char *name)
{
	return key->name_len == strlen(name) && !memcmp(key->name, name, key->name_len);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

const char *lat_key_text(const char *target, const struct lat_key *key)
{
	bool is_32 = key->len > 3 && begins(key->value, "32:");
	const char *number = key->value + (is_32 ? 3 : 0);
	uint64_t nr;

	if (!number_take(&number, NUMBER_DECIMAL, &nr) || number != key->value + key->len)
		return NULL;
	if (is_key(key, "syscall"))
		return kernel_syscall(nr, is_32);
	if (is_32)
		return NULL;
	if (begins(key->name, "errno(") || begins(key->name, "end(errno("))
		return kernel_error(nr);
	if (is_key(key, "$arg1") && (begins(target, "@softirq") || begins(target, "tp:softirq_")))
		return kernel_softirq(nr);
	return NULL;
}

void lat_context_by_name(const struct lat_row *row, struct buf *out)
{
	const char *at = row->context, *text;
	struct lat_key key;

	while (lat_next_key(&at, &key)) {
		text = lat_key_text(row->target, &key);
		if (out->len)
			buf_printf(out, ",");
		if (!text) {
			buf_add(out, key.name, key.value + key.len - key.name);
			continue;
		}
		buf_printf(out, "%.*s=%s%s", (int)key.name_len, key.name,
			   begins(key.value, "32:") ? "32:" : "", text);
	}
}

void lat_context_shown(const struct data *d, const struct lat_row *row, struct buf *out)
{
	char *machine = data_meta(d, "machine");

	if (kernel_names_fit(machine))
		lat_context_by_name(row, out);
	if (!out->len)
		buf_printf(out, "%s", row->context);
	free(machine);
}
