// SPDX-License-Identifier: GPL-2.0-only
/*
 * settings.c - the table of parameters: names, ranges, parsers and printers
 *
 * A new parameter is a field of struct kprof_config, a line in the table below
 * and one in parameters.c.
 */
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/ids.h"
#include "control/settings.h"
#include "sources/sources.h"

static const char * const stacks_names[] = {
	[KPROF_STACKS_NONE] = "none",
	[KPROF_STACKS_KERNEL] = "kernel",
	[KPROF_STACKS_USER] = "user",
	[KPROF_STACKS_BOTH] = "both",
	NULL
};

static const char * const unwind_names[] = {
	[KPROF_UNWIND_CACHE] = "cache",
	[KPROF_UNWIND_KERNEL] = "kernel",
	[KPROF_UNWIND_CHECK] = "check",
	NULL
};

static const char * const clock_names[] = {
	[KPROF_CLOCK_AUTO] = "auto",
#ifdef CONFIG_X86
	[KPROF_CLOCK_COUNTER] = "tsc",
#else
	[KPROF_CLOCK_COUNTER] = "cntvct",
#endif
	[KPROF_CLOCK_MONO] = "mono",
	NULL
};

static const char * const probe_names[] = {
	[KPROF_PROBES_AUTO] = "auto",
	[KPROF_PROBES_KRETPROBE] = "kretprobe",
	NULL
};

static u32 *value_of(const struct kprof_setting *setting, struct kprof_config *config)
{
	return (u32 *)((char *)config + setting->offset);
}

static int parse_number(const struct kprof_setting *setting, struct kprof_config *config,
			char *text)
{
	u32 value;

	if (kstrtou32(text, 0, &value))
		return kprof_refuse(-EINVAL, setting->name, text,
				    "not a number; give %u to %u",
				    setting->min, setting->max);
	if (value < setting->min || value > setting->max)
		return kprof_refuse(-ERANGE, setting->name, text,
				    "out of range; give %u to %u",
				    setting->min, setting->max);
	*value_of(setting, config) = value;
	return 0;
}

/* An id is one of the writer's PID namespace; what is kept is that in the initial one. */
static int parse_id(const struct kprof_setting *setting, const char *text, u32 *id,
		    const char *right)
{
	int err = kprof_id_parse(text, id);

	if (err == -ESRCH)
		return kprof_refuse(err, setting->name, text,
				    "not in this PID namespace: it has no process or thread of that id; give one that ps shows here");
	return err ? kprof_refuse(err, setting->name, text, "%s", right) : 0;
}

static int parse_process(const struct kprof_setting *setting, struct kprof_config *config,
			 char *text)
{
	u32 process = 0;
	int err = 0;

	if (!strcmp(text, "self"))
		process = task_tgid_nr(current);
	else if (kstrtou32(text, 0, &process) || process)
		err = parse_id(setting, text, &process,
			       "not a process; give its id, self for the one that writes this, or 0 for none");
	if (!err)
		*value_of(setting, config) = process;
	return err;
}

static void show_process(const struct kprof_setting *setting,
			 const struct kprof_config *config, struct seq_file *seq)
{
	u32 process = *value_of(setting, (struct kprof_config *)config);
	char text[KPROF_ID_TEXT] = "0";

	if (process)
		kprof_id_print_for_reader(process, text);
	seq_puts(seq, text);
}

static void show_number(const struct kprof_setting *setting,
			const struct kprof_config *config, struct seq_file *seq)
{
	seq_printf(seq, "%u", *value_of(setting, (struct kprof_config *)config));
}

static int find_choice(const struct kprof_setting *setting, const char *text)
{
	char names[128] = "";
	int i;

	for (i = 0; setting->choice[i]; i++) {
		if (!strcmp(text, setting->choice[i]))
			return i;
		strlcat(names, i ? ", " : "", sizeof(names));
		strlcat(names, setting->choice[i], sizeof(names));
	}
	return kprof_refuse(-EINVAL, setting->name, text, "unknown; give one of: %s", names);
}

static int parse_choice(const struct kprof_setting *setting, struct kprof_config *config,
			char *text)
{
	int choice = find_choice(setting, text);

	if (choice < 0)
		return choice;
	*value_of(setting, config) = choice;
	return 0;
}

static void show_choice(const struct kprof_setting *setting,
			const struct kprof_config *config, struct seq_file *seq)
{
	seq_puts(seq, setting->choice[*value_of(setting, (struct kprof_config *)config)]);
}

static int parse_events(const struct kprof_setting *setting, struct kprof_config *config,
			char *text)
{
	return kprof_events_parse(config, text);
}

static void show_events(const struct kprof_setting *setting,
			const struct kprof_config *config, struct seq_file *seq)
{
	char names[KPROF_EVENT_NAMES];

	kprof_event_names(config, names);
	seq_puts(seq, names);
}

static int parse_pids(const struct kprof_setting *setting, struct kprof_config *config,
		      char *text)
{
	u32 nr = 0, pid;
	char *item;
	int err;

	while ((item = strsep(&text, ","))) {
		if (!*item)
			continue;
		err = parse_id(setting, item, &pid,
			       "not a process id; give numbers from 1 on, separated by commas");
		if (err)
			return err;
		if (nr == KPROF_MAX_PIDS)
			return kprof_refuse(-E2BIG, setting->name, item,
					    "too many; give at most %u", KPROF_MAX_PIDS);
		config->pid[nr++] = pid;
	}
	config->nr_pids = nr;
	return 0;
}

static void show_pids(const struct kprof_setting *setting,
		      const struct kprof_config *config, struct seq_file *seq)
{
	char text[KPROF_ID_TEXT];
	u32 i;

	for (i = 0; i < config->nr_pids; i++) {
		kprof_id_print_for_reader(config->pid[i], text);
		seq_printf(seq, "%s%s", i ? "," : "", text);
	}
}

static int parse_comms(const struct kprof_setting *setting, struct kprof_config *config,
		       char *text)
{
	char *item;
	u32 nr = 0;

	while ((item = strsep(&text, ","))) {
		if (!*item)
			continue;
		if (nr == KPROF_MAX_COMMS)
			return kprof_refuse(-E2BIG, setting->name, item,
					    "too many; give at most %u", KPROF_MAX_COMMS);
		if (strscpy(config->comm[nr++], item, KPROF_MAX_COMM_PATTERN) < 0)
			return kprof_refuse(-EINVAL, setting->name, item,
					    "too long; a task's name has at most %u characters, a pattern %u",
					    TASK_COMM_LEN - 1, KPROF_MAX_COMM_PATTERN - 1);
	}
	config->nr_comms = nr;
	return 0;
}

static void show_comms(const struct kprof_setting *setting,
		       const struct kprof_config *config, struct seq_file *seq)
{
	u32 i;

	for (i = 0; i < config->nr_comms; i++)
		seq_printf(seq, "%s%s", i ? "," : "", config->comm[i]);
}

static int parse_cpus(const struct kprof_setting *setting, struct kprof_config *config,
		      char *text)
{
	if (!*text || !strcmp(text, "all")) {
		cpumask_copy(&config->cpus, cpu_possible_mask);
		return 0;
	}
	if (cpulist_parse(text, &config->cpus))
		return kprof_refuse(-EINVAL, setting->name, text,
				    "not a list of CPUs; give it as 0-2,5 does, from 0 to %u, or all",
				    nr_cpu_ids - 1);
	if (!cpumask_intersects(&config->cpus, cpu_possible_mask))
		return kprof_refuse(-ERANGE, setting->name, text,
				    "none of these CPUs is there; give some of %*pbl, or all",
				    cpumask_pr_args(cpu_possible_mask));
	cpumask_and(&config->cpus, &config->cpus, cpu_possible_mask);
	return 0;
}

static void show_cpus(const struct kprof_setting *setting,
		      const struct kprof_config *config, struct seq_file *seq)
{
	seq_printf(seq, "%*pbl", cpumask_pr_args(&config->cpus));
}

static int parse_index(const struct kprof_setting *setting, struct kprof_config *config,
		       char *text)
{
	if (*text && *text != '/')
		return kprof_refuse(-EINVAL, setting->name, text,
				    "not the path of a file from / on; give it as /tmp/kprof.index");
	if (strscpy(config->index, text, sizeof(config->index)) < 0)
		return kprof_refuse(-ENAMETOOLONG, setting->name, text,
				    "too long; a path has at most %zu characters",
				    sizeof(config->index) - 1);
	return 0;
}

static void show_index(const struct kprof_setting *setting,
		       const struct kprof_config *config, struct seq_file *seq)
{
	seq_puts(seq, config->index);
}

/* Asking for the counter where there is none is an error; "auto" never is. */
static int parse_clock(const struct kprof_setting *setting, struct kprof_config *config,
		       char *text)
{
	int err = parse_choice(setting, config, text);

	if (!err && config->clock == KPROF_CLOCK_COUNTER && !kprof_clock_has_counter())
		return kprof_refuse(-ENODEV, setting->name, text,
				    "this machine's counter is not stable; give auto or mono");
	return err;
}

static int parse_cgroups(const struct kprof_setting *setting, struct kprof_config *config,
			 char *text)
{
	int err = parse_number(setting, config, text);

	if (!err && config->cgroups && !IS_ENABLED(CONFIG_CGROUPS))
		return kprof_refuse(-ENODEV, setting->name, text,
				    "this kernel has no cgroups; give 0, or take one with CONFIG_CGROUPS");
	return err;
}

#define NUMBER(field, least, most, is_size) {				\
	.name = #field, .offset = offsetof(struct kprof_config, field),	\
	.min = least, .max = most, .sizes = is_size,			\
	.parse = parse_number, .show = show_number,			\
}

#define CHOICE(field, names) {						\
	.name = #field, .offset = offsetof(struct kprof_config, field),	\
	.choice = names, .parse = parse_choice, .show = show_choice,	\
}

const struct kprof_setting kprof_settings[] = {
	{ .name = "event", .parse = parse_events, .show = show_events },
	NUMBER(freq, 1, 20000, false),
	NUMBER(period, 0, 1000000000, false),
	NUMBER(max_cpu, 1, 100, false),
	{ .name = "pid", .parse = parse_pids, .show = show_pids },
	{ .name = "comm", .parse = parse_comms, .show = show_comms },
	{ .name = "cpus", .parse = parse_cpus, .show = show_cpus },
	NUMBER(idle, 0, 1, false),
	{ .name = "cgroups", .offset = offsetof(struct kprof_config, cgroups),
	  .max = 1, .parse = parse_cgroups, .show = show_number },
	{ .name = "own", .offset = offsetof(struct kprof_config, own),
	  .parse = parse_process, .show = show_process },
	CHOICE(stacks, stacks_names),
	CHOICE(unwind, unwind_names),
	CHOICE(probe, probe_names),
	NUMBER(record, 0, 1, false),
	{ .name = "clock", .offset = offsetof(struct kprof_config, clock),
	  .choice = clock_names, .parse = parse_clock, .show = show_choice },
	NUMBER(depth, 1, KPROF_MAX_DEPTH, true),
	NUMBER(max_stacks, 16, (1 << KPROF_KSTACK_BITS) / 2, true),
	NUMBER(max_rows, 1, KPROF_MAX_ROWS, true),
	NUMBER(max_open, 8, 1048576, false),
	NUMBER(ring_kb, 4, 65536, true),
	NUMBER(rules_kb, 0, 1048576, false),
	NUMBER(maxactive, 1, 65536, false),
	{ .name = "index", .parse = parse_index, .show = show_index },
};

const u32 kprof_nr_settings = ARRAY_SIZE(kprof_settings);

/**
 * kprof_config_default() - set the default configuration
 * @config:	the configuration to fill in
 *
 * Context: kprof_mutex is held.
 */
void kprof_config_default(struct kprof_config *config)
{
	*config = (struct kprof_config) {
		.freq = 99,
		.max_cpu = 10,
		.stacks = KPROF_STACKS_KERNEL,
		.unwind = KPROF_UNWIND_CACHE,
		.record = 1,
		.depth = 64,
		.max_stacks = 16384,
		.max_rows = 512,
		.max_open = 8192,
		.ring_kb = 256,
		.rules_kb = 32768,
		.maxactive = 4096,
	};
	kprof_events_default(config);
	cpumask_copy(&config->cpus, cpu_possible_mask);
}

/**
 * kprof_setting_find() - find a parameter by name
 * @name:	its name
 *
 * Context: any. Return: the parameter, NULL if there is none.
 */
const struct kprof_setting *kprof_setting_find(const char *name)
{
	u32 i;

	for (i = 0; i < kprof_nr_settings; i++)
		if (!strcmp(kprof_settings[i].name, name))
			return &kprof_settings[i];
	return NULL;
}
