/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - turn addresses and task names into frames of folded stacks
 *
 * Looking up a symbol takes thousands of instructions, so each address is
 * looked up once. Equal texts get equal ids, and ids can be put into
 * alphabetical order.
 */
#ifndef KPROF_NAMES_H
#define KPROF_NAMES_H

#include <linux/types.h>

/**
 * struct kprof_name - a name
 * @id:		in the order in which names were added
 * @hash:	of the text
 * @length:	of the text
 * @text:	the name as printed
 */
struct kprof_name {
	u32 id;
	u32 hash;
	u32 length;
	char text[];
};

/**
 * struct kprof_names - a table of names
 * @suffix:	appended to the names of kernel functions; set before the first
 * @name:	the names by id
 * @nr:		number of names
 * @room:	number of names that @name has room for
 * @by_text:	open addressing: id plus one, or 0
 * @by_addr:	open addressing: an address and its name's id plus one
 * @text_mask:	slots of @by_text minus one
 * @addr_mask:	slots of @by_addr minus one
 * @nr_addrs:	slots of @by_addr in use
 */
struct kprof_names {
	const char *suffix;
	struct kprof_name **name;
	u32 nr;
	u32 room;
	u32 *by_text;
	struct kprof_name_of_addr {
		unsigned long addr;
		u32 id;
	} *by_addr;
	u32 text_mask;
	u32 addr_mask;
	u32 nr_addrs;
};

int kprof_names_init(struct kprof_names *names);
void kprof_names_free(struct kprof_names *names);
int kprof_names_function(struct kprof_names *names, const char *text);
int kprof_names_text(struct kprof_names *names, const char *text);
int kprof_names_addr(struct kprof_names *names, unsigned long addr, bool exact);
u32 *kprof_names_rank(struct kprof_names *names);

/**
 * kprof_names_get() - get the name with a rank
 * @names:	after kprof_names_rank()
 * @rank:	the rank
 * @length:	where the length goes
 *
 * Context: any. Return: the name.
 */
static inline const char *kprof_names_get(const struct kprof_names *names, u32 rank,
					  u32 *length)
{
	*length = names->name[rank]->length;
	return names->name[rank]->text;
}

#endif /* KPROF_NAMES_H */
