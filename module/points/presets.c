// SPDX-License-Identifier: GPL-2.0-only
/*
 * presets.c - the table of predefined targets, many of them known to users as tools
 */
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "base/error.h"
#include "calls/calls.h"
#include "points/point.h"
#include "points/presets.h"
#include "symbols/symbols.h"

#define MAX_OFFSETS	8

/**
 * struct preset - a predefined target
 * @name:	its name, without "@"
 * @points:	its points, as a format for the offset of @member, or for the first @offset if
 *		there is no member; NULL: a function's calls
 * @function:	that function
 * @keys:	its keys if none are given, as a format for @offset
 * @structure:	a structure not visible to modules; BTF has the offset of @member in it
 * @member:	the member
 * @offset:	offsets of fields, and a mask of flags, in the order of the format
 */
struct preset {
	const char *name;
	const char *points;
	const char *function;
	const char *keys;
	const char *structure;
	const char *member;
	size_t offset[MAX_OFFSETS];
};

/* A request that is merged into another one is no request any more. */
#define BLOCK_ENDS	"tp:block_rq_complete($arg1)|tp:block_rq_merge($arg1,forget)"

/*
 * The disk, the operation, the size; and of each request alone its place and exact size. They are
 * read at the end: while it queues, a request grows.
 */
#define BLOCK_KEYS \
	.keys = "end(+%zu(+%zu(+%zu($arg1))):string),end(+%zu($arg1)&%#zx:u32),end(log2(+%zu($arg1):u32))," \
		"each(+%zu($arg1):u64),each(+%zu($arg1):u32)", \
	.offset = { \
		offsetof(struct gendisk, disk_name), offsetof(struct request_queue, disk), \
		offsetof(struct request, q), offsetof(struct request, cmd_flags), \
		(__force size_t)(REQ_OP_MASK | REQ_SYNC | REQ_META | REQ_FUA | REQ_PREFLUSH | \
				 REQ_RAHEAD), \
		offsetof(struct request, __data_len), \
		offsetof(struct request, __sector), offsetof(struct request, __data_len), \
	}

static const struct preset presets[] = {
	{
		.name = "offcpu",
		.points = "tp:sched_switch($arg2,state!=dead)..tp:sched_switch($arg3)",
		.keys = "state",
	}, {
		.name = "runqueue",
		/* Preempted or throttled: it is not blocked. */
		.points = "tp:sched_wakeup($arg1)|tp:sched_wakeup_new($arg1)|tp:sched_switch($arg2,state<=throttled)..tp:sched_switch($arg3)",
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
		.name = "irqsoff",
		.points = KPROF_LATE,
		.keys = "stack",
	}, {
		.name = "block",
		.points = "tp:block_rq_insert($arg1)|tp:block_rq_issue($arg1,restart).." BLOCK_ENDS,
		BLOCK_KEYS,
	}, {
		.name = "block_queue",
		.points = "tp:block_rq_insert($arg1)..tp:block_rq_issue($arg1)|tp:block_rq_merge($arg1,forget)",
		BLOCK_KEYS,
	}, {
		.name = "block_total",
		.points = "tp:block_rq_insert($arg1)|tp:block_rq_issue($arg1,keep).." BLOCK_ENDS,
		BLOCK_KEYS,
	}, {
		.name = "locks",
		.points = "tp:contention_begin($arg1,pid,keep)..tp:contention_end($arg1,pid)",
		.keys = "$arg2:x32,stack",
	}, {
		/* Flags of 1, 3 and 5 are locks that spin: nobody is woken. */
		.name = "holders",
		.points = "tp:contention_begin(pid,$arg2!=1,$arg2!=3,$arg2!=5,keep)..tp:sched_waking(+%zu($arg1):u32,shared)|tp:contention_end(pid,context==0,shared)",
		.keys = "$arg2:x32,stack,end(current),end(stack)",
		.offset = { offsetof(struct task_struct, pid) },
	}, {
		.name = "alloc",
		.points = "tp:kmalloc($arg2,$arg2>16,bytes=$arg4)|tp:kmem_cache_alloc($arg2,$arg2>16,bytes=+%zu($arg3):u32)..tp:kfree($arg2,$arg2>16)|tp:kmem_cache_free($arg2)",
		.keys = "stack",
		.structure = "kmem_cache",
		.member = "size",
	}, {
		.name = "pages",
		.points = "tp:mm_page_alloc($arg1,$arg1!=0,order=$arg2)..tp:mm_page_free($arg1)",
		.keys = "stack",
	}, {
		.name = "faults",
		.function = KPROF_FAULT_FUNCTION,
		.keys = "fault",
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
 * kprof_preset_is() - does a target have the form of a predefined one
 * @name:	the target as it was written
 *
 * Context: any. Return: whether it does.
 */
bool kprof_preset_is(const char *name)
{
	return *name == '@';
}

/**
 * kprof_preset_function() - the function whose calls a predefined target watches
 * @name:	any target without its options
 *
 * Context: any. Return: the function; NULL if the target is not predefined, or has points.
 */
const char *kprof_preset_function(const char *name)
{
	const struct preset *preset = kprof_preset_is(name) ? find(name) : NULL;

	return preset ? preset->function : NULL;
}

static int refuse_name(const char *name)
{
	char names[200] = "";
	u32 i;

	for (i = 0; i < ARRAY_SIZE(presets); i++) {
		strlcat(names, i ? ", @" : "@", sizeof(names));
		strlcat(names, presets[i].name, sizeof(names));
	}
	return kprof_refuse(-ENOENT, "target", name, "no such name; there are %s", names);
}

/**
 * kprof_preset_points() - the points of a predefined target
 * @name:	"@offcpu" and the like, but not one that watches a function's calls
 * @points:	where they go
 * @size:	size of @points
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_preset_points(const char *name, char *points, size_t size)
{
	const struct preset *preset = find(name);
	const struct kprof_btf *btf;
	int offset;

	if (!preset)
		return refuse_name(name);
	offset = preset->offset[0];
	if (preset->structure) {
		btf = kprof_btf_of("");
		offset = btf ? kprof_btf_offset(btf, preset->structure, preset->member) : -ENOENT;
	}
	if (offset < 0)
		return kprof_refuse(-EINVAL, "target", name,
				    "no BTF tells where struct %s has %s", preset->structure,
				    preset->member);
	scnprintf(points, size, preset->points, (size_t)offset);
	return 0;
}

/**
 * kprof_preset_keys() - the default keys of a predefined target
 * @name:	"@offcpu" and the like
 * @text:	where they go
 * @size:	size of @text
 *
 * Context: any.
 */
void kprof_preset_keys(const char *name, char *text, size_t size)
{
	const struct preset *preset = find(name);
	const size_t *at = preset ? preset->offset : NULL;

	*text = '\0';
	if (preset)
		scnprintf(text, size, preset->keys, at[0], at[1], at[2], at[3], at[4],
			  at[5], at[6], at[7]);
}
