// SPDX-License-Identifier: GPL-2.0-only
/*
 * parser.c - parses the parts of target options: words, numbers, comparisons
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/time64.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/parser.h"
#include "calls/system_call.h"

/**
 * kprof_wanted() - refuse the text at the parser's position
 * @parser:	the parser
 * @what:	what was expected there
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
 * kprof_accept() - skip a token if it comes next
 * @parser:	the parser
 * @token:	the token
 *
 * Context: sleeps; kprof_mutex is held. Return: whether it came next.
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
 * kprof_parse_unsigned() - parse a number: decimal, octal (010) or hexadecimal (0x10)
 * @parser:	the parser
 * @value:	where it goes
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_unsigned(struct kprof_parser *parser, u64 *value)
{
	const bool is_hex = strstarts(parser->at, "0x");
	size_t length = 0;
	char digits[24];

	/* "10us": the unit is not part of the number. */
	while (length < sizeof(digits) - 1 &&
	       (is_hex ? isalnum(parser->at[length]) : isdigit(parser->at[length]))) {
		digits[length] = parser->at[length];
		length++;
	}
	digits[length] = '\0';
	if (!length || kstrtou64(digits, 0, value))
		return kprof_wanted(parser, "a number");
	parser->at += length;
	return 0;
}

/**
 * kprof_parse_number() - parse a number that may have a sign
 * @parser:	the parser
 * @value:	where it goes
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_number(struct kprof_parser *parser, u64 *value)
{
	bool minus = kprof_accept(parser, "-");
	int err = kprof_parse_unsigned(parser, value);

	if (minus)
		*value = -*value;
	return err;
}

/* Longer operators come before those that are their prefixes. */
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

/* NR; or 32:NR for a 32-bit program. */
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
	return kprof_wanted(parser, "preempted, throttled, io, wait, sleep, stopped, dead or woken");
}

/* A longer text than what a key keeps would be equal to none. */
static int parse_text(struct kprof_parser *parser, struct kprof_condition *condition)
{
	const struct kprof_key *key = &condition->key;
	size_t length = strcspn(parser->at, parser->in_point ? ",) \t" : ", \t");
	size_t most = TASK_COMM_LEN - 1;
	char wanted[40];

	if (key->kind == KPROF_BY_CGROUP)
		most = KPROF_MAX_WORD - 1;
	else if (key->is_string)
		most = KPROF_STRING_WORDS * sizeof(u64) - 1;
	if (!length || length > most) {
		snprintf(wanted, sizeof(wanted), "a text of 1 to %zu characters", most);
		return kprof_wanted(parser, wanted);
	}
	strscpy(condition->word, parser->at, length + 1);
	parser->at += length;
	return 0;
}

/**
 * kprof_parse_comparison() - parse what a key is compared with
 * @parser:	the parser, which has just parsed the key
 * @condition:	has the key; completed
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_comparison(struct kprof_parser *parser, struct kprof_condition *condition)
{
	int err;

	if (kprof_key_is_code(&condition->key))
		return kprof_wanted(parser, "a key with a number or a text before this");
	err = parse_compare(parser, condition);
	if (err)
		return err;
	if (condition->key.kind == KPROF_BY_SYSCALL)
		return parse_syscall(parser, condition);
	if (condition->key.kind == KPROF_BY_STATE)
		return parse_state(parser, condition);
	if (condition->key.kind == KPROF_BY_PID) {
		if (kprof_is_on() && !kprof_ids_are_of_writer())
			return kprof_wanted(parser, "another key than pid, as sampling was started in another PID namespace, and samples have its ids, before this");
		condition->pid_namespace = kprof_id_namespace_of_writer();
	}
	if (kprof_key_is_number(&condition->key))
		return kprof_parse_number(parser, &condition->value);
	if (condition->compare != KPROF_EQ && condition->compare != KPROF_NE)
		return kprof_wanted(parser, "== or != before a text");
	return parse_text(parser, condition);
}

/**
 * kprof_parse_time() - parse a number with a unit: ns, us, ms or s
 * @parser:	the parser
 * @ns:		where it goes, in nanoseconds
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_time(struct kprof_parser *parser, u64 *ns)
{
	const char *time = parser->at;
	u64 value, unit;

	if (kprof_parse_unsigned(parser, &value))
		return -EINVAL;
	if (kprof_accept(parser, "us"))
		unit = NSEC_PER_USEC;
	else if (kprof_accept(parser, "ms"))
		unit = NSEC_PER_MSEC;
	else if (kprof_accept(parser, "s"))
		unit = NSEC_PER_SEC;
	else if (kprof_accept(parser, "ns"))
		unit = 1;
	else
		return kprof_wanted(parser, "a unit: ns, us, ms or s");
	if (check_mul_overflow(value, unit, ns)) {
		/* The error shows the number, which is wrong, and not what follows it. */
		parser->at = time;
		return kprof_wanted(parser, "a time of at most 18446744073s");
	}
	return 0;
}

/* The "=" of NAME=KEY; NULL if there is no name. Keys and names may have parentheses. */
static const char *find_equals(const char *text)
{
	int depth = 0;

	for (; *text && !isspace(*text) && (depth || *text != ','); text++) {
		if (*text == '=' && !depth)
			return text;
		depth += (*text == '(') - (*text == ')');
	}
	return NULL;
}

/**
 * kprof_parse_name() - parse the "NAME=" before a key, if there is one
 * @parser:	the parser
 * @length:	set to the length of the name, which begins at @parser->at; 0: there is none
 *
 * Names are printed in tables, whose readers look for quotes, and on terminals.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_name(struct kprof_parser *parser, size_t *length)
{
	const char *equals = find_equals(parser->at), *c;

	*length = 0;
	if (!equals)
		return 0;
	for (c = parser->at; c < equals; c++)
		if (*c <= ' ' || *c > '~' || strchr("\"\\;", *c))
			break;
	if (c < equals || equals == parser->at)
		return kprof_wanted(parser, "a name of printable characters before =");
	*length = equals - parser->at;
	parser->at = equals + 1;
	return 0;
}

/* MAJOR:MINOR:INODE:SIZE:CTIME */
static int parse_file(struct kprof_parser *parser, struct kprof_file_id *file)
{
	u64 number[5];
	u32 i;

	for (i = 0; i < ARRAY_SIZE(number); i++)
		if ((i && !kprof_accept(parser, ":")) || kprof_parse_unsigned(parser, &number[i]))
			return kprof_wanted(parser, "MAJOR:MINOR:INODE:SIZE:CTIME, the last in nanoseconds since 1970");
	*file = (struct kprof_file_id) {
		.major = number[0], .minor = number[1], .ino = number[2], .size = number[3],
		.ctime = number[4],
	};
	return 0;
}

/**
 * kprof_parse_files() - parse what follows file=
 * @parser:	the parser
 * @keys:	the target's
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, after kprof_wanted().
 */
int kprof_parse_files(struct kprof_parser *parser, struct kprof_keyset *keys)
{
	int err;

	do {
		if (keys->nr_files == KPROF_MAX_FILES)
			return kprof_wanted(parser, "at most " __stringify(KPROF_MAX_FILES) " files");
		err = parse_file(parser, &keys->file[keys->nr_files]);
		if (err)
			return err;
		keys->nr_files++;
	} while (kprof_accept(parser, ","));
	return 0;
}
