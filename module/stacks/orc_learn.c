// SPDX-License-Identifier: GPL-2.0-only
/*
 * orc_learn.c - find out by experiment what the kernel's ORC unwinder does at an address
 *
 * The unwinder gets a stack made for this purpose, on which every word is different, and
 * nonsense in all other registers. It takes one step there. Where it ends up, and which
 * word it took for the frame pointer, gives the rule. The rule must agree with what the
 * unwinder does on the real stack. Everything else is left to the unwinder.
 */
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/pgtable.h>

#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"
#include "stacks/room.h"
#include "stacks/thunk_x86.h"

/*
 * The stack for these experiments, filled in at load. The unwinder only reads it, so one
 * is enough for all CPUs. No rule is learnt for frames larger than half of it.
 */
#define LAB_WORDS	KPROF_RULE_WORDS

static u64 lab[LAB_WORDS];

/*
 * Another stack, for functions that align theirs: below the word that the frame pointer is at, all
 * words point into the upper half, each to a place of its own.
 */
#define KEPT_WORDS	128
#define KEPT_BP		16

static u64 kept[KEPT_WORDS];

static u64 *kept_frame(u32 word)
{
	return &kept[KEPT_WORDS / 2 + 2 * word];
}

/* Not a valid address, so nothing can be read there. */
#define NONSENSE	0x5a5a5a5a5a5a0000ULL

/* Values for the registers that a rule must not depend on. Filled in at load. */
static struct pt_regs nonsense;

/*
 * Code that comes and goes without notification (ftrace trampolines, BPF, instructions
 * moved by kprobes) shares the modules' address range and must not leave rules behind.
 * Only the symbol name tells it from a module's own text.
 */
static noinline bool is_module_text(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN], *module;

	sprint_symbol_no_offset(name, addr);
	module = strrchr(name, '[');
	return module && !strstarts(module, "[bpf") && !strstarts(module, "[__builtin");
}

/* Must the symbol name be checked before the rule of this address is kept? */
static bool needs_name(unsigned long addr)
{
	return addr >= MODULES_VADDR;
}

/* Does the name show that a rule may be kept: a module's own text, or else a thunk? */
static bool has_name(unsigned long addr)
{
	return addr >= MODULES_VADDR ? is_module_text(addr) : kprof_thunk_is_at(addr);
}

/* Rules found in NMI, whose stack is too small for a symbol name, or deep on another stack. */
#define NR_POSTPONED	8

/* In place of an address: somebody is filling the entry. */
#define CLAIMED		1UL

/**
 * struct postponed - a CPU's rules that wait for an interrupt to check their names
 * @work:	the interrupt
 * @addr:	addresses of the rules; 0 is a free entry. It is claimed before it is filled, as an
 *		NMI may come meanwhile and postpone a rule, too. The interrupt frees it.
 * @rule:	the rules
 */
struct postponed {
	struct irq_work work;
	unsigned long addr[NR_POSTPONED];
	u64 rule[NR_POSTPONED];
};

static struct postponed __percpu *postponed;

static void keep_postponed(struct irq_work *work)
{
	struct postponed *own = container_of(work, struct postponed, work);
	unsigned long addr;
	int i;

	for (i = 0; i < NR_POSTPONED; i++) {
		addr = READ_ONCE(own->addr[i]);
		/* Whoever has claimed an entry, and was interrupted, queues the work again. */
		if (!addr || addr == CLAIMED)
			continue;
		if (!rule_find(addr) && has_name(addr))
			kprof_orc_store(addr, own->rule[i]);
		barrier();	/* an NMI may refill the entry after this */
		WRITE_ONCE(own->addr[i], 0);
	}
}

/* A rule that finds no free entry will be found again later. */
static void postpone(unsigned long addr, u64 rule)
{
	struct postponed *own = this_cpu_ptr(postponed);
	unsigned long seen;
	int i;

	for (i = 0; i < NR_POSTPONED; i++) {
		seen = READ_ONCE(own->addr[i]);
		if (seen == addr)
			return;
		if (!seen && !cmpxchg_local(&own->addr[i], 0UL, CLAIMED))
			break;
	}
	if (i == NR_POSTPONED)
		return;
	own->rule[i] = rule;
	barrier();
	WRITE_ONCE(own->addr[i], addr);
	irq_work_queue(&own->work);
}

/* Keep a rule if the name, where it matters, allows it. */
static void keep(unsigned long addr, u64 rule, bool by_name)
{
	if (!by_name)
		kprof_orc_store(addr, rule);
	else if (in_nmi() || !kprof_stack_has_room())
		postpone(addr, rule);
	else if (has_name(addr))
		kprof_orc_store(addr, rule);
}

/* Let the kernel's unwinder take one step at @ip, on a stack made for that. */
static void ask_on(u64 *stack, u32 nr_words, unsigned long ip, bool signal, unsigned long bp,
		   struct unwind_state *state)
{
	*state = (struct unwind_state) {
		.stack_info = {
			.type = STACK_TYPE_TASK,
			.begin = (unsigned long *)stack,
			.end = (unsigned long *)(stack + nr_words),
		},
		.task = current,
		.error = true,	/* keeps it from warning about the nonsense */
		.signal = signal,
		.full_regs = true,
		.sp = (unsigned long)stack,
		.bp = bp,
		.ip = ip,
		.regs = &nonsense,
	};
	unwind_next_frame(state);
}

static void ask(unsigned long ip, bool signal, unsigned long bp, struct unwind_state *state)
{
	ask_on(lab, LAB_WORDS, ip, signal, bp, state);
}

/* Index of the lab word at an address; negative if there is none. */
static long word_at(unsigned long addr)
{
	long offset = addr - (unsigned long)lab;

	if (offset < 0 || offset >= (long)sizeof(lab) || offset % sizeof(long))
		return -1;
	return offset / sizeof(long);
}

/* Distance from the caller's frame, word @top, down to the word @bp came from; 0: none. */
static long saved_at(unsigned long bp, unsigned long asked, long top)
{
	if (bp == asked)
		return 0;
	if (bp == lab[0])
		return top;
	if (bp - NONSENSE > 0 && bp - NONSENSE < LAB_WORDS)
		return top - (long)(bp - NONSENSE);
	return -1;
}

/* Turn the result of an experiment into a rule; RULE_KERNEL if it fits no other kind. */
static u64 understand(const struct unwind_state *state, enum rule_kind kind,
		      unsigned long asked_bp, long base)
{
	long top, saved;

	if (unwind_done((struct unwind_state *)state))
		return make_rule(RULE_KERNEL, 0, 0);
	if (state->regs) {
		top = word_at((unsigned long)state->regs);
		if (top < 0 || kind != RULE_SP || !state->full_regs || !state->signal)
			return make_rule(RULE_KERNEL, 0, 0);
		return make_rule(RULE_REGS, top, 0);
	}
	top = word_at(state->sp);
	saved = saved_at(state->bp, asked_bp, top);
	if (top < 1 || saved < 0 || state->signal || state->ip != lab[top - 1])
		return make_rule(RULE_KERNEL, 0, 0);
	if (kind == RULE_SP && top > LAB_WORDS / 2) {
		if (saved > top - LAB_WORDS / 2)
			return make_rule(RULE_KERNEL, 0, 0);
		return make_rule(RULE_SWITCH, top - LAB_WORDS / 2, saved);
	}
	return make_rule(kind, top - base, saved);
}

/* Find the rule of an address by experiment. */
static u64 find_out(unsigned long ip, bool signal)
{
	struct unwind_state state;
	unsigned long bp;
	u64 rule;

	ask(ip, signal, NONSENSE, &state);
	rule = understand(&state, RULE_SP, NONSENSE, 0);
	if (rule_kind(rule) != RULE_KERNEL)
		return rule;
	bp = (unsigned long)&lab[1];
	ask(ip, signal, bp, &state);
	return understand(&state, RULE_BP, bp, 1);
}

/* As find_out(), of a function that has aligned its stack. */
static u64 find_out_kept(unsigned long ip, bool signal)
{
	struct unwind_state state;
	u32 word;

	ask_on(kept, KEPT_WORDS, ip, signal, (unsigned long)&kept[KEPT_BP], &state);
	if (unwind_done(&state) || state.regs || state.signal || state.bp != kept[KEPT_BP])
		return make_rule(RULE_KERNEL, 0, 0);
	for (word = 0; word < KEPT_BP; word++)
		if (state.sp == kept[word] && state.ip == kept_frame(word)[-1])
			return make_rule(RULE_ALIGNED, KEPT_BP - word, 0);
	return make_rule(RULE_KERNEL, 0, 0);
}

/* Does the rule lead to where the kernel's unwinder went from here? */
static bool agrees(u64 rule, const struct kprof_frame_at *from,
		   const struct unwind_state *after)
{
	struct kprof_bounds stack = find_stack(from->sp);
	struct kprof_frame_at at = *from;

	switch (kprof_orc_step(&at, &stack, rule)) {
	case 1:
		/* ip may differ: a replaced return address, see below. */
		return at.sp == after->sp && at.bp == after->bp &&
		       (at.key == at.ip) == after->signal;
	case 0:
		return after->regs && user_mode(after->regs);
	default:
		return false;
	}
}

/* A replaced return address is not code: learn what it stands for. */
static void learn_trampoline(const struct unwind_state *after)
{
	unsigned long raw = kprof_peek(after->sp - sizeof(long));

	if (raw == after->ip || rule_find(raw - 1))
		return;
	if (kprof_orc_rethook(after->sp - sizeof(long), raw) == after->ip)
		kprof_orc_store(raw - 1, make_rule(RULE_RETHOOK, 0, 0));
	else
		kprof_orc_store(raw - 1, make_rule(RULE_KERNEL, 0, 0));
}

/*
 * The unwinder says that a stack ends. An interrupted thunk is not the end of a stack, not even
 * when it was called so close to the bottom that nothing is cut short. Only its name shows
 * that it is a thunk, and an NMI cannot look up the name.
 */
static bool is_end(const struct kprof_frame_at *from)
{
	if (kprof_orc_is_cut_short(from->sp))
		return false;
	return from->key != from->ip || (!in_nmi() && !kprof_thunk_is_at(from->key));
}

static void learn_rule(const struct kprof_frame_at *from, const struct unwind_state *after)
{
	bool by_name = needs_name(from->key), signal = from->key == from->ip;
	u64 rule;

	if (unwind_done((struct unwind_state *)after)) {
		if (is_end(from))
			keep(from->key, make_rule(RULE_END, 0, 0), by_name);
		return;
	}
	rule = find_out(from->ip, signal);
	if (!agrees(rule, from, after))
		rule = find_out_kept(from->ip, signal);
	if (!agrees(rule, from, after))
		rule = make_rule(RULE_KERNEL, 0, 0);
	keep(from->key, rule, by_name);
}

/* Where the unwinder knows no caller, a thunk gets a rule of its own. */
static void learn_thunk(const struct kprof_frame_at *from)
{
	u32 distance = kprof_thunk_distance(from);

	if (distance && from->key == from->ip && !needs_name(from->key))
		keep(from->key, make_rule(RULE_SP, distance / sizeof(long), 0), true);
}

/**
 * kprof_orc_over_thunk() - continue where the unwinder gave up, if that was a thunk
 * @at:		where it stood, after kprof_orc_learn(); changed to the caller
 *
 * Context: any, NMI included, without migration; current's own stack.
 * Return: whether it was a thunk.
 */
bool kprof_orc_over_thunk(struct kprof_frame_at *at)
{
	struct kprof_bounds stack = find_stack(at->sp);
	u64 rule = rule_find(at->key);

	return at->key == at->ip && rule_kind(rule) == RULE_SP &&
	       kprof_orc_step(at, &stack, rule) > 0;
}

/**
 * kprof_orc_learn() - learn from a step that the kernel's unwinder took
 * @from:	where it stood
 * @stack:	the stack it was on then
 * @after:	its state one step later
 *
 * Context: any, NMI included, without migration; current's own stack.
 */
void kprof_orc_learn(const struct kprof_frame_at *from, const struct stack_info *stack,
		     const struct unwind_state *after)
{
	if ((after->error || unwind_done((struct unwind_state *)after)) && !rule_find(from->key))
		learn_thunk(from);
	if (after->error)
		return;
	kprof_orc_remember_stack(stack);
	kprof_orc_remember_stack(&after->stack_info);
	if (!after->regs && !unwind_done((struct unwind_state *)after))
		learn_trampoline(after);
	if (!kprof_orc_at_trampoline(from) && !rule_find(from->key) &&
	    from->key >= __START_KERNEL_map)
		learn_rule(from, after);
}

/* Every word is different, so that its value shows where the unwinder took it from. */
static void fill_labs(void)
{
	u32 i;

	for (i = 0; i < LAB_WORDS; i++)
		lab[i] = NONSENSE + i;
	/* A stack switch saves the other stack's pointer here. */
	lab[0] = (unsigned long)&lab[LAB_WORDS / 2];
	for (i = 0; i < KEPT_WORDS; i++)
		kept[i] = NONSENSE + i;
	for (i = 0; i < KEPT_BP; i++)
		kept[i] = (unsigned long)kept_frame(i);
}

/**
 * kprof_orc_learn_init() - set up what learning needs
 *
 * Context: sleeps; before anything unwinds. Return: 0, or -ENOMEM, which is logged.
 */
int kprof_orc_learn_init(void)
{
	int cpu;

	postponed = alloc_percpu(struct postponed);
	if (!postponed) {
		pr_err("no memory for rules: %zu bytes for each of %u CPUs\n",
		       sizeof(*postponed), num_possible_cpus());
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu_ptr(postponed, cpu)->work, keep_postponed);
	fill_labs();
	memset(&nonsense, 0x5a, sizeof(nonsense));
	nonsense.cs = __KERNEL_CS;
	return 0;
}

/**
 * kprof_orc_learn_exit() - undo kprof_orc_learn_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_orc_learn_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(postponed, cpu)->work);
	free_percpu(postponed);
}
