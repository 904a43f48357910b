// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone.c - names of addresses in modules that were unloaded
 *
 * A module takes its symbols with it, and the profile still has stacks that lead
 * through it. When one goes, or its init when it has done its work, the names of
 * those addresses are kept until the profile is emptied.
 *
 * Another module may come to the same place. Stacks have ids in the order in which
 * they were first seen: a name is good for the stacks that were there when it went.
 *
 * A caller that is a key (by=caller) is kept as well, under the complement of its
 * address, which is no address of the kernel: its text is another one. The name is
 * for good, for whoever comes to that very address shares the row.
 */
#include <linux/ctype.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "calls/target.h"
#include "control/session.h"
#include "symbols/gone.h"
#include "uapi/kprof.h"

#define SLOT_BITS	13
#define NR_SLOTS	(1U << SLOT_BITS)
#define MAX_NAMES	(NR_SLOTS / 2)	/* so that a search ends soon */
#define FOR_GOOD	U32_MAX

/**
 * struct gone - a slot of the table
 * @name:	of the function that was at @addr; NULL: the slot is free
 * @addr:	the address
 * @until:	the first stack id for which it is something else
 */
struct gone {
	char *name;
	unsigned long addr;
	u32 until;
};

static DEFINE_MUTEX(lock);	/* taken inside kprof_profile_sem */
static struct gone *table;	/* open addressing; NULL before the first module goes */
static u32 used;

bool kprof_gone_any;

/* The slot of an address in a stack, or the free one where it would be. */
static struct gone *find_slot(u32 id, unsigned long addr)
{
	u32 at = hash_long(addr, SLOT_BITS);

	/* Of one address, the slots come in the order in which modules went. */
	while (table[at].name && (table[at].addr != addr || table[at].until <= id))
		at = (at + 1) % NR_SLOTS;
	return &table[at];
}

/* Return: false if there is no room for the name. */
static bool keep_name(struct gone *slot, unsigned long addr, u32 until, const char *name)
{
	if (isdigit(*name))	/* no name now, either */
		return true;
	if (used == MAX_NAMES)
		return false;
	slot->name = kstrndup(name, strcspn(name, " "), GFP_KERNEL);
	if (!slot->name)
		return false;
	slot->addr = addr;
	slot->until = until;
	used++;
	WRITE_ONCE(kprof_gone_any, true);
	return true;
}

/* Return: false if there is no room for its name. */
static bool keep_frame(u32 id, unsigned long addr, u32 until)
{
	struct gone *slot = find_slot(id, addr);
	char text[KSYM_SYMBOL_LEN];

	if (slot->name)
		return true;
	sprint_symbol_no_offset(text, addr);
	return keep_name(slot, addr, until, text);
}

/* Return: false if there is no room for its name. */
static bool keep_caller(unsigned long addr)
{
	struct gone *slot = find_slot(0, ~addr);
	char text[KSYM_SYMBOL_LEN];

	if (slot->name)
		return true;
	kprof_key_print_caller(text, addr);
	return keep_name(slot, ~addr, FOR_GOOD, text);
}

typedef bool (*within_fn)(unsigned long addr, const struct module *module);

/* Return: how many addresses of a stack got no name. */
static u32 keep_stack(u32 id, u32 until, struct module *module, within_fn within)
{
	const struct kprof_intern_entry *stack = kprof_intern_get(&kprof_profile->stacks, id);
	unsigned long addr;
	u32 lost = 0, i;

	for (i = 0; stack && i < stack->nr; i++) {
		/* As names.c does: a return address is looked up as the call before it. */
		addr = stack->word[i] - !!i;
		if (within(addr, module) && !keep_frame(id, addr, until))
			lost++;
	}
	return lost;
}

/* Return: how many callers among the keys of a target's rows got no name. */
static u32 keep_callers(const struct kprof_target *target, struct module *module,
			within_fn within)
{
	const struct kprof_intern *rows = &kprof_profile->contexts;
	const struct kprof_intern_entry *row;
	u32 lost = 0, id, i;

	for (id = KPROF_ID_FIRST; id < KPROF_ID_FIRST + kprof_intern_used(rows); id++) {
		row = kprof_intern_get(rows, id);
		if (!row || row->word[0] != target->source.id)
			continue;
		for (i = 0; i < target->keys.nr_keys; i++)
			if (target->keys.key[i].kind == KPROF_BY_CALLER &&
			    within(row->word[1 + i], module) && !keep_caller(row->word[1 + i]))
				lost++;
	}
	return lost;
}

static void keep_names(struct module *module, within_fn within)
{
	u32 until = KPROF_ID_FIRST + kprof_intern_used(&kprof_profile->stacks);
	struct kprof_target *target;
	u32 lost = 0, id;

	if (!table)
		table = kvcalloc(NR_SLOTS, sizeof(*table), GFP_KERNEL);
	if (!table)	/* its frames will be [no symbol]; the allocator has complained */
		return;
	for (id = KPROF_ID_FIRST; id < until; id++)
		lost += keep_stack(id, until, module, within);
	list_for_each_entry(target, kprof_targets(), node)
		lost += keep_callers(target, module, within);
	if (lost)
		pr_warn("no room for %u names of %s: their frames will be [no symbol]\n",
			lost, module->name);
}

static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	mutex_lock(&kprof_mutex);
	down_read(&kprof_profile_sem);
	mutex_lock(&lock);
	if (event == MODULE_STATE_GOING)
		keep_names(data, within_module);
	else if (event == MODULE_STATE_LIVE)
		keep_names(data, within_module_init);
	mutex_unlock(&lock);
	up_read(&kprof_profile_sem);
	mutex_unlock(&kprof_mutex);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_gone_init() - watch for modules that go
 *
 * Context: sleeps; there is a profile. Return: 0 or an errno.
 */
int kprof_gone_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_gone_exit() - undo kprof_gone_init()
 *
 * Context: sleeps; there still is a profile.
 */
void kprof_gone_exit(void)
{
	unregister_module_notifier(&module_notifier);
	kprof_gone_forget();
}

/**
 * kprof_gone_forget() - the profile is empty: no name is needed any more
 *
 * Context: sleeps.
 */
void kprof_gone_forget(void)
{
	u32 i;

	mutex_lock(&lock);
	for (i = 0; table && i < NR_SLOTS; i++)
		kfree(table[i].name);
	kvfree(table);
	table = NULL;
	used = 0;
	WRITE_ONCE(kprof_gone_any, false);
	mutex_unlock(&lock);
}

/**
 * kprof_gone_name() - the name of an address whose module is gone
 * @id:		the stack that it is in
 * @addr:	as sprint_symbol_no_offset() takes it
 * @text:	where the name goes; KSYM_NAME_LEN bytes
 *
 * Context: sleeps. Return: whether it is known.
 */
bool kprof_gone_name(u32 id, unsigned long addr, char *text)
{
	const char *name = NULL;

	mutex_lock(&lock);
	if (table)
		name = find_slot(id, addr)->name;
	if (name)
		strscpy(text, name, KSYM_NAME_LEN);
	mutex_unlock(&lock);
	return name;
}

/**
 * kprof_gone_caller() - the name of a caller whose module is gone
 * @addr:	the return address
 * @text:	where the name goes; KSYM_NAME_LEN bytes
 *
 * Context: sleeps. Return: whether it is known.
 */
bool kprof_gone_caller(unsigned long addr, char *text)
{
	return kprof_gone_name(0, ~addr, text);
}
