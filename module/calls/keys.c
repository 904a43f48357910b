// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys.c - reads the values of keys, which make up the context of a call
 */
#include <linux/hardirq.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "base/ids.h"
#include "base/state.h"
#include "calls/call.h"
#include "calls/keys.h"
#include "calls/registers.h"
#include "calls/system_call.h"
#include "capture/capture.h"
#include "profile/profile.h"
#include "stacks/stacks.h"

/* For each context: this CPU is reading memory for a key. */
static DEFINE_PER_CPU(u8, reading[KPROF_NR_LEVELS]);

/*
 * A bad address causes a fault. A function that handles the fault may be a target with such a
 * key, too, and so on until the stack overflows. So while one key is read, no other is.
 *
 * Since 6.1.36, copy_from_user_nofault() may be called in any context: while faults are disabled,
 * the check of where the copy goes takes no lock, and in an NMI it checks the address space.
 */
static long read_memory(void *to, unsigned long from, size_t size, bool user)
{
	u8 *busy = this_cpu_ptr(&reading[interrupt_context_level()]);
	long err;

	if (READ_ONCE(*busy))
		return -EFAULT;
	WRITE_ONCE(*busy, 1);
	barrier();	/* a fault sees *busy set */
	if (user)
		err = copy_from_user_nofault(to, (void __user *)from, size);
	else
		err = copy_from_kernel_nofault(to, (void *)from, size);
	barrier();
	WRITE_ONCE(*busy, 0);
	return err;
}

/* Read a word at an address; 0 if it cannot be read. */
static u64 load(unsigned long addr, bool user)
{
	u64 value = 0;

	return read_memory(&value, addr, sizeof(value), user) ? 0 : value;
}

union string {
	u64 word[KPROF_STRING_WORDS];
	char byte[KPROF_STRING_WORDS * sizeof(u64)];
};

/* Read byte by byte: a string may end just before an unmapped page. */
static void read_string(union string *text, unsigned long addr, bool user)
{
	u32 i;

	memset(text, 0, sizeof(*text));
	for (i = 0; i < sizeof(*text) - 1; i++)
		if (read_memory(&text->byte[i], addr + i, 1, user) || !text->byte[i])
			break;
	text->byte[i] = '\0';
}

/* Not inlined, as the buffer would cost keys of other kinds a check of the stack. */
static noinline u64 load_string(unsigned long addr, bool user)
{
	union string text;

	read_string(&text, addr, user);
	return kprof_intern(&kprof_profile->strings, text.word, KPROF_STRING_WORDS, 0);
}

static struct task_struct *task_of(const struct kprof_entry *entry)
{
	return entry->task ?: current;
}

/* Not inlined, as the array would cost the names that are known a check of the stack. */
static noinline u32 intern_comm(u64 first, u64 second, u32 *recent)
{
	const u64 word[KPROF_STRING_WORDS] = { first, second };
	u32 id = kprof_intern(&kprof_profile->strings, word, KPROF_STRING_WORDS, 0);

	if (id != KPROF_ID_FULL)
		WRITE_ONCE(*recent, id);
	return id;
}

/**
 * kprof_key_comm() - the value of a key that is the name of a task
 * @task:	the task
 *
 * The same few names come again and again. An id is one word: an interrupt may use it, too.
 *
 * Context: any, NMI included; preemption is disabled. Return: the key's value.
 */
u64 kprof_key_comm(const struct task_struct *task)
{
	const u64 *seen;
	u64 first, second;
	u32 id, *recent;

	BUILD_BUG_ON(KPROF_STRING_WORDS != 4 || TASK_COMM_LEN != 2 * sizeof(u64));
	memcpy(&first, task->comm, sizeof(first));
	memcpy(&second, task->comm + sizeof(first), sizeof(second));
	recent = this_cpu_ptr(kprof_profile->cpu)->comm;
	recent += hash_64(first ^ second, KPROF_RECENT_COMMS_LOG2);
	id = READ_ONCE(*recent);
	if (likely(id)) {
		/* Those of intern_comm(): the other words are 0. */
		seen = kprof_intern_words(&kprof_profile->strings, id);
		if (seen[0] == first && seen[1] == second)
			return id;
	}
	return intern_comm(first, second, recent);
}

/* An address of a process; one of 32 bits has no more of them, whatever is beside it. */
static u64 user_address(u64 value)
{
#ifdef CONFIG_X86
	if (!user_64bit_mode(task_pt_regs(current)))
		return (u32)value;
#endif
	return value;
}

/*
 * What a value in a register leads to, which of a string is its address. A register of user mode
 * is no address of the kernel, whatever is in it.
 */
static u64 follow(const struct kprof_key *key, u64 value, bool is_user)
{
	u32 i;

	for (i = 0; i < key->nr_derefs; i++) {
		bool is_last = i + 1 == key->nr_derefs;

		if (is_user)
			value = user_address(value);
		if (key->is_string && is_last)
			return value + key->offset[i];
		value = load(value + key->offset[i], is_user || (key->is_user && is_last));
	}
	return key->is_string && is_user ? user_address(value) : value;
}

/* The value in a register, or what it points to. */
static u64 fetch(const struct kprof_key *key, u64 value, bool is_user)
{
	value = follow(key, value, is_user);
	return key->is_string ? load_string(value, is_user || key->is_user) :
				kprof_key_cut(key, value);
}

/*
 * The registers with which another task entered the kernel. The stack of one that has ended goes
 * at any moment, and may then have other contents.
 */
static bool copy_regs(struct pt_regs *regs, const struct task_struct *task)
{
	unsigned long offset = (unsigned long)task_pt_regs(current) -
			       (unsigned long)task_stack_page(current);
	unsigned long stack = (unsigned long)READ_ONCE(task->stack);

	return stack && !read_memory(regs, stack + offset, sizeof(*regs), false);
}

/* Not inlined, for the same reason as load_string(). */
static noinline u64 system_call_of(struct task_struct *other)
{
	struct pt_regs copy __uninitialized;

	return copy_regs(&copy, other) ? kprof_system_call_in(other, &copy) : -1;
}

static __always_inline u64 system_call(struct task_struct *task)
{
	return likely(task == current) ? kprof_system_call() : system_call_of(task);
}

/* May the return address have been replaced by a tracer's own? */
static bool may_be_replaced(unsigned long caller)
{
#ifdef CONFIG_RETHOOK
	if (READ_ONCE(current->rethooks.first))
		return true;
#endif
#if defined(CONFIG_KRETPROBES) && !defined(CONFIG_KRETPROBE_ON_RETHOOK)
	if (READ_ONCE(current->kretprobe_instances.first))
		return true;
#endif
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (READ_ONCE(current->ret_stack))
		return true;
#endif
	return kprof_direct_is_return(caller);
}

/*
 * If the return address was replaced, for example after a tail call, unwind to find it. Not
 * inlined, for the same reason as load_string().
 */
static noinline u64 find_caller(const struct kprof_entry *entry)
{
	u64 frame[2];
	u16 flags = 0;

	if (likely(!entry->skip && !may_be_replaced(entry->caller)) ||
	    kprof_unwind(entry->regs, kprof_config->unwind, frame, 2, &flags, NULL) < 2)
		return entry->caller;
	return frame[1];
}

/* A fault that has been tried before is a major one. */
static u64 fault_begins(const struct kprof_entry *entry)
{
	return !!(entry->arg[2] & FAULT_FLAG_TRIED);
}

/* As in mm_account_fault(). */
static u64 fault_ends(u64 was_tried, vm_fault_t fault)
{
	if (fault & VM_FAULT_ERROR)
		return KPROF_FAULT_ERROR;
	if (fault & VM_FAULT_RETRY)
		return KPROF_FAULT_RETRY;
	return was_tried || (fault & VM_FAULT_MAJOR) ? KPROF_FAULT_MAJOR : KPROF_FAULT_MINOR;
}

static __always_inline u64 look_at_entry(const struct kprof_key *key,
					 const struct kprof_entry *entry)
{
	switch (key->kind) {
	case KPROF_BY_ARG:
		return fetch(key, entry->arg[key->arg], entry->is_user);
	case KPROF_BY_COMM:
		return kprof_key_comm(task_of(entry));
	case KPROF_BY_CURRENT:
		return kprof_key_comm(current);
	case KPROF_BY_CGROUP:
		return kprof_cgroup_path(task_of(entry));
	case KPROF_BY_PID:
		return kprof_id_of(task_of(entry));
	case KPROF_BY_KERNEL_PID:
		return task_of(entry)->pid;
	case KPROF_BY_CPU:
		return raw_smp_processor_id();
	case KPROF_BY_CONTEXT:
		return kprof_context(entry->own);
	case KPROF_BY_SYSCALL:
		return system_call(task_of(entry));
	case KPROF_BY_CALLER:
		return find_caller(entry);
	case KPROF_BY_STACK:
		return kprof_capture_stack(entry->regs, entry->skip);
	case KPROF_BY_USTACK:
		return kprof_capture_user_stack(entry->regs, entry->at_user_entry);
	case KPROF_BY_FAULT:
		return fault_begins(entry);
	case KPROF_BY_RETVAL:
		return fetch(key, entry->retval, entry->is_user);
	case KPROF_BY_REGISTER:
		/* A function of the kernel may be called before this key of it is refused. */
		if (!entry->is_user)
			return 0;
		return fetch(key, kprof_register_read(entry->regs, key->arg), true);
	case KPROF_BY_ERROR:
		return kprof_is_error(entry->retval);
	default:
		return 0;
	}
}

static u64 look_at_return(const struct kprof_key *key, u64 retval, bool is_user,
			  const struct kprof_call *call)
{
	switch (key->kind) {
	case KPROF_BY_RETVAL:
		return fetch(key, retval, is_user);
	case KPROF_BY_ERROR:
		return kprof_is_error(retval);
	case KPROF_BY_HITS:
		return call->hits;
	default:
		return 0;
	}
}

/**
 * kprof_key_look() - read a key at a point that kprof_key_read() does not read by itself
 * @key:	a key that can be read before a return
 * @entry:	what can be read here
 *
 * Context: any, NMI included. Return: the key's value.
 */
u64 kprof_key_look(const struct kprof_key *key, const struct kprof_entry *entry)
{
	return kprof_key_bucket(key, look_at_entry(key, entry));
}

/**
 * kprof_key_value() - read a key at a point
 * @key:	a key that can be read before a return
 * @entry:	what can be read here
 *
 * Context: any, NMI included. Return: the key's value.
 */
u64 kprof_key_value(const struct kprof_key *key, const struct kprof_entry *entry)
{
	return kprof_key_read(key, entry);
}

static u64 value_at_return(const struct kprof_key *key, u64 retval,
			   const struct kprof_entry *end, const struct kprof_call *call)
{
	/* A function may be called before its options are refused, and has no such end. */
	if (key->at_end)
		return end ? kprof_key_read(key, end) : 0;
	return kprof_key_bucket(key, look_at_return(key, retval, end && end->is_user, call));
}

/*
 * Conditions compare texts where they are, and put none into a table: what nobody asks for would
 * fill it, and what does not fit would be equal to nothing.
 */
static bool is_string(const struct kprof_condition *condition, u64 value, bool is_user)
{
	const struct kprof_key *key = &condition->key;
	union string text;

	read_string(&text, follow(key, value, is_user), is_user || key->is_user);
	return !strcmp(text.byte, condition->word);
}

static noinline bool is_text(const struct kprof_condition *condition,
			     const struct kprof_entry *entry)
{
	const struct kprof_key *key = &condition->key;

	switch (key->kind) {
	case KPROF_BY_ARG:
		return is_string(condition, entry->arg[key->arg], entry->is_user);
	case KPROF_BY_RETVAL:
		return is_string(condition, entry->retval, entry->is_user);
	case KPROF_BY_REGISTER:
		return entry->is_user &&
		       is_string(condition, kprof_register_read(entry->regs, key->arg), true);
	case KPROF_BY_COMM:
		return !strncmp(task_of(entry)->comm, condition->word, TASK_COMM_LEN);
	case KPROF_BY_CURRENT:
		return !strncmp(current->comm, condition->word, TASK_COMM_LEN);
	case KPROF_BY_CGROUP:
		return kprof_cgroup_is(task_of(entry), condition->word);
	default:
		return false;
	}
}

static bool compare_text(const struct kprof_condition *condition, bool is_equal)
{
	return is_equal == (condition->compare == KPROF_EQ);
}

/**
 * kprof_condition_holds() - does a condition hold at a point
 * @condition:	condition of the point
 * @entry:	what can be read here
 *
 * Context: any, NMI included. Return: whether it does.
 */
bool kprof_condition_holds(const struct kprof_condition *condition,
			   const struct kprof_entry *entry)
{
	if (kprof_key_is_text(&condition->key))
		return compare_text(condition, is_text(condition, entry));
	return kprof_compare(condition, kprof_key_value(&condition->key, entry)) ||
	       (condition->or_throttled && kprof_compare(condition, KPROF_STATE_THROTTLED));
}

/* Where a span has no such end, its texts are equal to none, and its numbers are 0. */
static bool holds_at_return(const struct kprof_condition *condition, u64 retval,
			    const struct kprof_entry *end, const struct kprof_call *call)
{
	const struct kprof_key *key = &condition->key;

	if (key->at_end && end)
		return kprof_condition_holds(condition, end);
	if (kprof_key_is_text(key))
		return compare_text(condition, !key->at_end &&
				    is_string(condition, retval, end && end->is_user));
	return kprof_compare(condition, value_at_return(key, retval, end, call));
}

/**
 * kprof_keyset_arguments() - read the keys of a target whose keys are all arguments
 * @keys:	of the target; only_arguments is set
 * @arg:	argument registers
 * @call:	its values are filled in
 *
 * Context: any, NMI included.
 */
void kprof_keyset_arguments(const struct kprof_keyset *keys, const u64 *arg,
			    struct kprof_call *call)
{
	const struct kprof_key *key = keys->key;
	u32 i;

	for (i = 0; i < keys->nr_keys; i++, key++)
		call->value[i] = kprof_key_argument(key, arg);
}

/**
 * kprof_keyset_enter() - read keys and check conditions when a call begins
 * @keys:	of the target
 * @entry:	what can be read here
 * @call:	its values are filled in
 *
 * Context: any, NMI included. Return: whether all conditions hold that can be
 * checked at this time.
 */
bool kprof_keyset_enter(const struct kprof_keyset *keys, const struct kprof_entry *entry,
			struct kprof_call *call)
{
	u32 i;

	for (i = 0; i < keys->nr_conditions; i++)
		if (!keys->condition[i].key.is_of_end &&
		    !kprof_condition_holds(&keys->condition[i], entry))
			return false;
	kprof_keyset_read(keys, entry, false, call);
	return true;
}

/**
 * kprof_keyset_leave() - read the other keys and check the other conditions at a return
 * @keys:	of the target
 * @retval:	what the call returns
 * @end:	for a span, what can be read where it ends; else NULL
 * @call:	its values are completed
 *
 * Context: any, NMI included. Return: whether the other conditions hold.
 */
bool kprof_keyset_leave(const struct kprof_keyset *keys, u64 retval,
			const struct kprof_entry *end, struct kprof_call *call)
{
	u32 i;

	for (i = 0; i < keys->nr_conditions; i++)
		if (keys->condition[i].key.is_of_end &&
		    !holds_at_return(&keys->condition[i], retval, end, call))
			return false;
	for (i = 0; i < keys->nr_keys; i++) {
		if (keys->key[i].is_of_end)
			call->value[i] = value_at_return(&keys->key[i], retval, end, call);
		else if (keys->key[i].kind == KPROF_BY_FAULT)
			call->value[i] = fault_ends(call->value[i], (__force vm_fault_t)retval);
	}
	return true;
}
