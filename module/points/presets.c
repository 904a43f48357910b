// SPDX-License-Identifier: GPL-2.0-only
/*
 * presets.c - targets that have a name: what users know as tools, as lines of data
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/error.h"
#include "points/presets.h"

#define MAX_OFFSETS	5

/**
 * struct preset - a target that has a name
 * @name:	the name, without "@"
 * @points:	what it stands for
 * @keys:	the keys that it has where none are given; a format for offsets
 * @offset:	of fields, in the order of the format
 */
struct preset {
	const char *name;
	const char *points;
	const char *keys;
	size_t offset[MAX_OFFSETS];
};

static const struct preset presets[] = {
	{
		.name = "offcpu",
		.points = "tp:sched_switch($arg2,state!=dead)..tp:sched_switch($arg3)",
		.keys = "state",
	}, {
		.name = "runqueue",
		.points = "tp:sched_wakeup($arg1)|tp:sched_wakeup_new($arg1)|tp:sched_switch($arg2,state==preempted)..tp:sched_switch($arg3)",
		.keys = "state,end(current)",
	}, {
		.name = "wakeup",
		.points = "tp:sched_waking($arg1)",
		.keys = "comm,current",
	}, {
		.name = "syscalls",
		.points = "tp:sys_enter..tp:sys_exit",
		.keys = "syscall,end(errno($arg2))",
	}, {
		.name = "irq",
		.points = "tp:irq_handler_entry(cpu)..tp:irq_handler_exit(cpu)",
		.keys = "$arg1,+0(+%zu($arg2)):string",
		.offset = { offsetof(struct irqaction, name) },
	}, {
		.name = "softirq",
		.points = "tp:softirq_entry(cpu)..tp:softirq_exit(cpu)",
		.keys = "$arg1",
	}, {
		.name = "block",
		.points = "tp:block_rq_issue($arg1)..tp:block_rq_complete($arg1)",
		.keys = "+%zu(+%zu(+%zu($arg1))):string,+%zu($arg1):u8,log2(+%zu($arg1):u32)",
		.offset = {
			offsetof(struct gendisk, disk_name), offsetof(struct request_queue, disk),
			offsetof(struct request, q), offsetof(struct request, cmd_flags),
			offsetof(struct request, __data_len),
		},
	}, {
		.name = "block_queue",
		.points = "tp:block_rq_insert($arg1)..tp:block_rq_issue($arg1)",
		.keys = "+%zu(+%zu(+%zu($arg1))):string,+%zu($arg1):u8,log2(+%zu($arg1):u32)",
		.offset = {
			offsetof(struct gendisk, disk_name), offsetof(struct request_queue, disk),
			offsetof(struct request, q), offsetof(struct request, cmd_flags),
			offsetof(struct request, __data_len),
		},
	}, {
		.name = "locks",
		.points = "tp:contention_begin..tp:contention_end",
		.keys = "$arg2:x32,stack",
	},
};

static const struct preset *find(const char *name)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(presets); i++)
		if (!strcmp(presets[i].name, name + 1))
			return &presets[i];
	return NULL;
}

/**
 * kprof_preset_is() - is a target one that has a name
 * @name:	as it was written
 *
 * Context: any. Return: whether it is to be one.
 */
bool kprof_preset_is(const char *name)
{
	return *name == '@';
}

/**
 * kprof_preset_points() - what a name stands for
 * @name:	"@offcpu" and the like
 * @points:	where the answer goes
 *
 * Context: kprof_mutex is held. Return: 0, or -ENOENT with the reason told by
 * kprof_refuse().
 */
int kprof_preset_points(const char *name, const char **points)
{
	const struct preset *preset = find(name);
	char names[160] = "";
	u32 i;

	if (preset) {
		*points = preset->points;
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		strlcat(names, i ? ", @" : "@", sizeof(names));
		strlcat(names, presets[i].name, sizeof(names));
	}
	return kprof_refuse(-ENOENT, "target", name, "no such name; there are %s", names);
}

/**
 * kprof_preset_keys() - the keys of a name, where none are given
 * @name:	"@offcpu" and the like
 * @text:	where they go
 * @size:	of it
 *
 * Context: any.
 */
void kprof_preset_keys(const char *name, char *text, size_t size)
{
	const struct preset *preset = find(name);
	const size_t *at = preset ? preset->offset : NULL;

	*text = '\0';
	if (preset)
		scnprintf(text, size, preset->keys, at[0], at[1], at[2], at[3], at[4]);
}
