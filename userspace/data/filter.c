// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - select samples of a recording by time, task, region and function
 *
 * The names of tasks, and stacks, are matched once each, not once per sample.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "data/cgroups.h"
#include "data/filter.h"
#include "data/frames.h"
#include "data/missed.h"
#include "data/regions.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/pid.h"

enum { UNKNOWN, PASSES, FAILS };

const char *filter_options_given(const struct filter_options *o)
{
	return o->time || o->comm || o->cgroup || o->region || o->symbol || o->module ||
	       o->parent || o->pids.nr ?
	       "--time, --pid, --comm, --cgroup, --region, --symbol, --module and --parent" : NULL;
}

bool filter_options_of_stacks(const struct filter_options *o)
{
	return o->symbol || o->module || o->parent;
}

/* --- names --- */

bool filter_matches(const char *list, const char *name)
{
	char pattern[256];
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, ",");
		snprintf(pattern, sizeof(pattern), "%.*s", (int)len, list);
		/* Compare as text, too: "[user]" is a name, but not as a pattern. */
		if (!strcmp(pattern, name) || !fnmatch(pattern, name, 0))
			return true;
		if (!list[len])
			return false;
	}
}

/* "vfs_*" matches in the kernel and in all modules, "ext4:*" in that module only. */
bool filter_is_function(const char *list, const char *name, const char *module)
{
	struct buf full = { 0 };
	bool is = filter_matches(list, name);

	if (!is && module) {
		buf_printf(&full, "%s:%s", module, name);
		is = filter_matches(list, full.data);
		buf_free(&full);
	}
	return is;
}

/* With --srcline, a function has a name with its line, too: any of them will do. */
static bool is_frame(const char *list, const struct frame *frame)
{
	return filter_is_function(list, frame->function, frame->module) ||
	       (frame->name != frame->function &&
		filter_is_function(list, frame->name, frame->module));
}

bool filter_is_module(const char *list, const char *module)
{
	const char *base = strrchr(module, '/');
	struct buf inner = { 0 };
	bool is = filter_matches(list, module) || (base && filter_matches(list, base + 1));

	if (!is && *module == '[') {
		buf_printf(&inner, "%.*s", (int)strcspn(module + 1, "]"), module + 1);
		is = filter_matches(list, inner.data);
		buf_free(&inner);
	}
	return is;
}

/* Does the innermost function match? */
static bool leaf_matches(const struct filter_options *o, const struct frame *frame)
{
	return (!o->symbol || is_frame(o->symbol, frame)) &&
	       (!o->module || filter_is_module(o->module, frame_module(frame)));
}

/*
 * Do the stacks of a sample match? The innermost function is the first one of the kernel stack; of
 * a task that waits, the first one outside of the scheduler.
 */
static bool stacks_match(struct filter *f, const struct kprof_stack *kernel,
			 const struct kprof_stack *user, bool waits)
{
	const struct kprof_stack *part[] = { kernel, user };
	bool symbol = !f->options->symbol && !f->options->module;
	bool parent = !f->options->parent, leaf = true;
	const struct frame *frame;
	size_t nr, k;
	int i, p;

	for (p = 0; p < 2; p++) {
		for (i = 0; part[p] && i < part[p]->nr && !(symbol && parent); i++) {
			frame = frames_at(f->data, part[p]->ip[i] - !!i, &nr);
			for (k = 0; k < nr; k++) {
				if (waits && leaf && strstr(frame[k].name, "schedule"))
					continue;
				if (leaf && !symbol)
					symbol = leaf_matches(f->options, &frame[k]);
				else if (!leaf && !parent)
					parent = is_frame(f->options->parent, &frame[k]);
				leaf = false;
			}
		}
	}
	return symbol && parent;
}

/* --- records --- */

static const struct kprof_stack *stack_at(const struct filter *f, uint32_t id)
{
	return id < f->data->nr_stacks ? f->data->stack[id] : NULL;
}

bool filter_passes_stacks(struct filter *f, const struct kprof_record *rec, bool waits)
{
	uint32_t kernel_id = KPROF_KEY_KSTACK(rec->key), user_id = KPROF_KEY_USTACK(rec->key), id;
	const struct kprof_stack *kernel = stack_at(f, kernel_id), *user = stack_at(f, user_id);
	const char *none = missed_name(rec->info);
	unsigned char *known;

	if (!f->active || !filter_options_of_stacks(f->options))
		return true;
	if (!none)
		none = rec->info & KPROF_INFO_USER ? "[user]" : "[no stack]";
	if (!kernel && !user)
		return !f->options->parent &&
		       (!f->options->symbol || filter_matches(f->options->symbol, none)) &&
		       (!f->options->module || filter_is_module(f->options->module, none));
	/* The result depends on both stacks, so it cannot be cached for one of them. */
	if (kernel && user)
		return stacks_match(f, kernel, user, waits);
	id = kernel ? kernel_id : user_id;
	known = &f->stack[2ul * id + waits];
	if (*known == UNKNOWN)
		*known = stacks_match(f, kernel, user, waits) ? PASSES : FAILS;
	return *known == PASSES;
}

static bool task_matches(const struct filter *f, uint32_t id)
{
	const struct filter_options *o = f->options;

	return (!o->comm || filter_matches(o->comm, f->data->task[id].comm)) &&
	       (!o->cgroup || filter_matches(o->cgroup, cgroups_name(f->data, id)));
}

static bool task_passes(struct filter *f, const struct kprof_record *rec)
{
	uint32_t id = KPROF_KEY_TASK(rec->key);

	if (!f->options->comm && !f->options->cgroup)
		return true;
	if (id >= f->data->nr_tasks)
		return false;
	if (f->task[id] == UNKNOWN)
		f->task[id] = task_matches(f, id) ? PASSES : FAILS;
	return f->task[id] == PASSES;
}

static bool region_passes(struct filter *f, const struct kprof_record *rec)
{
	uint32_t region;

	if (!f->options->region)
		return true;
	region = regions_at(f->data, rec->pid, rec->time);
	if (f->region[region] == UNKNOWN)
		f->region[region] = filter_matches(f->options->region,
						   regions_name(f->data, region)) ?
				    PASSES : FAILS;
	return f->region[region] == PASSES;
}

static bool pid_passes(const struct filter *f, const struct kprof_record *rec)
{
	uint32_t id = KPROF_KEY_TASK(rec->key);
	int i;

	for (i = 0; i < f->nr_pids; i++)
		if (f->pid[i] == rec->pid ||
		    (id < f->data->nr_tasks && f->pid[i] == f->data->task[id].tgid))
			return true;
	return !f->nr_pids;
}

bool filter_passes_task(struct filter *f, const struct kprof_record *rec)
{
	return !f->active || (pid_passes(f, rec) && task_passes(f, rec));
}

bool filter_passes(struct filter *f, const struct kprof_record *rec)
{
	return !f->active || (rec->time >= f->from && rec->time <= f->to &&
			      filter_passes_task(f, rec) && region_passes(f, rec) &&
			      filter_passes_stacks(f, rec, false));
}

/* --- options --- */

static void find_bounds(const struct data *d, uint64_t *first, uint64_t *last)
{
	size_t c, i;

	*first = UINT64_MAX;
	*last = 0;
	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			const struct kprof_record *rec = &d->chunk[c].rec[i];

			if (data_is_addition(rec))
				continue;
			*first = rec->time < *first ? rec->time : *first;
			*last = rec->time > *last ? rec->time : *last;
		}
	if (*first > *last)
		*first = *last;
}

/* A time: "12.5" of the clock, "+2" after the beginning, or "10%" of the recording. */
static bool take_moment(const char **text, uint64_t first, uint64_t last, uint64_t *moment)
{
	bool behind = **text == '+';
	double value, ns;

	*text += behind;
	if (!number_take_real(text, &value) || value < 0)
		return false;
	if (!behind && **text == '%') {
		++*text;
		ns = first + value / 100 * (last - first);
	} else {
		ns = 1e9 * value + (behind ? first : 0);
	}
	*moment = ns < 0x1p63 ? (uint64_t)(ns + 0.5) : (uint64_t)1 << 63;
	return true;
}

int filter_parse_time(const char *text, uint64_t first, uint64_t last, uint64_t *from, uint64_t *to)
{
	const char *p = text;

	if ((*p != ',' && !take_moment(&p, first, last, from)) || *p++ != ',' ||
	    (*p && !take_moment(&p, first, last, to)) || *p || *from > *to)
		return msg_usage("--time: '%s' is no FROM,TO: seconds as 'kprof script' prints them, "
				 "+SECONDS since the first sample, or PERCENT%% of the recording, "
				 "either of which may be left out", text);
	return EXIT_OK;
}

int filter_parse_pids(const struct filter_options *options, uint32_t **pid, int *nr)
{
	const struct opt_list *list = &options->pids;
	int i;

	*pid = mem_zalloc(list->nr, sizeof(**pid));
	*nr = 0;
	for (i = 0; i < list->nr; i++) {
		if (!pid_parse(list->item[i], &(*pid)[*nr]))
			return msg_usage("--pid: '%s' is no process or thread id", list->item[i]);
		++*nr;
	}
	return EXIT_OK;
}

static int parse_time(struct filter *f)
{
	uint64_t first, last;

	if (!f->options->time)
		return EXIT_OK;
	/* If there are no records, the bounds do not matter. */
	find_bounds(f->data, &first, &last);
	return filter_parse_time(f->options->time, first, last, &f->from, &f->to);
}

int filter_open(struct filter *f, struct data *d, const struct filter_options *options,
		const char *name)
{
	*f = (struct filter){
		.data = d, .options = options, .to = UINT64_MAX,
		.active = filter_options_given(options),
	};
	if (!f->active)
		return EXIT_OK;
	f->task = mem_zalloc(d->nr_tasks, 1);
	f->stack = mem_zalloc(d->nr_stacks, 2);
	if (filter_parse_pids(options, &f->pid, &f->nr_pids))
		return EXIT_USAGE;
	if ((options->cgroup && cgroups_check(d, name)) ||
	    (options->region && regions_open(d, name)))
		return EXIT_ERROR;
	f->region = mem_zalloc(regions_nr(d), 1);
	return parse_time(f);
}

void filter_close(struct filter *f)
{
	free(f->pid);
	free(f->task);
	free(f->stack);
	free(f->region);
	*f = (struct filter){ 0 };
}
