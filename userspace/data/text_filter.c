// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_filter.c - select stacks of a text of another program, by what that text tells of them
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "data/text_filter.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/scan.h"

bool text_filter_is_given(const struct data_fold_options *o)
{
	return (o->filter && filter_options_given(o->filter)) || o->query.cpus || o->query.source ||
	       o->query.context != TALLY_ANY;
}

bool text_filter_needs_bounds(const struct text_filter *t)
{
	const struct filter_options *f = t->options->filter;

	return f && f->time && strpbrk(f->time, "+%");
}

int text_filter_open(struct text_filter *t, const struct data_fold_options *options)
{
	*t = (struct text_filter){ .options = options, .to = UINT64_MAX };
	if (!options->filter)
		return EXIT_OK;
	if (filter_parse_pids(options->filter, &t->pid, &t->nr_pids))
		return EXIT_USAGE;
	return text_filter_needs_bounds(t) ? EXIT_OK : text_filter_set_bounds(t, 0, 0);
}

int text_filter_set_bounds(struct text_filter *t, uint64_t first, uint64_t last)
{
	const char *time = t->options->filter ? t->options->filter->time : NULL;

	t->from = 0;
	t->to = UINT64_MAX;
	return time ? filter_parse_time(time, first, last, &t->from, &t->to) : EXIT_OK;
}

void text_filter_close(struct text_filter *t)
{
	free(t->pid);
	*t = (struct text_filter){ 0 };
}

bool text_filter_set_kind(struct text_filter *t, enum text_kind kind)
{
	static const struct filter_options none;
	const struct filter_options *f = t->options->filter ? t->options->filter : &none;
	const bool is_perf = kind == TEXT_PERF, is_folded = kind == TEXT_FOLDED;
	const bool has_keys = kind == TEXT_BPFTRACE || kind == TEXT_BPFTRACE_JSON;
	const struct {
		const char *name;
		bool given, is_told;
		const char *lacks, *lacks_as_key;	/* for maps, whose keys have no names */
	} asked[] = {
		{ "--time", f->time, is_perf, "has no times", NULL },
		{ "--pid", f->pids.nr, is_perf, "has no process ids",
		  "does not say which of its keys are process ids" },
		{ "--cpus", t->options->query.cpus, is_perf, "has no CPUs",
		  "does not say which of its keys are CPUs" },
		{ "--source", t->options->query.source, is_perf || has_keys,
		  "does not say from which source it is", NULL },
		{ "--context", t->options->query.context != TALLY_ANY, false,
		  "has no contexts", NULL },
		{ "--cgroup", f->cgroup, is_folded, "has no cgroups", NULL },
		{ "--region", f->region, is_folded, "has no regions", NULL },
	};
	size_t i;

	t->kind = kind;
	for (i = 0; i < sizeof(asked) / sizeof(*asked) && !t->refused; i++) {
		if (!asked[i].given || asked[i].is_told)
			continue;
		t->refused = asked[i].name;
		t->lacks = has_keys && asked[i].lacks_as_key ? asked[i].lacks_as_key :
			   asked[i].lacks;
	}
	return !t->refused;
}

/* --- functions --- */

/* The length without "_[k]", "_[i]", "_[0]", ..., which say what kind of function it is. */
static size_t without_annotations(const char *text, size_t len)
{
	while (len > 4 && text[len - 1] == ']' && isalnum((unsigned char)text[len - 2]) &&
	       text[len - 3] == '[' && text[len - 4] == '_')
		len -= 4;
	return len;
}

/* "NAME+0x1f" without its offset. */
static size_t without_offset(const char *text, size_t len)
{
	size_t digits = len;

	while (digits && isxdigit((unsigned char)text[digits - 1]))
		digits--;
	return digits < len && digits > 3 && scan_ends(text, digits, "+0x") ? digits - 3 : len;
}

/* A function: "NAME+0x1f [MODULE]_[k]", or with the module apart. */
struct function {
	struct buf name, module;
};

static void add_module(struct function *f, const struct folded_frame *module)
{
	const char *text = module->text;
	size_t len = module->len;

	if (scan_ends(text, len, " (deleted)"))
		len -= strlen(" (deleted)");
	/* "[kernel.kallsyms]", "[guest.kernel.kallsyms]" or the file */
	if (scan_ends(text, len, "kernel.kallsyms]") || scan_ends(text, len, "/vmlinux"))
		buf_printf(&f->module, "[kernel]");
	else
		buf_add(&f->module, text, len);
}

static void take_function(struct function *f, const struct folded_frame *frame,
			  const struct folded_frame *module)
{
	const char *text = frame->text, *bracket;
	size_t len = without_annotations(text, frame->len);

	*f = (struct function){ { 0 }, { 0 } };
	bracket = len && text[len - 1] == ']' ? memrchr(text, '[', len) : NULL;
	if (bracket && bracket - text > 1 && bracket[-1] == ' ') {
		buf_add(&f->module, bracket, text + len - bracket);
		len = bracket - 1 - text;
	} else if (module) {
		add_module(f, module);
	} else if (memmem(text + len, frame->len - len, "_[k]", 4)) {
		buf_printf(&f->module, "[kernel]");
	}
	buf_add(&f->name, text, without_offset(text, len));
}

static void free_function(struct function *f)
{
	buf_free(&f->name);
	buf_free(&f->module);
}

/* "ext4:*" is of the module "[ext4]". */
static bool is_function(const char *list, const struct function *f)
{
	struct buf inner = { 0 };
	const char *module = f->module.len ? f->module.data : NULL;
	bool is;

	if (module && *module == '[') {
		buf_add(&inner, module + 1, strcspn(module + 1, "]"));
		module = inner.data;
	}
	is = filter_is_function(list, f->name.data, module);
	buf_free(&inner);
	return is;
}

static bool leaf_passes(struct text_filter *t, const struct function *f)
{
	const struct filter_options *o = t->options->filter;

	t->has_module |= f->module.len > 0;
	return (!o->symbol || is_function(o->symbol, f)) &&
	       (!o->module || (f->module.len && filter_is_module(o->module, f->module.data)));
}

static bool functions_pass(struct text_filter *t, const struct text_stack *s)
{
	const struct filter_options *o = t->options->filter;
	bool leaf = !o->symbol && !o->module, parent = !o->parent;
	struct function f;
	size_t i;

	for (i = s->nr; i-- > 0 && !(leaf && parent);) {
		take_function(&f, &s->frame[i], s->module ? &s->module[i] : NULL);
		if (i == s->nr - 1)
			leaf = leaf_passes(t, &f);
		else if (!parent)
			parent = is_function(o->parent, &f);
		free_function(&f);
		if (!leaf)
			return false;
	}
	return leaf && parent;
}

/* --- stacks --- */

static bool frame_matches(const char *patterns, const struct folded_frame *frame)
{
	struct buf name = { 0 };
	bool matches;

	buf_add(&name, frame->text, frame->len);
	matches = filter_matches(patterns, name.data);
	buf_free(&name);
	return matches;
}

/* "[main tid=501]" of async-profiler: take "main". */
static bool take_thread(const struct folded_frame *task, struct folded_frame *name)
{
	const char *tid = memmem(task->text, task->len, " tid=", 5);

	if (!tid || *task->text != '[' || folded_is_source(task->text, task->len))
		return false;
	*name = (struct folded_frame){
		.text = task->text + 1, .len = (uint32_t)(tid - task->text - 1),
	};
	return true;
}

/*
 * "dd", or of --by-pid and of the collapsers "dd-123" or "dd-123/124", or of async-profiler
 * "[dd tid=123]".
 */
static bool task_passes(const struct filter_options *o, const struct folded_frame *task)
{
	struct folded_frame name;
	size_t len;

	if (!task->text)
		return false;
	if (frame_matches(o->comm, task))
		return true;
	if (take_thread(task, &name))
		return frame_matches(o->comm, &name);
	for (len = task->len; len && (isdigit((unsigned char)task->text[len - 1]) ||
				      task->text[len - 1] == '/');)
		len--;
	if (len < 2 || len == task->len || task->text[len - 1] != '-')
		return false;
	name = (struct folded_frame){ .text = task->text, .len = len - 1 };
	return frame_matches(o->comm, &name);
}

static bool pid_passes(const struct text_filter *t, const struct text_stack *s)
{
	int i;

	for (i = 0; i < t->nr_pids; i++)
		if (t->pid[i] == s->pid || t->pid[i] == s->tid)
			return true;
	return !t->nr_pids;
}

/* @none: what it is called if there is none; NULL: then it does not pass. */
static bool name_passes(const char *patterns, const struct folded_frame *frame, const char *none)
{
	if (!patterns)
		return true;
	if (!frame->text)
		return none && filter_matches(patterns, none);
	return frame_matches(patterns, frame);
}

static bool places_pass(const struct filter_options *o, const struct text_stack *s)
{
	return name_passes(o->cgroup, &s->cgroup, NULL) &&
	       name_passes(o->region, &s->region, "[no region]");
}

bool text_filter_passes(struct text_filter *t, const struct text_stack *s)
{
	const struct filter_options *o = t->options->filter;
	const struct cpus *cpus = t->options->query.cpus;

	t->seen++;
	t->has_time |= s->has_time;
	t->has_pid |= s->has_pid;
	t->has_cpu |= s->has_cpu;
	t->has_cgroup |= !!s->cgroup.text;
	t->has_region |= !!s->region.text;
	if (cpus && !(s->has_cpu && cpus_has(cpus, s->cpu)))
		return false;
	return !o || (s->time >= t->from && s->time <= t->to && pid_passes(t, s) &&
		      (!o->comm || task_passes(o, &s->task)) && places_pass(o, s) &&
		      functions_pass(t, s));
}

/* If the frame begins with that, take what follows. */
static bool take_behind(const struct folded_frame *frame, const char *text,
			struct folded_frame *rest)
{
	size_t len = strlen(text);

	if (frame->len < len || memcmp(frame->text, text, len))
		return false;
	*rest = (struct folded_frame){ .text = frame->text + len, .len = frame->len - len };
	return true;
}

bool text_filter_passes_folded(struct text_filter *t, const struct folded_frame *frame, size_t nr)
{
	struct text_stack s = { .nr = 0 };
	size_t i = 0;

	/* Before the task, the source "[timer]", and the cgroup; behind it, the region. */
	while (i + 1 < nr &&
	       (folded_is_source(frame[i].text, frame[i].len) ||
		take_behind(&frame[i], "cgroup:", &s.cgroup)))
		i++;
	if (i < nr)
		s.task = frame[i++];
	if (i < nr && take_behind(&frame[i], "region:", &s.region))
		i++;
	if (i < nr) {
		s.frame = frame + i;
		s.nr = nr - i;
	}
	return text_filter_passes(t, &s);
}

bool text_filter_passes_event(struct text_filter *t, const char *event, size_t len)
{
	const char *source = t->options->query.source;
	bool passes = !source || (len == strlen(source) && !memcmp(event, source, len));

	t->seen++;
	t->has_event |= passes;
	return passes;
}

int text_filter_check(const struct text_filter *t, const char *name)
{
	const struct filter_options *o = t->options->filter;

	if (t->refused)
		return msg_usage("%s: '%s' is %s, which %s", t->refused, name,
				 text_kind_name(t->kind), t->lacks);
	if (!t->seen)
		return EXIT_OK;		/* that there are no stacks is said elsewhere */
	if (t->options->query.source && !t->has_event)
		return msg_error("--source: '%s' is no event of %s", t->options->query.source,
				 name);
	if (o && o->time && !t->has_time)
		return msg_usage("--time: '%s' is %s in which no sample has a time; 'perf script -F "
				 "+time' prints it", name, text_kind_name(t->kind));
	if (t->nr_pids && !t->has_pid)
		return msg_usage("--pid: '%s' is %s in which no sample has a process id; 'perf script "
				 "-F +pid,+tid' prints it", name, text_kind_name(t->kind));
	if (t->options->query.cpus && !t->has_cpu)
		return msg_usage("--cpus: '%s' is %s in which no sample has a CPU; 'perf script -F "
				 "+cpu' prints it", name, text_kind_name(t->kind));
	if (o && o->cgroup && !t->has_cgroup)
		return msg_usage("--cgroup: '%s' is %s in which no stack has a cgroup; 'kprof fold "
				 "--cgroups' writes them", name, text_kind_name(t->kind));
	if (o && o->region && !t->has_region)
		return msg_usage("--region: '%s' is %s in which no stack has a region; 'kprof fold "
				 "--regions' writes them", name, text_kind_name(t->kind));
	if (o && o->module && !t->has_module)
		return msg_usage("--module: '%s' is %s in which no innermost function has a module",
				 name, text_kind_name(t->kind));
	return EXIT_OK;
}
