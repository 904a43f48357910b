// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject_parse.c - expressions in the syntax of strace: which calls, and what happens to them
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "inject/inject.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/nearest.h"
#include "lib/number.h"
#include "symbols/kernel_names.h"

#define WHEN_MAX	65535		/* as strace has it */
#define ERROR_MAX	4095
#define DELAY_MAX_NS	1000000000000000	/* more than eleven days */

/* A part of the expression, between separators. */
struct word {
	const char *at;
	size_t len;
};

static bool is(struct word w, const char *text)
{
	return strlen(text) == w.len && !strncmp(w.at, text, w.len);
}

static bool is_any_case(struct word w, const char *text)
{
	return text && strlen(text) == w.len && !strncasecmp(w.at, text, w.len);
}

static struct word after(struct word w, size_t len)
{
	return (struct word){ w.at + len, w.len - len };
}

/* The word up to @separator, or all; *rest moves past it. False: nothing is left. */
static bool next(struct word *rest, char separator, struct word *w)
{
	const char *end;

	if (!rest->at)
		return false;
	end = memchr(rest->at, separator, rest->len);
	*w = *rest;
	if (end) {
		w->len = end - rest->at;
		*rest = after(*rest, w->len + 1);
	} else {
		rest->at = NULL;
	}
	return true;
}

/* A decimal number at its start, which it moves past. */
static bool take(struct word *w, uint64_t *number)
{
	const char *at = w->at;

	if (!w->len || !number_take(&at, NUMBER_DECIMAL, number) || at > w->at + w->len)
		return false;
	*w = after(*w, at - w->at);
	return true;
}

static bool whole(struct word w, uint64_t min, uint64_t max, uint64_t *number)
{
	return take(&w, number) && !w.len && *number >= min && *number <= max;
}

/* --- which system calls --- */

static void add_slot(struct inject_plan *plan, enum inject_abi abi, uint32_t nr)
{
	uint16_t *map = &plan->map[abi][nr];

	if (!*map) {
		plan->slot = mem_realloc(plan->slot, plan->nr_slots + 1, sizeof(*plan->slot));
		plan->slot[plan->nr_slots] = (struct inject_slot){ .abi = abi, .nr = nr };
		*map = ++plan->nr_slots;
	}
	plan->slot[*map - 1].rule = plan->nr_rules;
}

/* How many numbers an ABI has. Of 32-bit programs only those of x86 can be traced so. */
static uint32_t nr_of(enum inject_abi abi)
{
	size_t nr = kernel_nr_syscalls;

	if (abi == INJECT_32) {
#if defined(__x86_64__)
		nr = kernel_nr_syscalls_32;
#else
		nr = 0;
#endif
	}
	return nr < INJECT_SYSCALLS ? nr : INJECT_SYSCALLS;
}

/* Mark the system calls of a name or number in @set. Returns false if there are none. */
static bool mark(bool set[INJECT_ABIS][INJECT_SYSCALLS], struct word name)
{
	bool found = false;
	uint64_t number;
	const char *one;
	int abi;
	uint32_t nr;

	if (!whole(name, 0, INJECT_SYSCALLS - 1, &number))
		number = INJECT_SYSCALLS;
	for (abi = 0; abi < INJECT_ABIS; abi++) {
		for (nr = 0; nr < nr_of(abi); nr++) {
			one = kernel_syscall(nr, abi == INJECT_32);
			if (!one || !(is(name, "all") || nr == number || is(name, one)))
				continue;
			set[abi][nr] = true;
			found = true;
		}
	}
	return found;
}

static int no_such(struct word name)
{
	const char *names[INJECT_SYSCALLS + 1], *near;
	struct buf typed = { 0 };
	uint32_t nr;
	size_t n = 0;
	int ret;

	for (nr = 0; nr < nr_of(INJECT_NATIVE); nr++)
		if (kernel_syscall(nr, false))
			names[n++] = kernel_syscall(nr, false);
	names[n] = NULL;
	buf_printf(&typed, "%.*s", (int)name.len, name.at);
	near = nearest_name(names, typed.data);
	if (near)
		ret = msg_usage("'%s' is no system call; is '%s' meant?", typed.data, near);
	else
		ret = msg_usage("'%s' is no system call: expected names or numbers with commas, or all",
				typed.data);
	buf_free(&typed);
	return ret;
}

static int parse_set(struct inject_plan *plan, struct word list)
{
	bool set[INJECT_ABIS][INJECT_SYSCALLS] = { 0 }, negated;
	struct word name;
	uint32_t nr;
	int abi;

	negated = list.len && *list.at == '!';
	if (negated)
		list = after(list, 1);
	while (next(&list, ',', &name)) {
		bool optional = name.len && *name.at == '?';

		if (optional)
			name = after(name, 1);
		if (!mark(set, name) && !optional)
			return no_such(name);
	}
	for (abi = 0; abi < INJECT_ABIS; abi++)
		for (nr = 0; nr < nr_of(abi); nr++)
			if (set[abi][nr] != negated && kernel_syscall(nr, abi == INJECT_32))
				add_slot(plan, abi, nr);
	return EXIT_OK;
}

/* --- what happens, and when --- */

static bool parse_error(struct word w, struct inject_rule *rule)
{
	/* Names that the list of errors has otherwise. */
	static const struct { const char *name; int error; } others[] = {
		{ "EWOULDBLOCK", EWOULDBLOCK }, { "EDEADLOCK", EDEADLOCK },
		{ "ENOTSUP", ENOTSUP }, { "EOPNOTSUPP", EOPNOTSUPP },
	};
	uint64_t error;
	size_t i;

	if (!whole(w, 1, ERROR_MAX, &error)) {
		for (error = 1; error <= ERROR_MAX; error++)
			if (is_any_case(w, kernel_error(error)))
				break;
		for (i = 0; error > ERROR_MAX && i < sizeof(others) / sizeof(*others); i++)
			if (is_any_case(w, others[i].name))
				error = others[i].error;
		if (error > ERROR_MAX)
			return false;
	}
	rule->skips = true;
	rule->value = -(int64_t)error;
	return true;
}

static bool parse_retval(struct word w, struct inject_rule *rule)
{
	struct buf text = { 0 };

	buf_add(&text, w.at, w.len);
	rule->skips = w.len && number_key(text.data, &rule->value);
	buf_free(&text);
	return rule->skips;
}

static bool parse_signal(struct word w, struct inject_rule *rule)
{
	struct word name = w.len > 3 && !strncasecmp(w.at, "SIG", 3) ? after(w, 3) : w;
	uint64_t number;

	if (!whole(w, 1, SIGRTMAX, &number)) {
		for (number = 1; number < NSIG; number++)
			if (is_any_case(name, sigabbrev_np(number)))
				break;
		if (number >= NSIG)
			return false;
	}
	rule->signal = number;
	return true;
}

/* In microseconds, unless there is a unit. */
static bool parse_delay(struct word w, uint64_t *ns)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{ "", 1000 }, { "us", 1000 }, { "ns", 1 }, { "ms", 1000000 }, { "s", 1000000000 },
	};
	uint64_t number;
	size_t i;

	if (!take(&w, &number))
		return false;
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (!is(w, units[i].name))
			continue;
		*ns = number * units[i].ns;
		return number <= DELAY_MAX_NS / units[i].ns;
	}
	return false;
}

static bool in_range(uint64_t number) { return number >= 1 && number <= WHEN_MAX; }

/* FIRST[..LAST][+[STEP]] */
static bool parse_when(struct word w, struct inject_rule *rule)
{
	uint64_t first, last, step = 0;

	if (!take(&w, &first) || !in_range(first))
		return false;
	last = UINT32_MAX;
	if (w.len > 2 && !strncmp(w.at, "..", 2)) {
		w = after(w, 2);
		if (!take(&w, &last) || !in_range(last) || last < first)
			return false;
		step = 1;
	}
	if (w.len && *w.at == '+') {
		w = after(w, 1);
		step = 1;
		if (w.len && (!take(&w, &step) || !in_range(step)))
			return false;
	}
	rule->first = first;
	rule->last = last;
	rule->step = step;
	return !w.len;
}

/* The parameters, by number: each may be given once. */
enum { ERROR, RETVAL, SIGNAL, DELAY_ENTER, DELAY_EXIT, WHEN, PARAMETERS };

static const char *const parameter_names[] = {
	"error", "retval", "signal", "delay_enter", "delay_exit", "when",
};

static bool parse_value(int parameter, struct word value, struct inject_rule *rule)
{
	switch (parameter) {
	case ERROR:
		return parse_error(value, rule);
	case RETVAL:
		return parse_retval(value, rule);
	case SIGNAL:
		return parse_signal(value, rule);
	case DELAY_ENTER:
		return parse_delay(value, &rule->delay_enter_ns);
	case DELAY_EXIT:
		return parse_delay(value, &rule->delay_exit_ns);
	default:
		return parse_when(value, rule);
	}
}

static int bad_value(int parameter, struct word value)
{
	static const char *const expected[] = {
		"the name of an error, or 1 to 4095",
		"a number, decimal or 0x and hexadecimal",
		"the name of a signal, or its number",
		"a number of microseconds, or one with s, ms, us or ns",
		"a number of microseconds, or one with s, ms, us or ns",
		"FIRST[..LAST][+[STEP]], of numbers from 1 to 65535",
	};

	return msg_usage("%s: '%.*s': expected %s", parameter_names[parameter], (int)value.len,
			 value.at, expected[parameter]);
}

static int parse_parameter(struct word w, struct inject_rule *rule, bool given[PARAMETERS])
{
	struct word name, value = w;
	int i;

	next(&value, '=', &name);
	for (i = 0; i < PARAMETERS && !is(name, parameter_names[i]); i++)
		;
	if (i == PARAMETERS || !value.at)
		return msg_usage("'%.*s': expected error=, retval=, signal=, delay_enter=, delay_exit= or when=",
				 (int)w.len, w.at);
	if (given[i])
		return msg_usage("%s= is given twice", parameter_names[i]);
	given[i] = true;
	if (given[ERROR] && given[RETVAL])
		return msg_contradiction("error=", "retval=");
	return parse_value(i, value, rule) ? EXIT_OK : bad_value(i, value);
}

int inject_parse(struct inject_plan *plan, const char *text)
{
	struct inject_rule rule = { .text = text, .first = 1, .last = UINT32_MAX, .step = 1 };
	struct word rest = { text, strlen(text) }, kind, set = { 0 }, parameter;
	bool given[PARAMETERS] = { 0 };
	int ret;

	next(&rest, '=', &kind);
	if (!(is(kind, "inject") || is(kind, "fault")) || !next(&rest, ':', &set))
		return msg_usage("'%s': expected inject=SET:... or fault=SET:...", text);
	while (next(&rest, ':', &parameter)) {
		ret = parse_parameter(parameter, &rule, given);
		if (ret)
			return ret;
	}
	if (is(kind, "fault") && !rule.skips)
		parse_error((struct word){ "ENOSYS", 6 }, &rule);
	if (!rule.skips && !rule.signal && !given[DELAY_ENTER] && !given[DELAY_EXIT])
		return msg_usage("'%s': nothing is injected: expected error=, retval=, signal=, delay_enter= or delay_exit=",
				 text);
	ret = parse_set(plan, set);
	if (ret)
		return ret;
	plan->rule = mem_realloc(plan->rule, plan->nr_rules + 1, sizeof(*plan->rule));
	plan->rule[plan->nr_rules++] = rule;
	return EXIT_OK;
}

bool inject_is_due(const struct inject_rule *rule, uint32_t call)
{
	if (call < rule->first || call > rule->last)
		return false;
	return rule->step ? (call - rule->first) % rule->step == 0 : call == rule->first;
}

void inject_free(struct inject_plan *plan)
{
	free(plan->rule);
	free(plan->slot);
}
