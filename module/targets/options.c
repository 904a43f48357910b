// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - the options of a target: its keys, its name, and how long they stay
 */
#include <linux/ctype.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/ids.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/points.h"
#include "targets/options.h"

/* What follows an option such as "as="; NULL if it is not there. */
static const char *find_option(const char *options, const char *option)
{
	const char *at = strstr(options, option);

	/* Not the end of another name or text, such as that of by=bias=$arg1. */
	while (at && at > options && !isspace(at[-1]))
		at = strstr(at + 1, option);
	return at ? at + strlen(option) : NULL;
}

/**
 * kprof_options_parse() - parse the options of a target
 * @keys:	what they ask for; those of a predefined target if they have no keys
 * @name:	the target as it was written
 * @options:	its options
 * @find:	see kprof_keyset_parse()
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the reason.
 */
int kprof_options_parse(struct kprof_keyset *keys, const char *name, const char *options,
			int (*find)(const char *name))
{
	char *all;
	int err = 0;

	if (!kprof_preset_is(name) || find_option(options, "by="))
		return kprof_keyset_parse(keys, name, options, find);
	all = kmalloc(2 * KPROF_TARGET_OPTIONS, GFP_KERNEL);
	if (!all)
		return kprof_refuse(-ENOMEM, "target", name, "no memory for its options");
	strscpy(all, options, KPROF_TARGET_OPTIONS);
	strlcat(all, " by=", KPROF_TARGET_OPTIONS + 8);
	kprof_preset_keys(name, all + strlen(all), KPROF_TARGET_OPTIONS - 8);
	if (all[strlen(all) - 1] != '=')
		err = kprof_keyset_parse(keys, name, all, find);
	kfree(all);
	return err;
}

/**
 * kprof_options_name() - the name that as=NAME gives
 * @options:	the options of a target
 * @room:	where the name is put; KPROF_SOURCE_NAME bytes
 * @name:	set to that, if there is one
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -ENAMETOOLONG, and kprof_refuse() has the
 * reason.
 */
int kprof_options_name(const char *options, char *room, const char **name)
{
	const char *given = find_option(options, "as=");
	size_t length;

	if (!given)
		return 0;
	length = strcspn(given, " \t");
	if (length >= KPROF_SOURCE_NAME)
		return kprof_refuse(-ENAMETOOLONG, "target", given,
				    "too long; a name has at most %u characters",
				    KPROF_SOURCE_NAME - 1);
	strscpy(room, given, length + 1);
	*name = room;
	return 0;
}

/**
 * kprof_targets_check_ids() - may the current task start sampling, as to conditions on pid
 *
 * Such a condition compares with an id of the PID namespace of whoever has written it, and samples
 * have ids of the namespace of whoever starts sampling.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EXDEV, and kprof_refuse() has the reason.
 */
int kprof_targets_check_ids(void)
{
	const u32 number = kprof_id_namespace_of_writer();
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node) {
		if (target->probe == KPROF_PROBE_NONE ||
		    (kprof_points_are_of(target, number) &&
		     kprof_conditions_are_of(target->keys.condition, target->keys.nr_conditions,
					     number)))
			continue;
		return kprof_refuse(-EXDEV, "enable", "1",
				    "%s has a condition on pid that was written in another PID namespace; remove this target, and add it again from here",
				    target->source.name);
	}
	return 0;
}

/**
 * kprof_lacks_user_stacks() - is the key "ustack" without what it needs
 * @keys:	of a target
 *
 * Context: sleeps; kprof_mutex is held. Return: whether user stacks are a key, and are not taken.
 */
bool kprof_lacks_user_stacks(const struct kprof_keyset *keys)
{
	return keys->is_of_user && !(kprof_config->stacks & KPROF_STACKS_USER);
}

/**
 * kprof_targets_check_stacks() - are user stacks taken, if they are a key
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or -EINVAL, and kprof_refuse() has the reason.
 */
int kprof_targets_check_stacks(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->probe != KPROF_PROBE_NONE && kprof_lacks_user_stacks(&target->keys))
			return kprof_refuse(-EINVAL, "enable", "1",
					    "%s has the key ustack: give stacks=user or stacks=both",
					    target->source.name);
	return 0;
}

/**
 * kprof_options_forget() - forget the options of a target
 * @target:	a target that is not watched and has no rows; it may be added again with others
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_options_forget(struct kprof_target *target)
{
	*target->options = '\0';
	memset(&target->keys, 0, sizeof(target->keys));
	target->is_forgotten = true;
}

/**
 * kprof_options_settle() - keep the options of targets that are accepted
 *
 * Options stay as long as what was seen with them. A target that was refused has seen nothing with
 * its new ones, and keeps none.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_options_settle(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->probe != KPROF_PROBE_NONE)
			target->is_forgotten = false;
		else if (target->is_forgotten)
			kprof_options_forget(target);
}
