/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames_x86.h - unwinds a user stack on x86-64
 */
#ifndef KPROF_USER_FRAMES_X86_H
#define KPROF_USER_FRAMES_X86_H

#include <asm/segment.h>
#include <asm/sigcontext.h>
#include <asm/special_insns.h>
#include <asm/ucontext.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/signal.h>
#include <linux/stddef.h>

/* When a signal handler has returned, the stack pointer points to a struct ucontext. */
#define SIGNAL_REG(reg)	(offsetof(struct ucontext, uc_mcontext.reg))
#define KPROF_SIGNAL_PC	SIGNAL_REG(ip)
#define KPROF_SIGNAL_SP	SIGNAL_REG(sp)
#define KPROF_SIGNAL_FP	SIGNAL_REG(bp)

/* Instructions, as words in memory. */
#define PUSH_MOV	0xe5894855u	/* push %rbp; mov %rsp,%rbp */
#define MOV		0xe58948u	/* mov %rsp,%rbp */
#define ENDBR		0xfa1e0ff3u
#define PUSH_MOV_32	0xe58955u	/* push %ebp; mov %esp,%ebp */
#define MOV_32		0xe589u
#define ENDBR_32	0xfb1e0ff3u
#define PUSH		0x55u
#define RET		0xc3u
#define CALL		0xe8u
#define CALL_TABLE	0x15ffu		/* call *N(%rip) */
#define JUMP_TABLE	0x25ffu		/* jmp *N(%rip) */
#define BND		0xf2u
#define SYSCALL		0x050fu
#define BITS(nr)	((1ULL << (nr)) - 1)

static inline bool kprof_user_is_32(struct pt_regs *regs)
{
	return regs->cs == __USER32_CS;
}

static inline struct kprof_user_state kprof_user_state(struct pt_regs *regs)
{
	return (struct kprof_user_state) {
		.pc = regs->ip, .sp = regs->sp, .fp = regs->bp, .link = regs->di, .is_exact = true,
		.word = kprof_user_is_32(regs) ? 4 : 8,
	};
}

/* Frame pointer and return address are the last words of a frame. */
static inline unsigned long kprof_user_above(unsigned long fp)
{
	return fp + 16;
}

/* Words between the stack pointer and the return address; -1 if that is in a frame. */
static inline int kprof_user_depth(struct pt_regs *regs, u64 code)
{
	bool narrow = kprof_user_is_32(regs);
	u32 before;

	if ((u32)code == (narrow ? ENDBR_32 : ENDBR))
		code >>= 32;
	if ((code & BITS(8)) == RET || (code & BITS(16)) == 0xc3f3)
		return 0;
	if (narrow ? (code & BITS(24)) == PUSH_MOV_32 : (u32)code == PUSH_MOV)
		return 0;
	if ((narrow ? (code & BITS(16)) == MOV_32 : (code & BITS(24)) == MOV) &&
	    kprof_user_read32(regs->ip - 1, &before) && (before & BITS(8)) == PUSH)
		return 1;
	return -1;
}

static inline unsigned long kprof_user_word(struct pt_regs *regs, unsigned long from, int nr)
{
	u64 wide;
	u32 narrow;

	if (kprof_user_is_32(regs))
		return kprof_user_read32(from + 4 * nr, &narrow) ? narrow : 0;
	return kprof_user_read64(from + 8 * nr, &wide) ? wide : 0;
}

/* The target of a jump through a library's function table (PLT), if there is one at @at. */
static inline unsigned long kprof_user_jump(unsigned long at)
{
	u64 code, target;

	if (!kprof_user_read64(at, &code))
		return at;
	if ((u32)code == ENDBR) {
		at += 4;
		if (!kprof_user_read64(at, &code))
			return at;
	}
	if ((code & BITS(8)) == BND) {
		at++;
		code >>= 8;
	}
	if ((code & BITS(16)) != JUMP_TABLE || !kprof_user_read32(at + 2, (u32 *)&code))
		return at;
	return kprof_user_read64(at + 6 + (s32)code, &target) ? target : at;
}

/* The function called by the call before @link; 0 if there is none, or it is not known. */
static inline unsigned long kprof_user_callee(struct pt_regs *regs, unsigned long link)
{
	unsigned long target;
	u64 call;

	if (link < 8 || !kprof_user_read64(link - 8, &call))
		return 0;
	target = link + (s32)(call >> 32);
	if ((call >> 24 & BITS(8)) == CALL)
		return kprof_user_is_32(regs) ? (u32)target : target;
	if ((call >> 16 & BITS(16)) == CALL_TABLE)
		return kprof_user_word(regs, target, 0);
	return 0;
}

static inline bool kprof_user_is_in(struct pt_regs *regs, unsigned long function)
{
	return regs->ip - function < KPROF_USER_FUNCTION;
}

/*
 * gcc never gives a frame to functions that call nothing, and the C library has none in its system
 * calls. There the return address is on top of the stack. It follows a call of the interrupted
 * function, maybe through a library's function table.
 */
static inline bool kprof_user_is_leaf(struct pt_regs *regs, unsigned long link)
{
	unsigned long callee = kprof_user_callee(regs, link);

	if (!callee || link == kprof_user_word(regs, regs->bp, 1))
		return false;
	if (kprof_user_is_in(regs, callee))
		return true;
	return !kprof_user_is_32(regs) && kprof_user_is_in(regs, kprof_user_jump(callee));
}

/*
 * The child of vfork() runs on the stack of its parent. So C libraries take the return address off
 * the stack before the system call, and keep it in a register: glibc in rdi, musl in rdx.
 */
static inline unsigned long kprof_user_saved_link(struct pt_regs *regs)
{
	u64 code;

	if (kprof_user_is_32(regs) || !kprof_user_read64(regs->ip - sizeof(code), &code) ||
	    code >> 48 != SYSCALL)
		return 0;
	if (kprof_user_is_leaf(regs, regs->di))
		return regs->di;
	return kprof_user_is_leaf(regs, regs->dx) ? regs->dx : 0;
}

/* At the beginning and at the end of a function, the frame pointer is still the caller's. */
static inline unsigned long kprof_user_link(struct pt_regs *regs, unsigned long *sp)
{
	unsigned long link, word = kprof_user_is_32(regs) ? 4 : 8;
	u64 code;
	int depth;

	if (!kprof_user_read64(regs->ip, &code))
		return 0;
	depth = kprof_user_depth(regs, code);
	*sp = regs->sp + word * (max(depth, 0) + 1);
	link = kprof_user_word(regs, regs->sp, max(depth, 0));
	if (depth >= 0 || kprof_user_is_leaf(regs, link))
		return link;
	*sp = regs->sp;
	return kprof_user_saved_link(regs);
}

/* The return address at the first instruction of a function. */
static inline unsigned long kprof_user_return(struct pt_regs *regs, unsigned long *sp)
{
	*sp = regs->sp + (kprof_user_is_32(regs) ? 4 : 8);
	return kprof_user_word(regs, regs->sp, 0);
}

static inline unsigned long kprof_user_strip(unsigned long addr)
{
	return addr;
}

/*
 * The scheduler loads the address space of the next task before that is current. Tracepoints and
 * watched functions may be passed in between, and an NMI may also come while the kernel has loaded
 * an address space of its own for a moment.
 */
static inline bool kprof_user_is_loaded(const struct mm_struct *mm)
{
	return read_cr3_pa() == __pa(mm->pgd);
}

#undef BITS
#endif /* KPROF_USER_FRAMES_X86_H */
