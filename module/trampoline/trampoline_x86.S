/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trampoline_x86.S - runs between a function and its caller
 *
 * ftrace turns the call at the start of a watched function into a call of
 * kprof_trampoline. The return address on the stack identifies the function, so
 * one trampoline serves all functions:
 *
 *	24(%rbp)  the function's arguments that came on the stack
 *	16(%rbp)  return address into the function's caller
 *	 8(%rbp)  return address into the function, just past its call of the trampoline
 *	 0(%rbp)  caller's frame pointer
 *		  struct kprof_frame begins FRAME_SIZE below
 *
 * The function is entered again from here, with a copy of its stack arguments, by
 * pushing its address and returning to it. With indirect branch tracking, that
 * address is not a valid target of an indirect call. To the unwinder, the
 * trampoline is a function with a frame pointer that the watched function has called.
 *
 * With CONFIG_CALL_DEPTH_TRACKING, the trampoline's returns are counted, but ftrace's call of it is
 * not: the return stack is refilled too early, never too late.
 */
#include <linux/linkage.h>
#include <linux/objtool.h>
#include <asm/page_types.h>
#include <asm/percpu.h>
#include <asm/unwind_hints.h>

#include "compat.h"

/* Checked in kprof_direct_check() and kprof_direct_init(): offsets in struct kprof_frame... */
#define FRAME_SIZE	152	/* bp */
#define CALL_TARGET	48
#define CALL_START	72
#define CALL_SAMPLE	88
#define CALL_EPOCH	96
/* ... and in struct kprof_direct_entry, of which there are 2^11 */
#define ENTRY_IP	0
#define ENTRY_TARGET	8
#define ENTRY_ENTERED	16
#define ENTRY_WAY	24
#define ENTRY_BITS	5
#define TABLE_BITS	11
#define WAY_PLAIN	1	/* enum kprof_way */
#define WAY_ARGUMENTS	2
#define WAY_SHORT	3
#define CALL_PLAIN	-1	/* KPROF_CALL_* */
#define CALL_ARGUMENTS	-2

#define IN_INTERRUPT	0x00ffff00	/* in the preemption count: not in task context */

#define COPIED_WORDS	8	/* KPROF_STACK_ARGS: six arguments are passed in registers */
#define FIRST_WORD	24	/* from %rbp */

.macro SAVE_ARGUMENTS
	movq	%rdi, 0(%rsp)
	movq	%rsi, 8(%rsp)
	movq	%rdx, 16(%rsp)
	movq	%rcx, 24(%rsp)
	movq	%r8, 32(%rsp)
	movq	%r9, 40(%rsp)
.endm

.macro RESTORE_ARGUMENTS
	movq	0(%rsp), %rdi
	movq	8(%rsp), %rsi
	movq	16(%rsp), %rdx
	movq	24(%rsp), %rcx
	movq	32(%rsp), %r8
	movq	40(%rsp), %r9
.endm

SYM_FUNC_START_LOCAL(continue_function)
	pushq	8(%rbp)
	UNWIND_HINT_FUNC
	RET
SYM_FUNC_END(continue_function)

SYM_FUNC_START(kprof_trampoline)
	/* Only direct calls and returns lead here. */
	ANNOTATE_NOENDBR
	pushq	%rbp
	movq	%rsp, %rbp
	subq	$FRAME_SIZE, %rsp

	/* The upper half of a task's stack has room. The stack is aligned to its size. */
	testl	$(THREAD_SIZE / 2), %esp
	jz	.Lscarce
	testl	$IN_INTERRUPT, PER_CPU_VAR(KPROF_PREEMPT_COUNT)
	jnz	.Lscarce
.Lroom:

	/* The short way: does what kprof_direct_enter() would do, with fewer registers. */
	movq	8(%rbp), %rax
	leaq	(%rax, %rax), %r10
	andl	$(((1 << TABLE_BITS) - 1) << ENTRY_BITS), %r10d
	addq	$kprof_direct_table, %r10	/* modules are in the top 2 GiB */
	cmpq	%rax, ENTRY_IP(%r10)
	jne	.Lask
	movq	ENTRY_TARGET(%r10), %rax
	movq	%rax, CALL_TARGET(%rsp)
	movq	$CALL_PLAIN, CALL_SAMPLE(%rsp)
	cmpb	$WAY_PLAIN, ENTRY_WAY(%r10)
	jne	.Lmore
.Lshort:
	movl	kprof_live_epoch(%rip), %eax
	testl	%eax, %eax
	jz	.Lunwatched
	movl	%eax, CALL_EPOCH(%rsp)
	movq	ENTRY_ENTERED(%r10), %rax
	incq	KPROF_PER_CPU_AT(%rax)
	movq	%rdx, %r10
	rdtsc
	shlq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, CALL_START(%rsp)
	movq	%r10, %rdx

.Lcopy_arguments:
	/* The next page may be beyond the stack. */
	leaq	(FIRST_WORD + 8 * COPIED_WORDS)(%rbp), %rax
	xorq	%rbp, %rax
	testq	$-4096, %rax
	jnz	.Lcareful
	.set	offset, FIRST_WORD + 8 * (COPIED_WORDS - 1)
	.rept	COPIED_WORDS
	pushq	offset(%rbp)
	.set	offset, offset - 8
	.endr
.Lcall:
	call	continue_function
SYM_INNER_LABEL(kprof_trampoline_return, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR	/* compared with, not branched to */
	/* The copied arguments' space has room for the two return registers. */
	movq	%rax, 0(%rsp)
	movq	%rdx, 8(%rsp)
	leaq	-FRAME_SIZE(%rbp), %rdi
	movq	%rax, %rsi
	call	kprof_direct_leave
	movq	0(%rsp), %rax
	movq	8(%rsp), %rdx
	leave
	addq	$8, %rsp	/* skip the return into the function: go to its caller */
	UNWIND_HINT_FUNC
SYM_INNER_LABEL(kprof_trampoline_ret, SYM_L_GLOBAL)
	ANNOTATE_NOENDBR	/* looked at, not branched to */
	RET

.Lunwatched:
	leave
	RET

.Lmore:
	SAVE_ARGUMENTS
	movq	$CALL_ARGUMENTS, CALL_SAMPLE(%rsp)
	cmpb	$WAY_ARGUMENTS, ENTRY_WAY(%r10)
	je	.Lshort
	movq	%rsp, %rdi
	cmpb	$WAY_SHORT, ENTRY_WAY(%r10)
	jne	.Lany
	call	kprof_direct_enter_short
.Lentered:
	testb	%al, %al
	RESTORE_ARGUMENTS
	jnz	.Lcopy_arguments
	leave
	RET

.Lask:
	SAVE_ARGUMENTS
	movq	%rsp, %rdi
.Lany:
	call	kprof_direct_enter
	jmp	.Lentered

.Lscarce:
	SAVE_ARGUMENTS
	movq	%rsp, %rdi
	call	kprof_direct_has_room
	testb	%al, %al
	RESTORE_ARGUMENTS
	jnz	.Lroom
	jmp	.Lunwatched

.Lcareful:
	SAVE_ARGUMENTS
	movq	%rsp, %rdi
	call	kprof_direct_stack_args
	movq	%rax, %r10
	RESTORE_ARGUMENTS
	subq	$(8 * COPIED_WORDS), %rsp
.Lcopy:
	subq	$1, %r10
	js	.Lcall
	movq	FIRST_WORD(%rbp, %r10, 8), %rax
	movq	%rax, (%rsp, %r10, 8)
	jmp	.Lcopy
SYM_FUNC_END(kprof_trampoline)
