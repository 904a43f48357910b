// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys.c - under which context a call was made: looking at keys, printing them
 */
#include <linux/audit.h>
#include <linux/hardirq.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/syscall.h>

#include "base/state.h"
#include "base/text.h"
#include "calls/call.h"
#include "calls/keys.h"
#include "capture/capture.h"
#include "profile/profile.h"
#include "stacks/detour.h"
#include "stacks/unwind.h"
#include "symbols/gone.h"

const char * const kprof_state_names[KPROF_NR_STATES] = {
	[KPROF_STATE_PREEMPTED] = "preempted",
	[KPROF_STATE_IO] = "io",
	[KPROF_STATE_WAIT] = "wait",
	[KPROF_STATE_SLEEP] = "sleep",
	[KPROF_STATE_STOPPED] = "stopped",
	[KPROF_STATE_DEAD] = "dead",
	[KPROF_STATE_WOKEN] = "woken",
};

static const char * const context_names[] = { "task", "softirq", "hardirq", "nmi" };

/* A CPU reads memory for a key, in a context. */
static DEFINE_PER_CPU(u8, reading[KPROF_NR_LEVELS]);

/*
 * What handles the fault of an address that is none may be a target, too, whose key
 * is read, and so on to the end of the stack: while one is read no other is.
 */
static long read_memory(void *to, unsigned long from, size_t size, bool user)
{
	u8 *busy = this_cpu_ptr(&reading[interrupt_context_level()]);
	long err;

	if (READ_ONCE(*busy))
		return -EFAULT;
	WRITE_ONCE(*busy, 1);
	barrier();	/* a fault sees it */
	if (user)
		err = copy_from_user_nofault(to, (void __user *)from, size);
	else
		err = copy_from_kernel_nofault(to, (void *)from, size);
	barrier();
	WRITE_ONCE(*busy, 0);
	return err;
}

/* What lies at an address; 0 where it cannot be read. */
static u64 load(unsigned long addr, bool user)
{
	u64 value = 0;

	return read_memory(&value, addr, sizeof(value), user) ? 0 : value;
}

/* A string may end just before a page that is not there: byte by byte. */
static u64 load_string(unsigned long addr, bool user)
{
	union {
		u64 word[KPROF_STRING_WORDS];
		char byte[KPROF_STRING_WORDS * sizeof(u64)];
	} text = { };
	u32 i;

	for (i = 0; i < sizeof(text) - 1; i++)
		if (read_memory(&text.byte[i], addr + i, 1, user) || !text.byte[i])
			break;
	text.byte[i] = '\0';
	return kprof_intern(&kprof_profile->strings, text.word, KPROF_STRING_WORDS, 0);
}

static struct task_struct *task_of(const struct kprof_entry *entry)
{
	return entry->task ?: current;
}

static u64 comm_id(const struct task_struct *task)
{
	u64 word[KPROF_STRING_WORDS] = { };

	memcpy(word, task->comm, TASK_COMM_LEN);
	return kprof_intern(&kprof_profile->strings, word, KPROF_STRING_WORDS, 0);
}

/* A value in a register, or what it points to. */
static u64 fetch(const struct kprof_key *key, u64 value)
{
	u32 i;

	for (i = 0; i < key->nr_derefs; i++) {
		if (key->is_string && i + 1 == key->nr_derefs)
			return load_string(value + key->offset[i], key->is_user);
		value = load(value + key->offset[i], key->is_user && i + 1 == key->nr_derefs);
	}
	return key->is_string ? load_string(value, key->is_user) : kprof_key_cut(key, value);
}

/* The numbers of 32-bit programs are others: they are marked. */
static u64 system_call(struct task_struct *task)
{
	struct pt_regs *regs = task_pt_regs(task);
	int nr;

	if ((task->flags & PF_KTHREAD) || !user_mode(regs))
		return -1;
	nr = syscall_get_nr(task, regs);
	if (nr >= 0 && !(syscall_get_arch(task) & __AUDIT_ARCH_64BIT))
		return nr | KPROF_SYSCALL_32;
	return nr;
}

/* Has somebody put an address of his own into the place of a return address? */
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

/* Behind a tail call of a watched function, for one: what unwinding finds, then. */
static u64 find_caller(const struct kprof_entry *entry)
{
	u64 frame[2];
	u16 flags = 0;

	if (likely(!entry->skip && !may_be_replaced(entry->caller)) ||
	    kprof_unwind(entry->regs, kprof_config->unwind, frame, 2, &flags) < 2)
		return entry->caller;
	return frame[1];
}

/* Why the task that a switch is from does not run any more. */
static u64 task_state(const struct kprof_entry *entry)
{
	const struct task_struct *task = task_of(entry);
	u32 state;

	if (!entry->is_switch)
		return KPROF_STATE_WOKEN;
	/* With a signal pending it goes on, whatever it was about to wait for. */
	state = READ_ONCE(task->__state);
	if (!state || (u8)entry->arg[0])
		return KPROF_STATE_PREEMPTED;
	if (state & TASK_DEAD)
		return KPROF_STATE_DEAD;
	if (task->in_iowait)
		return KPROF_STATE_IO;
	if (state & (__TASK_STOPPED | __TASK_TRACED | TASK_PARKED))
		return KPROF_STATE_STOPPED;
	if ((state & TASK_INTERRUPTIBLE) || (state & TASK_NOLOAD))
		return KPROF_STATE_SLEEP;
	return KPROF_STATE_WAIT;
}

/* By what a call returns, or a function at a point that is its return. */
static bool is_known_at_return(const struct kprof_key *key)
{
	return key->at_end || key->kind == KPROF_BY_RETVAL || key->kind == KPROF_BY_ERROR ||
	       key->kind == KPROF_BY_HITS;
}

static u64 look_at_entry(const struct kprof_key *key, const struct kprof_entry *entry)
{
	switch (key->kind) {
	case KPROF_BY_ARG:
		return fetch(key, entry->arg[key->arg]);
	case KPROF_BY_COMM:
		return comm_id(task_of(entry));
	case KPROF_BY_CURRENT:
		return comm_id(current);
	case KPROF_BY_PID:
		return task_of(entry)->pid;
	case KPROF_BY_CPU:
		return raw_smp_processor_id();
	case KPROF_BY_CONTEXT:
		return kprof_level(entry->own) ?: (in_serving_softirq() ? 1 : 0);
	case KPROF_BY_SYSCALL:
		return system_call(task_of(entry));
	case KPROF_BY_CALLER:
		return find_caller(entry);
	case KPROF_BY_STACK:
		return kprof_capture_stack(entry->regs, entry->skip);
	case KPROF_BY_STATE:
		return task_state(entry);
	case KPROF_BY_RETVAL:
		return fetch(key, entry->retval);
	case KPROF_BY_ERROR:
		return kprof_is_error(entry->retval);
	default:
		return 0;
	}
}

static u64 look_at_return(const struct kprof_key *key, u64 retval, const struct kprof_call *call)
{
	switch (key->kind) {
	case KPROF_BY_RETVAL:
		return fetch(key, retval);
	case KPROF_BY_ERROR:
		return kprof_is_error(retval);
	case KPROF_BY_HITS:
		return call->hits;
	default:
		return 0;
	}
}

/**
 * kprof_key_value() - look at a key, at a point
 * @key:	not one of what happens until a return
 * @entry:	what there is to look at
 *
 * Context: any, NMI included. Return: its value.
 */
u64 kprof_key_value(const struct kprof_key *key, const struct kprof_entry *entry)
{
	return kprof_key_bucket(key, look_at_entry(key, entry));
}

static u64 value_at_return(const struct kprof_key *key, u64 retval,
			   const struct kprof_entry *end, const struct kprof_call *call)
{
	if (key->at_end)
		return kprof_key_value(key, end);
	return kprof_key_bucket(key, look_at_return(key, retval, call));
}

static bool is_word(const struct kprof_key *key)
{
	return key->is_string || key->kind == KPROF_BY_COMM || key->kind == KPROF_BY_CURRENT;
}

static bool compare_words(const struct kprof_condition *condition, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->strings, id);
	bool equal = entry && !strcmp((const char *)entry->word, condition->word);

	return condition->compare == KPROF_EQ ? equal : !equal;
}

static bool compare(const struct kprof_condition *condition, u64 value)
{
	s64 one = value, other = condition->value;
	bool sign = condition->key.is_signed;

	if (is_word(&condition->key))
		return compare_words(condition, value);
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

/**
 * kprof_condition_holds() - does a condition hold, at a point
 * @condition:	of the point
 * @entry:	what there is to look at
 *
 * Context: any, NMI included. Return: whether it does.
 */
bool kprof_condition_holds(const struct kprof_condition *condition,
			   const struct kprof_entry *entry)
{
	return compare(condition, kprof_key_value(&condition->key, entry));
}

/**
 * kprof_keyset_arguments() - look at arguments, where nothing else is a key
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
 * kprof_keyset_enter() - look at what is there when a call begins
 * @keys:	of the target
 * @entry:	what there is to look at
 * @call:	its values are filled in
 *
 * Context: any, NMI included. Return: whether all conditions hold that can be
 * told now.
 */
bool kprof_keyset_enter(const struct kprof_keyset *keys, const struct kprof_entry *entry,
			struct kprof_call *call)
{
	u32 i;

	for (i = 0; i < keys->nr_conditions; i++)
		if (!is_known_at_return(&keys->condition[i].key) &&
		    !kprof_condition_holds(&keys->condition[i], entry))
			return false;
	for (i = 0; i < keys->nr_keys; i++)
		if (!is_known_at_return(&keys->key[i]))
			call->value[i] = kprof_key_value(&keys->key[i], entry);
	return true;
}

/**
 * kprof_keyset_leave() - look at what is there when a call returns
 * @keys:	of the target
 * @retval:	what it returns
 * @end:	of a span: what there is to look at where it ends; else NULL
 * @call:	its values are completed
 *
 * Context: any, NMI included. Return: whether the other conditions hold.
 */
bool kprof_keyset_leave(const struct kprof_keyset *keys, u64 retval,
			const struct kprof_entry *end, struct kprof_call *call)
{
	u32 i;

	for (i = 0; i < keys->nr_conditions; i++)
		if (is_known_at_return(&keys->condition[i].key) &&
		    !compare(&keys->condition[i],
			     value_at_return(&keys->condition[i].key, retval, end, call)))
			return false;
	for (i = 0; i < keys->nr_keys; i++)
		if (is_known_at_return(&keys->key[i]))
			call->value[i] = value_at_return(&keys->key[i], retval, end, call);
	return true;
}

static void print_string(struct kprof_text *text, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->strings, id);
	const char *c = entry ? (const char *)entry->word : NULL;

	if (!c) {
		kprof_text_printf(text, "[string table full]");
		return;
	}
	kprof_text_write(text, "\"", 1);
	for (; *c; c++) {
		if (*c == '"' || *c == '\\')
			kprof_text_printf(text, "\\%c", *c);
		else if (*c < ' ' || *c > '~')
			kprof_text_printf(text, "\\x%02x", (u8)*c);
		else
			kprof_text_write(text, c, 1);
	}
	kprof_text_write(text, "\"", 1);
}

static void print_stack(struct kprof_text *text, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->stacks, id);
	char name[KSYM_SYMBOL_LEN], *end;
	u32 i;

	if (!entry) {
		kprof_text_printf(text, "[stack table full]");
		return;
	}
	for (i = entry->nr; i--; ) {
		if (!kprof_gone_name(id, entry->word[i] - !!i, name))
			sprint_symbol_no_offset(name, entry->word[i] - !!i);
		end = strchr(name, ' ');
		kprof_text_write(text, name, end ? end - name : strlen(name));
		if (i)
			kprof_text_write(text, ";", 1);
	}
}

/* What is beyond the largest number is left open. */
static void print_linear(struct kprof_text *text, const struct kprof_key *key, u64 value)
{
	const char *format = key->is_signed ? "%s%lld%s" : "%s%llu%s";
	u64 most = key->is_signed ? S64_MAX : U64_MAX;
	u64 step = key->step;

	/* The lowest step ends where the second begins. */
	if (key->is_signed && value == (u64)S64_MIN)
		step = value % step ?: step;
	kprof_text_printf(text, format, "[", value, ",");
	if (step <= most - value)
		kprof_text_printf(text, format, "", value + step, "");
	kprof_text_printf(text, ")");
}

static void print_log2(struct kprof_text *text, const struct kprof_key *key, u64 value)
{
	if (value == 64)
		kprof_text_printf(text, "[%llu,)", 1ULL << 63);
	else if (value == (u64)-64)
		kprof_text_printf(text, "(,%lld]", S64_MIN);
	else if (key->is_signed && (s64)value < 0)
		kprof_text_printf(text, "(-%llu,-%llu]", 1ULL << -value, 1ULL << (-value - 1));
	else
		kprof_text_printf(text, "[%llu,%llu)", value ? 1ULL << (value - 1) : 0,
				  1ULL << value);
}

/*
 * Addresses are told by where the kernel has them: in the upper half. What returns a number
 * with a sign may return one below zero, too, but none that is so far below.
 */
static bool is_address(const struct kprof_key *key, u64 value)
{
	if (key->is_typed || (key->kind != KPROF_BY_ARG && key->kind != KPROF_BY_RETVAL))
		return false;
	return key->is_signed ? (s64)value < -(1LL << 40) : value >> 63;
}

static void print_value(struct kprof_text *text, const struct kprof_key *key, u64 value)
{
	char name[KSYM_SYMBOL_LEN];

	if (is_word(key)) {
		print_string(text, value);
	} else if (key->kind == KPROF_BY_STACK) {
		print_stack(text, value);
	} else if (key->kind == KPROF_BY_CALLER) {
		kprof_gone_caller(value, name);
		kprof_text_printf(text, "%s", name);
	} else if (key->kind == KPROF_BY_CONTEXT) {
		kprof_text_printf(text, "%s", context_names[value & 3]);
	} else if (key->kind == KPROF_BY_STATE) {
		kprof_text_printf(text, "%s", kprof_state_names[value % KPROF_NR_STATES]);
	} else if (key->kind == KPROF_BY_SYSCALL && (s64)value >= 0) {
		kprof_text_printf(text, "%s%u", value & KPROF_SYSCALL_32 ? "32:" : "", (u32)value);
	} else if (key->bucket == KPROF_BUCKET_LINEAR) {
		print_linear(text, key, value);
	} else if (key->bucket == KPROF_BUCKET_LOG2) {
		print_log2(text, key, value);
	} else if (key->is_hex || is_address(key, value)) {
		kprof_text_printf(text, "0x%llx", value);
	} else if (key->is_signed) {
		kprof_text_printf(text, "%lld", (s64)value);
	} else {
		kprof_text_printf(text, "%llu", value);
	}
}

/**
 * kprof_keyset_print() - print what a row stands for: KEY=VALUE,KEY=VALUE
 * @keys:	of the target
 * @value:	of each key
 * @text:	where it goes
 *
 * Context: sleeps; kprof_mutex and kprof_profile_sem are held.
 */
void kprof_keyset_print(const struct kprof_keyset *keys, const u64 *value,
			struct kprof_text *text)
{
	u32 i;

	for (i = 0; i < keys->nr_keys; i++) {
		kprof_text_printf(text, "%s%s=", i ? "," : "", keys->key[i].text);
		print_value(text, &keys->key[i], value[i]);
	}
}
