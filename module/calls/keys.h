/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keys.h - under which context a call was made: the keys of a target's rows
 */
#ifndef KPROF_KEYS_H
#define KPROF_KEYS_H

#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/types.h>

#include "profile/profile.h"

struct kprof_call;
struct kprof_text;
struct pt_regs;
struct task_struct;

#define KPROF_MAX_CONDITIONS	4
#define KPROF_MAX_DEREFS	4
#define KPROF_NR_ARGS		6

enum kprof_key_kind {
	KPROF_BY_ARG,		/* $argN, or what it points to */
	KPROF_BY_RETVAL,	/* $retval, or what it points to */
	KPROF_BY_ERROR,	/* is the return value a kernel error */
	KPROF_BY_COMM,
	KPROF_BY_PID,
	KPROF_BY_CPU,
	KPROF_BY_CONTEXT,	/* task, softirq, hardirq, nmi */
	KPROF_BY_SYSCALL,	/* number of the system call the task is in, or -1 */
	KPROF_BY_CALLER,	/* the return address */
	KPROF_BY_STACK,	/* id of the stack at entry */
	KPROF_BY_HITS,		/* times another target was passed inside the call */
	KPROF_BY_CURRENT,	/* name of the task that runs there, whomever it is about */
	KPROF_BY_STATE,		/* why a task does not run any more: enum kprof_state */
	KPROF_BY_FAULT,		/* what a call of handle_mm_fault() was: enum kprof_fault */
};

/* Of a task that was switched from, or is woken. */
enum kprof_state {
	KPROF_STATE_WOKEN,	/* what is no switch has no other */
	KPROF_STATE_PREEMPTED,	/* it could go on */
	KPROF_STATE_IO,		/* it waits for input or output */
	KPROF_STATE_WAIT,	/* it waits, and no signal ends that */
	KPROF_STATE_SLEEP,	/* a signal may end that, or it is no load */
	KPROF_STATE_STOPPED,	/* by a signal, a tracer, or parked */
	KPROF_STATE_DEAD,	/* it never comes back */
	KPROF_NR_STATES
};

/* As the kernel counts page faults of tasks. */
enum kprof_fault {
	KPROF_FAULT_MINOR,
	KPROF_FAULT_MAJOR,	/* it took input */
	KPROF_FAULT_RETRY,	/* it is not over: another call follows */
	KPROF_FAULT_ERROR,
	KPROF_NR_FAULTS
};

/* The only function that has such a key. */
#define KPROF_FAULT_FUNCTION	"handle_mm_fault"

#define KPROF_SYSCALL_32	BIT_ULL(32)	/* of a number: the program is one of 32 bits */

enum kprof_bucket {
	KPROF_BUCKET_NONE,
	KPROF_BUCKET_LOG2,
	KPROF_BUCKET_LINEAR,
	KPROF_BUCKET_ERRNO,	/* the number of an error, 0 for what is none */
};

extern const char * const kprof_state_names[KPROF_NR_STATES];

/**
 * struct kprof_key - one key
 * @kind:	what it is
 * @bucket:	how numbers are bucketed
 * @arg:	which argument, from 0
 * @size:	bytes of the value: 1, 2, 4, 8
 * @is_typed:	its type was given
 * @is_signed:	it is printed with a sign
 * @is_hex:	it is printed in hexadecimal
 * @is_string:	it is the text at the address; @is_user: in user space
 * @is_user:	see there
 * @at_end:	of a span: looked at when that ends
 * @is_of_end:	that, or it is only known when a call returns
 * @is_direct:	it is an argument itself, and a number
 * @nr_derefs:	memory accesses: value = *(value + offset), in order
 * @offset:	of each
 * @mask:	bits of the value that count
 * @step:	of KPROF_BUCKET_LINEAR
 * @text:	as it was written
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

enum kprof_compare {
	KPROF_EQ, KPROF_NE, KPROF_LT, KPROF_LE, KPROF_GT, KPROF_GE, KPROF_AND,
};

/* "if=$arg2>0": calls for which it does not hold are dropped by filter. */
struct kprof_condition {
	struct kprof_key key;
	u8 compare;
	u64 value;
	char word[32];		/* for a key that is a text */
};

/**
 * struct kprof_point_keys - what is in parentheses behind a point
 * @is_joined:	there is a key whose equality joins a begin and an end; else it is the task, and
 *		its context
 * @is_cpu_joined: the CPU has to be the same, too
 * @nr_conditions: conditions
 * @join:	the key
 * @condition:	all of which must hold, or it is no such point
 * @is_sized:	what begins there has a size
 * @is_order:	that is an order of pages, rather than bytes
 * @size:	the key that tells it
 */
struct kprof_point_keys {
	bool is_joined;
	bool is_cpu_joined;
	u8 nr_conditions;
	struct kprof_key join;
	struct kprof_condition condition[KPROF_MAX_CONDITIONS];
	bool is_sized;
	bool is_order;
	struct kprof_key size;
};

/**
 * struct kprof_keyset - what makes the rows of a target
 * @nr_keys:	keys; 0: one row
 * @nr_conditions: conditions, all of which must hold
 * @at_entry:	something must be looked at when a call begins
 * @at_end:	something must be looked at where a span ends
 * @at_return:	something must be looked at when it returns, or ends
 * @needs_regs:	a stack is a key, or the caller
 * @only_arguments: there is nothing but arguments themselves, and no condition
 * @is_of_fault: it is a fault what is looked at
 * @hits_source: id of the target that hits() counts; 0: none
 * @min_ns:	shorter calls are not in the rows
 * @key:	the keys
 * @condition:	the conditions
 */
struct kprof_keyset {
	u8 nr_keys;
	u8 nr_conditions;
	bool at_entry;
	bool at_end;
	bool at_return;
	bool needs_regs;
	bool only_arguments;
	bool is_of_fault;
	u16 hits_source;
	u64 min_ns;
	struct kprof_key key[KPROF_MAX_KEYS];
	struct kprof_condition condition[KPROF_MAX_CONDITIONS];
};

/**
 * struct kprof_entry - what there is to look at when a call begins, or at a point
 * @arg:	argument registers
 * @caller:	return address
 * @own:	what the probe's way in added to preempt_count()
 * @skip:	a frame that is none of the place's own has to be left out of stacks
 * @state:	why the task that a switch is from does not go on: enum kprof_state
 * @retval:	what a function returns, at its return
 * @regs:	as they were at the function's first instruction
 * @task:	whom it is about; NULL: the current task
 */
struct kprof_entry {
	const u64 *arg;
	unsigned long caller;
	u32 own;
	bool skip;
	u8 state;
	u64 retval;
	struct pt_regs *regs;
	struct task_struct *task;
};

static __always_inline bool kprof_key_is_text(const struct kprof_key *key)
{
	return key->is_string || key->kind == KPROF_BY_COMM || key->kind == KPROF_BY_CURRENT;
}

/* Only so many bytes of it count, with or without a sign. */
static __always_inline u64 kprof_key_cut(const struct kprof_key *key, u64 value)
{
	u32 shift = 64 - 8 * key->size;

	value &= key->mask;
	if (!shift)
		return value;
	return key->is_signed ? (u64)((s64)(value << shift) >> shift) : value << shift >> shift;
}

/* Numbers below zero mirror those above: [-7,-4] is in the bucket -3, as [4,7] is in 3. */
static __always_inline u64 kprof_key_log2(const struct kprof_key *key, u64 value)
{
	return key->is_signed && (s64)value < 0 ? -(u64)fls64(-value) : fls64(value);
}

/* The first number of a step; of the lowest one, which is cut off, too. */
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
	/* An int's upper half is anything, as a rule zero. */
	return IS_ERR_VALUE((unsigned long)value) ||
	       (!(value >> 32) && IS_ERR_VALUE((unsigned long)(long)(s32)value));
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

/* The value of a key that is an argument itself. */
static __always_inline u64 kprof_key_argument(const struct kprof_key *key, const u64 *arg)
{
	return kprof_key_bucket(key, kprof_key_cut(key, arg[key->arg]));
}

/* Does a number compare as a condition wants it to. */
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

int kprof_keyset_parse(struct kprof_keyset *keys, const char *spec, const char *options,
		       int (*find)(const char *name));
void kprof_keyset_arguments(const struct kprof_keyset *keys, const u64 *arg,
			    struct kprof_call *call);
bool kprof_keyset_enter(const struct kprof_keyset *keys, const struct kprof_entry *entry,
			struct kprof_call *call);
bool kprof_keyset_leave(const struct kprof_keyset *keys, u64 retval,
			const struct kprof_entry *end, struct kprof_call *call);
u8 kprof_state_of_switch(const u64 *arg);
u64 kprof_key_value(const struct kprof_key *key, const struct kprof_entry *entry);
bool kprof_condition_holds(const struct kprof_condition *condition,
			   const struct kprof_entry *entry);
int kprof_point_keys_parse(struct kprof_point_keys *keys, const char *spec, const char *text,
			   const char **end);
void kprof_keyset_print(const struct kprof_keyset *keys, const u64 *value, bool is_open,
			struct kprof_text *text);

#endif /* KPROF_KEYS_H */
