/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keys.h - the keys of a target's rows, which make up the context of a call
 */
#ifndef KPROF_KEYS_H
#define KPROF_KEYS_H

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/types.h>

#include "calls/call.h"
#include "profile/profile.h"

struct kprof_text;
struct pt_regs;
struct task_struct;

#define KPROF_MAX_CONDITIONS	4
#define KPROF_MAX_DEREFS	4
#define KPROF_NR_ARGS		6
#define KPROF_MAX_WORD		128	/* bytes of a text in a condition */
#define KPROF_MAX_FILES		7	/* files whose identity file= gives */

enum kprof_key_kind {
	KPROF_BY_ARG,		/* $argN, or what it points to */
	KPROF_BY_RETVAL,	/* $retval, or what it points to */
	KPROF_BY_ERROR,	/* whether the return value is a kernel error */
	KPROF_BY_COMM,
	KPROF_BY_PID,		/* as users know it: see base/ids.h */
	KPROF_BY_KERNEL_PID,	/* as the kernel has it in memory, which a key may be joined with */
	KPROF_BY_CPU,
	KPROF_BY_CONTEXT,	/* task, softirq, hardirq, nmi */
	KPROF_BY_SYSCALL,	/* number of the system call the task is in, or -1 */
	KPROF_BY_CALLER,	/* the return address */
	KPROF_BY_STACK,	/* id of the stack at entry */
	KPROF_BY_USTACK,	/* id of the user stack of the task that runs, at entry */
	KPROF_BY_HITS,		/* number of times another target was passed inside the call */
	KPROF_BY_CURRENT,	/* name of the task that runs, even if the event is about another */
	KPROF_BY_STATE,		/* why a task stops running: enum kprof_state */
	KPROF_BY_FAULT,		/* outcome of a call of handle_mm_fault(): enum kprof_fault */
	KPROF_BY_CGROUP,	/* path of the task's cgroup, of version 2 */
	KPROF_BY_REGISTER,	/* a register of user mode, or what it points to */
};

/* State of a task that is switched from, or is woken. */
enum kprof_state {
	KPROF_STATE_WOKEN,	/* woken; also used for everything that is not a switch */
	KPROF_STATE_PREEMPTED,	/* it could have gone on */
	KPROF_STATE_THROTTLED,	/* the same, but its cgroup has used up its limit of CPU time */
	KPROF_STATE_IO,		/* it waits for I/O; from here on, it is blocked */
	KPROF_STATE_WAIT,	/* it waits, and no signal ends the wait */
	KPROF_STATE_SLEEP,	/* it waits; a signal may end the wait, or it is no load */
	KPROF_STATE_STOPPED,	/* stopped by a signal or a tracer, or parked */
	KPROF_STATE_DEAD,	/* it never runs again */
	KPROF_NR_STATES
};

/* The kernel counts page faults of tasks in the same way. */
enum kprof_fault {
	KPROF_FAULT_MINOR,
	KPROF_FAULT_MAJOR,	/* it needed I/O */
	KPROF_FAULT_RETRY,	/* it is not over: another call follows */
	KPROF_FAULT_ERROR,
	KPROF_NR_FAULTS
};

/* The only function that can have this key. */
#define KPROF_FAULT_FUNCTION	"handle_mm_fault"

enum kprof_bucket {
	KPROF_BUCKET_NONE,
	KPROF_BUCKET_LOG2,
	KPROF_BUCKET_LINEAR,
	KPROF_BUCKET_ERRNO,	/* the number of an error; 0 for other values */
};

/*
 * The value of a key is the state, and of KPROF_STATE_THROTTLED also the id of the path of the
 * cgroup that has the limit, if that is known.
 */
#define KPROF_STATE_MASK	0xff
#define KPROF_STATE_PATH_SHIFT	8

extern const char * const kprof_state_names[KPROF_NR_STATES];

/**
 * struct kprof_key - one key
 * @kind:	enum kprof_key_kind
 * @bucket:	how numbers are bucketed
 * @arg:	index of the argument, from 0; or number of the register
 * @size:	bytes of the value: 1, 2, 4, 8
 * @is_typed:	its type was given
 * @is_signed:	it is printed with a sign
 * @is_hex:	it is printed in hexadecimal
 * @is_string:	it is the string at the address
 * @is_user:	that string is in user space
 * @at_end:	key of a span that is read at the span's end
 * @is_of_end:	@at_end, or the value is known only when a call returns
 * @is_direct:	it is an argument itself, and a number
 * @nr_derefs:	memory accesses: value = *(value + offset), in order
 * @offset:	offset of each access
 * @mask:	bits of the value that count
 * @step:	step of KPROF_BUCKET_LINEAR
 * @text:	the name that rows show: by default the key as it was written, cut if it is long
 */
struct kprof_key {
	u8 kind;
	u8 bucket;
	u8 arg;
	u8 size;
	bool is_typed;
	bool is_signed;
	bool is_hex;
	bool is_string;
	bool is_user;
	bool at_end;
	bool is_of_end;
	bool is_direct;
	u8 nr_derefs;
	s32 offset[KPROF_MAX_DEREFS];
	u64 mask;
	u64 step;
	char text[48];
};

/* A stack or a caller: it is read from registers, and there is nothing to compare it with. */
static inline bool kprof_key_is_code(const struct kprof_key *key)
{
	return key->kind == KPROF_BY_STACK || key->kind == KPROF_BY_USTACK ||
	       key->kind == KPROF_BY_CALLER;
}

enum kprof_compare {
	KPROF_EQ, KPROF_NE, KPROF_LT, KPROF_LE, KPROF_GT, KPROF_GE, KPROF_AND,
};

/* "if=$arg2>0": calls for which it does not hold are dropped by reason "filter". */
/* @or_throttled: of a state: it also holds if it would for KPROF_STATE_THROTTLED. */
struct kprof_condition {
	struct kprof_key key;
	bool or_throttled;
	u32 pid_namespace;	/* number of that in which the value is an id; 0: it is none */
	u8 compare;
	u64 value;
	char word[KPROF_MAX_WORD];	/* for a key that is a text */
};

/* A point that begins a span is passed while one with the same key is open. */
enum kprof_if_open {
	KPROF_OPEN_REPLACE,	/* that one is discarded */
	KPROF_OPEN_RESTART,	/* that one goes on, but its time begins here */
	KPROF_OPEN_KEEP,	/* that one goes on */
};

/**
 * struct kprof_point_keys - the keys in parentheses after a point
 * @is_joined:	a begin and an end belong together if @join is equal; else if the task and
 *		its context are
 * @is_cpu_joined: the CPU must be the same, too
 * @is_task_joined: the current task must be the same, too
 * @nr_conditions: number of conditions
 * @join:	the key that joins
 * @condition:	conditions; where one does not hold, it is not this point
 * @is_sized:	what begins there has a size
 * @is_order:	the size is an order of pages, not a number of bytes
 * @size:	the key with the size
 * @if_open:	for a beginning: enum kprof_if_open
 * @is_forgotten: a span is discarded there, not ended
 * @is_shared:	for an end: it is also passed when no span has begun
 */
struct kprof_point_keys {
	bool is_joined;
	bool is_cpu_joined;
	bool is_task_joined;
	u8 nr_conditions;
	struct kprof_key join;
	struct kprof_condition condition[KPROF_MAX_CONDITIONS];
	bool is_sized;
	bool is_order;
	struct kprof_key size;
	u8 if_open;
	bool is_forgotten;
	bool is_shared;
};

/**
 * struct kprof_file_id - which file an offset was read from, as stat() tells it
 * @major:	major number of its device
 * @minor:	minor number of its device
 * @ino:	number of its inode
 * @size:	its bytes
 * @ctime:	when it was changed last, in nanoseconds since 1970
 */
struct kprof_file_id {
	u32 major;
	u32 minor;
	u64 ino;
	u64 size;
	u64 ctime;
};

/**
 * struct kprof_keyset - the keys and conditions of a target
 * @nr_keys:	number of keys; 0: there is only one row
 * @nr_each:	number of keys in @each
 * @nr_conditions: number of conditions, all of which must hold
 * @begins:	which keys are read when a call begins: a bit for each
 * @ends:	which keys have @is_of_end
 * @at_entry:	something must be read when a call begins
 * @at_end:	something must be read where a span ends
 * @at_return:	something must be read when a call returns, or a span ends
 * @needs_regs:	a stack or the caller is a key
 * @is_read_at_ends: all that is read where a span ends are keys in end(), and no condition
 * @only_arguments: all keys are arguments themselves, and there is no condition
 * @is_of_fault: it has the key "fault"
 * @is_of_register: it has a register as a key
 * @is_of_user:	it has the key "ustack"
 * @hits_source: id of the target that hits() counts; 0: none
 * @min_ns:	shorter calls are left out of the rows
 * @key:	the keys
 * @each:	keys that make no row; their values are in the record of each call
 * @condition:	the conditions
 * @nr_files:	entries in @file
 * @file:	the files of places in programs and libraries, in the order in which the target
 *		has each of their paths first
 */
struct kprof_keyset {
	u8 nr_keys;
	u8 nr_each;
	u8 nr_conditions;
	u8 begins;
	u8 ends;
	bool at_entry;
	bool at_end;
	bool at_return;
	bool needs_regs;
	bool is_read_at_ends;
	bool only_arguments;
	bool is_of_fault;
	bool is_of_register;
	bool is_of_user;
	u16 hits_source;
	u64 min_ns;
	struct kprof_key key[KPROF_MAX_KEYS];
	struct kprof_key each[KPROF_MAX_EACH];
	struct kprof_condition condition[KPROF_MAX_CONDITIONS];
	u32 nr_files;
	struct kprof_file_id file[KPROF_MAX_FILES];
};

/**
 * struct kprof_entry - what keys can be read from when a call begins, or at a point
 * @arg:	argument registers
 * @caller:	return address
 * @regs:	the registers at the function's first instruction
 * @task:	the task that it is about; NULL for the current task
 * @retval:	what the function returns, at its return
 * @stack:	for a call in a program: the stack pointer before the call; else not set
 * @pid:	where a span ends: thread id of the task that the span is about; else not set
 * @own:	what the probe's entry path added to preempt_count()
 * @number:	for a call in a program: the number of calls around it
 * @state:	why the task that is switched from stops running: enum kprof_state
 * @is_user:	the registers are those of user mode, and addresses in them are of its memory
 * @at_user_entry: a function of a program is entered
 * @skip:	one frame that belongs to the probe must be left out of stacks
 *
 * What a tracepoint sets to zero is side by side, and so takes few instructions.
 */
struct kprof_entry {
	const u64 *arg;
	unsigned long caller;
	struct pt_regs *regs;
	struct task_struct *task;
	u64 retval;
	unsigned long stack;
	u32 pid;
	u32 own;
	u8 number;
	u8 state;
	bool is_user;
	bool at_user_entry;
	bool skip;
};

static __always_inline bool kprof_key_is_text(const struct kprof_key *key)
{
	return key->is_string || key->kind == KPROF_BY_COMM || key->kind == KPROF_BY_CURRENT ||
	       key->kind == KPROF_BY_CGROUP;
}

/* Only @size bytes of the value count, with or without a sign. */
static __always_inline u64 kprof_key_cut(const struct kprof_key *key, u64 value)
{
	u32 shift;

	value &= key->mask;
	if (key->size == sizeof(value))
		return value;
	shift = 64 - 8 * key->size;
	return key->is_signed ? (u64)((s64)(value << shift) >> shift) : value << shift >> shift;
}

/* Negative numbers mirror positive ones: [-7,-4] is in bucket -3, as [4,7] is in 3. */
static __always_inline u64 kprof_key_log2(const struct kprof_key *key, u64 value)
{
	return key->is_signed && (s64)value < 0 ? -(u64)fls64(-value) : fls64(value);
}

/* The first number of a step. The lowest step is truncated, and begins at S64_MIN. */
static __always_inline u64 kprof_key_linear(const struct kprof_key *key, u64 value)
{
	u64 above;

	if (!key->is_signed || (s64)value >= 0)
		return value - value % key->step;
	above = -value % key->step;	/* how far below the next multiple */
	if (!above)
		return value;
	above = key->step - above;
	return value - S64_MIN < above ? S64_MIN : value - above;
}

static __always_inline bool kprof_is_error(u64 value)
{
	u64 number = (s64)(s32)value;

	/* The upper half of an int is undefined, though usually zero. */
	return IS_ERR_VALUE((unsigned long)number) && (value == number || value == (u32)number);
}

static __always_inline u64 kprof_key_errno(u64 value)
{
	return kprof_is_error(value) ? -(s64)(s32)value : 0;
}

static __always_inline u64 kprof_key_bucket(const struct kprof_key *key, u64 value)
{
	if (key->bucket == KPROF_BUCKET_LOG2)
		return kprof_key_log2(key, value);
	if (key->bucket == KPROF_BUCKET_LINEAR)
		return kprof_key_linear(key, value);
	if (key->bucket == KPROF_BUCKET_ERRNO)
		return kprof_key_errno(value);
	return value;
}

/* The value of a key with is_direct. */
static __always_inline u64 kprof_key_argument(const struct kprof_key *key, const u64 *arg)
{
	return kprof_key_bucket(key, kprof_key_cut(key, arg[key->arg]));
}

u64 kprof_key_look(const struct kprof_key *key, const struct kprof_entry *entry);
u64 kprof_key_comm(const struct task_struct *task);

/* As kprof_key_value(). The most common kinds of keys need no function call. */
static __always_inline u64 kprof_key_read(const struct kprof_key *key,
					  const struct kprof_entry *entry)
{
	if (key->kind == KPROF_BY_STATE)
		return entry->state;
	if (key->is_direct)
		return kprof_key_argument(key, entry->arg);
	return kprof_key_look(key, entry);
}

/* Does a condition hold for a number? */
static __always_inline bool kprof_compare(const struct kprof_condition *condition, u64 value)
{
	s64 one = value, other = condition->value;
	bool sign = condition->key.is_signed;

	switch (condition->compare) {
	case KPROF_EQ:
		return one == other;
	case KPROF_NE:
		return one != other;
	case KPROF_LT:
		return sign ? one < other : value < condition->value;
	case KPROF_LE:
		return sign ? one <= other : value <= condition->value;
	case KPROF_GT:
		return sign ? one > other : value > condition->value;
	case KPROF_GE:
		return sign ? one >= other : value >= condition->value;
	default:
		return value & condition->value;
	}
}

/* Are all ids that conditions compare with of one PID namespace? @number: of that namespace. */
static inline bool kprof_conditions_are_of(const struct kprof_condition *condition, u32 nr,
					   u32 number)
{
	u32 i;

	for (i = 0; i < nr; i++)
		if (condition[i].pid_namespace && condition[i].pid_namespace != number)
			return false;
	return true;
}

int kprof_keyset_parse(struct kprof_keyset *keys, const char *spec, const char *options,
		       int (*find)(const char *name));
void kprof_keyset_arguments(const struct kprof_keyset *keys, const u64 *arg,
			    struct kprof_call *call);

/*
 * Read the keys of a call's or span's beginning, or of its end. Inline, as calls would take as many
 * instructions as the keys: 60 and more.
 */
static __always_inline void kprof_keyset_read(const struct kprof_keyset *keys,
					      const struct kprof_entry *at, bool at_end,
					      struct kprof_call *call)
{
	unsigned long left = at_end ? keys->ends : keys->begins, i;

	for (; left; left &= left - 1) {
		i = __ffs(left);
		call->value[i] = kprof_key_read(&keys->key[i], at);
	}
}

bool kprof_keyset_enter(const struct kprof_keyset *keys, const struct kprof_entry *entry,
			struct kprof_call *call);
bool kprof_keyset_leave(const struct kprof_keyset *keys, u64 retval,
			const struct kprof_entry *end, struct kprof_call *call);
u64 kprof_key_value(const struct kprof_key *key, const struct kprof_entry *entry);
bool kprof_condition_holds(const struct kprof_condition *condition,
			   const struct kprof_entry *entry);
int kprof_point_keys_parse(struct kprof_point_keys *keys, const char *spec, const char *text,
			   const char **end);
void kprof_keyset_print(const struct kprof_keyset *keys, const u64 *value, bool is_open,
			struct kprof_text *text);

#endif /* KPROF_KEYS_H */
