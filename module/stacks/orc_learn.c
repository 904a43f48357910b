// SPDX-License-Identifier: GPL-2.0-only
/*
 * orc_learn.c - what the kernel's ORC unwinder does at an address, by experiment
 *
 * It is given a stack made for the purpose, on which every word is different, with
 * nonsense in all other registers, and takes one step there. Where it ends up, and which
 * word it took for the frame pointer, is the rule. What it does on the real stack must
 * agree. Whatever is not of that kind is left to the unwinder.
 */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/pgtable.h>

#include "stacks/orc_cache.h"
#include "stacks/orc_rule.h"
#include "stacks/thunk_x86.h"

/*
 * The stack made for questions, filled in at load; the unwinder only reads it, so one
 * is enough for all CPUs. Frames of more than half of it stay unknown.
 */
#define LAB_WORDS	KPROF_RULE_WORDS

static u64 lab[LAB_WORDS];

/* Not an address, so that nothing can be read there. */
#define NONSENSE	0x5a5a5a5a5a5a0000ULL

/* For every register that a rule must not depend on. Filled in at load. */
static struct pt_regs nonsense;

/*
 * Code that comes and goes without a word (trampolines of ftrace, BPF,
 * instructions that kprobes moved) shares the modules' addresses and must not
 * leave rules behind. Only the name tells it from a module's own text.
 */
static noinline bool is_module_text(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN], *module;

	sprint_symbol_no_offset(name, addr);
	module = strrchr(name, '[');
	return module && !strstarts(module, "[bpf") && !strstarts(module, "[__builtin");
}

/* Does what lies at an address have to be asked for by name, before its rule is kept? */
static bool needs_name(unsigned long addr)
{
	return addr >= MODULES_VADDR;
}

/* By name, is it what has such a rule: a module's own text, or else a thunk? */
static bool has_name(unsigned long addr)
{
	return addr >= MODULES_VADDR ? is_module_text(addr) : kprof_thunk_is_at(addr);
}

/* Rules that were found in NMI, the stack of which is too small for a name. */
#define NR_POSTPONED	8

/**
 * struct postponed - a CPU's, until an interrupt can look at names
 * @work:	the interrupt
 * @addr:	where rules are for; 0: a free place. An NMI fills it, the interrupt frees it.
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
		if (addr && !rule_find(addr) && has_name(addr))
			kprof_orc_store(addr, own->rule[i]);
		barrier();	/* an NMI may fill it again */
		WRITE_ONCE(own->addr[i], 0);
	}
}

/* What finds no place comes again. */
static void postpone(unsigned long addr, u64 rule)
{
	struct postponed *own = this_cpu_ptr(postponed);
	int i;

	for (i = 0; i < NR_POSTPONED && READ_ONCE(own->addr[i]); i++)
		if (own->addr[i] == addr)
			return;
	if (i == NR_POSTPONED)
		return;
	own->rule[i] = rule;
	barrier();
	WRITE_ONCE(own->addr[i], addr);
	irq_work_queue(&own->work);
}

/* Keep a rule, if what lies there is what it should be. */
static void keep(unsigned long addr, u64 rule, bool by_name)
{
	if (!by_name)
		kprof_orc_store(addr, rule);
	else if (in_nmi())
		postpone(addr, rule);
	else if (has_name(addr))
		kprof_orc_store(addr, rule);
}

/* One step of the kernel's unwinder at @ip, on the lab's stack. */
static void ask(unsigned long ip, bool signal, unsigned long bp, struct unwind_state *state)
{
	*state = (struct unwind_state) {
		.stack_info = {
			.type = STACK_TYPE_TASK,
			.begin = (unsigned long *)lab,
			.end = (unsigned long *)(lab + LAB_WORDS),
		},
		.task = current,
		.error = true,	/* keeps it from warning about the nonsense */
		.signal = signal,
		.full_regs = true,
		.sp = (unsigned long)lab,
		.bp = bp,
		.ip = ip,
		.regs = &nonsense,
	};
	unwind_next_frame(state);
}

/* Index of the lab's word at an address; negative if it is none. */
static long word_at(unsigned long addr)
{
	long offset = addr - (unsigned long)lab;

	if (offset < 0 || offset >= (long)sizeof(lab) || offset % sizeof(long))
		return -1;
	return offset / sizeof(long);
}

/* How far below the caller's frame, word @top, was word @bp found; 0: nowhere. */
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

/* What became of a question, as a rule; RULE_KERNEL if it is not understood. */
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

/* The rule of an address, by experiment. */
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

/* Does a rule lead where the kernel's unwinder went from here? */
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

/* A replaced return address is no code: learn what stands for it. */
static void learn_trampoline(const struct unwind_state *after)
{
	unsigned long raw = peek(after->sp - sizeof(long));

	if (raw == after->ip || rule_find(raw - 1))
		return;
	if (kprof_orc_rethook(after->sp - sizeof(long), raw) == after->ip)
		kprof_orc_store(raw - 1, make_rule(RULE_RETHOOK, 0, 0));
	else
		kprof_orc_store(raw - 1, make_rule(RULE_KERNEL, 0, 0));
}

/*
 * The unwinder says that a stack ends. An interrupted thunk is no end, not even where it was
 * called so close to the bottom of the stack that nothing is cut short; its name tells, which
 * an NMI cannot ask for.
 */
static bool is_end(const struct kprof_frame_at *from)
{
	if (kprof_orc_is_cut_short(from->sp))
		return false;
	return from->key != from->ip || (!in_nmi() && !kprof_thunk_is_at(from->key));
}

static void learn_rule(const struct kprof_frame_at *from, const struct unwind_state *after)
{
	bool by_name = needs_name(from->key);
	u64 rule;

	if (unwind_done((struct unwind_state *)after)) {
		if (is_end(from))
			keep(from->key, make_rule(RULE_END, 0, 0), by_name);
		return;
	}
	rule = find_out(from->ip, from->key == from->ip);
	if (!agrees(rule, from, after))
		rule = make_rule(RULE_KERNEL, 0, 0);
	keep(from->key, rule, by_name);
}

/* Where the unwinder knows no caller: a thunk has a rule of its own. */
static void learn_thunk(const struct kprof_frame_at *from)
{
	u32 distance = kprof_thunk_distance(from);

	if (distance && from->key == from->ip && !needs_name(from->key))
		keep(from->key, make_rule(RULE_SP, distance / sizeof(long), 0), true);
}

/**
 * kprof_orc_over_thunk() - go on where the unwinder gave up, if that was a thunk
 * @at:		where it stood, which was learnt; changed to the caller
 *
 * Context: any, NMI included, without migration; current's own stack.
 * Return: whether it was.
 */
bool kprof_orc_over_thunk(struct kprof_frame_at *at)
{
	struct kprof_bounds stack = find_stack(at->sp);
	u64 rule = rule_find(at->key);

	return at->key == at->ip && rule_kind(rule) == RULE_SP &&
	       kprof_orc_step(at, &stack, rule) > 0;
}

/**
 * kprof_orc_learn() - see what the kernel's unwinder did, and keep it
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

/* Every word different, so that what the unwinder took tells where it took it from. */
static void fill_lab(void)
{
	u32 i;

	for (i = 0; i < LAB_WORDS; i++)
		lab[i] = NONSENSE + i;
	/* A stack switch saves the other stack's pointer here. */
	lab[0] = (unsigned long)&lab[LAB_WORDS / 2];
}

/**
 * kprof_orc_learn_init() - get ready to learn
 *
 * Context: sleeps; before anything unwinds. Return: 0 or -ENOMEM, which the log has.
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
	fill_lab();
	memset(&nonsense, 0x5a, sizeof(nonsense));
	nonsense.cs = __KERNEL_CS;
	return 0;
}

/**
 * kprof_orc_learn_exit() - undo kprof_orc_learn_init()
 *
 * Context: sleeps; nothing may unwind any more.
 */
void kprof_orc_learn_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		irq_work_sync(&per_cpu_ptr(postponed, cpu)->work);
	free_percpu(postponed);
}
