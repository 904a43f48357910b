// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - turn addresses and task names into frames of folded stacks
 */
#include <linux/bitops.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/stringhash.h>

#include "symbols/names.h"

/* Tables are doubled when they are half full. */
#define FIRST_SLOTS	4096

/**
 * kprof_names_init() - prepare a table of names
 * @names:	all zeroes
 *
 * Context: sleeps. Return: 0 or -ENOMEM; kprof_names_free() must be called in either case.
 */
int kprof_names_init(struct kprof_names *names)
{
	names->suffix = "";
	names->text_mask = FIRST_SLOTS - 1;
	names->addr_mask = FIRST_SLOTS - 1;
	names->room = FIRST_SLOTS / 2;
	names->by_text = kvcalloc(FIRST_SLOTS, sizeof(*names->by_text), GFP_KERNEL);
	names->by_addr = kvcalloc(FIRST_SLOTS, sizeof(*names->by_addr), GFP_KERNEL);
	names->name = kvcalloc(names->room, sizeof(*names->name), GFP_KERNEL);
	return names->by_text && names->by_addr && names->name ? 0 : -ENOMEM;
}

/**
 * kprof_names_free() - free a table of names
 * @names:	passed to kprof_names_init()
 *
 * Context: sleeps.
 */
void kprof_names_free(struct kprof_names *names)
{
	u32 i;

	for (i = 0; i < names->nr; i++)
		kfree(names->name[i]);
	kvfree(names->name);
	kvfree(names->by_text);
	kvfree(names->by_addr);
}

static u32 text_slot(const struct kprof_names *names, const char *text, u32 length, u32 hash)
{
	const struct kprof_name *name;
	u32 at;

	for (at = hash & names->text_mask; names->by_text[at]; at = (at + 1) & names->text_mask) {
		name = names->name[names->by_text[at] - 1];
		if (name->hash == hash && name->length == length &&
		    !memcmp(name->text, text, length))
			break;
	}
	return at;
}

static int grow_texts(struct kprof_names *names)
{
	u32 slots = 2 * (names->text_mask + 1), room = slots / 2, i;
	u32 *by_text = kvcalloc(slots, sizeof(*by_text), GFP_KERNEL);
	struct kprof_name **name = kvcalloc(room, sizeof(*name), GFP_KERNEL);

	if (!by_text || !name) {
		kvfree(by_text);
		kvfree(name);
		return -ENOMEM;
	}
	memcpy(name, names->name, names->nr * sizeof(*name));
	swap(names->name, name);
	swap(names->by_text, by_text);
	names->text_mask = slots - 1;
	names->room = room;
	for (i = 0; i < names->nr; i++) {
		const struct kprof_name *one = names->name[i];

		names->by_text[text_slot(names, one->text, one->length, one->hash)] = i + 1;
	}
	kvfree(by_text);
	kvfree(name);
	return 0;
}

/* Replace what folded text cannot contain: its separator, and newlines. */
static void sanitize(char *text, u32 length)
{
	u32 i;

	for (i = 0; i < length; i++) {
		if (text[i] == ';')
			text[i] = ':';
		else if (iscntrl(text[i]))
			text[i] = '?';
	}
}

/**
 * kprof_names_text() - get the id of a text
 * @names:	the names
 * @text:	the text; what folded text cannot contain is replaced
 *
 * Context: sleeps. Return: the id or -ENOMEM.
 */
int kprof_names_text(struct kprof_names *names, const char *text)
{
	u32 length = strlen(text), hash, at;
	struct kprof_name *name;

	if (names->nr == names->room && grow_texts(names))
		return -ENOMEM;
	name = kmalloc(struct_size(name, text, length + 1), GFP_KERNEL);
	if (!name)
		return -ENOMEM;
	memcpy(name->text, text, length + 1);
	sanitize(name->text, length);
	hash = full_name_hash(NULL, name->text, length);
	at = text_slot(names, name->text, length, hash);
	if (names->by_text[at]) {
		kfree(name);
		return names->by_text[at] - 1;
	}
	name->id = names->nr;
	name->hash = hash;
	name->length = length;
	names->name[names->nr++] = name;
	names->by_text[at] = names->nr;
	return name->id;
}

static u32 addr_slot(const struct kprof_names *names, unsigned long addr)
{
	u32 at = (addr * 0x9e3779b97f4a7c15ULL) >> 32;

	for (at &= names->addr_mask; names->by_addr[at].id; at = (at + 1) & names->addr_mask)
		if (names->by_addr[at].addr == addr)
			break;
	return at;
}

static int grow_addrs(struct kprof_names *names)
{
	u32 old_mask = names->addr_mask, new_mask = 2 * old_mask + 1, i;
	struct kprof_name_of_addr *old = names->by_addr;

	names->by_addr = kvcalloc(new_mask + 1, sizeof(*old), GFP_KERNEL);
	if (!names->by_addr) {
		names->by_addr = old;
		return -ENOMEM;
	}
	names->addr_mask = new_mask;
	for (i = 0; i <= old_mask; i++)
		if (old[i].id)
			names->by_addr[addr_slot(names, old[i].addr)] = old[i];
	kvfree(old);
	return 0;
}

/**
 * kprof_names_function() - get the id of a kernel function
 * @names:	the names
 * @text:	its name, without the suffix
 *
 * Context: sleeps. Return: the id or -ENOMEM.
 */
int kprof_names_function(struct kprof_names *names, const char *text)
{
	char name[KSYM_SYMBOL_LEN];

	snprintf(name, sizeof(name), "%s%s", text, names->suffix);
	return kprof_names_text(names, name);
}

/* Only the function's name: flame graphs add up modules and offsets. */
static int lookup(struct kprof_names *names, unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN], *end;

	sprint_symbol_no_offset(text, addr);
	/* An address is not a name, and not everybody may see it. */
	if (isdigit(*text))
		return kprof_names_function(names, "[no symbol]");
	end = strchr(text, ' ');
	if (end)
		*end = '\0';
	return kprof_names_function(names, text);
}

/**
 * kprof_names_addr() - get the id of the function at an address
 * @names:	the names
 * @addr:	the address
 * @exact:	look up this address; else it is a return address, and the call
 *		before it is looked up
 *
 * Context: sleeps. Return: the id or -ENOMEM.
 */
int kprof_names_addr(struct kprof_names *names, unsigned long addr, bool exact)
{
	u32 at;
	int id;

	if (!exact)
		addr--;
	at = addr_slot(names, addr);
	if (names->by_addr[at].id)
		return names->by_addr[at].id - 1;
	if (2 * names->nr_addrs > names->addr_mask) {
		if (grow_addrs(names))
			return -ENOMEM;
		at = addr_slot(names, addr);
	}
	id = lookup(names, addr);
	if (id < 0)
		return id;
	names->by_addr[at].addr = addr;
	names->by_addr[at].id = id + 1;
	names->nr_addrs++;
	return id;
}

static int compare_names(const void *a, const void *b)
{
	const struct kprof_name * const *one = a, * const *other = b;

	return strcmp((*one)->text, (*other)->text);
}

/**
 * kprof_names_rank() - sort the names alphabetically
 * @names:	the names; none can be added afterwards
 *
 * Context: sleeps. Return: the rank of each id, for the caller to kvfree();
 * NULL if there is no memory.
 */
u32 *kprof_names_rank(struct kprof_names *names)
{
	u32 *rank = kvcalloc(names->nr + 1, sizeof(*rank), GFP_KERNEL);
	u32 i;

	if (!rank)
		return NULL;
	sort(names->name, names->nr, sizeof(*names->name), compare_names, NULL);
	for (i = 0; i < names->nr; i++)
		rank[names->name[i]->id] = i;
	return rank;
}
