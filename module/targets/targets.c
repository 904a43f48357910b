// SPDX-License-Identifier: GPL-2.0-only
/*
 * targets.c - the list of targets: adds and removes them
 */
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/state.h"
#include "base/stay.h"
#include "calls/calls.h"
#include "points/points.h"
#include "symbols/symbols.h"
#include "targets/account.h"
#include "targets/arguments.h"
#include "targets/attach.h"
#include "targets/options.h"
#include "targets/probe.h"
#include "targets/targets.h"
#include "targets/watch.h"
#include "trampoline/trampoline.h"

/* Number of calls of kprof_targets_add(), which identifies what each call has added. */
static u32 batch;

static struct kprof_target *find_target(const char *name)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (!strcmp(target->source.name, name))
			return target;
	return NULL;
}

static void destroy(struct kprof_target *target)
{
	kprof_target_unregister(&target, 1);
	if (target->source.id)
		kprof_source_remove(&target->source);
	free_percpu(target->cpu);
	/* Somebody who looks at stacks may have just found it on the list. */
	kfree_rcu(target, rcu);
}

/* Refuse options that need a return, or a function's entry, where there is none. */
static int check_options(struct kprof_target *target, const char *spec)
{
	const char *why = NULL;

	if (kprof_running && kprof_lacks_user_stacks(&target->keys))
		why = "ustack: give stacks=user or stacks=both first";
	else if (target->keys.is_of_fault && strcmp(target->symbol, KPROF_FAULT_FUNCTION))
		why = "fault: only calls of " KPROF_FAULT_FUNCTION " have that";
	else if (target->keys.is_of_register && !target->points)
		why = "registers are keys in programs and libraries alone; give $arg1 or $retval";
	else if (target->keys.nr_each && !target->points)
		why = "each(): only points and spans have that";
	else if (target->keys.at_end && !target->points)
		why = "end(): only spans have that";
	else if (target->keys.nr_files &&
		 target->keys.nr_files != kprof_points_nr_files(target))
		why = "file=: give one file for each different path of a program or a library";
	if (why) {
		kprof_target_unregister(&target, 1);
		return kprof_refuse(-EINVAL, "target", spec, "%s", why);
	}
	if (target->probe != KPROF_PROBE_ENTRY || !*target->options)
		return 0;
	kprof_target_unregister(&target, 1);
	return kprof_refuse(-EINVAL, "target", spec,
			    "has no latency: it never returns, or is not a function's entry, or its return may not be probed; leave out by=, if= and min=, or give a function that it calls or that calls it");
}

static int find_counted(const char *name);

/* A new target that hits() of itself names is the second one of that name. */
static bool counts_itself(const struct kprof_target *target, const struct kprof_keyset *keys)
{
	const struct kprof_target *same = find_target(target->source.name);

	return same && same->source.id == keys->hits_source;
}

/* If there is an error, the target keeps the options that it had. */
static int set_options(struct kprof_target *target, const char *name, const char *options)
{
	struct kprof_keyset *keys = kzalloc(sizeof(*keys), GFP_KERNEL);
	int err;

	if (!keys)
		return kprof_refuse(-ENOMEM, "target", name, "no memory for its options");
	err = kprof_options_parse(keys, name, options, find_counted);
	if (!err && counts_itself(target, keys))
		err = kprof_refuse(-EINVAL, "target", name,
				   "hits() names the target itself; give another one");
	if (!err) {
		target->keys = *keys;
		if (options != target->options)
			strscpy(target->options, options, sizeof(target->options));
	}
	kfree(keys);
	return err;
}

/* Watch a removed target again. If it was removed since the last reset, its rows continue. */
static int revive(struct kprof_target *target, const char *name, const char *options)
{
	int err;

	if (target->probe != KPROF_PROBE_NONE)
		return kprof_refuse(-EEXIST, "target", name,
				    "already watched; give each place once");
	if (!target->is_forgotten && strcmp(target->options, options))
		return kprof_refuse(-EBUSY, "target", name,
				    "the profile still has rows with its old options; write to reset first");
	err = set_options(target, name, options);
	if (err)
		return err;
	err = kprof_target_watch(target, name);
	if (!err)
		err = check_options(target, name);
	target->source.gone = !!err;
	if (err)
		return err;
	target->batch = batch;
	kprof_target_look_at_arguments(target);
	return 0;
}

static int create(const char *name, const char *spec, const char *options)
{
	struct kprof_target *target = kzalloc(sizeof(*target), GFP_KERNEL);
	int err;

	if (!target)
		return kprof_refuse(-ENOMEM, "target", name, "no memory for it");
	target->source.kind = &kprof_target_kind;
	target->batch = batch;
	target->is_forgotten = true;
	strscpy(target->source.name, name, sizeof(target->source.name));
	if (name != spec)
		strscpy(target->spec, spec, sizeof(target->spec));
	err = set_options(target, spec, options);
	if (!err)
		err = kprof_target_watch(target, spec);
	if (!err)
		err = check_options(target, spec);
	if (err) {
		destroy(target);
		return err;
	}
	kprof_target_look_at_arguments(target);
	list_add_tail_rcu(&target->node, kprof_targets());
	return 0;
}

/*
 * Find the id of a target that another one counts, and watch it if it is new. If it was removed,
 * watch_counted() watches it again. Return: the id; or an errno, and kprof_refuse() has the reason.
 */
static int find_counted(const char *name)
{
	struct kprof_target *target = find_target(name);
	int err = target ? 0 : create(name, name, "");

	if (err)
		return err;
	/* Its name may have become that of a twin, so take the last one added. */
	target = target ?: list_last_entry(kprof_targets(), struct kprof_target, node);
	return target->source.id;
}

/* "NAME" or "NAME OPTIONS". */
static int add_one(char *spec)
{
	char *options = spec + strcspn(spec, " \t");
	struct kprof_target *target;
	char room[KPROF_SOURCE_NAME];
	const char *name = spec;
	int err;

	if (*options) {
		*options++ = '\0';
		options = skip_spaces(options);
	}
	if (strlen(spec) >= KPROF_SOURCE_NAME)
		return kprof_refuse(-ENAMETOOLONG, "target", spec,
				    "too long; a name has at most %u characters",
				    KPROF_SOURCE_NAME - 1);
	if (strlen(options) >= KPROF_TARGET_OPTIONS)
		return kprof_refuse(-ENAMETOOLONG, "target", options,
				    "too long; options have at most %u characters",
				    KPROF_TARGET_OPTIONS - 1);
	err = kprof_options_name(options, room, &name);
	if (err)
		return err;
	target = find_target(name);
	if (!target)
		return create(name, spec, options);
	if (strcmp(*target->spec ? target->spec : name, spec))
		return kprof_refuse(-EEXIST, "target", spec,
				    "another one is called %s; give another name, as=NAME", name);
	return revive(target, spec, options);
}

/* Does hits() of another target name this one? */
static bool is_counted(const struct kprof_target *counted)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target->keys.hits_source == counted->source.id)
			return true;
	return false;
}

/* What is not watched, although hits() of a target that has just been added names it. */
static struct kprof_target *find_unwatched(void)
{
	struct kprof_target *target, *counted;

	list_for_each_entry(target, kprof_targets(), node) {
		if (target->batch != batch || !target->keys.hits_source ||
		    target->probe == KPROF_PROBE_NONE)
			continue;
		/* It is there as long as it is named: see is_counted(). */
		counted = container_of(kprof_source_get(target->keys.hits_source),
				       struct kprof_target, source);
		if (counted->probe == KPROF_PROBE_NONE)
			return counted;
	}
	return NULL;
}

/* Not one inside of the other: they may count others in turn, in a long chain or a circle. */
static int watch_counted(void)
{
	struct kprof_target *target;
	int err = 0;

	while (!err && (target = find_unwatched()))
		err = revive(target, *target->spec ? target->spec : target->source.name,
			     target->options);
	return err;
}

/* Update what depends on the set of targets. */
static void update_nesting(void)
{
	struct kprof_target *target;
	u32 watched = 0;

	/* With more than one target, calls may be inside of calls. */
	list_for_each_entry(target, kprof_targets(), node) {
		watched += target->probe != KPROF_PROBE_NONE;
		target->is_counted = is_counted(target);
	}
	if (watched > 1)
		static_branch_enable(&kprof_nesting);
	else
		static_branch_disable(&kprof_nesting);
}

typedef bool (*choose_fn)(const struct kprof_target *target, const char *name);

static bool is_none(const struct kprof_target *target, const char *name)
{
	return false;
}

static bool is_any(const struct kprof_target *target, const char *name)
{
	return true;
}

static bool is_named(const struct kprof_target *target, const char *name)
{
	return !strcmp(target->source.name, name);
}

static bool is_of_batch(const struct kprof_target *target, const char *name)
{
	return target->batch == batch;
}

/* Stop watching some targets. Afterwards, the trampoline is detached from all targets. */
static void stop_watching(choose_fn choose, const char *name)
{
	struct kprof_target *chosen[KPROF_UNREGISTER_BATCH], *target;
	bool running;
	u32 nr = 0;

	kprof_direct_detach();
	running = kprof_pause();
	list_for_each_entry(target, kprof_targets(), node) {
		if (target->probe == KPROF_PROBE_NONE || !choose(target, name))
			continue;
		target->source.gone = true;
		chosen[nr++] = target;
		if (nr == ARRAY_SIZE(chosen)) {
			kprof_target_unregister(chosen, nr);
			nr = 0;
		}
	}
	kprof_target_unregister(chosen, nr);
	if (!kprof_targets_any())
		kprof_tracer_release(KPROF_TRACER_TARGETS);
	/* The ends of some calls in progress will never be seen. */
	kprof_nest_forget();
	kprof_spans_forget();
	kprof_resume(running);
	kprof_options_settle();
	update_nesting();
}

/* Enable the probes of what has just been added, all of which is accepted. */
static int enable_batch(void)
{
	struct kprof_target *target;
	int err;

	list_for_each_entry(target, kprof_targets(), node) {
		if (target->batch != batch || target->probe == KPROF_PROBE_NONE)
			continue;
		err = kprof_target_enable(target, true);
		if (err)
			return kprof_refuse(err, "target", target->source.name,
					    "the kernel refused it with error %d", err);
	}
	return 0;
}

/**
 * kprof_targets_add() - watch more targets
 * @list:	targets, separated by ';' or newlines; also by commas, if none
 *		of them has options; overwritten
 *
 * Adds all of them, or none.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has
 * the reason.
 */
int kprof_targets_add(char *list)
{
	const char *separators;
	char *spec;
	int err = 0;

	batch++;
	list = strim(list);
	if (*list && !list[strspn(list, ",; \t\n")])
		return kprof_refuse(-EINVAL, "target", list,
				    "names no function; give one, such as vfs_read");
	if (*list)
		kprof_symbols_look(list);
	separators = strpbrk(list, " \t=(") ? ";\n" : ",;\n";
	/* A kprobe armed at ftrace's call while ftrace is off would leave traces there forever. */
	if (kprof_running && *list)
		err = kprof_tracer_hold(KPROF_TRACER_TARGETS);
	while (!err && (spec = strsep(&list, separators))) {
		spec = strim(spec);
		if (*spec)
			err = add_one(spec) ?: watch_counted();
	}
	kprof_symbols_forget();
	kprof_btf_forget();
	kprof_inlined_forget();
	stop_watching(err ? is_of_batch : is_none, NULL);
	if (err) {
		kprof_targets_restore();
		return err;
	}
	if (kprof_running) {
		/* Enabled probes see calls at once. */
		kprof_targets_classify();
		err = enable_batch() ?: kprof_targets_attach_again();
	}
	if (err) {
		stop_watching(is_of_batch, NULL);
		kprof_targets_restore();
	}
	return err;
}

/**
 * kprof_targets_remove() - stop watching a target; what was seen of it stays
 * @name:	as given to kprof_targets_add(), or as "targets" shows it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or -ENOENT.
 */
int kprof_targets_remove(const char *name)
{
	struct kprof_target *target = find_target(name);

	if (!target || target->probe == KPROF_PROBE_NONE)
		return kprof_refuse(-ENOENT, "target", name,
				    "not watched; the file targets lists those that are");
	stop_watching(is_named, name);
	return kprof_targets_attach_again();
}

/**
 * kprof_targets_remove_all() - stop watching all targets; what was seen stays
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_targets_remove_all(void)
{
	stop_watching(is_any, NULL);
}

/**
 * kprof_targets_enable() - enable the probes of all targets
 *
 * This excludes the trampoline, for which kprof must run: see kprof_targets_attach().
 *
 * Context: sleeps; kprof_mutex is held, and nothing takes samples yet. Return: 0; or an errno,
 * and no probe is enabled.
 */
int kprof_targets_enable(void)
{
	struct kprof_target *target;
	int err;

	err = kprof_targets_any() ? kprof_tracer_hold(KPROF_TRACER_TARGETS) : 0;
	if (err)
		return err;
	kprof_targets_classify();
	list_for_each_entry(target, kprof_targets(), node) {
		err = kprof_target_enable(target, true);
		if (err) {
			kprof_targets_disable();
			return err;
		}
	}
	return 0;
}

/**
 * kprof_targets_disable() - undo kprof_targets_enable()
 *
 * Context: sleeps; kprof_mutex is held, nothing takes samples, and the trampoline is detached.
 */
void kprof_targets_disable(void)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		kprof_target_enable(target, false);
	kprof_tracer_release(KPROF_TRACER_TARGETS);
}

/**
 * kprof_targets_clear() - reset all statistics, and free removed targets
 *
 * Context: sleeps; kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_targets_clear(void)
{
	struct kprof_target *target, *next;

	kprof_throttle_forget();
	list_for_each_entry(target, kprof_targets(), node) {
		kprof_target_clear(target);
		if (target->source.gone)
			kprof_options_forget(target);
	}
	list_for_each_entry_safe(target, next, kprof_targets(), node) {
		/* A call in progress still needs its target, and so does hits(): free it later. */
		if (!target->source.gone || kprof_inside(target) || is_counted(target) ||
		    kprof_stays())
			continue;
		list_del_rcu(&target->node);
		destroy(target);
	}
}

/**
 * kprof_targets_free() - free all targets
 *
 * Context: sleeps; kprof_mutex is held, kprof_targets_remove_all() was called, and
 * no call is in progress.
 */
void kprof_targets_free(void)
{
	struct kprof_target *target, *next;

	if (kprof_stays())
		return;
	list_for_each_entry_safe(target, next, kprof_targets(), node) {
		list_del_rcu(&target->node);
		destroy(target);
	}
	kprof_open_exit();
}
