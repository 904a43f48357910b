/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kprof.h - binary layouts that the module and its readers share
 *
 * Everything a reader of per_cpu/cpuN/ring, stack_table and task_table needs is
 * here and nowhere else. All integers are in the byte order of the machine
 * that runs the module. KPROF_ABI_VERSION changes when a layout does; the
 * module prints it in "stats" (abi: N) and a recording carries it.
 */
#ifndef KPROF_UAPI_H
#define KPROF_UAPI_H

#include <linux/types.h>

#define KPROF_ABI_VERSION	4

/*
 * A key says what was running: 64 bits, so that one compare-and-exchange
 * claims a slot for it. Zero is never a key: source ids start at 1.
 *
 *   63      54 53         40 39            20 19             0
 *   | source  |    task     |  user stack   |  kernel stack  |
 */
#define KPROF_KSTACK_BITS	20
#define KPROF_USTACK_BITS	20
#define KPROF_TASK_BITS		14
#define KPROF_SOURCE_BITS	10

#define KPROF_USTACK_SHIFT	KPROF_KSTACK_BITS
#define KPROF_TASK_SHIFT	(KPROF_USTACK_SHIFT + KPROF_USTACK_BITS)
#define KPROF_SOURCE_SHIFT	(KPROF_TASK_SHIFT + KPROF_TASK_BITS)

#define KPROF_FIELD(key, shift, bits) \
	((__u32)(((key) >> (shift)) & ((1ULL << (bits)) - 1)))
#define KPROF_KEY_KSTACK(key)	KPROF_FIELD(key, 0, KPROF_KSTACK_BITS)
#define KPROF_KEY_USTACK(key)	KPROF_FIELD(key, KPROF_USTACK_SHIFT, KPROF_USTACK_BITS)
#define KPROF_KEY_TASK(key)	KPROF_FIELD(key, KPROF_TASK_SHIFT, KPROF_TASK_BITS)
#define KPROF_KEY_SOURCE(key)	KPROF_FIELD(key, KPROF_SOURCE_SHIFT, KPROF_SOURCE_BITS)

/*
 * Stack and task ids below these are not rows of a table but names:
 * NONE   no stack was taken (a sample in user mode has no kernel stack)
 * FULL   the table had no room: the sample counts under "[stack table full]"
 *        or "[task table full]"
 */
#define KPROF_ID_NONE		0
#define KPROF_ID_FULL		1
#define KPROF_ID_FIRST		2

/* The context a sample interrupted; in struct kprof_record.info. */
enum kprof_context {
	KPROF_CTX_TASK,
	KPROF_CTX_SOFTIRQ,
	KPROF_CTX_HARDIRQ,
	KPROF_CTX_NMI,
	KPROF_NR_CTX
};

/*
 * struct kprof_record - one sample or one call, as per_cpu/cpuN/ring has it
 * @time:	nanoseconds, CLOCK_MONOTONIC
 * @weight:	what the sample stands for: nanoseconds (timer: its period times
 *		the ticks it covers; function: the latency of the call, in a
 *		record of kind KPROF_REC_CALL), or events
 * @key:	source, task, user stack, kernel stack; see KPROF_KEY_*
 * @pid:	thread id in the initial pid namespace
 * @info:	KPROF_INFO_*
 *
 * Reading the ring yields whole records only. Records of one CPU are in the
 * order in which they were reserved, which under nested interrupts is not
 * always the order of @time. A record of kind KPROF_REC_ALONG is laid out
 * as struct kprof_along, one of kind KPROF_REC_ROW as struct kprof_row.
 */
struct kprof_record {
	__u64	time;
	__u64	weight;
	__u64	key;
	__u32	pid;
	__u32	info;
};

#define KPROF_INFO_PHASE	0x00000001u	/* the ring's own: committed in this lap */
#define KPROF_INFO_USER		0x00000002u	/* user mode was interrupted */
#define KPROF_INFO_IDLE		0x00000004u	/* the idle task was interrupted */
/*
 * There is more to come: behind a sample, a KPROF_REC_CALL when it is over; behind a
 * KPROF_REC_CALL, a KPROF_REC_ROW at once.
 */
#define KPROF_INFO_MORE		0x00000008u
#define KPROF_INFO_KIND_SHIFT	4		/* 4 bits, enum kprof_kind */
#define KPROF_INFO_CTX_SHIFT	8		/* 2 bits, enum kprof_context */
#define KPROF_INFO_CPU_SHIFT	16		/* 16 bits */
#define KPROF_INFO_KIND(info)	(((info) >> KPROF_INFO_KIND_SHIFT) & 15)
#define KPROF_INFO_CTX(info)	(((info) >> KPROF_INFO_CTX_SHIFT) & 3)
#define KPROF_INFO_CPU(info)	((info) >> KPROF_INFO_CPU_SHIFT)

enum kprof_kind {
	KPROF_REC_SAMPLE,	/* a sample of the timer, or the entry of a call */
	KPROF_REC_CALL,		/* the return of a call: weight is its latency */
	KPROF_REC_ALONG,	/* a struct kprof_along, of the sample just before */
	KPROF_REC_ROW,		/* a struct kprof_row, of the KPROF_REC_CALL just before */
};

/*
 * A counter that leads has at most so many read along with it. The name of the
 * source lists all of them, separated by commas, the one that leads first.
 */
#define KPROF_MAX_ALONG		3

/*
 * struct kprof_along - what the counters read along have counted up to a sample
 * @along:	since the sample before on this CPU, in the order of the source's
 *		name; 0 where there are fewer
 * @nr:		how many there are
 * @info:	KPROF_INFO_*, as of the sample
 *
 * It follows its sample in the ring, with nothing in between. A sample whose
 * beginning is not known has none: the first of a CPU, and the one after a pause.
 */
struct kprof_along {
	__u64	along[KPROF_MAX_ALONG];
	__u32	nr;
	__u32	info;
};

/*
 * struct kprof_row - which row of the file "latency" a call was counted in
 * @time:	as of the return
 * @reserved:	0
 * @row:	as the column "row" has it; the row names the values of the keys
 * @info:	KPROF_INFO_*, as of the return
 *
 * It follows the return in the ring, with nothing in between, where the target has keys.
 */
struct kprof_row {
	__u64	time;
	__u64	reserved[2];
	__u32	row;
	__u32	info;
};

/*
 * stack_table: a struct kprof_stack for each stack, in the order of their ids.
 * The table only grows, so a reader may keep its file open and read on.
 * @ip is leaf first. ip[0] is the interrupted address itself (or the start
 * of the function called), the others are return addresses: look up ip - 1.
 * User stacks and kernel stacks have ids of one row.
 */
struct kprof_stack {
	__u32	id;
	__u16	nr;		/* of entries in ip */
	__u16	flags;		/* KPROF_STACK_* */
	__u64	ip[];
};

#define KPROF_STACK_CUT		0x1	/* the stack was deeper than "depth" */
#define KPROF_STACK_PARTIAL	0x2	/* the unwinder lost its way: the root is missing */
#define KPROF_STACK_USER	0x4	/* of user mode: ip are places in files, see below */

/*
 * An entry of a user stack is a place in a file: the same code has the same place in
 * whatever process, wherever it is mapped. The upper 16 bits are the number of a line of
 * file_table, the others the offset in that file; of memory that is no file's, the address.
 * File 0 is none: the address was in no executable memory that is known. A lone 0 says that
 * there was no user stack to take.
 */
#define KPROF_USER_SHIFT	48
#define KPROF_USER_MASK		((1ULL << KPROF_USER_SHIFT) - 1)
#define KPROF_USER_FILE(place)	((__u32)((place) >> KPROF_USER_SHIFT))
#define KPROF_USER_OFFSET(place) ((place) & KPROF_USER_MASK)

/* task_table: a struct kprof_task for each task, in the order of their ids. */
struct kprof_task {
	__u32	id;
	__u32	tgid;		/* 0 where tasks are told apart by comm alone */
	char	comm[16];	/* NUL-terminated */
};

#endif /* KPROF_UAPI_H */
