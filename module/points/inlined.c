// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined.c - a function that is inlined: each of its places is a point, and so is the function
 * itself if there is one
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/forbidden.h"
#include "calls/target.h"
#include "points/points.h"
#include "symbols/inlined_file.h"

#define HOSTS_NAMED	6	/* in what is said of a target */

/* Code that is thrown away when the kernel has booted is no place any more. */
static bool is_at_boot(const struct kprof_inlined *object, const struct kprof_index_host *host)
{
	const struct kprof_index_section *section = kprof_inlined_section(object, host);
	const char *name = section ? object->string + section->name : "";

	return strstarts(name, ".init") ||
	       (strstarts(name, ".exit") && !strcmp(object->header->owner, "vmlinux"));
}

static int count_place(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		       void *data)
{
	u32 *nr = data;

	*nr += !is_at_boot(object, place->host);
	return 0;
}

/* By its name alone: name@2, name+0 and the like mean the one that has a symbol. */
static bool may_be_inlined(const char *name)
{
	return !kprof_points_is_spec(name) && !strpbrk(name, "*?[+@") && !strstarts(name, "0x");
}

/**
 * kprof_points_is_inlined() - is a function inlined somewhere
 * @name:	a target without its options
 *
 * Context: sleeps; kprof_mutex is held. Return: whether it is, as far as is known.
 */
bool kprof_points_is_inlined(const char *name)
{
	u32 nr = 0;

	return may_be_inlined(name) && !kprof_inlined_look(name, count_place, &nr) && nr;
}

static struct kprof_point *add_point(struct kprof_target *target, unsigned long addr)
{
	struct kprof_points *points = target->points;
	struct kprof_point *point = &points->point[points->nr++];

	point->target = target;
	point->kind = KPROF_PLACE_ADDRESS;
	point->role = KPROF_POINT_ALONE;
	point->address = addr;
	return point;
}

static int add_place(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		     void *data)
{
	struct kprof_target *target = data;
	unsigned long addr;

	if (is_at_boot(object, place->host) || target->points->nr == target->points->room)
		return 0;
	addr = kprof_inlined_address(object, place->host);
	if (addr)
		add_point(target, addr + place->entry)->is_inlined = true;
	return 0;
}

/* The function itself, under the name given or one that the compiler has made of it. */
static int add_function(struct kprof_target *target, const char *name, const char *suffix)
{
	bool by_ftrace;
	int err;

	scnprintf(target->symbol, sizeof(target->symbol), "%s%s", name, suffix);
	err = kprof_target_locate(target, 0, 0, &by_ftrace);
	kprof_target_settle(&target, 1);
	if (err)
		return err == -ENOENT ? 0 : kprof_target_explain(err, name);
	err = kprof_target_check_unique(target, name);
	if (!err)
		add_point(target, target->address);
	return err;
}

static int add_functions(struct kprof_target *target, const char *name)
{
	int err = add_function(target, name, ""), i;

	for (i = 0; !err && kprof_twins[i]; i++)
		/* That one is called by those that are inlined. */
		if (!strstr(kprof_twins[i], ".part"))
			err = add_function(target, name, kprof_twins[i]);
	target->address = 0;
	return err;
}

static bool may_be_probed(struct kprof_point *point)
{
	int err;

	if (kprof_forbidden(point->address))
		return false;
	point->entry = (struct kprobe) {
		.addr = (kprobe_opcode_t *)point->address, .flags = KPROBE_FLAG_DISABLED,
	};
	err = register_kprobe(&point->entry);
	point->is_attached = !err;
	return !err;
}

/* Only kprobes know all of the rules. What they refuse is left out. */
static void leave_out(struct kprof_target *target)
{
	struct kprof_points *points = target->points;
	u32 i, nr = 0;

	for (i = 0; i < points->nr; i++)
		points->point[i].is_lost = !may_be_probed(&points->point[i]);
	kprof_points_enable(target, false);
	for (i = 0; i < points->nr; i++)
		if (!points->point[i].is_lost)
			points->point[nr++] = points->point[i];
	points->nr = nr;
}

/* "2 of 3 inlined places in a, b; and the function itself" */
static void describe(struct kprof_points *points, u32 places)
{
	char name[KSYM_SYMBOL_LEN], last[KSYM_SYMBOL_LEN] = "";
	u32 i, watched = 0, hosts = 0, at;

	for (i = 0; i < points->nr; i++)
		watched += points->point[i].is_inlined;
	at = scnprintf(points->about, sizeof(points->about), "calls: %u of %u inlined places in",
		       watched, places);
	for (i = 0; i < points->nr; i++) {
		if (!points->point[i].is_inlined)
			continue;
		sprint_symbol_no_offset(name, points->point[i].address);
		if (!strcmp(name, last))
			continue;
		strscpy(last, name, sizeof(last));
		if (hosts++ < HOSTS_NAMED)
			at += scnprintf(points->about + at, sizeof(points->about) - at, "%s %s",
					hosts > 1 ? "," : "", name);
	}
	if (hosts > HOSTS_NAMED)
		at += scnprintf(points->about + at, sizeof(points->about) - at, " and %u more",
				hosts - HOSTS_NAMED);
	if (watched < points->nr)
		scnprintf(points->about + at, sizeof(points->about) - at,
			  "; and the function itself");
}

static int find_points(struct kprof_target *target, const char *name, u32 places)
{
	int err = add_functions(target, name);

	if (!err)
		err = kprof_inlined_look(name, add_place, target);
	if (err)
		return err;
	leave_out(target);
	if (!target->points->nr)
		return kprof_refuse(-EINVAL, "target", name,
				    "inlined in %u places, none of which may be probed; give a function that calls it",
				    places);
	describe(target->points, places);
	return kprof_points_finish(target, name);
}

/**
 * kprof_points_inlined() - watch a function that is inlined, as a whole
 * @target:	that is not watched; its options are set
 * @name:	for which kprof_points_is_inlined() is true
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno, with the reason told by
 * kprof_refuse().
 */
int kprof_points_inlined(struct kprof_target *target, const char *name)
{
	u32 nr = 0;
	int err;

	kprof_inlined_look(name, count_place, &nr);
	if (nr > KPROF_MAX_PLACES)
		return kprof_refuse(-E2BIG, "target", name,
				    "inlined in %u places, more than %u; `kprof list --inlined %s` names them, to be given one by one",
				    nr, KPROF_MAX_PLACES, name);
	/* The function itself has some more names. */
	err = kprof_points_alloc(target, name, nr + KPROF_MAX_POINTS);
	if (!err)
		err = find_points(target, name, nr);
	if (err) {
		kprof_points_unregister(target);
		return err;
	}
	pr_info("target=%s: %s\n", target->source.name, target->points->about);
	return 0;
}

/**
 * kprof_points_about() - what is watched of a function that is inlined
 * @target:	any target
 *
 * Context: kprof_mutex is held. Return: the text; empty for other targets.
 */
const char *kprof_points_about(const struct kprof_target *target)
{
	return target->points ? target->points->about : "";
}
