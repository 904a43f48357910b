// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - sets up a target
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/string.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/points.h"
#include "targets/account.h"
#include "targets/probe.h"
#include "targets/watch.h"

static struct kprof_target *find_twin_address(const struct kprof_target *new)
{
	struct kprof_target *target;

	list_for_each_entry(target, kprof_targets(), node)
		if (target != new && target->probe != KPROF_PROBE_NONE &&
		    target->address == new->address)
			return target;
	return NULL;
}

/* Try the given name, then those that gcc may have renamed the function to. */
static int register_by_name(struct kprof_target *target, unsigned long offset,
			    unsigned long addr)
{
	size_t length = strlen(target->symbol), i;
	int err;

	err = kprof_target_register(target, offset, addr);
	if (err == -ENOENT && addr)	/* the address is in no function; no name is missing */
		return -EINVAL;
	for (i = 0; err == -ENOENT && kprof_twins[i]; i++) {
		target->symbol[length] = '\0';
		if (strlcat(target->symbol, kprof_twins[i], sizeof(target->symbol)) >=
		    sizeof(target->symbol))
			break;
		err = kprof_target_register(target, offset, addr);
		if (err)
			continue;
		pr_info("target=%s: taken as %s, to which the compiler renamed it\n",
			target->source.name, target->symbol);
		if (*target->spec || kprof_preset_is(target->source.name))
			return 0;
		strscpy(target->source.name, target->symbol, sizeof(target->source.name));
		if (offset)
			scnprintf(target->source.name, sizeof(target->source.name),
				  "%s+0x%lx", target->symbol, offset);
	}
	/* On arm64, kprobes do not distinguish this from code that may not be probed. */
	if (err == -EINVAL && IS_ENABLED(CONFIG_ARM64) && (offset | addr) % 4)
		return -EILSEQ;
	return err;
}

static int watch_points(struct kprof_target *target, const char *name, bool is_inlined)
{
	int err = kprof_target_prepare(target);

	if (err)
		return kprof_refuse(err, "target", name, "no memory for it");
	err = is_inlined ? kprof_points_inlined(target, name) :
			   kprof_points_register(target, name);
	if (!err)
		target->source.kind = target->is_span ? &kprof_span_kind : &kprof_target_kind;
	return err;
}

/**
 * kprof_target_watch() - set up the probes of a target whose name and options are set
 * @target:	the target
 * @name:	what to watch, as it was written
 *
 * They are enabled when nothing can refuse the target any more: what it had seen by then would be
 * of no target, or of the next one with its number.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_target_watch(struct kprof_target *target, const char *name)
{
	struct kprof_target *other;
	unsigned long offset, addr;
	const char *why;
	bool is_inlined = kprof_points_is_inlined(name);
	bool has_points = is_inlined || kprof_points_is_spec(name);
	int err;

	name = kprof_preset_function(name) ?: name;
	err = has_points ? 0 : kprof_target_parse(target, name, &offset, &addr);
	if (err)
		return err;
	if (!target->source.id) {
		err = kprof_source_add(&target->source);
		if (err)
			return kprof_refuse(err, "target", name,
					    "too many targets; at most %u, and removed ones count until reset",
					    KPROF_MAX_SOURCES - 2);
	}
	if (has_points)
		return watch_points(target, name, is_inlined);
	err = register_by_name(target, offset, addr);
	if (err)
		return kprof_target_explain(err, name);
	why = kprof_forbidden(target->address);
	if (why) {
		kprof_target_unregister(&target, 1);
		return kprof_refuse(-EINVAL, "target", name, "%s", why);
	}
	err = addr ? 0 : kprof_target_check_unique(target, name);
	if (err) {
		kprof_target_unregister(&target, 1);
		return err;
	}
	other = find_twin_address(target);
	if (other) {
		kprof_target_unregister(&target, 1);
		return kprof_refuse(-EEXIST, "target", name,
				    "already watched as %s; give each place once",
				    other->source.name);
	}
	if (target->probe == KPROF_PROBE_ENTRY && !offset && !addr)
		pr_info("target=%s: it never returns, or its return may not be probed: calls, no latency\n",
			name);
	return 0;
}
