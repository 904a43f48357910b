// SPDX-License-Identifier: GPL-2.0-only
/*
 * parser.c - what options of targets are made of: words, numbers, comparisons
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "base/error.h"
#include "calls/parser.h"

/**
 * kprof_wanted() - refuse what is there
 * @parser:	tells where
 * @what:	what should be there
 *
 * Context: sleeps; kprof_mutex is held. Return: -EINVAL.
 */
int kprof_wanted(const struct kprof_parser *parser, const char *what)
{
	return kprof_refuse(-EINVAL, "target", parser->spec,
			    "at \"%.24s\" (character %zu of the %s): expected %s",
			    parser->at, (size_t)(parser->at - parser->options) + 1,
			    parser->options == parser->spec ? "name" : "options", what);
}

/**
 * kprof_accept() - go over a text if it is there
 * @parser:	tells where
 * @token:	the text
 *
 * Context: sleeps; kprof_mutex is held. Return: whether it is.
 */
bool kprof_accept(struct kprof_parser *parser, const char *token)
{
	size_t length = strlen(token);

	if (strncmp(parser->at, token, length))
		return false;
	parser->at += length;
	return true;
}

/**
 * kprof_parse_unsigned() - read a number, decimal or hexadecimal
 * @parser:	tells where
 * @value:	where it goes
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -EINVAL, with the reason told.
 */
int kprof_parse_unsigned(struct kprof_parser *parser, u64 *value)
{
	char digits[24];
	size_t length = 0;

	while (isalnum(parser->at[length]) && length < sizeof(digits) - 1) {
		digits[length] = parser->at[length];
		length++;
	}
	/* "10us": the unit is not part of the number. */
	if (!strstarts(digits, "0x"))
		for (length = 0; isdigit(parser->at[length]) && length < sizeof(digits) - 1; )
			length++;
	digits[length] = '\0';
	if (!length || kstrtou64(digits, 0, value))
		return kprof_wanted(parser, "a number");
	parser->at += length;
	return 0;
}

/**
 * kprof_parse_number() - read a number that may have a sign
 * @parser:	tells where
 * @value:	where it goes
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -EINVAL, with the reason told.
 */
int kprof_parse_number(struct kprof_parser *parser, u64 *value)
{
	bool minus = kprof_accept(parser, "-");
	int err = kprof_parse_unsigned(parser, value);

	if (minus)
		*value = -*value;
	return err;
}

/* Longer signs before those that they begin with. */
static const struct {
	const char *sign;
	u8 compare;
} signs[] = {
	{ "==", KPROF_EQ }, { "!=", KPROF_NE }, { "<=", KPROF_LE }, { ">=", KPROF_GE },
	{ "<", KPROF_LT }, { ">", KPROF_GT }, { "=", KPROF_EQ }, { "&", KPROF_AND },
};

static int parse_compare(struct kprof_parser *parser, struct kprof_condition *condition)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signs); i++) {
		if (kprof_accept(parser, signs[i].sign)) {
			condition->compare = signs[i].compare;
			return 0;
		}
	}
	return kprof_wanted(parser, "one of == != < <= > >= &");
}

/* NR, or 32:NR of a program of 32 bits. */
static int parse_syscall(struct kprof_parser *parser, struct kprof_condition *condition)
{
	bool is_32 = kprof_accept(parser, "32:");
	int err = kprof_parse_number(parser, &condition->value);

	if (is_32)
		condition->value |= KPROF_SYSCALL_32;
	return err;
}

static int parse_state(struct kprof_parser *parser, struct kprof_condition *condition)
{
	u32 i;

	for (i = 0; i < KPROF_NR_STATES; i++) {
		if (!kprof_accept(parser, kprof_state_names[i]))
			continue;
		condition->value = i;
		return 0;
	}
	return kprof_wanted(parser, "preempted, io, wait, sleep, stopped, dead or woken");
}

/**
 * kprof_parse_comparison() - what a key, which was parsed, is compared with
 * @parser:	tells where
 * @condition:	has the key; completed
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -EINVAL, with the reason told.
 */
int kprof_parse_comparison(struct kprof_parser *parser, struct kprof_condition *condition)
{
	size_t length;
	int err;

	if (condition->key.kind == KPROF_BY_STACK || condition->key.kind == KPROF_BY_CALLER)
		return kprof_wanted(parser, "a key with a number or a text before this");
	err = parse_compare(parser, condition);
	if (err)
		return err;
	if (condition->key.kind == KPROF_BY_SYSCALL)
		return parse_syscall(parser, condition);
	if (condition->key.kind == KPROF_BY_STATE)
		return parse_state(parser, condition);
	if (kprof_key_is_number(&condition->key))
		return kprof_parse_number(parser, &condition->value);
	if (condition->compare != KPROF_EQ && condition->compare != KPROF_NE)
		return kprof_wanted(parser, "== or != before a text");
	length = strcspn(parser->at, ", \t");
	if (!length || length >= sizeof(condition->word))
		return kprof_wanted(parser, "a text of 1 to 31 characters");
	strscpy(condition->word, parser->at, length + 1);
	parser->at += length;
	return 0;
}
