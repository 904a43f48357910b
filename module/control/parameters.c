// SPDX-License-Identifier: GPL-2.0-only
/*
 * parameters.c - the module parameters
 *
 * They are kept as text until the module starts, and are then handled like a write
 * to debugfs, with the same parser and the same errors.
 * /sys/module/kprof/parameters shows them as they were given.
 */
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/state.h"
#include "base/stay.h"
#include "calls/calls.h"
#include "control/parameters.h"
#include "control/settings.h"
#include "targets/targets.h"

struct parameter {
	char *text;	/* NULL: not given */
};

static char *copy_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = kvmalloc(size, GFP_KERNEL);

	return copy ? memcpy(copy, text, size) : NULL;
}

static int set_text(const char *text, const struct kernel_param *kp)
{
	struct parameter *parameter = kp->arg;
	char *copy = copy_text(text);

	if (!copy)
		return -ENOMEM;
	kvfree(parameter->text);
	parameter->text = copy;
	return 0;
}

/* For a file in sysfs, which is a page: of what is longer there is the beginning. */
static int get_text(char *buffer, const struct kernel_param *kp)
{
	const struct parameter *parameter = kp->arg;

	return scnprintf(buffer, PAGE_SIZE, "%s\n", parameter->text ?: "");
}

static void free_text(void *arg)
{
	struct parameter *parameter = arg;

	kvfree(parameter->text);
	parameter->text = NULL;
	kprof_stay_keep();
}

static const struct kernel_param_ops text_ops = {
	.set = set_text,
	.get = get_text,
	.free = free_text,
};

#define NAMED_PARAMETER(variable, name, description)			\
	static struct parameter variable;				\
	module_param_cb(name, &text_ops, &variable, 0400);		\
	MODULE_PARM_DESC(name, description)

#define PARAMETER(name, description)	NAMED_PARAMETER(name, name, description)

PARAMETER(target, "functions to watch: name, name+0x12, module:name or 0xaddress, separated by commas; tracepoints, tp:name; spans, POINT..POINT; @offcpu and the like");
PARAMETER(by, "keys that tell the calls of each target apart: by=$arg1,$retval (default none)");
NAMED_PARAMETER(condition, if, "only calls for which this holds: if=$arg2>0 (default all)");
PARAMETER(min, "only calls that take at least this long: min=10us (default all)");
PARAMETER(event, "what drives sampling: timer, none, cpu-clock, cycles, instructions, cache-misses, branch-misses or rNNN; after a counter, with commas, others to be read along; with +, what else drives it (default timer; none where only target= is given)");
PARAMETER(freq, "samples per second and CPU, 1 to 20000 (default 99)");
PARAMETER(period, "events of a counter that make a sample, 0 to 1000000000 (default 0)");
PARAMETER(max_cpu, "per cent of a CPU that sampling may take before it slows down, 1 to 100 (default 10)");
PARAMETER(pid, "only these processes or threads and their descendants (default all)");
PARAMETER(comm, "only tasks with these names, shell patterns (default all)");
PARAMETER(cpus, "only these CPUs, as 0-2,5 (default all)");
PARAMETER(idle, "1: record samples of the idle task too (default 0)");
PARAMETER(cgroups, "1: tasks are told apart by their cgroup too (default 0)");
PARAMETER(own, "a process that is left out and counted as dropped_own, as kprof's own code is then; self: who writes this (default 0: none)");
PARAMETER(stacks, "none: only the interrupted kernel function; kernel; user: those of programs; or both (default kernel)");
PARAMETER(unwind, "cache, kernel, or check both against each other (default cache)");
PARAMETER(record, "0: calls of targets have a latency and are no samples (default 1)");
PARAMETER(probe, "auto or kretprobe: how targets are watched (default auto)");
PARAMETER(clock, "auto, " KPROF_CLOCK_NAME " or mono: what calls are measured with (default auto)");
PARAMETER(depth, "frames of a stack that are kept, 1 to 127 (default 64)");
PARAMETER(max_stacks, "different stacks the table holds, 16 to 524288 (default 16384)");
PARAMETER(max_rows, "different contexts of calls that have a row, 1 to 65535 (default 512)");
PARAMETER(max_open, "spans that have begun and not ended, at once, 8 to 1048576 (default 8192)");
PARAMETER(ring_kb, "KiB of each CPU's ring, 4 to 65536 (default 256)");
PARAMETER(rules_kb, "KiB for rules that a reader provides to follow user stacks without frame pointers, 0 to 1048576; 0: none (default 32768)");
PARAMETER(maxactive, "calls of a target under way at once whose latency can be taken (default 4096)");
NAMED_PARAMETER(index_path, index, "file that `kprof index` has made, which knows what is inlined where (default /lib/modules/RELEASE/kprof.index)");
PARAMETER(enable, "1: start at load; 0: wait for enable in debugfs (default 1)");

static const struct {
	const char *name;
	struct parameter *parameter;
} given[] = {
	{ "event", &event }, { "freq", &freq }, { "period", &period },
	{ "max_cpu", &max_cpu },
	{ "pid", &pid }, { "comm", &comm },
	{ "cpus", &cpus }, { "idle", &idle }, { "cgroups", &cgroups }, { "own", &own },
	{ "stacks", &stacks },
	{ "unwind", &unwind }, { "record", &record }, { "clock", &clock },
	{ "probe", &probe },
	{ "max_rows", &max_rows }, { "max_open", &max_open },
	{ "depth", &depth }, { "max_stacks", &max_stacks },
	{ "ring_kb", &ring_kb }, { "rules_kb", &rules_kb }, { "maxactive", &maxactive },
	{ "index", &index_path },
};

/* The parsers modify their text, but the parameters must stay readable. */
static int parse_copy(const struct kprof_setting *setting, const char *text,
		      struct kprof_config *config)
{
	char *copy = copy_text(text);
	int err;

	if (!copy)
		return -ENOMEM;
	err = setting->parse(setting, config, copy);
	kvfree(copy);
	return err;
}

/**
 * kprof_parameters_parse() - apply the module parameters
 * @config:	the configuration to change
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has
 * the reason.
 */
int kprof_parameters_parse(struct kprof_config *config)
{
	const struct kprof_setting *setting;
	u32 i;
	int err;

	/* With target= and without a rate, do not sample by time. */
	if (target.text && !freq.text && !period.text)
		config->nr_events = 0;
	for (i = 0; i < ARRAY_SIZE(given); i++) {
		if (!given[i].parameter->text)
			continue;
		setting = kprof_setting_find(given[i].name);
		err = parse_copy(setting, given[i].parameter->text, config);
		if (err)
			return err;
	}
	if (freq.text && !config->nr_events)
		return kprof_refuse(-EINVAL, "freq", freq.text,
				    "contradicts event=none, which takes no samples by time; leave one of them out");
	if (freq.text && config->period)
		return kprof_refuse(-EINVAL, "period", period.text,
				    "contradicts freq=%s; leave one of them out", freq.text);
	return 0;
}

static int check_target_texts(void)
{
	const struct {
		const char *name;
		const struct parameter *parameter;
	} options[] = { { "by", &by }, { "if", &condition }, { "min", &min } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (!options[i].parameter->text)
			continue;
		if (!target.text)
			return kprof_refuse(-EINVAL, options[i].name, options[i].parameter->text,
					    "needs target= to say whose calls");
		if (strlen(options[i].parameter->text) >= KPROF_TARGET_OPTIONS)
			return kprof_refuse(-E2BIG, options[i].name, options[i].parameter->text,
					    "too long; give at most %u characters",
					    KPROF_TARGET_OPTIONS - 1);
	}
	if (target.text && strlen(target.text) > KPROF_MAX_TARGETS_TEXT)
		return kprof_refuse(-E2BIG, "target", target.text,
				    "%zu characters are too long; give at most %u, and the rest through debugfs",
				    strlen(target.text), KPROF_MAX_TARGETS_TEXT);
	return 0;
}

/* by=, if= and min= apply to each target given as a module parameter. */
static int add_with_options(char *names)
{
	char *options, *list, *name;
	const char *separators;
	size_t size, used = 0, i;
	int err = -ENOMEM, nr = 1;

	if (strpbrk(strim(names), " \t="))
		return kprof_refuse(-EINVAL, "target", names,
				    "has options of its own, and by=, if= or min= beside it; give options in one of the two");
	options = kasprintf(GFP_KERNEL, "%s%s%s%s%s%s;",
			    by.text ? " by=" : "", by.text ?: "",
			    condition.text ? " if=" : "", condition.text ?: "",
			    min.text ? " min=" : "", min.text ?: "");
	if (!options)
		return -ENOMEM;
	separators = strchr(names, '(') ? ";\n" : ",;\n";
	for (i = 0; names[i]; i++)
		nr += !!strchr(separators, names[i]);
	size = strlen(names) + nr * strlen(options) + 1;
	list = kvmalloc(size, GFP_KERNEL);
	if (list) {
		while ((name = strsep(&names, separators)))
			used += scnprintf(list + used, size - used, "%s%s", strim(name),
					  *strim(name) ? options : ";");
		err = kprof_targets_add(list);
	}
	kvfree(list);
	kfree(options);
	return err;
}

/**
 * kprof_parameters_targets() - watch the targets given as module parameters
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has
 * the reason.
 */
int kprof_parameters_targets(void)
{
	char *copy;
	int err;

	err = check_target_texts();
	if (err || !target.text)
		return err;
	copy = kstrdup(target.text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	err = by.text || condition.text || min.text ? add_with_options(copy) :
						      kprof_targets_add(copy);
	kfree(copy);
	return err;
}

/**
 * kprof_parameters_enable() - does sampling start at load
 * @start:	set to whether it does
 *
 * Context: kprof_mutex is held. Return: 0 or -EINVAL.
 */
int kprof_parameters_enable(bool *start)
{
	*start = true;
	if (enable.text && kstrtobool(enable.text, start))
		return kprof_refuse(-EINVAL, "enable", enable.text, "give 0 or 1");
	return 0;
}
