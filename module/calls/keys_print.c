// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys_print.c - prints the values of a row's keys
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/ids.h"
#include "base/text.h"
#include "calls/keys.h"
#include "calls/system_call.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "user/user.h"

const char * const kprof_state_names[KPROF_NR_STATES] = {
	[KPROF_STATE_PREEMPTED] = "preempted",
	[KPROF_STATE_THROTTLED] = "throttled",
	[KPROF_STATE_IO] = "io",
	[KPROF_STATE_WAIT] = "wait",
	[KPROF_STATE_SLEEP] = "sleep",
	[KPROF_STATE_STOPPED] = "stopped",
	[KPROF_STATE_DEAD] = "dead",
	[KPROF_STATE_WOKEN] = "woken",
};

static const char * const context_names[] = { "task", "softirq", "hardirq", "nmi" };

static const char * const fault_names[KPROF_NR_FAULTS] = {
	[KPROF_FAULT_MINOR] = "minor",
	[KPROF_FAULT_MAJOR] = "major",
	[KPROF_FAULT_RETRY] = "retry",
	[KPROF_FAULT_ERROR] = "error",
};

#define FULL		"[stack table full]"
#define MAX_PLACE	240	/* bytes of the text of a place */

/* What stands between quotes. */
static void print_plain(struct kprof_text *text, const char *c)
{
	for (; *c; c++) {
		if (*c == '"' || *c == '\\')
			kprof_text_printf(text, "\\%c", *c);
		else if (*c < ' ' || *c > '~')
			kprof_text_printf(text, "\\x%02x", (u8)*c);
		else
			kprof_text_write(text, c, 1);
	}
}

static void print_quoted(struct kprof_text *text, const char *before, const char *c)
{
	kprof_text_printf(text, "\"%s", before);
	print_plain(text, c);
	kprof_text_write(text, "\"", 1);
}

static void print_string(struct kprof_text *text, const struct kprof_key *key, u64 id)
{
	bool is_path = key->kind == KPROF_BY_CGROUP;
	const struct kprof_intern_entry *entry =
		kprof_intern_get(is_path ? &kprof_profile->paths : &kprof_profile->strings, id);

	if (entry)
		print_quoted(text, "", (const char *)entry->word);
	else
		kprof_text_printf(text, is_path ? "[cgroup table full]" : "[string table full]");
}

/* "throttled:PATH", if the cgroup that has the limit is known; else the name of the state. */
static void print_state(struct kprof_text *text, u64 value)
{
	const char *name = kprof_state_names[(value & KPROF_STATE_MASK) % KPROF_NR_STATES];
	u32 id = value >> KPROF_STATE_PATH_SHIFT;
	const struct kprof_intern_entry *entry =
		id < KPROF_ID_FIRST ? NULL : kprof_intern_get(&kprof_profile->paths, id);

	if (entry)
		print_quoted(text, "throttled:", (const char *)entry->word);
	else
		kprof_text_printf(text, "%s", name);
}

static void print_stack(struct kprof_text *text, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->stacks, id);
	char name[KSYM_SYMBOL_LEN], *end;
	u32 i;

	if (!entry) {
		kprof_text_printf(text, FULL);
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

/*
 * A file's name may have any character; ";" separates the frames. Of a long path the end is enough:
 * a program may have chosen it so that rows get large.
 */
static void print_place(struct kprof_text *text, u64 place, bool exact)
{
	char *name = kprof_user_place_name(place, exact);
	size_t length = name ? strlen(name) : 0;

	if (name)
		strreplace(name, ';', ':');
	if (length > MAX_PLACE)
		kprof_text_printf(text, "...");
	print_plain(text, name ? name + (length > MAX_PLACE ? length - MAX_PLACE : 0) :
		    "[no memory]");
	kfree(name);
}

/* The outermost frame first, as in folded. */
static void print_user_stack(struct kprof_text *text, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->stacks, id);
	u32 i;

	if (!entry) {
		kprof_text_printf(text, id == KPROF_ID_NONE ? "-" : FULL);
		return;
	}
	kprof_text_printf(text, "\"%s", entry->flags & KPROF_STACK_CUT ? "[cut];" :
			  entry->flags & KPROF_STACK_PARTIAL ? "[unknown];" : "");
	for (i = entry->nr; i-- && !text->failed; ) {
		print_place(text, entry->word[i], !i);
		cond_resched();
		kprof_text_write(text, i ? ";" : "\"", 1);
	}
}

/* A step that goes beyond the largest number is printed without an upper bound. */
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
 * Kernel addresses are recognized by being in the upper half. A signed return value may be
 * negative without being an address, but not by that much.
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

	if (kprof_key_is_text(key)) {
		print_string(text, key, value);
	} else if (key->kind == KPROF_BY_PID && !key->bucket) {
		kprof_id_print(value, name);
		kprof_text_printf(text, "%s", name);
	} else if (key->kind == KPROF_BY_STACK) {
		print_stack(text, value);
	} else if (key->kind == KPROF_BY_USTACK) {
		print_user_stack(text, value);
	} else if (key->kind == KPROF_BY_CALLER) {
		kprof_gone_caller(value, name);
		kprof_text_printf(text, "%s", name);
	} else if (key->kind == KPROF_BY_CONTEXT) {
		kprof_text_printf(text, "%s", context_names[value & 3]);
	} else if (key->kind == KPROF_BY_STATE) {
		print_state(text, value);
	} else if (key->kind == KPROF_BY_FAULT) {
		kprof_text_printf(text, "%s", fault_names[value % KPROF_NR_FAULTS]);
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
 * kprof_keyset_print() - print the context of a row: KEY=VALUE,KEY=VALUE
 * @keys:	of the target
 * @value:	value of each key
 * @is_open:	it is a span that has not ended, so keys of its end are not known
 * @text:	where it goes
 *
 * Context: sleeps; kprof_mutex and kprof_profile_sem are held.
 */
void kprof_keyset_print(const struct kprof_keyset *keys, const u64 *value, bool is_open,
			struct kprof_text *text)
{
	u32 i;

	for (i = 0; i < keys->nr_keys; i++) {
		kprof_text_printf(text, "%s%s=", i ? "," : "", keys->key[i].text);
		if (is_open && keys->key[i].is_of_end)
			kprof_text_printf(text, "-");
		else
			print_value(text, &keys->key[i], value[i]);
	}
}
