// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone.c - keeps names of addresses in modules that were unloaded
 *
 * A module takes its symbols with it, but the profile may still have stacks that lead
 * through it. When a module is unloaded, or its init code is freed, the names of these
 * addresses are kept until the profile is emptied.
 *
 * Another module may be loaded at the same place. Stack ids increase in the order in which
 * stacks were first seen, so a name is valid for the stacks that existed at the unload.
 *
 * A caller that is a key (by=caller) has a different text, FUNCTION+OFFSET. It is stored under
 * the complement of its address, which is never a kernel address. Its name never expires, as
 * whatever is loaded at this very address later shares the row.
 */
#include <linux/ctype.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "profile/profile.h"
#include "symbols/gone.h"
#include "uapi/kprof.h"

#define SLOT_BITS	13
#define NR_SLOTS	(1U << SLOT_BITS)
#define MAX_NAMES	(NR_SLOTS / 2)	/* keeps searches short */
#define FOR_GOOD	U32_MAX

/**
 * struct gone - a slot of the table
 * @name:	name of the function that was at @addr; NULL if the slot is free
 * @addr:	the address
 * @until:	the first stack id for which the name is not valid
 */
struct gone {
	char *name;
	unsigned long addr;
	u32 until;
};

static DEFINE_MUTEX(lock);	/* taken inside kprof_profile_sem */
static struct gone *table;	/* open addressing; NULL before the first module goes */
static u32 used;
static kprof_each_caller_fn each_caller;

bool kprof_gone_any;

/* The slot of an address in a stack; or the free slot where it would be. */
static struct gone *find_slot(u32 id, unsigned long addr)
{
	u32 at = hash_long(addr, SLOT_BITS);

	/* The slots of one address are in the order in which modules were unloaded. */
	while (table[at].name && (table[at].addr != addr || table[at].until <= id))
		at = (at + 1) % NR_SLOTS;
	return &table[at];
}

/* Return: false if there was no room for the name. */
static bool keep_name(struct gone *slot, unsigned long addr, u32 until, const char *name)
{
	if (isdigit(*name))	/* it has no name now, either */
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

/* Return: false if there was no room for its name. */
static bool keep_frame(u32 id, unsigned long addr, u32 until)
{
	struct gone *slot = find_slot(id, addr);
	char text[KSYM_SYMBOL_LEN];

	if (slot->name)
		return true;
	sprint_symbol_no_offset(text, addr);
	return keep_name(slot, addr, until, text);
}

/* Print the place of a call as FUNCTION+OFFSET. */
static void print_caller(char *text, unsigned long addr)
{
	snprintf(text, KSYM_SYMBOL_LEN, "%pB", (void *)addr);
	text[strcspn(text, "/ ")] = '\0';
}

/* Return: false if there was no room for its name. */
static bool keep_caller(unsigned long addr)
{
	struct gone *slot = find_slot(0, ~addr);
	char text[KSYM_SYMBOL_LEN];

	if (slot->name)
		return true;
	print_caller(text, addr);
	return keep_name(slot, ~addr, FOR_GOOD, text);
}

typedef bool (*within_fn)(unsigned long addr, const struct module *module);

/* Return: number of addresses of a stack for which there was no room. */
static u32 keep_stack(u32 id, u32 until, struct module *module, within_fn within)
{
	const struct kprof_intern_entry *stack = kprof_intern_get(&kprof_profile->stacks, id);
	unsigned long addr;
	u32 lost = 0, i;

	for (i = 0; stack && i < stack->nr; i++) {
		/* As in names.c: for a return address, the call before it is looked up. */
		addr = stack->word[i] - !!i;
		if (within(addr, module) && !keep_frame(id, addr, until))
			lost++;
	}
	return lost;
}

/**
 * struct keeping - state while the names of one module's addresses are stored
 * @module:	the module that is unloaded
 * @within:	checks whether an address is in the part that goes away
 * @lost:	number of addresses for which there was no room
 */
struct keeping {
	struct module *module;
	within_fn within;
	u32 lost;
};

static void keep_caller_within(unsigned long addr, void *data)
{
	struct keeping *keeping = data;

	if (keeping->within(addr, keeping->module) && !keep_caller(addr))
		keeping->lost++;
}

static void keep_names(struct module *module, within_fn within)
{
	u32 until = KPROF_ID_FIRST + kprof_intern_used(&kprof_profile->stacks);
	struct keeping keeping = { .module = module, .within = within };
	u32 id;

	if (!table)
		table = kvcalloc(NR_SLOTS, sizeof(*table), GFP_KERNEL);
	if (!table)	/* its frames will be [no symbol]; the allocator has complained */
		return;
	for (id = KPROF_ID_FIRST; id < until; id++)
		keeping.lost += keep_stack(id, until, module, within);
	each_caller(keep_caller_within, &keeping);
	if (keeping.lost)
		pr_warn("no room for %u name%s of %s: frames will be [no symbol]\n",
			keeping.lost, keeping.lost == 1 ? "" : "s", module->name);
}

/*
 * Does not take kprof_mutex: who holds it may look up a path, for which the kernel may load a
 * module, and wait here for him.
 */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	if (event != MODULE_STATE_GOING && event != MODULE_STATE_LIVE)
		return NOTIFY_DONE;
	down_read(&kprof_profile_sem);
	mutex_lock(&lock);
	if (kprof_profile)
		keep_names(data, event == MODULE_STATE_GOING ? within_module : within_module_init);
	mutex_unlock(&lock);
	up_read(&kprof_profile_sem);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_gone_init() - start watching modules being unloaded
 * @callers:	calls a function for each caller that is a key of a row, maybe more than once
 *
 * Context: sleeps; there need not be a profile yet. Return: 0 or an errno.
 */
int kprof_gone_init(kprof_each_caller_fn callers)
{
	each_caller = callers;
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_gone_exit() - undo kprof_gone_init()
 *
 * Context: sleeps.
 */
void kprof_gone_exit(void)
{
	unregister_module_notifier(&module_notifier);
	kprof_gone_forget();
}

/**
 * kprof_gone_forget() - free all names, as the profile is empty
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
 * kprof_gone_name() - the name of an address in a module that was unloaded
 * @id:		the stack that it is in
 * @addr:	the address, as for sprint_symbol_no_offset()
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
 * kprof_gone_caller() - the place of a call, FUNCTION+OFFSET, maybe in an unloaded module
 * @addr:	the return address
 * @text:	where it goes; KSYM_SYMBOL_LEN bytes
 *
 * Context: sleeps.
 */
void kprof_gone_caller(unsigned long addr, char *text)
{
	if (!kprof_gone_name(0, ~addr, text))
		print_caller(text, addr);
}
