/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * kprof.h - binary layouts shared by the module and its readers
 *
 * Everything that a reader of per_cpu/cpuN/ring, stack_table and task_table needs
 * is defined here. All integers are in the byte order of the machine that runs
 * the module. KPROF_ABI_VERSION changes when a layout does. The module prints it
 * in "stats" (abi: N), and a recording carries it.
 */
#ifndef KPROF_UAPI_H
#define KPROF_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define KPROF_ABI_VERSION	5
#define KPROF_MAX_WRITE		4096	/* bytes that a control file takes at once */

/*
 * A key says what was running. It has 64 bits, so that one compare-and-exchange
 * claims a slot for it. Zero is not a valid key: source ids start at 1.
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
 * Stack and task ids below KPROF_ID_FIRST are not rows of a table:
 * NONE   no stack was taken (a sample in user mode has no kernel stack)
 * FULL   the table was full: the sample counts under "[stack table full]"
 *        or "[task table full]"
 */
#define KPROF_ID_NONE		0
#define KPROF_ID_FULL		1
#define KPROF_ID_FIRST		2

/* The context that a sample interrupted; part of struct kprof_record.info. */
enum kprof_context {
	KPROF_CTX_TASK,
	KPROF_CTX_SOFTIRQ,
	KPROF_CTX_HARDIRQ,
	KPROF_CTX_NMI,
	KPROF_NR_CTX
};

/*
 * struct kprof_record - one sample or one call, as in per_cpu/cpuN/ring
 * @time:	nanoseconds, CLOCK_MONOTONIC
 * @weight:	what the sample stands for: nanoseconds (for the timer, its period times
 *		the number of ticks covered; for a function, the latency of the call, in
 *		a record of kind KPROF_REC_CALL), or events
 * @key:	source, task, user stack, kernel stack; see KPROF_KEY_*
 * @pid:	thread id in the PID namespace of whoever started sampling; see KPROF_PID_OUTSIDE
 * @info:	KPROF_INFO_*
 *
 * A read of the ring returns whole records only. Records of one CPU are in the
 * order in which they were reserved. With nested interrupts, this is not always
 * the order of @time. A record of kind KPROF_REC_ALONG has the layout of
 * struct kprof_along, and one of kind KPROF_REC_ROW that of struct kprof_row.
 *
 * A record of kind KPROF_REC_LATE is about an earlier sample of the timer on the same CPU, which
 * came a period late or more: @weight is the part of that sample's weight that it came late by,
 * KPROF_INFO_CAUSE() of @info says why, and the rest is as in the sample.
 */
struct kprof_record {
	__u64	time;
	__u64	weight;
	__u64	key;
	__u32	pid;
	__u32	info;
};

/*
 * A thread that has no id in that namespace: the other bits are its id in the initial one. It is
 * shown as "outside:ID".
 */
#define KPROF_PID_OUTSIDE	0x80000000u

#define KPROF_INFO_PHASE	0x00000001u	/* used by the ring: committed in this lap */
#define KPROF_INFO_USER		0x00000002u	/* user mode was interrupted */
#define KPROF_INFO_IDLE		0x00000004u	/* the idle task was interrupted */
/*
 * Another record follows: for a sample, a KPROF_REC_CALL when the call returns; for a
 * KPROF_REC_CALL, a KPROF_REC_ROW immediately after it.
 */
#define KPROF_INFO_MORE		0x00000008u
#define KPROF_INFO_KIND_SHIFT	4		/* 4 bits, enum kprof_kind */
#define KPROF_INFO_CTX_SHIFT	8		/* 2 bits, enum kprof_context */
#define KPROF_INFO_EACH_SHIFT	10		/* 2 bits: number of values of a struct kprof_row */
#define KPROF_INFO_CAUSE_SHIFT	10		/* of a KPROF_REC_LATE: enum kprof_cause */
#define KPROF_INFO_CPU_SHIFT	16		/* 16 bits */
#define KPROF_INFO_KIND(info)	(((info) >> KPROF_INFO_KIND_SHIFT) & 15)
#define KPROF_INFO_CTX(info)	(((info) >> KPROF_INFO_CTX_SHIFT) & 3)
#define KPROF_INFO_EACH(info)	(((info) >> KPROF_INFO_EACH_SHIFT) & 3)
#define KPROF_INFO_CAUSE(info)	(((info) >> KPROF_INFO_CAUSE_SHIFT) & 3)
#define KPROF_INFO_CPU(info)	((info) >> KPROF_INFO_CPU_SHIFT)

enum kprof_kind {
	KPROF_REC_SAMPLE,	/* a sample of the timer, or the entry of a call */
	KPROF_REC_CALL,		/* the return of a call: weight is its latency */
	KPROF_REC_ALONG,	/* a struct kprof_along, for the sample just before */
	KPROF_REC_ROW,		/* a struct kprof_row, for the KPROF_REC_CALL just before */
	KPROF_REC_LATE,		/* by how much an earlier sample came late, and why */
};

/* Why the timer came late, in a record of kind KPROF_REC_LATE. */
enum kprof_cause {
	KPROF_CAUSE_NOT_KNOWN,	/* interrupts were off, a handler ran, or the CPU stood still */
	KPROF_CAUSE_STOLEN,	/* the host ran something else: the kernel's steal time */
	KPROF_CAUSE_HANDLERS,	/* interrupt handlers ran, as the kernel's account of them says */
	KPROF_NR_CAUSES
};

/*
 * At most this many counters are read along with a leading counter. The name of the
 * source lists all of them, separated by commas, with the leading one first.
 */
#define KPROF_MAX_ALONG		3

/*
 * struct kprof_along - counts of the counters that are read along with a sample
 * @along:	counts since the previous sample on this CPU, in the order of the source's
 *		name; unused entries are 0
 * @nr:		number of entries used
 * @info:	KPROF_INFO_*, as in the sample
 *
 * It directly follows its sample in the ring. A sample for which the start of the counts
 * is not known has none: the first sample of a CPU, and the first one after a pause.
 */
struct kprof_along {
	__u64	along[KPROF_MAX_ALONG];
	__u32	nr;
	__u32	info;
};

/* At most this many values of a call are in its record and not in its row: each(KEY). */
#define KPROF_MAX_EACH		2

/*
 * struct kprof_row - the row of the file "latency" that a call was counted in
 * @time:	as in the return
 * @each:	values of the keys each(KEY), in their order; unused entries are 0
 * @row:	as in the column "row"; the row has the values of the other keys
 * @info:	KPROF_INFO_*, as in the return; and KPROF_INFO_EACH
 *
 * It directly follows the return in the ring, if the target has keys.
 */
struct kprof_row {
	__u64	time;
	__u64	each[KPROF_MAX_EACH];
	__u32	row;
	__u32	info;
};

/*
 * stack_table has a struct kprof_stack for each stack, in the order of their ids.
 * The table only grows, so a reader may keep its file open and continue reading.
 * @ip is leaf first. ip[0] is the interrupted address itself (or the start of
 * the called function). The others are return addresses: look up ip - 1.
 * User stacks and kernel stacks share one sequence of ids.
 */
struct kprof_stack {
	__u32	id;
	__u16	nr;		/* number of entries in ip */
	__u16	flags;		/* KPROF_STACK_* */
	__u64	ip[];
};

#define KPROF_STACK_CUT		0x1	/* the stack was deeper than "depth" */
#define KPROF_STACK_PARTIAL	0x2	/* the unwinder could not go on: the root is missing */
#define KPROF_STACK_USER	0x4	/* a user stack: ip are places in files, see below */

/*
 * An entry of a user stack is a place in a file. The same code has the same place in
 * every process, wherever it is mapped. The upper 16 bits are the number of a line in
 * file_table. The others are the offset in that file; or the address, for memory that does
 * not belong to an ELF file. File 0 means that the address was in no known executable memory.
 * A single entry of 0 means that there was no user stack.
 */
#define KPROF_USER_SHIFT	48
#define KPROF_USER_MASK		((1ULL << KPROF_USER_SHIFT) - 1)
#define KPROF_USER_FILE(place)	((__u32)((place) >> KPROF_USER_SHIFT))
#define KPROF_USER_FILE_MAX	KPROF_USER_FILE(~0ULL)
#define KPROF_USER_OFFSET(place) ((place) & KPROF_USER_MASK)

/*
 * ioctl() of the file "pins": open the file of that line of file_table, for reading. It returns
 * the descriptor. ENOENT: that file is not held.
 */
#define KPROF_PINS_TAKE		_IO('k', 0x50)

/*
 * ioctl() of the file pins, too: announces that samples are about to be taken in the file of a
 * descriptor; -1: in the vDSO. The file gets a line in file_table now, and rules are wanted for it.
 * It returns the number of the line. EINVAL: that is no program or library; ENOSPC: a user may have
 * no more lines than are free.
 */
#define KPROF_PINS_EXPECT	_IO('k', 0x51)

/* task_table has a struct kprof_task for each task, in the order of their ids. */
struct kprof_task {
	__u32	id;
	__u32	tgid;		/* 0 if tasks are distinguished by comm alone */
	char	comm[16];	/* NUL-terminated */
};

#endif /* KPROF_UAPI_H */
