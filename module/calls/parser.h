/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * parser.h - parses the parts of target options: words, numbers, comparisons
 */
#ifndef KPROF_PARSER_H
#define KPROF_PARSER_H

#include <linux/types.h>

#include "calls/keys.h"

struct kprof_parser {
	const char *spec;	/* the target as it was written */
	const char *options;	/* the part of it that is parsed */
	const char *at;
	int (*find)(const char *name);	/* finds a target, returns the id of its source */
	bool in_condition;
	bool in_point;			/* in the parentheses of a point, which end a text */
};

int kprof_wanted(const struct kprof_parser *parser, const char *what);
bool kprof_accept(struct kprof_parser *parser, const char *token);
int kprof_parse_unsigned(struct kprof_parser *parser, u64 *value);
int kprof_parse_number(struct kprof_parser *parser, u64 *value);
int kprof_parse_time(struct kprof_parser *parser, u64 *ns);
int kprof_parse_name(struct kprof_parser *parser, size_t *length);
int kprof_parse_comparison(struct kprof_parser *parser, struct kprof_condition *condition);
int kprof_parse_files(struct kprof_parser *parser, struct kprof_keyset *keys);
int kprof_parse_key(struct kprof_parser *parser, struct kprof_keyset *keys,
		    struct kprof_key *key);

static inline bool kprof_key_is_number(const struct kprof_key *key)
{
	return !kprof_key_is_text(key) && !kprof_key_is_code(key);
}

/* Numbers of system calls are identifiers; their order means nothing. */
static inline bool kprof_key_is_quantity(const struct kprof_key *key)
{
	return kprof_key_is_number(key) && key->kind != KPROF_BY_SYSCALL &&
	       key->kind != KPROF_BY_STATE && key->kind != KPROF_BY_FAULT;
}

#endif /* KPROF_PARSER_H */
