// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined.c - targets that are inlined functions: each place where the function is inlined is a
 * point, and so is the function itself, if it exists
 *
 * If it is known of all of them where they are left, the target is a span.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/string.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "points/place.h"
#include "points/point.h"
#include "points/points.h"
#include "symbols/symbols.h"

#define HOSTS_NAMED	6	/* in the description of a target */
#define MAX_EXITS	(4 * KPROF_MAX_PLACES)

/* Code that is discarded after boot is no longer a place. */
static bool is_at_boot(const struct kprof_inlined *object, const struct kprof_index_host *host)
{
	const struct kprof_index_section *section = kprof_inlined_section(object, host);
	const char *name = section ? object->string + section->name : "";

	return strstarts(name, ".init") ||
	       (strstarts(name, ".exit") && !strcmp(object->header->owner, "vmlinux"));
}

/**
 * struct counted - how many places a function has
 * @places:	number of places where it is inlined
 * @exits:	number of places where these are left, in total
 */
struct counted {
	u32 places;
	u32 exits;
};

static int count_place(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		       void *data)
{
	struct kprof_inlined_exit exit[KPROF_INLINED_EXITS];
	struct counted *counted = data;

	if (is_at_boot(object, place->host))
		return 0;
	counted->places++;
	counted->exits += kprof_inlined_exits(object, place, exit);
	return 0;
}

/* Only plain names: name@2, name+0 and the like mean the function that has a symbol. */
static bool may_be_inlined(const char *name)
{
	return !kprof_points_is_spec(name) && !strpbrk(name, "*?[+@") && !strstarts(name, "0x");
}

/**
 * kprof_points_is_inlined() - is a function inlined somewhere
 * @name:	a target without its options
 *
 * Context: sleeps; kprof_mutex is held. Return: whether it is, as far as the index tells.
 */
bool kprof_points_is_inlined(const char *name)
{
	struct counted counted = { };

	return may_be_inlined(name) && !kprof_inlined_look(name, count_place, &counted) &&
	       counted.places;
}

/**
 * struct finding - state of the search for the points of a function
 * @target:	the target that they are for
 * @beginnings:	number of points that are entries; they come first
 * @doubtful:	number of places where one more round of a loop may look like a call
 * @bypassed:	number of places into the middle of which a way leads
 * @endless:	number of places whose exits are not known
 */
struct finding {
	struct kprof_target *target;
	u32 beginnings;
	u32 doubtful;
	u32 bypassed;
	u32 endless;
};

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

static bool is_full(const struct kprof_points *points)
{
	return points->nr == points->room;
}

static int add_place(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		     void *data)
{
	struct finding *found = data;
	unsigned long addr;

	if (is_at_boot(object, place->host) || is_full(found->target->points))
		return 0;
	if (place->seen & KPROF_INDEX_DOUBTFUL) {
		found->doubtful++;
		return 0;
	}
	addr = kprof_inlined_address(object, place->host);
	if (!addr)
		return 0;
	add_point(found->target, addr + place->entry)->is_inlined = true;
	found->bypassed += !!(place->seen & KPROF_INDEX_BYPASSED);
	return 0;
}

/* Add the function itself, under the given name or one that the compiler derived from it. */
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
		/* A .part function is called by the inlined code, and is not the function. */
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

/* Only kprobes know all the rules. Drop points that they refuse. Return: number dropped. */
static u32 leave_out(struct kprof_target *target, u32 first)
{
	struct kprof_points *points = target->points;
	u32 i, nr = first, left_out;

	for (i = first; i < points->nr; i++)
		points->point[i].is_lost = points->point[i].kind == KPROF_PLACE_ADDRESS &&
					   !may_be_probed(&points->point[i]);
	kprof_points_enable(target, false);
	for (i = first; i < points->nr; i++)
		if (!points->point[i].is_lost)
			points->point[nr++] = points->point[i];
	left_out = points->nr - nr;
	points->nr = nr;
	return left_out;
}

static bool is_beginning(const struct finding *found, unsigned long addr)
{
	const struct kprof_point *point = found->target->points->point;
	u32 i;

	for (i = 0; i < found->beginnings; i++)
		if (point[i].is_inlined && point[i].address == addr)
			return true;
	return false;
}

/* Several places may share an exit. */
static bool add_end(struct finding *found, unsigned long addr, bool is_shared)
{
	struct kprof_points *points = found->target->points;
	struct kprof_point *point;
	u32 i;

	for (i = found->beginnings; i < points->nr; i++) {
		if (points->point[i].kind == KPROF_PLACE_ADDRESS &&
		    points->point[i].address == addr) {
			points->point[i].keys.is_shared = true;
			return true;
		}
	}
	if (is_full(points))
		return false;
	point = add_point(found->target, addr);
	point->role = KPROF_POINT_END;
	point->keys.is_shared = is_shared;
	return true;
}

static int add_ends(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		    void *data)
{
	struct kprof_inlined_exit exit[KPROF_INLINED_EXITS];
	struct finding *found = data;
	unsigned long addr = kprof_inlined_address(object, place->host);
	bool is_known;
	u32 i, nr;

	if (!addr || !is_beginning(found, addr + place->entry))
		return 0;
	nr = kprof_inlined_exits(object, place, exit);
	is_known = nr;
	for (i = 0; i < nr && is_known; i++) {
		addr = kprof_inlined_address(object, exit[i].host);
		is_known = addr && add_end(found, addr + exit[i].at, exit[i].is_shared);
	}
	found->endless += !is_known;
	return 0;
}

/* Find where all calls end. If one end is unknown, there is no latency for any of them. */
static int find_ends(struct finding *found, const char *name)
{
	struct kprof_points *points = found->target->points;
	u32 i;
	int err;

	for (i = 0; i < found->beginnings && !is_full(points); i++) {
		if (points->point[i].is_inlined)
			continue;
		add_point(found->target, points->point[i].address)->kind = KPROF_PLACE_RETURN;
		points->point[points->nr - 1].role = KPROF_POINT_END;
	}
	err = kprof_inlined_look(name, add_ends, found);
	if (err)
		return err;
	found->endless += leave_out(found->target, found->beginnings);
	if (found->endless) {
		points->nr = found->beginnings;
		return 0;
	}
	for (i = 0; i < found->beginnings; i++)
		points->point[i].role = KPROF_POINT_BEGIN;
	return kprof_points_end_of_tasks(found->target, name);
}

static u32 describe_hosts(const struct finding *found, char *text, size_t size)
{
	const struct kprof_point *point = found->target->points->point;
	char name[KSYM_SYMBOL_LEN], last[KSYM_SYMBOL_LEN] = "";
	u32 i, hosts = 0, at = 0;

	for (i = 0; i < found->beginnings; i++) {
		if (!point[i].is_inlined)
			continue;
		sprint_symbol_no_offset(name, point[i].address);
		if (!strcmp(name, last))
			continue;
		strscpy(last, name, sizeof(last));
		if (hosts++ < HOSTS_NAMED)
			at += scnprintf(text + at, size - at, "%s %s", hosts > 1 ? "," : "", name);
	}
	if (hosts > HOSTS_NAMED)
		at += scnprintf(text + at, size - at, " and %u more", hosts - HOSTS_NAMED);
	return at;
}

/* "calls and latency: 2 of 3 inlined places in a, b; and the function itself; ..." */
static void describe(const struct finding *found, u32 places)
{
	struct kprof_points *points = found->target->points;
	const size_t size = sizeof(points->about);
	char *text = points->about;
	u32 i, watched = 0, at;

	for (i = 0; i < found->beginnings; i++)
		watched += points->point[i].is_inlined;
	at = scnprintf(text, size, "calls%s: %u of %u inlined places in",
		       found->endless ? "" : " and latency", watched, places);
	at += describe_hosts(found, text + at, size - at);
	if (watched < found->beginnings)
		at += scnprintf(text + at, size - at, "; and the function itself");
	if (found->doubtful)
		at += scnprintf(text + at, size - at,
				"; left out %u where a turn of a loop may look like a call",
				found->doubtful);
	if (found->bypassed)
		at += scnprintf(text + at, size - at,
				"; calls may be missed at %u, where a way leads into the middle",
				found->bypassed);
	if (found->endless)
		scnprintf(text + at, size - at, "; no latency, as of %u it is not known where they end",
			  found->endless);
}

static int find_points(struct kprof_target *target, const char *name, u32 places)
{
	struct finding found = { .target = target };
	int err = add_functions(target, name);

	if (!err)
		err = kprof_inlined_look(name, add_place, &found);
	if (err)
		return err;
	leave_out(target, 0);
	found.beginnings = target->points->nr;
	if (!found.beginnings)
		return kprof_refuse(-EINVAL, "target", name,
				    "inlined in %u places, none of which can be watched: at %u a turn of a loop may look like a call, the others may not be probed; give a function that calls it",
				    places, found.doubtful);
	err = find_ends(&found, name);
	if (err)
		return err;
	describe(&found, places);
	return kprof_points_finish(target, name);
}

/**
 * kprof_points_inlined() - watch an inlined function as a whole
 * @target:	a target that is not watched; its options are set
 * @name:	kprof_points_is_inlined() is true for it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_points_inlined(struct kprof_target *target, const char *name)
{
	struct counted counted = { };
	int err;

	kprof_inlined_look(name, count_place, &counted);
	if (counted.places > KPROF_MAX_PLACES)
		return kprof_refuse(-E2BIG, "target", name,
				    "inlined in %u places, more than %u; `kprof list --inlined %s` names them, to be given one by one",
				    counted.places, KPROF_MAX_PLACES, name);
	/* Also room for the function's own names, each with an end, and for the end of tasks. */
	err = kprof_points_alloc(target, name,
				 counted.places + min_t(u32, counted.exits, MAX_EXITS) +
				 3 * KPROF_MAX_POINTS);
	if (!err)
		err = find_points(target, name, counted.places);
	if (err) {
		kprof_points_unregister(target);
		return err;
	}
	pr_info("target=%s: %s\n", target->source.name, target->points->about);
	return 0;
}

/**
 * kprof_points_about() - describe which places of an inlined function are watched
 * @target:	any target
 *
 * Context: kprof_mutex is held. Return: the text; empty for other targets.
 */
const char *kprof_points_about(const struct kprof_target *target)
{
	return target->points ? target->points->about : "";
}
