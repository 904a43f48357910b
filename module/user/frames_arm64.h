/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frames_arm64.h - unwinds a user stack on arm64
 *
 * A 32-bit process has no reliable frames, so there is only the interrupted place.
 */
#ifndef KPROF_USER_FRAMES_ARM64_H
#define KPROF_USER_FRAMES_ARM64_H

#include <asm/cpufeature.h>
#include <asm/pgtable.h>
#include <asm/pointer_auth.h>
#include <asm/sigcontext.h>
#include <asm/sysreg.h>
#include <asm/ucontext.h>
#include <linux/bitops.h>
#include <linux/io.h>
#include <linux/mm_types.h>
#include <linux/signal.h>
#include <linux/stddef.h>

#include "compat.h"

/* When a signal handler has returned, a siginfo and a struct ucontext are on the stack. */
#define SIGNAL_REG(reg)	(sizeof(struct siginfo) + offsetof(struct ucontext, uc_mcontext.reg))
#define KPROF_SIGNAL_PC	SIGNAL_REG(pc)
#define KPROF_SIGNAL_SP	SIGNAL_REG(sp)
#define KPROF_SIGNAL_FP	SIGNAL_REG(regs[29])
#define KPROF_SIGNAL_LINK SIGNAL_REG(regs[30])

#define RET		0xd65f03c0u
#define BTI_C		0xd503245fu
#define PACIASP		0xd503233fu
#define MOV_FP_SP	0x910003fdu
#define STP		0xa9807bfdu	/* stp x29, x30, [sp, #N]! */
#define STP_MASK	0xffc07fffu
#define BL		0x94000000u
#define BL_MASK		0xfc000000u

/* Of TTBR0: the address of the table. The number of the address space and a flag are beside it. */
#define TTBR_TABLE	GENMASK_ULL(47, 1)

static inline struct kprof_user_state kprof_user_state(struct pt_regs *regs)
{
	return (struct kprof_user_state) {
		.pc = regs->pc, .sp = regs->sp, .fp = regs->regs[29], .is_exact = true,
		.link = ptrauth_strip_user_insn_pac(regs->regs[30]),
		.word = compat_user_mode(regs) ? 0 : 8,
	};
}

/* Frame pointer and return address are the first words of a frame, of whatever size. */
static inline unsigned long kprof_user_above(unsigned long fp)
{
	return 0;
}

/* A function that calls nothing has no frame. Then the instruction before @link calls it. */
static inline bool kprof_user_is_leaf(struct pt_regs *regs, unsigned long link)
{
	unsigned long target;
	u64 up;
	u32 call;

	if (!kprof_user_read32(link - 4, &call) || (call & BL_MASK) != BL)
		return false;
	target = link - 4 + 4 * sign_extend64(call & ~BL_MASK, 25);
	return regs->pc - target < KPROF_USER_FUNCTION &&
	       !(kprof_user_read64(regs->regs[29] + 8, &up) &&
		 ptrauth_strip_user_insn_pac(up) == link);
}

/* At the beginning and at the end of a function, the caller is in the link register. */
static inline unsigned long kprof_user_link(struct pt_regs *regs, unsigned long *sp)
{
	unsigned long link = ptrauth_strip_user_insn_pac(regs->regs[30]);
	u32 code;

	if (compat_user_mode(regs) || !kprof_user_read32(regs->pc, &code))
		return 0;
	*sp = regs->sp;
	if (code == RET || code == BTI_C || code == PACIASP || (code & STP_MASK) == STP)
		return link;
	/* These may have moved the stack pointer. */
	*sp = 0;
	return code == MOV_FP_SP || kprof_user_is_leaf(regs, link) ? link : 0;
}

/* The return address at the first instruction of a function. */
static inline unsigned long kprof_user_return(struct pt_regs *regs, unsigned long *sp)
{
	*sp = regs->sp;
	return regs->regs[30];
}

static inline unsigned long kprof_user_strip(unsigned long addr)
{
	return ptrauth_strip_user_insn_pac(addr);
}

/*
 * The scheduler loads the address space of the next task before that is current. Where software
 * keeps the kernel from user memory, each access loads the one that current has, which is right.
 */
static inline bool kprof_user_is_loaded(const struct mm_struct *mm)
{
	u64 own = phys_to_ttbr(virt_to_phys(mm->pgd));

	return system_uses_ttbr0_pan() || !((read_sysreg(ttbr0_el1) ^ own) & TTBR_TABLE);
}

#endif /* KPROF_USER_FRAMES_ARM64_H */
