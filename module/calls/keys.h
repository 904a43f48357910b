/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keys.h - under which context a call was made: the keys of a target's rows
 */
#ifndef KPROF_KEYS_H
#define KPROF_KEYS_H

#include <linux/bitops.h>
#include <linux/types.h>

#include "profile/profile.h"

struct kprof_call;
struct kprof_text;
struct pt_regs;

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
};

#define KPROF_SYSCALL_32	BIT_ULL(32)	/* of a number: the program is one of 32 bits */

enum kprof_bucket {
	KPROF_BUCKET_NONE,
	KPROF_BUCKET_LOG2,
	KPROF_BUCKET_LINEAR,
};

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
 * struct kprof_keyset - what makes the rows of a target
 * @nr_keys:	keys; 0: one row
 * @nr_conditions: conditions, all of which must hold
 * @at_entry:	something must be looked at when a call begins
 * @needs_regs:	a stack is a key, or the caller
 * @only_arguments: there is nothing but arguments themselves, and no condition
 * @hits_source: id of the target that hits() counts; 0: none
 * @min_ns:	shorter calls are not in the rows
 * @key:	the keys
 * @condition:	the conditions
 */
struct kprof_keyset {
	u8 nr_keys;
	u8 nr_conditions;
	bool at_entry;
	bool needs_regs;
	bool only_arguments;
	u16 hits_source;
	u64 min_ns;
	struct kprof_key key[KPROF_MAX_KEYS];
	struct kprof_condition condition[KPROF_MAX_CONDITIONS];
};

/**
 * struct kprof_entry - what there is to look at when a call begins
 * @arg:	argument registers
 * @caller:	return address
 * @own:	what the probe's way in added to preempt_count()
 * @regs:	as they were at the function's first instruction
 */
struct kprof_entry {
	const u64 *arg;
	unsigned long caller;
	u32 own;
	struct pt_regs *regs;
};

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

static __always_inline u64 kprof_key_bucket(const struct kprof_key *key, u64 value)
{
	if (key->bucket == KPROF_BUCKET_LOG2)
		return kprof_key_log2(key, value);
	if (key->bucket == KPROF_BUCKET_LINEAR)
		return kprof_key_linear(key, value);
	return value;
}

/* The value of a key that is an argument itself. */
static __always_inline u64 kprof_key_argument(const struct kprof_key *key, const u64 *arg)
{
	return kprof_key_bucket(key, kprof_key_cut(key, arg[key->arg]));
}

int kprof_keyset_parse(struct kprof_keyset *keys, const char *spec, const char *options);
void kprof_keyset_arguments(const struct kprof_keyset *keys, const u64 *arg,
			    struct kprof_call *call);
bool kprof_keyset_enter(const struct kprof_keyset *keys, const struct kprof_entry *entry,
			struct kprof_call *call);
bool kprof_keyset_leave(const struct kprof_keyset *keys, u64 retval,
			struct kprof_call *call);
void kprof_keyset_print(const struct kprof_keyset *keys, const u64 *value,
			struct kprof_text *text);

#endif /* KPROF_KEYS_H */
