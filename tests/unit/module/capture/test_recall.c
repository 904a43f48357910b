// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_recall.c - stacks that a CPU keeps: a sample that interrupts another one, in front of any
 * instruction, finds a stack whole or not at all, and changes nothing that the other one reads
 */
#include <linux/kernel.h>
#include <linux/types.h>

#define CONFIG_X86_64
#define CONFIG_UNWINDER_ORC
#include "unit.h"
#include "base/config.h"

/* What these headers have, as far as recall.c needs it. */
#define KPROF_CONTEXT_H
#define KPROF_PROFILE_H
#define KPROF_STACKS_H
#define KPROF_MAX_SKIP	4
#define KPROF_NR_LEVELS	4
#include "profile/recalled.h"

#define NR_IDS	8

struct pt_regs {
	unsigned long ip, sp, bp, orig_ax, cs;
};

struct kprof_intern {
	u64 word[NR_IDS][4];
};

struct kprof_cpu {
	u8 busy[KPROF_NR_LEVELS];
	u32 remembered;
	struct kprof_recalled (*recalled)[KPROF_RECALLED_WAYS];
	u8 recent[KPROF_RECALLED_SETS];
};

u32 kprof_path_epoch;

static u32 level;
static struct pt_regs user;

static u32 interrupt_context_level(void)
{
	return level;
}

static struct pt_regs *shim_user_regs(void)
{
	return &user;
}

#define task_pt_regs(task)	shim_user_regs()

static const u64 *kprof_intern_words(const struct kprof_intern *table, u32 id)
{
	return table->word[id];
}

#include "capture/recall.c"

#define IP	0x1000
#define WORDS	(THREAD_SIZE / sizeof(u64))

static struct kprof_recalled recalled[KPROF_RECALLED_SETS][KPROF_RECALLED_WAYS];
static struct kprof_cpu cpu;
static struct kprof_intern table;
static struct task_struct task;
static u64 stack[WORDS];

/*
 * Stacks that begin with the same two addresses. The one with an even id ends there; of the others,
 * the third is their own, and so is where it is. What ends a stack is a code segment of user mode.
 */
static u32 frames_of(u32 id)
{
	return 2 + id % 2;
}

static u64 word_of(u32 id, u32 frame)
{
	return frame < 2 ? IP + frame : 16 * id;
}

static u32 place_of(u32 id, u32 frame)
{
	return frame < 2 ? frame : NR_IDS + id;
}

static u32 end_of(u32 id)
{
	return 2 * NR_IDS + id;
}

static void lay(u32 id)
{
	u32 frame;

	memset(stack, 0, sizeof(stack));
	for (frame = 1; frame < frames_of(id); frame++)
		stack[WORDS / 2 + place_of(id, frame)] = word_of(id, frame);
	stack[WORDS / 2 + end_of(id)] = 3;
}

static const struct pt_regs regs = { .ip = IP, .sp = (unsigned long)&stack[WORDS / 2] };

static void remember(u32 id)
{
	struct kprof_path path = {
		.nr = frames_of(id),
		.user = end_of(id) * sizeof(u64), .reach = 4 * NR_IDS * sizeof(u64),
	};
	u32 frame;

	for (frame = 1; frame < frames_of(id); frame++)
		path.at[frame - 1] = place_of(id, frame) * sizeof(u64);
	kprof_remember(&cpu, &regs, 0, id, &path);
}

/* What a sample with a certain stack finds. */
static u32 recall(u32 id)
{
	lay(id);
	return kprof_recall(&cpu, &table, &regs, 0);
}

static void start(void)
{
	u32 id, frame;

	memset(recalled, 0, sizeof(recalled));
	cpu = (struct kprof_cpu) { .recalled = recalled };
	for (id = KPROF_ID_FIRST; id < NR_IDS; id++)
		for (frame = 0; frame < frames_of(id); frame++)
			table.word[id][frame] = word_of(id, frame);
	task = (struct task_struct) { .stack = stack };
	current = &task;
	level = 0;
}

static void test_alone(void)
{
	start();
	CHECK_INT(recall(4), KPROF_ID_NONE);
	remember(4);
	remember(5);
	CHECK_INT(recall(4), 4);
	CHECK_INT(recall(5), 5);
	CHECK_INT(recall(6), KPROF_ID_NONE);
	kprof_path_epoch++;
	CHECK_INT(recall(4), KPROF_ID_NONE);
	kprof_path_epoch--;
}

/* All ways of the set are in use: what is kept next takes the place of what is looked for. */
static void start_full(void)
{
	start();
	remember(4);
	while (cpu.remembered < KPROF_RECALLED_WAYS)
		remember(7);
	CHECK_INT(recall(4), 4);
}

static void remember_busy(void)
{
	cpu.busy[0] = 1;
	remember(5);
	cpu.busy[0] = 0;
}

/* The interrupted sample may be about to compare any word. */
static void start_busy(void)
{
	start_full();
	lay(4);
	cpu.busy[0] = 1;
}

static void recall_busy(void)
{
	CHECK_INT(kprof_recall(&cpu, &table, &regs, 0), 4);
}

static bool is_or_none(u32 found, u32 id)
{
	return found == id || found == KPROF_ID_NONE;
}

/* A sample at a level of its own looks for all stacks, and would keep another one. */
static void sample_above(void)
{
	u64 was[WORDS];

	memcpy(was, stack, sizeof(was));
	level = 2;
	cpu.busy[level] = 1;
	CHECK(is_or_none(recall(4), 4));
	CHECK(is_or_none(recall(5), 5));
	CHECK_INT(recall(7), 7);
	remember(6);
	CHECK_INT(recall(6), cpu.busy[0] ? KPROF_ID_NONE : 6);
	cpu.busy[level] = 0;
	level = 0;
	memcpy(stack, was, sizeof(was));
}

static void end_recalled(void)
{
	CHECK_INT(recall(7), 7);
}

static void end_remembered(void)
{
	CHECK_INT(recall(5), 5);
	end_recalled();
}

static const struct scene scenes[] = {
	{ start_full, remember_busy, sample_above, NULL, end_remembered },
	{ start_busy, recall_busy, sample_above, NULL, end_recalled },
};

static void test_interrupts(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_everywhere(&scenes[i]) >= 3);
}

static void test_every_instruction(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		CHECK(interrupt_every_instruction(&scenes[i]) > (INTERRUPT_CAN_STEP ? 50 : 2));
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "what was kept is recalled", test_alone },
		{ "a sample at a higher level at every point", test_interrupts },
		{ "in front of every instruction, too", test_every_instruction },
		{ }
	};

	return unit_run(tests);
}
