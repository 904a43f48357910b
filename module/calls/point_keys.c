// SPDX-License-Identifier: GPL-2.0-only
/*
 * point_keys.c - parses the parentheses after a point
 *
 * ([KEY[,cpu|pid]][,CONDITION]...[,SIZE][,WORD]): for KEY and CONDITION see keys_parse.c. An
 * error says what was expected, and where in the text.
 */
#include <linux/ctype.h>
#include <linux/string.h>

#include "calls/keys.h"
#include "calls/parser.h"

/* bytes=KEY or order=KEY. */
static int parse_size(struct kprof_parser *parser, struct kprof_point_keys *keys)
{
	int err = kprof_parse_key(parser, NULL, &keys->size);

	if (err)
		return err;
	if (keys->is_sized || !kprof_key_is_quantity(&keys->size) || keys->size.at_end)
		return kprof_wanted(parser, "one size, and that a number, before this");
	keys->is_sized = true;
	return 0;
}

/* What becomes of a span that is open. Return: whether there was such a word. */
static bool parse_fate(struct kprof_parser *parser, struct kprof_point_keys *keys)
{
	if (kprof_accept(parser, "restart"))
		keys->if_open = KPROF_OPEN_RESTART;
	else if (kprof_accept(parser, "keep"))
		keys->if_open = KPROF_OPEN_KEEP;
	else if (kprof_accept(parser, "forget"))
		keys->is_forgotten = true;
	else if (kprof_accept(parser, "shared"))
		keys->is_shared = true;
	else
		return false;
	return true;
}

/* A key that joins, a size, a condition, or a word. */
static int parse_point_key(struct kprof_parser *parser, struct kprof_point_keys *keys)
{
	struct kprof_condition *condition = &keys->condition[keys->nr_conditions];
	struct kprof_key *key = &condition->key;
	int err;

	if (parse_fate(parser, keys))
		return 0;
	keys->is_order |= !strncmp(parser->at, "order=", 6);
	if (kprof_accept(parser, "bytes=") || kprof_accept(parser, "order="))
		return parse_size(parser, keys);
	if (keys->nr_conditions == KPROF_MAX_CONDITIONS)
		return kprof_wanted(parser, "at most 4 conditions");
	err = kprof_parse_key(parser, NULL, key);
	if (err)
		return err;
	if (key->at_end)
		return kprof_wanted(parser, "no end() before this");
	if (*parser->at != ',' && *parser->at != ')') {
		keys->nr_conditions++;
		return kprof_parse_comparison(parser, condition);
	}
	if (!kprof_key_is_number(key) || key->kind == KPROF_BY_STATE ||
	    key->kind == KPROF_BY_FAULT)
		return kprof_wanted(parser, "a number or a pointer as the key that joins, before this");
	if (!keys->is_joined) {
		keys->is_joined = true;
		keys->join = *key;
		/* The other end may read it from a structure of the kernel. */
		if (key->kind == KPROF_BY_PID)
			keys->join.kind = KPROF_BY_KERNEL_PID;
		return 0;
	}
	if (key->kind == KPROF_BY_CPU)
		keys->is_cpu_joined = true;
	else if (key->kind == KPROF_BY_PID)
		keys->is_task_joined = true;
	else
		return kprof_wanted(parser, "a condition, cpu or pid behind the key that joins, before this");
	return 0;
}

/**
 * kprof_point_keys_parse() - parse the keys in parentheses after a point
 * @keys:	where they go
 * @spec:	the whole target as it was written, for errors
 * @text:	the part of @spec after the "("
 * @end:	set to the part of @spec after the ")"
 *
 * "([KEY[,cpu|pid]][,CONDITION]...[,bytes=KEY or order=KEY][,restart, keep, forget or
 * shared])"
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and
 * kprof_refuse() has the reason.
 */
int kprof_point_keys_parse(struct kprof_point_keys *keys, const char *spec, const char *text,
			   const char **end)
{
	struct kprof_parser parser = {
		.spec = spec, .options = spec, .at = text,
		.in_condition = true, .in_point = true,
	};
	int err = 0;

	memset(keys, 0, sizeof(*keys));
	/* "()" makes a point of what would be a function. */
	if (*parser.at != ')') {
		do {
			err = parse_point_key(&parser, keys);
		} while (!err && kprof_accept(&parser, ","));
	}
	if (!err && !kprof_accept(&parser, ")"))
		err = kprof_wanted(&parser, ", or )");
	*end = parser.at;
	return err;
}
