// SPDX-License-Identifier: GPL-2.0-only
/*
 * orc_cache.c - what the kernel's ORC unwinder does at an address
 *
 * The unwinder takes about 400 instructions a frame, most of them spent on
 * finding the rule of an address. That rule does not change while the code
 * does not, and nearly all rules are "the caller's frame is a fixed distance up
 * from the stack pointer, or from the frame pointer". So the unwinder is asked
 * once for each address, its answer is kept, and from then on a frame takes
 * about 40 instructions.
 *
 * How it is asked: it is given a stack made for the purpose, on which every
 * word is different, with nonsense in all other registers, and takes one
 * step there. Where it ends up, and which word it took for the frame pointer,
 * is the rule. What it does on the real stack must agree. Whatever is not of
 * that kind is left to the unwinder.
 */
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rethook.h>
#include <linux/sched/task_stack.h>
#include <asm/pgtable.h>

#include "direct.h"
#include "orc_cache.h"
#include "uapi/kprof.h"

/*
 * A rule is one word, so that it is read and written whole:
 *
 *   63      48 47        36 35  32 31         0
 *   |  saved  |  distance  | kind | address   |
 *
 * address	the low half: all kernel and module text lies in the top 2 GiB
 * distance	from what the kind says to the caller's frame, in bytes
 * saved	how many bytes below the caller's frame the caller's frame
 *		pointer was saved; 0: it still is in its register
 */
enum rule_kind {
	RULE_NONE,	/* not known yet */
	RULE_SP,	/* a call: distance from the stack pointer; saved is not below that */
	RULE_BP,	/* a call: distance from the frame pointer */
	RULE_SWITCH,	/* a call from another stack: from what sp points to */
	RULE_REGS,	/* interrupted registers lie at this distance from sp */
	RULE_END,	/* the outermost frame */
	RULE_RETHOOK,	/* a return address that a kretprobe put there */
	RULE_KERNEL,	/* none of these: only the kernel's unwinder knows */
};

#define SET_BITS	12
#define NR_SETS		(1 << SET_BITS)
#define NR_WAYS		4

/*
 * Read by every CPU, and hardly ever written once it is warm. An address has one
 * of the places of its set: with one place only, two hot addresses that share it
 * would be asked for again and again.
 */
static u64 rules[NR_SETS][NR_WAYS];

/*
 * The stack made for questions, filled in at load; the unwinder only reads it, so one
 * is enough for all CPUs. Frames of more than half of it stay unknown.
 */
#define LAB_WORDS	512

static u64 lab[LAB_WORDS];

/* Not an address, so that nothing can be read there. */
#define NONSENSE	0x5a5a5a5a5a5a0000ULL

/* For every register that a rule must not depend on. Filled in at load. */
static struct pt_regs nonsense;

/**
 * struct known_stacks - where a CPU's stacks lie
 * @of_type:	as the unwinder reported them; what is written for a type is always the
 *		same, so writers may interrupt each other
 * @asking:	the unwinder is being asked for one
 */
struct known_stacks {
	struct kprof_bounds of_type[STACK_TYPE_EXCEPTION_LAST + 1];
	bool asking;
};

static struct known_stacks __percpu *known_stacks;

static u64 *rule_set(unsigned long addr)
{
	return rules[((u32)addr * 0x9e3779b1U) >> (32 - SET_BITS)];
}

/* Distances in words: LAB_WORDS of them fit. */
static u64 make_rule(enum rule_kind kind, u32 distance, u32 saved)
{
	BUILD_BUG_ON(LAB_WORDS * sizeof(long) > 1 << 12);
	return ((u64)saved * sizeof(long) << 48) | ((u64)distance * sizeof(long) << 36) |
	       ((u64)kind << 32);
}

static enum rule_kind rule_kind(u64 rule)
{
	return (rule >> 32) & 0xf;
}

static unsigned long rule_distance(u64 rule)
{
	return (rule >> 36) & 0xfff;
}

static unsigned long rule_saved(u64 rule)
{
	return rule >> 48;
}

static unsigned long rule_address(u64 rule)
{
	return (long)(s32)rule;
}

static __always_inline u64 rule_find(unsigned long addr)
{
	const u64 *set = rule_set(addr);
	u64 rule = READ_ONCE(set[0]);
	int way;

	if (likely(rule_address(rule) == addr))
		return rule;
	for (way = 1; way < NR_WAYS; way++) {
		rule = READ_ONCE(set[way]);
		if (rule_address(rule) == addr)
			return rule;
	}
	return 0;
}

/* Where the address already is, else where nothing is, else in the last place. */
static void rule_store(unsigned long addr, u64 rule)
{
	u64 *set = rule_set(addr), seen;
	int way;

	for (way = 0; way < NR_WAYS - 1; way++) {
		seen = READ_ONCE(set[way]);
		if (!seen || rule_address(seen) == addr)
			break;
	}
	WRITE_ONCE(set[way], rule | (u32)addr);
}

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

static bool is_lasting_code(unsigned long addr)
{
	if (addr < __START_KERNEL_map)
		return false;
	if (addr < MODULES_VADDR)
		return true;
	/* The stack of an NMI is too small for a name. */
	return !in_nmi() && is_module_text(addr);
}

static void remember_stack(const struct stack_info *stack)
{
	struct kprof_bounds *known;

	if (stack->type <= STACK_TYPE_TASK || stack->type > STACK_TYPE_EXCEPTION_LAST)
		return;
	known = &this_cpu_ptr(known_stacks)->of_type[stack->type];
	WRITE_ONCE(known->begin, (unsigned long)stack->begin);
	barrier();	/* an interrupt takes an end of 0 for "not known" */
	WRITE_ONCE(known->end, (unsigned long)stack->end);
}

static bool within(const struct kprof_bounds *stack, unsigned long addr, size_t size)
{
	return addr >= stack->begin && addr + size <= stack->end;
}

/* One of this CPU's own stacks, for interrupts of one kind or another. */
static noinline struct kprof_bounds find_known_stack(unsigned long sp)
{
	const struct known_stacks *known = this_cpu_ptr(known_stacks);
	int i;

	for (i = STACK_TYPE_TASK + 1; i <= STACK_TYPE_EXCEPTION_LAST; i++)
		if (known->of_type[i].end && within(&known->of_type[i], sp, 0))
			return known->of_type[i];
	return (struct kprof_bounds) { };
}

/* The bounds of the stack that @sp is on; all zeroes if it is not known yet. */
static __always_inline struct kprof_bounds find_stack(unsigned long sp)
{
	struct kprof_bounds stack;

	stack.begin = (unsigned long)task_stack_page(current);
	stack.end = stack.begin + THREAD_SIZE;
	return likely(within(&stack, sp, 0)) ? stack : find_known_stack(sp);
}

/* What the unwinder calls may be watched, and then asks for this stack, too: once is enough. */
static noinline void ask_for_stack(void)
{
	struct unwind_state state;

	if (this_cpu_read(known_stacks->asking))
		return;
	this_cpu_write(known_stacks->asking, true);
	barrier();
	unwind_start(&state, current, NULL, NULL);
	remember_stack(&state.stack_info);
	barrier();
	this_cpu_write(known_stacks->asking, false);
}

/**
 * kprof_orc_stack() - the stack that this runs on
 * @sp:		an address on it
 *
 * Context: any, without migration. Return: its bounds; zeroes if they are not known.
 */
struct kprof_bounds kprof_orc_stack(unsigned long sp)
{
	struct kprof_bounds stack = find_stack(sp);

	if (unlikely(!stack.end)) {
		ask_for_stack();
		stack = find_stack(sp);
	}
	return stack;
}

/* KASAN must not mind: redzones of others' frames are read here on purpose. */
static unsigned long peek(unsigned long addr)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)addr);
}

/*
 * The return address that a kretprobe replaced by @trampoline in the slot below
 * @frame; 0 if there is none. The list is current's own, so what this CPU's
 * interrupts see of it is whole.
 */
static unsigned long rethook_address(unsigned long frame, unsigned long trampoline)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node = READ_ONCE(current->rethooks.first);
	struct rethook_node *hook;
	int bound;

	for (bound = 0; node && bound < 256; bound++, node = READ_ONCE(node->next)) {
		hook = container_of(node, struct rethook_node, llist);
		/* Several probes on one function: the last hook has the truth. */
		if (hook->frame == frame && hook->ret_addr != trampoline)
			return hook->ret_addr;
	}
#endif
	return 0;
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

/*
 * Where the caller's frame is; false if that takes more than the two registers, or is not
 * on this stack. Stacks are walked upwards only, so no rule can go round in circles. The
 * stack pointer is always on @stack, so what lies above it and below the end can be read;
 * by RULE_SP, which is nearly every frame, nothing comes out below it.
 */
static __always_inline bool find_caller(const struct kprof_frame_at *at,
					const struct kprof_bounds *stack, u64 rule,
					unsigned long *caller)
{
	if (rule_kind(rule) == RULE_SP) {
		*caller = at->sp + rule_distance(rule);
	} else if (rule_kind(rule) == RULE_BP) {
		*caller = at->bp + rule_distance(rule);
		if (*caller < at->sp + max(rule_saved(rule), sizeof(long)))
			return false;
	} else {
		return false;
	}
	return *caller <= stack->end;
}

static __always_inline void go_to_caller(struct kprof_frame_at *at, unsigned long caller,
					 u64 rule)
{
	if (rule_saved(rule))
		at->bp = peek(caller - rule_saved(rule));
	at->ip = peek(caller - sizeof(long));
	at->key = at->ip - 1;
	at->sp = caller;
}

/* To the stack whose pointer was saved on this one. Return: as step(). */
static int go_to_stack(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long below = max(rule_saved(rule), sizeof(long)), caller;

	if (!within(stack, at->sp, sizeof(long)))
		return -1;
	caller = peek(at->sp) + rule_distance(rule);
	*stack = find_stack(caller);
	if (caller < stack->begin + below || !stack->end)
		return -1;
	go_to_caller(at, caller, rule);
	return 1;
}

/* To the registers that an interrupt or exception saved. Return: as step(). */
static int go_to_regs(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long regs = at->sp + rule_distance(rule);

	if (!within(stack, regs, sizeof(struct pt_regs)))
		return -1;
	if (peek(regs + offsetof(struct pt_regs, cs)) & 3)
		return 0;
	at->ip = peek(regs + offsetof(struct pt_regs, ip));
	at->key = at->ip;
	at->bp = peek(regs + offsetof(struct pt_regs, bp));
	at->sp = peek(regs + offsetof(struct pt_regs, sp));
	*stack = find_stack(at->sp);
	return 1;
}

/* A watched function returns to our trampoline. Of that there is no rule. */
static bool is_at_trampoline(const struct kprof_frame_at *at)
{
	return at->key != at->ip && kprof_direct_is_return(at->ip);
}

/*
 * Over the trampoline, and over the function's call of it, for the function is on the
 * stack already: to the function's caller. Return: as step().
 */
static int go_over_trampoline(struct kprof_frame_at *at, const struct kprof_bounds *stack)
{
	const size_t size = sizeof(struct kprof_frame) - offsetof(struct kprof_frame, bp);
	unsigned long caller = at->bp + size;

	if (at->bp < at->sp || caller > stack->end)
		return -1;
	at->bp = peek(at->bp);
	at->ip = peek(caller - sizeof(long));
	at->key = at->ip - 1;
	at->sp = caller;
	return 1;
}

/* One frame up. Return: 1 for a frame, 0 at the end, -1 where it is not known. */
static __always_inline int step(struct kprof_frame_at *at, struct kprof_bounds *stack, u64 rule)
{
	unsigned long caller;

	if (find_caller(at, stack, rule, &caller)) {
		go_to_caller(at, caller, rule);
		return 1;
	}
	switch (rule_kind(rule)) {
	case RULE_SWITCH:
		return go_to_stack(at, stack, rule);
	case RULE_REGS:
		return go_to_regs(at, stack, rule);
	case RULE_END:
		return 0;
	default:
		return -1;
	}
}

/* Does a rule lead where the kernel's unwinder went from here? */
static bool agrees(u64 rule, const struct kprof_frame_at *from,
		   const struct unwind_state *after)
{
	struct kprof_bounds stack = find_stack(from->sp);
	struct kprof_frame_at at = *from;

	switch (step(&at, &stack, rule)) {
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
	if (rethook_address(after->sp - sizeof(long), raw) == after->ip)
		rule_store(raw - 1, make_rule(RULE_RETHOOK, 0, 0));
	else
		rule_store(raw - 1, make_rule(RULE_KERNEL, 0, 0));
}

static void learn_rule(const struct kprof_frame_at *from, const struct unwind_state *after)
{
	u64 rule;

	if (unwind_done((struct unwind_state *)after)) {
		rule_store(from->key, make_rule(RULE_END, 0, 0));
		return;
	}
	rule = find_out(from->ip, from->key == from->ip);
	if (!agrees(rule, from, after))
		rule = make_rule(RULE_KERNEL, 0, 0);
	rule_store(from->key, rule);
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
	if (after->error)
		return;
	remember_stack(stack);
	remember_stack(&after->stack_info);
	if (!after->regs && !unwind_done((struct unwind_state *)after))
		learn_trampoline(after);
	if (!is_at_trampoline(from) && !rule_find(from->key) && is_lasting_code(from->key))
		learn_rule(from, after);
}

/*
 * Up over one call after the other, which is nearly all there is to a stack: what it
 * needs stays in registers. Return: the rule at the first frame that is something else,
 * or has no room; this frame is not stored.
 */
static u64 walk_calls(struct kprof_frame_at *from, const struct kprof_bounds *on,
		      u64 *frame, u32 *nr, u32 max)
{
	struct kprof_frame_at at = *from;
	struct kprof_bounds stack = *on;
	unsigned long caller;
	u32 n = *nr;
	u64 rule;

	for (;;) {
		rule = rule_find(at.key);
		if (!find_caller(&at, &stack, rule, &caller) || n == max)
			break;
		frame[n++] = at.ip;
		go_to_caller(&at, caller, rule);
	}
	*from = at;
	*nr = n;
	return rule;
}

/**
 * kprof_orc_walk() - unwind by what is known
 * @at:		the first frame to store; changed
 * @frame:	where the addresses go
 * @nr:		how many are there already
 * @max:	how many may be there in the end
 * @flags:	KPROF_STACK_CUT is set if the stack was deeper than that
 *
 * Context: any, NMI included, without migration; current's own stack.
 * Return: how many addresses there are now; negative if the kernel's unwinder
 * must be asked.
 */
int kprof_orc_walk(struct kprof_frame_at *at, u64 *frame, u32 nr, u32 max, u16 *flags)
{
	struct kprof_bounds stack = find_stack(at->sp);
	int more = 1;
	u64 rule;

	while (more > 0) {
		rule = walk_calls(at, &stack, frame, &nr, max);
		if (!rule && is_at_trampoline(at)) {
			more = go_over_trampoline(at, &stack);
			continue;
		}
		if (rule_kind(rule) == RULE_RETHOOK) {
			at->ip = rethook_address(at->sp - sizeof(long), at->ip);
			rule = rule_find(at->ip - 1);
		}
		if (!rule)
			return -1;
		if (nr == max) {
			*flags |= KPROF_STACK_CUT;
			return nr;
		}
		frame[nr++] = at->ip;
		more = step(at, &stack, rule);
	}
	return more < 0 ? more : (int)nr;
}

/* A module's addresses may be another's tomorrow; those of its init, once it is live. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	u64 *rule;
	u32 i;

	for (i = 0; i < NR_SETS * NR_WAYS; i++) {
		rule = &rules[i / NR_WAYS][i % NR_WAYS];
		if (rule_address(READ_ONCE(*rule)) >= MODULES_VADDR)
			WRITE_ONCE(*rule, 0);
	}
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

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
 * kprof_orc_init() - get ready to learn
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_orc_init(void)
{
	int err;

	known_stacks = alloc_percpu(struct known_stacks);
	if (!known_stacks) {
		pr_err("no memory for the bounds of stacks: %zu bytes for each of %u CPUs\n",
		       sizeof(*known_stacks), num_possible_cpus());
		return -ENOMEM;
	}
	fill_lab();
	memset(&nonsense, 0x5a, sizeof(nonsense));
	nonsense.cs = __KERNEL_CS;
	err = register_module_notifier(&module_notifier);
	if (err)
		free_percpu(known_stacks);
	return err;
}

/**
 * kprof_orc_exit() - undo kprof_orc_init()
 *
 * Context: sleeps; nothing may unwind any more.
 */
void kprof_orc_exit(void)
{
	unregister_module_notifier(&module_notifier);
	free_percpu(known_stacks);
}
