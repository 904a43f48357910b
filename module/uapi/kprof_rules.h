/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kprof_rules.h - how to find a function's caller, for each place in a file
 *
 * A reader makes this from the file's .eh_frame and writes it, at once, to "rules". In the
 * byte order of the machine. The module believes nothing in it.
 */
#ifndef KPROF_UAPI_RULES_H
#define KPROF_UAPI_RULES_H

#include <linux/types.h>

#define KPROF_RULES_MAGIC	0x3173656c7572706bULL	/* "kprules1" */

/*
 * struct kprof_rules_header - begins what is written
 * @magic:	KPROF_RULES_MAGIC
 * @file:	number of the file in file_table
 * @nr_rules:	number of struct kprof_rule, which come next; at most KPROF_MAX_RULES
 * @nr_rows:	number of rows, which are behind these; 0: the file has no rules
 * @zero:	0
 * @ino:	of the file, as in file_table, and so are the following
 * @size:	of the file
 * @mtime:	of the file
 *
 * The rows are two arrays: nr_rows __u32, which ascend, are offsets in the file; and
 * nr_rows __u16 are the numbers of the rules that apply from there to the next offset.
 */
struct kprof_rules_header {
	__u64	magic;
	__u32	file;
	__u32	nr_rules;
	__u32	nr_rows;
	__u32	zero;
	__u64	ino;
	__u64	size;
	__s64	mtime;
};

#define KPROF_MAX_RULES		0xffff

/*
 * Where the caller's frame is. It is known by an address above all that a function keeps on
 * the stack, which the standard calls CFA: the caller's stack pointer.
 */
enum kprof_rule_kind {
	KPROF_RULE_NONE,	/* the file does not say: try frame pointers */
	KPROF_RULE_UNKNOWN,	/* it says what no rule can: the stack ends, partial */
	KPROF_RULE_ROOT,	/* nothing calls this */
	KPROF_RULE_SP,		/* CFA = stack pointer + cfa */
	KPROF_RULE_FP,		/* CFA = frame pointer + cfa */
	KPROF_RULE_FP_AT,	/* CFA = what is at frame pointer + cfa */
	/* x86-64: CFA = stack pointer + 8, and 8 more from byte cfa of each 16 bytes of code on */
	KPROF_RULE_PLT,
	KPROF_RULE_SIGNAL,	/* the kernel has called this: it has saved all registers */
	KPROF_NR_RULES
};

/*
 * struct kprof_rule - how to find the caller
 * @cfa:	see enum kprof_rule_kind
 * @fp:		the caller's frame pointer is saved at CFA + fp; or KPROF_RULE_SAME and so on
 * @ra:		the return address is saved at CFA + ra; or KPROF_RULE_SAME: it is in
 *		the link register or, on x86-64, in rdi, where glibc's vfork() has it
 * @kind:	enum kprof_rule_kind
 * @zero:	0; the module's own, once it has taken the rule
 */
struct kprof_rule {
	__s32	cfa;
	__s16	fp;
	__s16	ra;
	__u32	kind;
	__u32	zero;
};

#define KPROF_RULE_SAME		0x7fff	/* in its register */
#define KPROF_RULE_LOST		0x7ffe	/* not known */
#define KPROF_RULE_AT_FP	0x7ffd	/* for fp: where the frame pointer points */

#endif /* KPROF_UAPI_RULES_H */
