// SPDX-License-Identifier: GPL-2.0-only
/*
 * unwind_arm64.c - unwinds the kernel stack from a set of registers, on arm64
 *
 * The kernel keeps frame records: x29 points to a pair of words, the caller's
 * x29 and the return address. The kernel exports none of its unwinders that start
 * from registers, and following the records is simple, so kprof does it itself.
 * It trusts no record. A record must be aligned, and lie on a known stack and above
 * the record before. The walk may move once from the stack of this CPU's interrupts
 * to that of the task.
 *
 * Each stack ends with the record in task_pt_regs(). A walk that ends elsewhere is
 * incomplete.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rethook.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>
#include <asm/memory.h>

#include "compat.h"
#include "stacks/detour.h"
#include "stacks/leaf_arm64.h"
#include "stacks/peek.h"
#include "stacks/unwind.h"
#include "uapi/kprof.h"

/* Deep enough for a test, and small enough for an interrupt stack. */
#define CHECK_DEPTH	64
/* Room for the profiler's own frames, and the kernel's frames that lead to it. */
#define CHECK_OWN	24

/* Addresses that a record may have: [low, high). */
struct extent {
	unsigned long low;
	unsigned long high;
};

/**
 * struct walk - where an unwind stands
 * @fp:		the next frame record
 * @pc:		the address of this frame
 * @now:	the rest of the stack that the unwind is on
 * @next:	the stack that follows; empty if this is the last one
 */
struct walk {
	unsigned long fp;
	unsigned long pc;
	struct extent now;
	struct extent next;
};

static struct extent task_stack(void)
{
	unsigned long low = (unsigned long)task_stack_page(current);

	return (struct extent) { low, low + THREAD_SIZE };
}

/*
 * The stack that this function runs on, if it is not the task's. The kernel does not
 * export where the stacks for interrupts, SDEI and EFI lie, but they all have the same
 * known size and alignment. If code was interrupted on such a stack and is now unwound,
 * then the unwinder runs on the same stack.
 */
static struct extent own_stack(void)
{
	unsigned long low = ALIGN_DOWN(current_stack_pointer, THREAD_ALIGN);

	if (!IS_ENABLED(CONFIG_VMAP_STACK))
		return (struct extent) { };
	return (struct extent) { low, low + IRQ_STACK_SIZE };
}

static bool contains(const struct extent *extent, unsigned long addr, size_t size)
{
	return addr >= extent->low && addr < extent->high && extent->high - addr >= size;
}

static struct walk walk_from(const struct pt_regs *regs)
{
	struct walk walk = {
		.fp = regs->regs[29],
		.pc = regs->pc,
		.now = task_stack(),
	};

	if (!contains(&walk.now, regs->sp, 0)) {
		walk.next = walk.now;
		walk.now = own_stack();
	}
	/* Nothing below the stack pointer belongs to the interrupted code. */
	if (contains(&walk.now, regs->sp, 0))
		walk.now.low = regs->sp;
	return walk;
}

/* May this be read as part of the next record? If so, nothing below its end may be read again. */
static bool take(struct walk *walk, unsigned long addr, size_t size)
{
	if (addr % sizeof(long))
		return false;
	if (!contains(&walk->now, addr, size)) {
		if (!contains(&walk->next, addr, size))
			return false;
		walk->now = walk->next;
		walk->next = (struct extent) { };
	}
	walk->now.low = addr + size;
	return true;
}

/*
 * Is this the address that calls watched by a kretprobe return to? The kernel does not export
 * it, so it is recognized by its name, which is looked up only for a call whose x29 matches.
 */
static bool is_trampoline(unsigned long pc)
{
	static unsigned long trampoline;
	char name[KSYM_SYMBOL_LEN];

	if (READ_ONCE(trampoline))
		return pc == READ_ONCE(trampoline);
	sprint_symbol(name, pc);
	if (!strstarts(name, "__kretprobe_trampoline+0x0/") &&
	    !strstarts(name, "arch_rethook_trampoline+0x0/"))
		return false;
	WRITE_ONCE(trampoline, pc);
	return true;
}

/*
 * The return address that a kretprobe replaced. A call is identified by its x29 at
 * the time. That value is also in the frame record of the called function, or still in
 * the register if that function makes no record. If several calls have the same x29, all
 * but one are tail calls; that one has the real address. The list belongs to current, so
 * interrupts on this CPU see it in a consistent state.
 */
static unsigned long original_return(unsigned long pc, unsigned long fp)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node = READ_ONCE(current->rethooks.first);
	struct rethook_node *call;
	int bound;

	for (bound = 0; node && bound < 256; bound++, node = READ_ONCE(node->next)) {
		call = container_of(node, struct rethook_node, llist);
		if (call->frame == fp && call->ret_addr != pc)
			return is_trampoline(pc) ? call->ret_addr : pc;
	}
#elif defined(CONFIG_KRETPROBES)
	struct llist_node *node = READ_ONCE(current->kretprobe_instances.first);
	struct kretprobe_instance *call;
	int bound;

	for (bound = 0; node && bound < 256; bound++, node = READ_ONCE(node->next)) {
		call = container_of(node, struct kretprobe_instance, llist);
		if ((unsigned long)call->fp == fp && (unsigned long)call->ret_addr != pc)
			return is_trampoline(pc) ? (unsigned long)call->ret_addr : pc;
	}
#endif
	return pc;
}

/* The real return address, without authentication code. */
static unsigned long caller_address(unsigned long raw, unsigned long fp)
{
	return original_return(ptrauth_strip_kernel_insn_pac(raw), fp);
}

/*
 * A record of zeroes, in the registers that an exception has saved: go on from these. Before 6.14
 * the kernel made a record of the interrupted function there, which needs nothing of the kind.
 */
static bool leave_exception(struct walk *walk, unsigned long record)
{
#ifdef FRAME_META_TYPE_PT_REGS
	unsigned long at = record - offsetof(struct pt_regs, stackframe);
	const struct pt_regs *regs = (const struct pt_regs *)at;
	struct extent stack = task_stack();

	if (!contains(&stack, at, sizeof(*regs)))
		stack = own_stack();
	if (!contains(&stack, at, sizeof(*regs)) ||
	    kprof_peek((unsigned long)&regs->stackframe.type) != FRAME_META_TYPE_PT_REGS)
		return false;
	walk->fp = kprof_peek((unsigned long)&regs->regs[29]);
	walk->pc = original_return(kprof_peek((unsigned long)&regs->pc), walk->fp);
#endif
	return walk->pc;
}

/* Go one frame up. Return: whether there was a valid record. */
static bool step(struct walk *walk)
{
	unsigned long record = walk->fp, link;

	if (!take(walk, record, 2 * sizeof(long)))
		return false;
	walk->fp = kprof_peek(record);
	link = kprof_peek(record + sizeof(long));
	walk->pc = link ? caller_address(link, walk->fp) : 0;
	return walk->pc || (!walk->fp && leave_exception(walk, record));
}

/* The caller of the interrupted function if no record has it, else 0. */
static unsigned long unrecorded_caller(const struct pt_regs *regs)
{
	unsigned long lr = caller_address(regs->regs[30], regs->regs[29]);
	struct walk walk = walk_from(regs);
	unsigned long recorded = step(&walk) ? walk.pc : 0;

	/* The trampoline's own record has the caller. */
	if (kprof_direct_is_return(lr))
		return 0;
	return kprof_leaf_called_from(regs->pc, lr, recorded) ? lr : 0;
}

/* Unwind the rest of the stack by frame records. */
static u32 walk_records(struct walk *walk, u64 *frame, u32 nr, u32 max, u16 *flags)
{
	unsigned long end = (unsigned long)&task_pt_regs(current)->stackframe;

	while (walk->fp != end) {
		if (!step(walk)) {
			*flags |= KPROF_STACK_PARTIAL;
			break;
		}
		if (kprof_direct_is_return(walk->pc))
			continue;
		if (nr == max) {
			*flags |= KPROF_STACK_CUT;
			break;
		}
		frame[nr++] = walk->pc;
	}
	return nr;
}

static u32 walk_stack(struct pt_regs *regs, unsigned long caller,
		      u64 *frame, u32 max, u16 *flags)
{
	struct walk walk = walk_from(regs);
	u32 nr = 0;

	frame[nr++] = regs->pc;
	if (caller && nr == max) {
		*flags |= KPROF_STACK_CUT;
		return nr;
	}
	if (caller)
		frame[nr++] = caller;
	return walk_records(&walk, frame, nr, max, flags);
}

/* Do the frames match the rest of the kernel's stack, from the first one on? */
static bool is_same(const unsigned long *kernel, u32 total, const u64 *frame, u32 nr)
{
	u32 i;

	if (total < nr || (total > nr && nr < CHECK_DEPTH - 1))
		return false;
	for (i = 0; i < nr; i++)
		/* 0: a call that has left the list; its return address is not known. */
		if (kernel[i] && kernel[i] != frame[i])
			return false;
	return true;
}

/*
 * Remove the trampoline from the kernel's frames, which include the address that watched
 * functions return to. If that address itself was interrupted, because a function has just
 * returned there, it is kept once. Return: number of frames left.
 */
static u32 without_trampoline(unsigned long *kernel, u32 total, unsigned long interrupted)
{
	bool is_kept = kprof_direct_is_return(interrupted);
	u32 i, nr = 0;

	for (i = 0; i < total; i++) {
		if (!kprof_direct_is_return(kernel[i])) {
			kernel[nr++] = kernel[i];
		} else if (is_kept) {
			is_kept = false;
			kernel[nr++] = kernel[i];
		}
	}
	return nr;
}

/*
 * Compare with the kernel's own stack trace of this moment. It begins here, and continues
 * from the interrupted address, which the kernel takes for a return address. It lacks
 * a caller that has no record.
 */
static bool kernel_agrees(const struct pt_regs *regs, const u64 *frame, u32 nr,
			  unsigned long caller)
{
	unsigned long first = original_return(regs->pc, regs->regs[29]);
	unsigned long kernel[CHECK_OWN + CHECK_DEPTH];
	u32 total = without_trampoline(kernel, stack_trace_save(kernel, ARRAY_SIZE(kernel), 0),
				       regs->pc);
	u32 known = 1 + !!caller;
	u32 i;

	for (i = 0; i < total; i++) {
		if (kernel[i] == first &&
		    is_same(kernel + i + 1, total - i - 1, frame + known, nr - known))
			return true;
		/* Next come the watched function and then its caller, as a record was made. */
		if (kprof_direct_is_entered(kernel[i]) && i + 2 <= total &&
		    is_same(kernel + i + 2, total - i - 2, frame + 1, nr - 1))
			return true;
	}
	return false;
}

/* Unwind both ways, for tests. */
static u32 walk_check(struct pt_regs *regs, u64 *frame, u32 max, u16 *flags)
{
	unsigned long caller = unrecorded_caller(regs);
	u32 nr = walk_stack(regs, caller, frame, min_t(u32, max, CHECK_DEPTH), flags);

	if (!kernel_agrees(regs, frame, nr, caller))
		this_cpu_inc(kprof_unwind_counters.mismatch);
	return nr;
}

/**
 * kprof_unwind() - unwind the kernel stack from a set of registers
 * @regs:	kernel-mode registers of current, on the CPU this runs on
 * @mode:	"cache" and "kernel" are the same here, as nothing is cached
 * @frame:	where the addresses go, leaf first: the interrupted address, then
 *		return addresses
 * @max:	room for addresses
 * @flags:	KPROF_STACK_CUT and KPROF_STACK_PARTIAL are set as they apply
 * @path:	none is known here; may be NULL
 *
 * Context: any, NMI included, without migration. Return: number of addresses.
 */
u32 kprof_unwind(struct pt_regs *regs, enum kprof_unwind_mode mode,
		 u64 *frame, u32 max, u16 *flags, struct kprof_path *path)
{
	if (path)
		path->nr = 0;
	this_cpu_inc(kprof_unwind_counters.cached);
	if (mode == KPROF_UNWIND_CHECK)
		return walk_check(regs, frame, max, flags);
	return walk_stack(regs, unrecorded_caller(regs), frame, max, flags);
}

/**
 * kprof_unwind_init() - set up the unwinder
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_unwind_init(void)
{
	return kprof_leaf_init();
}

/**
 * kprof_unwind_exit() - undo kprof_unwind_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_unwind_exit(void)
{
	kprof_leaf_exit();
}
