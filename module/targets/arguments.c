// SPDX-License-Identifier: GPL-2.0-only
/*
 * arguments.c - checks the arguments among a target's keys against BTF
 *
 * BTF says which arguments are pointers, which read best in hexadecimal, and which do not exist,
 * so that their register may hold anything. A variant made by the compiler is not in BTF, because
 * its arguments may differ.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "calls/calls.h"
#include "symbols/symbols.h"
#include "targets/arguments.h"

static bool is_argument(const struct kprof_key *key)
{
	return key->kind == KPROF_BY_ARG && !key->at_end;
}

/* The last argument used in any key or condition, counted from 1; 0 if there is none. */
static u32 last_argument(const struct kprof_keyset *keys)
{
	u32 i, last = 0;

	for (i = 0; i < keys->nr_keys; i++)
		if (is_argument(&keys->key[i]))
			last = max_t(u32, last, keys->key[i].arg + 1);
	for (i = 0; i < keys->nr_conditions; i++)
		if (is_argument(&keys->condition[i].key))
			last = max_t(u32, last, keys->condition[i].key.arg + 1);
	return last;
}

/* Number of arguments, up to the first that is not one word; -ENOENT if it is not known. */
static int look_up(const struct kprof_target *target, struct kprof_btf_arg *arg, bool *is_all)
{
	char at_address[KSYM_SYMBOL_LEN];
	const struct kprof_btf *btf = kprof_btf_at(target->address, at_address);
	/* The name as given, if any, and not that of another symbol at the address. */
	const char *name = *target->symbol ? kprof_symbols_bare(target->symbol) : at_address;

	if (!btf || kprof_symbols_count(name) != 1)
		return -ENOENT;
	return kprof_btf_function(btf, name, arg, KPROF_NR_ARGS, is_all);
}

/**
 * kprof_target_look_at_arguments() - look up the arguments among the keys in BTF
 * @target:	a watched function; its keys are set
 *
 * Context: sleeps; inside kprof_targets_add().
 */
void kprof_target_look_at_arguments(struct kprof_target *target)
{
	struct kprof_btf_arg arg[KPROF_NR_ARGS];
	struct kprof_keyset *keys = &target->keys;
	bool is_all = false;
	int nr;
	u32 i;

	target->arguments = KPROF_ARGUMENTS_FINE;
	if ((target->probe != KPROF_PROBE_CALL && target->probe != KPROF_PROBE_DIRECT) ||
	    !last_argument(keys))
		return;
	nr = look_up(target, arg, &is_all);
	if (nr < 0) {
		target->arguments = KPROF_ARGUMENTS_UNKNOWN;
		return;
	}
	if (is_all && last_argument(keys) > nr)
		target->arguments = nr;
	for (i = 0; i < keys->nr_keys; i++) {
		struct kprof_key *key = &keys->key[i];

		if (key->is_direct && !key->is_typed && is_argument(key) && key->arg < nr)
			key->is_hex |= arg[key->arg].is_pointer;
	}
}

/* A variant made by the compiler may no longer have the arguments of the source. */
static bool is_variant(const char *symbol)
{
	return strstr(symbol, ".isra.") || strstr(symbol, ".constprop.") ||
	       strstr(symbol, ".part.");
}

/**
 * kprof_target_about_arguments() - describe problems with the arguments among the keys
 * @target:	the target
 * @text:	set to "; ..." or to an empty string
 * @size:	size of @text
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_target_about_arguments(const struct kprof_target *target, char *text, size_t size)
{
	*text = '\0';
	if (target->arguments >= 0)
		scnprintf(text, size, "; $arg%u is none of its %d argument%s",
			  last_argument(&target->keys), target->arguments,
			  target->arguments == 1 ? "" : "s");
	else if (target->arguments == KPROF_ARGUMENTS_UNKNOWN && is_variant(target->symbol))
		scnprintf(text, size, "; a variant not in BTF: arguments may be gone");
}
