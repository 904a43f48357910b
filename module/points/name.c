// SPDX-License-Identifier: GPL-2.0-only
/*
 * name.c - resolves the name of a target, and explains what is wrong with it
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/place.h"
#include "symbols/symbols.h"

/* "name@2", the second of those functions, or "name@0xaddress". */
static int parse_which(const struct kprof_target *target, const char *spec, const char *which,
		       unsigned long *addr)
{
	const char *name = kprof_symbols_bare(target->symbol);
	char text[KSYM_SYMBOL_LEN], digits[24] = "";
	const struct kprof_symbol *symbol;
	size_t length = strcspn(which, "+");
	unsigned long value;

	if (length < sizeof(digits))
		strscpy(digits, which, length + 1);
	if (kstrtoul(digits, 0, &value) || !value)
		return kprof_refuse(-EINVAL, "target", spec,
				    "not a number after '@'; give it as name@2 or name@0xffffffff81234567");
	symbol = kprof_symbols_find(name);
	if (value <= KPROF_SAME_NAME)
		value = symbol && value <= symbol->count ? symbol->addr[value - 1] : 0;
	sprint_symbol(text, value);
	length = strlen(name);
	if (!value || strncmp(text, name, length) || strncmp(text + length, "+0x0/", 5))
		return kprof_refuse(-ENOENT, "target", spec,
				    "no function of that name is there; `kprof list %s` shows those that are",
				    name);
	*addr = value;
	return 0;
}

/**
 * kprof_target_parse() - split the name of a target
 * @target:	its symbol is set
 * @spec:	"name" or "module:name", either with "@which" if there are several, and with
 *		"+offset"; or "0xaddress"
 * @offset:	offset of a place in the function; else 0
 * @addr:	address of the function if a particular one is meant; else 0
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_target_parse(struct kprof_target *target, const char *spec,
		       unsigned long *offset, unsigned long *addr)
{
	const char *plus = strchr(spec, '+'), *which = strchr(spec, '@');

	*offset = 0;
	*addr = 0;
	if (strpbrk(spec, "*?["))
		return kprof_refuse(-EINVAL, "target", spec,
				    "a pattern, which only the program knows: `kprof lat` and `kprof record -t` take it, and `kprof list '%s'` prints the names to be given here",
				    spec);
	if (strstarts(spec, "0x")) {
		if (kstrtoul(spec, 16, addr) || !*addr)
			return kprof_refuse(-EINVAL, "target", spec,
					    "not an address; give it as 0xffffffff81234567");
		return 0;
	}
	if (plus && kstrtoul(plus + 1, 0, offset))
		return kprof_refuse(-EINVAL, "target", spec,
				    "not an offset after '+'; give it as name+0x12");
	strscpy(target->symbol, spec, sizeof(target->symbol));
	target->symbol[strcspn(target->symbol, "+@")] = '\0';
	return which ? parse_which(target, spec, which + 1, addr) : 0;
}

static bool is_of_module(unsigned long addr, const char *symbol)
{
	char text[KSYM_SYMBOL_LEN], *owner;
	size_t length = kprof_symbols_bare(symbol) - symbol - 1;

	sprint_symbol_no_offset(text, addr);
	owner = strstr(text, " [");
	return owner && !strncmp(owner + 2, symbol, length) && owner[2 + length] == ']';
}

/* Count the functions that a name may mean. Those of modules only count if addresses are known. */
static u32 count_same(const struct kprof_target *target)
{
	const char *name = kprof_symbols_bare(target->symbol);
	const struct kprof_symbol *symbol = kprof_symbols_find(name);
	u32 i, count = 0;

	if (!symbol || name == target->symbol)
		return symbol ? symbol->count : 0;
	for (i = 0; i < symbol->count && i < KPROF_SAME_NAME; i++)
		count += symbol->addr[i] && is_of_module(symbol->addr[i], target->symbol);
	return count;
}

/**
 * kprof_target_check_unique() - check that a target can be only one function
 * @target:	its symbol is set
 * @spec:	as it was given
 *
 * To take the first one, as kprobes do, would be a guess.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and kprof_refuse() has the
 * reason.
 */
int kprof_target_check_unique(const struct kprof_target *target, const char *spec)
{
	const char *name = kprof_symbols_bare(target->symbol);
	u32 count = count_same(target);

	if (count < 2)
		return 0;
	return kprof_refuse(-EINVAL, "target", spec,
			    "%u functions have that name; give %s@1%s%s@%u, or %s@ and an address; `kprof list %s` tells them apart",
			    count, name, count > 2 ? " to " : " or ", name,
			    kprof_symbols_count(name), name, name);
}

/**
 * kprof_target_explain() - explain why kprobes refused a target
 * @err:	the error that they returned
 * @spec:	the target as it was given
 *
 * Context: kprof_mutex is held. Return: @err.
 */
int kprof_target_explain(int err, const char *spec)
{
	const char *problem = kprof_inlined_problem();

	switch (err) {
	case -ENOENT:
		if (problem)
			return kprof_refuse(err, "target", spec,
					    "no such function: misspelt, of a module that is not loaded, or inlined, of which an index would tell: %s; `kprof list PATTERN` shows what can be a target",
					    problem);
		return kprof_refuse(err, "target", spec,
				    "no such function, nor is it inlined anywhere: misspelt, or of a module that is not loaded, or that the index does not have; `kprof list PATTERN` shows what can be a target");
	case -EINVAL:
		return kprof_refuse(err, "target", spec,
				    "may not be probed (see /sys/kernel/debug/kprobes/blacklist) or is no kernel code; give a caller of it");
	case -EILSEQ:
		return kprof_refuse(err, "target", spec,
				    "not the first byte of an instruction; give an offset from a disassembly");
	case -ENOMEM:
		return kprof_refuse(err, "target", spec,
				    "no memory; give a smaller maxactive");
	default:
		return kprof_refuse(err, "target", spec,
				    "kprobes refused it with error %d", err);
	}
}
