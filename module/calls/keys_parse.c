// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys_parse.c - parses the options of a target: by=KEYS if=CONDITIONS min=TIME as=NAME
 *
 *	KEYS	[NAME=]KEY | each(KEY) [,...]...
 *	KEY	FETCH[&MASK][:TYPE] | WORD | log2(KEY) | linear(KEY,STEP) | errno(KEY) |
 *		hits(TARGET) | comm(FETCH) | end(KEY)
 *	FETCH	$arg1 .. $arg6 | $retval | %REGISTER | +OFFSET(FETCH) | -OFFSET(FETCH)
 *	MASK	NUMBER | ~NUMBER
 *	TYPE	u8 .. u64, s8 .. s64, x8 .. x64, string, ustring
 *	WORD	error, comm, current, pid, cpu, context, syscall, caller, stack, ustack, state,
 *		fault, cgroup
 *	CONDITIONS KEY OP VALUE[,KEY OP VALUE]...
 *
 * An error says what was expected, and where in the text.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/error.h"
#include "calls/keys.h"
#include "calls/parser.h"
#include "calls/registers.h"
#include "calls/target.h"

/* Which places have registers is checked later, when the place is known. */
static int parse_register(struct kprof_parser *parser, struct kprof_key *key)
{
	size_t length = 0;
	int number;

	while (isalnum(parser->at[length]))
		length++;
	number = kprof_register_find(parser->at, length);
	if (number < 0)
		return kprof_wanted(parser, IS_ENABLED(CONFIG_X86) ?
				    "a register after %, such as ax, sp or r12" :
				    "a register after %: x0 to x30, or sp");
	key->kind = KPROF_BY_REGISTER;
	key->arg = number;
	parser->at += length;
	return 0;
}

/* @level: how many dereferences it is in */
static int parse_fetch(struct kprof_parser *parser, struct kprof_key *key, u32 level)
{
	bool minus = *parser->at == '-';
	u64 offset;
	int err;

	if (kprof_accept(parser, "$arg")) {
		if (*parser->at < '1' || *parser->at > '0' + KPROF_NR_ARGS ||
		    isdigit(parser->at[1]))
			return kprof_wanted(parser, "a number from 1 to 6 after $arg");
		key->kind = KPROF_BY_ARG;
		key->arg = *parser->at++ - '1';
		return 0;
	}
	if (kprof_accept(parser, "$retval")) {
		key->kind = KPROF_BY_RETVAL;
		key->is_signed = true;
		return 0;
	}
	if (kprof_accept(parser, "%"))
		return parse_register(parser, key);
	if ((*parser->at == '+' || minus) && level == KPROF_MAX_DEREFS)
		return kprof_wanted(parser, "at most 4 dereferences");
	if (!kprof_accept(parser, "+") && !kprof_accept(parser, "-"))
		return kprof_wanted(parser, "$arg1 to $arg6, $retval, %REGISTER or +OFFSET(...)");
	err = kprof_parse_unsigned(parser, &offset);
	if (err)
		return err;
	if (offset > S32_MAX)
		return kprof_wanted(parser, "a smaller offset");
	if (!kprof_accept(parser, "("))
		return kprof_wanted(parser, "( after the offset");
	err = parse_fetch(parser, key, level + 1);
	if (err)
		return err;
	if (!kprof_accept(parser, ")"))
		return kprof_wanted(parser, ")");
	key->offset[key->nr_derefs++] = minus ? -(s32)offset : (s32)offset;
	return 0;
}

/* In a condition, "&" tests for bits of the number; it masks only if a comparison follows. */
static bool is_compared(const struct kprof_parser *parser, const struct kprof_key *key)
{
	char next = *parser->at;

	return parser->in_condition && !key->bucket && (!next || !strchr("=!<>&:", next));
}

static int parse_mask(struct kprof_parser *parser, struct kprof_key *key)
{
	const char *start = parser->at;
	bool others;
	u64 bits;
	int err;

	if (!kprof_accept(parser, "&"))
		return 0;
	others = kprof_accept(parser, "~");
	err = kprof_parse_unsigned(parser, &bits);
	if (err)
		return err;
	if (is_compared(parser, key)) {
		parser->at = start;
		return 0;
	}
	key->mask = others ? ~bits : bits;
	key->is_signed = false;
	key->is_hex = true;
	return 0;
}

static int parse_type(struct kprof_parser *parser, struct kprof_key *key)
{
	const char *start = parser->at;
	char letter;
	u64 bits;

	key->is_typed = true;
	if (kprof_accept(parser, "ustring")) {
		key->is_string = true;
		key->is_user = true;
		return 0;
	}
	if (kprof_accept(parser, "string")) {
		key->is_string = true;
		return 0;
	}
	letter = *parser->at;
	if (letter && strchr("usx", letter) && isdigit(parser->at[1])) {
		parser->at++;
		if (kprof_parse_unsigned(parser, &bits))
			return -EINVAL;
		if (bits == 8 || bits == 16 || bits == 32 || bits == 64) {
			key->size = bits / 8;
			key->is_signed = letter == 's';
			key->is_hex = letter == 'x';
			return 0;
		}
	}
	parser->at = start;
	return kprof_wanted(parser, "a type: u8 to u64, s8 to s64, x8 to x64, string or ustring");
}

static const struct {
	const char *name;
	u8 kind;
	bool is_signed;
} words[] = {
	{ "error", KPROF_BY_ERROR }, { "comm", KPROF_BY_COMM }, { "pid", KPROF_BY_PID },
	{ "cpu", KPROF_BY_CPU }, { "context", KPROF_BY_CONTEXT },
	{ "syscall", KPROF_BY_SYSCALL, true }, { "caller", KPROF_BY_CALLER },
	{ "current", KPROF_BY_CURRENT }, { "state", KPROF_BY_STATE }, { "stack", KPROF_BY_STACK },
	{ "ustack", KPROF_BY_USTACK },
	{ "fault", KPROF_BY_FAULT }, { "cgroup", KPROF_BY_CGROUP },
};

static bool parse_word(struct kprof_parser *parser, struct kprof_key *key)
{
	size_t length, i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		length = strlen(words[i].name);
		if (strncmp(parser->at, words[i].name, length) ||
		    isalnum(parser->at[length]) || parser->at[length] == '_')
			continue;
		parser->at += length;
		key->kind = words[i].kind;
		key->is_signed = words[i].is_signed;
		return true;
	}
	return false;
}

/* hits(OTHER): watches OTHER from now on, unless it is watched already. */
static int parse_hits(struct kprof_parser *parser, struct kprof_keyset *keys,
		      struct kprof_key *key)
{
	const char *end = strchr(parser->at, ')');
	char name[KPROF_SOURCE_NAME];
	int id;

	if (!end || end == parser->at || end - parser->at >= (long)sizeof(name))
		return kprof_wanted(parser, "a target and ) after hits(");
	strscpy(name, parser->at, end - parser->at + 1);
	id = parser->find(name);
	if (id < 0)
		return id;
	if (keys->hits_source && keys->hits_source != id)
		return kprof_wanted(parser, "one and the same target in every hits()");
	keys->hits_source = id;
	key->kind = KPROF_BY_HITS;
	parser->at = end + 1;
	return 0;
}

/* comm(FETCH): the name of another task than the one that makes the call. */
static int parse_comm(struct kprof_parser *parser, struct kprof_key *key)
{
	int err = parse_fetch(parser, key, 0);

	if (err)
		return err;
	if (key->nr_derefs == KPROF_MAX_DEREFS)
		return kprof_wanted(parser, "at most 3 dereferences inside of comm()");
	if (!kprof_accept(parser, ")"))
		return kprof_wanted(parser, ")");
	key->offset[key->nr_derefs++] = offsetof(struct task_struct, comm);
	key->is_string = true;
	return 0;
}

/* FETCH[&MASK][:TYPE]. */
static int parse_value(struct kprof_parser *parser, struct kprof_key *key)
{
	int err = parse_fetch(parser, key, 0);

	if (err)
		return err;
	err = parse_mask(parser, key);
	if (!err && kprof_accept(parser, ":"))
		err = parse_type(parser, key);
	if (err)
		return err;
	if (key->is_string && key->mask != U64_MAX)
		return kprof_wanted(parser, "a type of numbers behind a mask");
	if (!parser->in_condition && *parser->at == '&')
		return kprof_wanted(parser, "the mask in front of the type: $arg1&~7:u32");
	return 0;
}

static int parse_plain_key(struct kprof_parser *parser, struct kprof_keyset *keys,
			   struct kprof_key *key)
{
	key->size = sizeof(u64);
	key->mask = U64_MAX;
	if (keys && kprof_accept(parser, "hits("))
		return parse_hits(parser, keys, key);
	if (kprof_accept(parser, "comm("))
		return parse_comm(parser, key);
	if (parse_word(parser, key))
		return IS_ENABLED(CONFIG_CGROUPS) || key->kind != KPROF_BY_CGROUP ? 0 :
		       kprof_wanted(parser, "a kernel with CONFIG_CGROUPS before this");
	if (!*parser->at || !strchr("$%+-", *parser->at))
		return kprof_wanted(parser, "a key: $arg1 to $arg6, $retval, %REGISTER, +OFFSET(...), error, comm, current, pid, cpu, context, syscall, caller, stack, ustack, state, fault, cgroup, hits(TARGET), comm(KEY), end(KEY), each(KEY), errno(KEY), log2(KEY) or linear(KEY,STEP)");
	return parse_value(parser, key);
}

/**
 * kprof_parse_key() - parse a key
 * @parser:	where to parse
 * @keys:	the target that it is a key of; NULL: it is a key of a point, which has no hits()
 * @key:	the key, which is filled in
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and kprof_refuse() has the
 * reason.
 */
int kprof_parse_key(struct kprof_parser *parser, struct kprof_keyset *keys,
		    struct kprof_key *key)
{
	const char *start = parser->at;
	int err;

	memset(key, 0, sizeof(*key));
	if (kprof_accept(parser, "end("))
		key->at_end = true;
	if (kprof_accept(parser, "log2("))
		key->bucket = KPROF_BUCKET_LOG2;
	else if (kprof_accept(parser, "linear("))
		key->bucket = KPROF_BUCKET_LINEAR;
	else if (kprof_accept(parser, "errno("))
		key->bucket = KPROF_BUCKET_ERRNO;
	err = parse_plain_key(parser, keys, key);
	if (err)
		return err;
	if (key->bucket && !kprof_key_is_quantity(key))
		return kprof_wanted(parser, "a number as the key to bucket");
	if (key->bucket == KPROF_BUCKET_LINEAR) {
		if (!kprof_accept(parser, ","))
			return kprof_wanted(parser, ", and the step of linear(KEY,STEP)");
		err = kprof_parse_unsigned(parser, &key->step);
		if (err)
			return err;
		if (!key->step)
			return kprof_wanted(parser, "a step of at least 1");
	}
	if (key->bucket && !kprof_accept(parser, ")"))
		return kprof_wanted(parser, ")");
	if (key->at_end && key->kind == KPROF_BY_HITS)
		return kprof_wanted(parser, "another key than hits() in end()");
	if (key->at_end && !kprof_accept(parser, ")"))
		return kprof_wanted(parser, ")");
	strscpy(key->text, start, min_t(size_t, parser->at - start + 1, sizeof(key->text)));
	key->is_of_end = key->at_end || key->kind == KPROF_BY_RETVAL ||
			 key->kind == KPROF_BY_ERROR || key->kind == KPROF_BY_HITS;
	key->is_direct = key->kind == KPROF_BY_ARG && !key->nr_derefs && !key->is_string;
	return 0;
}

static void note_key(struct kprof_keyset *keys, const struct kprof_key *key)
{
	keys->at_entry |= !key->is_of_end;
	keys->at_return |= key->is_of_end || key->kind == KPROF_BY_FAULT;
	keys->at_end |= key->at_end;
	keys->is_of_fault |= key->kind == KPROF_BY_FAULT;
	keys->is_of_register |= key->kind == KPROF_BY_REGISTER;
	keys->is_of_user |= key->kind == KPROF_BY_USTACK;
	keys->needs_regs |= kprof_key_is_code(key);
}

/* each(KEY): read where a span ends, or at a point, as only then there is a record to put it in. */
static int parse_each(struct kprof_parser *parser, struct kprof_keyset *keys)
{
	struct kprof_key *key = &keys->each[keys->nr_each];
	int err;

	if (keys->nr_each == KPROF_MAX_EACH)
		return kprof_wanted(parser, "at most 2 times each(KEY)");
	err = kprof_parse_key(parser, NULL, key);
	if (err)
		return err;
	if (key->at_end || !kprof_key_is_quantity(key))
		return kprof_wanted(parser, "a number in each(), without end(), before this");
	if (!kprof_accept(parser, ")"))
		return kprof_wanted(parser, ")");
	keys->nr_each++;
	return 0;
}

/* [NAME=]KEY: rows show NAME, or the key as it was written. */
static int parse_row_key(struct kprof_parser *parser, struct kprof_keyset *keys)
{
	struct kprof_key *key = &keys->key[keys->nr_keys];
	const char *start = parser->at;
	size_t length;
	int err;

	if (keys->nr_keys == KPROF_MAX_KEYS)
		return kprof_wanted(parser, "at most 6 keys");
	err = kprof_parse_name(parser, &length) ?: kprof_parse_key(parser, keys, key);
	if (err)
		return err;
	length = length ?: parser->at - start;
	if (length >= sizeof(key->text))
		return kprof_wanted(parser, "at most 47 characters of a key, or of NAME in NAME=KEY");
	strscpy(key->text, start, length + 1);
	note_key(keys, key);
	if (key->is_of_end)
		keys->ends |= BIT(keys->nr_keys);
	else
		keys->begins |= BIT(keys->nr_keys);
	keys->nr_keys++;
	return 0;
}

static int parse_keys(struct kprof_parser *parser, struct kprof_keyset *keys)
{
	int err;

	do {
		err = kprof_accept(parser, "each(") ? parse_each(parser, keys) :
						      parse_row_key(parser, keys);
	} while (!err && kprof_accept(parser, ","));
	if (!err && !keys->nr_keys)
		err = kprof_wanted(parser, "another key than each(), such as comm");
	return err;
}

static int parse_condition(struct kprof_parser *parser, struct kprof_keyset *keys,
			   struct kprof_condition *condition)
{
	int err = kprof_parse_key(parser, keys, &condition->key);

	if (!err && condition->key.kind == KPROF_BY_FAULT)
		err = kprof_wanted(parser, "another key than fault in a condition");
	return err ?: kprof_parse_comparison(parser, condition);
}

static int parse_conditions(struct kprof_parser *parser, struct kprof_keyset *keys)
{
	struct kprof_condition *condition;
	int err;

	parser->in_condition = true;
	do {
		if (keys->nr_conditions == KPROF_MAX_CONDITIONS)
			return kprof_wanted(parser, "at most 4 conditions");
		condition = &keys->condition[keys->nr_conditions];
		err = parse_condition(parser, keys, condition);
		if (err)
			return err;
		note_key(keys, &condition->key);
		keys->nr_conditions++;
	} while (kprof_accept(parser, ","));
	parser->in_condition = false;
	return 0;
}

/* Only skips it: targets.c uses it. */
static int parse_name(struct kprof_parser *parser)
{
	const char *start = parser->at;

	/* A function of a library is called libc:malloc or /path:name. */
	while (isalnum(*parser->at) || (*parser->at && strchr("_-.:/@+%", *parser->at)))
		parser->at++;
	return parser->at == start ?
	       kprof_wanted(parser, "a name of letters, digits and _-.:/@+%") : 0;
}

static bool has_only_arguments(const struct kprof_keyset *keys)
{
	u32 i;

	for (i = 0; i < keys->nr_keys; i++)
		if (!keys->key[i].is_direct || keys->key[i].at_end)
			return false;
	return !keys->nr_conditions && !keys->min_ns;
}

static bool is_read_at_ends(const struct kprof_keyset *keys)
{
	u32 i;

	for (i = 0; i < keys->nr_keys; i++)
		if (keys->key[i].is_of_end && !keys->key[i].at_end)
			return false;
	return !keys->nr_conditions && !keys->is_of_fault;
}

/**
 * kprof_keyset_parse() - parse the options of a target
 * @keys:	where they go; all zeroes if there are none
 * @spec:	the whole target as it was written, for errors
 * @options:	what follows its name
 * @find:	returns the id of the source of a target that hits() names, and watches it if it
 *		was not; or returns an errno, and kprof_refuse() has the reason
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and
 * kprof_refuse() has the reason.
 */
int kprof_keyset_parse(struct kprof_keyset *keys, const char *spec, const char *options,
		       int (*find)(const char *name))
{
	struct kprof_parser parser = {
		.spec = spec, .options = options, .at = options, .find = find,
	};
	int err = 0;

	memset(keys, 0, sizeof(*keys));
	while (!err && *(parser.at = skip_spaces(parser.at))) {
		if (kprof_accept(&parser, "by="))
			err = parse_keys(&parser, keys);
		else if (kprof_accept(&parser, "if="))
			err = parse_conditions(&parser, keys);
		else if (kprof_accept(&parser, "min="))
			err = kprof_parse_time(&parser, &keys->min_ns);
		else if (kprof_accept(&parser, "as="))
			err = parse_name(&parser);
		else if (kprof_accept(&parser, "file="))
			err = kprof_parse_files(&parser, keys);
		else
			err = kprof_wanted(&parser, "by=, if=, min=, as= or file=");
		if (!err && *parser.at && !isspace(*parser.at))
			err = kprof_wanted(&parser, "a comma, a space, or the end");
	}
	keys->only_arguments = has_only_arguments(keys);
	keys->is_read_at_ends = is_read_at_ends(keys);
	return err;
}
