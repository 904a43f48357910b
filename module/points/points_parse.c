// SPDX-License-Identifier: GPL-2.0-only
/*
 * points_parse.c - parses targets that are points
 *
 *	TARGET	POINT | POINT[|POINT]...'..'POINT[|POINT]...
 *	POINT	PLACE | PLACE([KEY[,cpu|pid]][,CONDITION]...[,SIZE][,FATE])
 *	SIZE	bytes=KEY | order=KEY
 *	FATE	restart | keep | forget | shared
 *	PLACE	tp:NAME | tp:MODULE:NAME | FUNCTION | FUNCTION%return | FUNCTION+OFFSET |
 *		0xADDRESS | /PATH:0xOFFSET | /PATH:0xOFFSET%return
 *
 * A target that is /PATH:0xOFFSET and nothing else is the function there, from its entry to its
 * return.
 */
#include <linux/kprobes.h>
#include <linux/string.h>
#include <trace/events/sched.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/place.h"
#include "points/point.h"

/* The end of the place at the beginning of a text, by the characters that no place contains. */
static const char *end_of_place(const char *text)
{
	size_t length = 0;

	while (text[length] && !strchr("(|)", text[length]) && !strstarts(text + length, ".."))
		length++;
	return text + length;
}

/* Parse "FUNCTION%return", or a place as in other targets. */
static int find_address(struct kprof_point *point, struct kprof_target *scratch, const char *spec)
{
	char *percent = strchr(point->place, '%');
	unsigned long offset, addr;
	const char *why;
	bool by_ftrace;
	int err;

	if (percent && strcmp(percent, "%return"))
		return kprof_refuse(-EINVAL, "target", spec, "only %%return may follow a function");
	if (percent)
		*percent = '\0';
	err = kprof_target_parse(scratch, point->place, &offset, &addr);
	if (err)
		return err;
	err = kprof_target_locate(scratch, offset, addr, &by_ftrace);
	kprof_target_settle(&scratch, 1);
	if (err)
		return kprof_target_explain(err, point->place);
	point->address = scratch->address;
	scratch->address = 0;
	why = kprof_forbidden(point->address);
	if (why)
		return kprof_refuse(-EINVAL, "target", point->place, "%s", why);
	if (percent) {
		*percent = '%';
		point->kind = KPROF_PLACE_RETURN;
		return 0;
	}
	point->kind = KPROF_PLACE_ADDRESS;
	point->nr_args = offset ? 0 : KPROF_NR_ARGS;
	return 0;
}

static void assume_words(struct kprof_point *point)
{
	u32 i;

	for (i = 0; i < KPROF_NR_ARGS; i++)
		point->arg[i].size = sizeof(u64);
}

static int find_place(struct kprof_point *point, const char *spec)
{
	struct kprof_target *target = point->target;

	if (strstarts(point->place, "tp:")) {
		point->kind = KPROF_PLACE_TRACEPOINT;
		return kprof_tracepoint_find(point, spec);
	}
	if (!strcmp(point->place, KPROF_LATE)) {
		point->kind = KPROF_PLACE_LATE;
		point->role = KPROF_POINT_WHOLE;
		return 0;
	}
	assume_words(point);
	if (*point->place == '/')
		return kprof_uprobe_find(point, spec);
	return find_address(point, target, spec);
}

static int parse_point(struct kprof_target *target, const char *spec, const char **text,
		       enum kprof_point_role role)
{
	struct kprof_points *points = target->points;
	struct kprof_point *point = &points->point[points->nr];
	const char *end = end_of_place(*text);
	size_t length = end - *text;
	int err = 0;

	/* One that was not asked for has to have room, too. */
	if (points->nr == points->room)
		return kprof_refuse(-EINVAL, "target", spec, "more than %u points",
				    points->room - (role == KPROF_POINT_FORGET));
	if (!length || length >= sizeof(point->place))
		return kprof_refuse(-EINVAL, "target", spec,
				    "at \"%.24s\": expected a point: tp:NAME, FUNCTION, FUNCTION%%return, 0xADDRESS or /PATH:0xOFFSET",
				    *text);
	strscpy(point->place, *text, length + 1);
	point->target = target;
	point->role = role;
	points->nr++;
	if (*end == '(')
		err = kprof_point_keys_parse(&point->keys, spec, end + 1, &end);
	if (role == KPROF_POINT_END && point->keys.is_forgotten)
		point->role = KPROF_POINT_FORGET;
	*text = end;
	return err ?: find_place(point, spec);
}

static int parse_list(struct kprof_target *target, const char *spec, const char **text,
		      enum kprof_point_role role)
{
	int err = parse_point(target, spec, text, role);

	while (!err && **text == '|') {
		++*text;
		err = parse_point(target, spec, text, role);
	}
	return err;
}

/* For the type check below: this argument is known without BTF. */
static void task_is_no_more(void *unused, struct task_struct *task)
{
}

/* May the joining key be a task? For a place in a function this is not known. */
static bool may_be_of_task(const struct kprof_point *point)
{
	const struct kprof_key *join = &point->keys.join;

	if (!point->keys.is_joined)
		return true;
	if (join->kind != KPROF_BY_ARG)
		return false;
	return point->kind != KPROF_PLACE_TRACEPOINT || point->arg[join->arg].is_task;
}

/**
 * kprof_points_end_of_tasks() - add the point that discards the open spans of ended tasks
 * @target:	a span; its points are known
 * @spec:	the target as it was written
 *
 * A task may end inside a span, and another task may later get the same address.
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_points_end_of_tasks(struct kprof_target *target, const char *spec)
{
	const char *text = "tp:sched_process_free";

	check_trace_callback_type_sched_process_free(task_is_no_more);
	if (!may_be_of_task(target->points->point))
		return 0;
	return parse_point(target, spec, &text, KPROF_POINT_FORGET);
}

static bool is_call(const char *spec)
{
	return *spec == '/' && !strpbrk(spec, "(|%") && !strstr(spec, "..");
}

/* A function in a program: it begins at its entry, and ends where it returns. */
static int parse_call(struct kprof_target *target, const char *spec)
{
	char ending[KPROF_SOURCE_NAME + sizeof("%return")];
	const char *text = spec;
	int err;

	target->points->is_call = true;
	err = parse_point(target, spec, &text, KPROF_POINT_BEGIN);
	if (err)
		return err;
	scnprintf(ending, sizeof(ending), "%s%%return", spec);
	text = ending;
	err = parse_point(target, spec, &text, KPROF_POINT_END);
	return err ?: kprof_points_end_of_tasks(target, spec);
}

/**
 * kprof_points_parse() - parse the points of a target, and find them
 * @target:	its points are filled in
 * @spec:	the target as it was written, without options
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_points_parse(struct kprof_target *target, const char *spec)
{
	bool is_span = strstr(spec, "..");
	const char *text = spec;
	int err;

	if (is_call(spec))
		return parse_call(target, spec);
	err = parse_list(target, spec, &text, is_span ? KPROF_POINT_BEGIN : KPROF_POINT_ALONE);
	if (!err && is_span && strstarts(text, "..")) {
		text += 2;
		err = parse_list(target, spec, &text, KPROF_POINT_END);
	}
	if (!err && *text)
		err = kprof_refuse(-EINVAL, "target", spec,
				   "at \"%.24s\": expected |, .. and where it ends, or nothing more",
				   text);
	if (!err && is_span)
		err = kprof_points_end_of_tasks(target, spec);
	return err;
}
