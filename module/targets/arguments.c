// SPDX-License-Identifier: GPL-2.0-only
/*
 * arguments.c - what BTF tells of the arguments that are keys of a target
 *
 * Which of them are pointers, and so read best in hexadecimal; and which are none at all, so that
 * their register has anything in it. What the compiler made a variant of is not in BTF, because
 * its arguments may be others.
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

/* Of all keys and conditions the argument that comes last, from 1 on; 0: there is none. */
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

/* The name that was given, rather than another one of the same address, without the module's. */
static const char *name_of(const struct kprof_target *target, const char *at_address)
{
	const char *colon = strchr(target->symbol, ':');

	if (colon)
		return colon + 1;
	return *target->symbol ? target->symbol : at_address;
}

/* How many arguments there are, as far as they come in a word each; -ENOENT: nobody knows. */
static int look_up(const struct kprof_target *target, struct kprof_btf_arg *arg, bool *is_all)
{
	char at_address[KSYM_SYMBOL_LEN];
	const struct kprof_btf *btf = kprof_btf_at(target->address, at_address);
	const char *name = name_of(target, at_address);

	if (!btf || kprof_symbols_count(name) != 1)
		return -ENOENT;
	return kprof_btf_function(btf, name, arg, KPROF_NR_ARGS, is_all);
}

/**
 * kprof_target_look_at_arguments() - ask BTF about the arguments that are keys
 * @target:	a function that is watched; its keys are set
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

/* What the compiler makes such a copy of need not have the arguments of the source any more. */
static bool is_variant(const char *symbol)
{
	return strstr(symbol, ".isra.") || strstr(symbol, ".constprop.") ||
	       strstr(symbol, ".part.");
}

/**
 * kprof_target_about_arguments() - what is to be said of the arguments that are keys
 * @target:	the target
 * @size:	of @text
 * @text:	"; ..." or empty
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_target_about_arguments(const struct kprof_target *target, char *text, size_t size)
{
	*text = '\0';
	if (target->arguments >= 0)
		scnprintf(text, size, "; $arg%u is none of its %d arguments",
			  last_argument(&target->keys), target->arguments);
	else if (target->arguments == KPROF_ARGUMENTS_UNKNOWN && is_variant(target->symbol))
		scnprintf(text, size, "; a variant not in BTF: arguments may be gone");
}
