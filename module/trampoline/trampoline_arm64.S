/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trampoline_arm64.S - runs between a function and its caller
 *
 * ftrace puts two instructions at the start of a watched function: the first saves the return
 * address in x9, the second calls kprof_trampoline (or else see the end). So x30 identifies the
 * function, and one trampoline serves all functions. Arguments are in x0 to x8; x9 to x17 are free.
 *
 * struct kprof_frame is at the stack pointer, and begins with a frame record. To
 * unwinders, the trampoline is a function called by the watched function's caller, and it has
 * called the watched function. That function continues from here, with a return address in the
 * trampoline and a lower stack pointer. It has no stack arguments.
 *
 * The function's return address is stored signed, as in any kernel function. So the
 * trampoline's end is like that of others, and one of them can replace it (epilogue_arm64.c).
 */
#include <linux/linkage.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>
#include <asm/memory.h>
#include <asm/sysreg.h>

/* Checked in kprof_direct_check() and kprof_direct_init(): offsets in struct kprof_frame... */
#define FRAME_SIZE	208
#define ARG		16
#define RESULT		80	/* followed by ip */
#define MARK		96
#define CALL_TARGET	104
#define CALL_START	128
#define CALL_SAMPLE	144
#define CALL_EPOCH	152
/* ... and in struct kprof_direct_entry, of which there are 2^11 */
#define ENTRY_IP	0	/* followed by target */
#define ENTRY_ENTERED	16	/* followed by way */
#define ENTRY_BITS	5
#define TABLE_BITS	11
#define WAY_PLAIN	1	/* enum kprof_way */
#define WAY_ARGUMENTS	2
#define WAY_SHORT	3
#define CALL_PLAIN	-1	/* KPROF_CALL_* */
#define CALL_ARGUMENTS	-2

/* All stacks are aligned to twice their size: this bit of sp is set in the upper half. */
#define UPPER_HALF	(THREAD_SHIFT - 1)

/* These are hints: processors without the feature treat them as no-ops. */
.macro SIGN_RETURN
#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
	hint	#25		/* paciasp */
#endif
.endm

.macro AUTHENTICATE_RETURN
#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
	hint	#29		/* autiasp */
#endif
.endm

.macro SAVE_ARGUMENTS
	stp	x0, x1, [sp, #ARG]
	stp	x2, x3, [sp, #ARG + 16]
	stp	x4, x5, [sp, #ARG + 32]
	stp	x6, x7, [sp, #ARG + 48]
.endm

/*
 * Call a function with the frame. A second frame record tells unwinders that the watched
 * function has called the trampoline.
 */
.macro ASK function, label
	stp	x8, x11, [sp, #RESULT]
	mov	x0, sp
	stp	x29, x11, [sp, #-16]!
	mov	x29, sp
	bl	\function
\label:
	add	x29, sp, #16	/* before sp: a record below sp is not valid */
	mov	sp, x29
	mov	w9, w0
	ldp	x0, x1, [sp, #ARG]
	ldp	x2, x3, [sp, #ARG + 16]
	ldp	x4, x5, [sp, #ARG + 32]
	ldp	x6, x7, [sp, #ARG + 48]
	ldp	x8, x11, [sp, #RESULT]
.endm

SYM_FUNC_START(kprof_trampoline)
	mov	x11, x30
	mov	x10, sp
	mov	x30, x9
	SIGN_RETURN
	stp	x29, x30, [sp, #-FRAME_SIZE]!
	mov	x29, sp
	tbz	x10, #UPPER_HALF, .Lscarce

	/* The short way: does what kprof_direct_enter() would do, with fewer registers. */
	adrp	x10, kprof_direct_table
	add	x10, x10, :lo12:kprof_direct_table
	ubfx	x12, x11, #4, #TABLE_BITS
	add	x10, x10, x12, lsl #ENTRY_BITS
	ldp	x12, x13, [x10, #ENTRY_IP]
	cmp	x12, x11
	b.ne	.Lask
	ldp	x12, x14, [x10, #ENTRY_ENTERED]
	mov	x15, #CALL_PLAIN
	str	x13, [sp, #CALL_TARGET]
	cmp	x14, #WAY_PLAIN
	b.ne	.Lmore
.Lshort:
	adrp	x13, kprof_live_epoch
	ldr	w13, [x13, :lo12:kprof_live_epoch]
	cbz	w13, .Lunwatched
	str	x15, [sp, #CALL_SAMPLE]
	str	w13, [sp, #CALL_EPOCH]
	/* Atomic on any CPU: the task may have moved to another one by now. */
	get_this_cpu_offset x13
	add	x12, x12, x13
.Lentered:
	ldxr	x13, [x12]
	add	x13, x13, #1
	stxr	w14, x13, [x12]
	cbnz	w14, .Lentered
	mrs	x13, cntvct_el0
	str	x13, [sp, #CALL_START]

.Lcall:
	adr	x10, kprof_trampoline
	eor	x10, x10, x29
	str	x10, [sp, #MARK]
	mov	x10, xzr	/* else an exception could later save the mark at this address */
	bl	.Lgo_on
SYM_INNER_LABEL(kprof_trampoline_return, SYM_L_GLOBAL)
	stp	x0, x1, [sp, #RESULT]
	str	xzr, [sp, #MARK]
	mov	x1, x0
	mov	x0, sp
	bl	kprof_direct_leave
	ldp	x0, x1, [sp, #RESULT]
	ldp	x29, x30, [sp], #FRAME_SIZE
	AUTHENTICATE_RETURN
	ret

.Lgo_on:
#ifdef CONFIG_ARM64_BTI_KERNEL
	ret	x11		/* there is no BTI landing pad for a branch */
#else
	br	x11
#endif

.Lunwatched:
	ldp	x29, x30, [sp], #FRAME_SIZE
	AUTHENTICATE_RETURN
	ret	x11

.Lmore:
	SAVE_ARGUMENTS
	mov	x15, #CALL_ARGUMENTS
	cmp	x14, #WAY_ARGUMENTS
	b.eq	.Lshort
	cmp	x14, #WAY_SHORT
	b.ne	.Lany
	ASK	kprof_direct_enter_short, .Lentered_short
	tbz	w9, #0, .Lunwatched
	b	.Lcall

.Lask:
	SAVE_ARGUMENTS
.Lany:
	ASK	kprof_direct_enter, kprof_trampoline_entered
	.globl	kprof_trampoline_entered
	tbz	w9, #0, .Lunwatched
	b	.Lcall

.Lscarce:
	SAVE_ARGUMENTS
	ASK	kprof_direct_has_room, .Lasked
	b	.Lunwatched	/* there is never room */
SYM_FUNC_END(kprof_trampoline)

#ifndef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
/*
 * Where ftrace has no direct calls, its callback (hook_callback_arm64.c) makes it return here
 * instead of into the function. All is then as if the function's first instruction came next, and
 * which function it is follows from the address: each slot of the table has one.
 */
SYM_CODE_START(kprof_trampoline_diverted)
	.set	slot, 0
	.rept	1 << TABLE_BITS
	mov	w10, #slot
	b	.Ldiverted
	.set	slot, slot + 1
	.endr

.Ldiverted:
	adrp	x11, kprof_direct_table
	add	x11, x11, :lo12:kprof_direct_table
	add	x11, x11, x10, lsl #ENTRY_BITS
	mov	x9, x30
	ldr	x30, [x11, #ENTRY_IP]
	b	kprof_trampoline
SYM_CODE_END(kprof_trampoline_diverted)
#endif

#ifdef CONFIG_ARM64_PTR_AUTH_KERNEL
/*
 * unsigned long kprof_sign(unsigned long address, unsigned long modifier,
 *			    const struct ptrauth_key *key, const struct ptrauth_key *own)
 *
 * Sign an address with another task's key. Interrupts are disabled. Nothing may be signed or
 * authenticated between the two changes of keys.
 */
SYM_FUNC_START(kprof_sign)
	mov	x17, x0
	mov	x16, x1
	ldp	x4, x5, [x2]
	ldp	x6, x7, [x3]
	msr_s	SYS_APIAKEYLO_EL1, x4
	msr_s	SYS_APIAKEYHI_EL1, x5
	isb
	hint	#8		/* pacia1716 */
	msr_s	SYS_APIAKEYLO_EL1, x6
	msr_s	SYS_APIAKEYHI_EL1, x7
	isb
	mov	x0, x17
	ret
SYM_FUNC_END(kprof_sign)
#endif
