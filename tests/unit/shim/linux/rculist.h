/* SPDX-License-Identifier: GPL-2.0-only */
/* rculist.h - lists with one head, and their readers, for the host */
#ifndef KPROF_SHIM_RCULIST_H
#define KPROF_SHIM_RCULIST_H

#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct hlist_head {
	struct hlist_node *first;
};

static inline void hlist_add_head_rcu(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (node->next)
		node->next->pprev = &node->next;
	/* Whoever reads the list sees a whole node. */
	smp_store_release(&head->first, node);
}

#define hlist_add_head(node, head)	hlist_add_head_rcu(node, head)

static inline void hlist_del_rcu(struct hlist_node *node)
{
	/* Whoever reads the list sees the next node, or this one. */
	smp_store_release(node->pprev, node->next);
	if (node->next)
		node->next->pprev = node->pprev;
	node->pprev = NULL;
}

#define hlist_entry_or_null(node, type, member) ({			\
	struct hlist_node *node_ = (node);				\
	node_ ? container_of(node_, type, member) : NULL;		\
})

#define hlist_for_each_entry_rcu_notrace(at, head, member)				\
	for (at = hlist_entry_or_null(rcu_dereference_raw((head)->first),		\
				      __typeof__(*(at)), member);			\
	     at; at = hlist_entry_or_null(rcu_dereference_raw((at)->member.next),	\
					  __typeof__(*(at)), member))

#define hlist_for_each_entry(at, head, member) \
	hlist_for_each_entry_rcu_notrace(at, head, member)

#define hlist_for_each_entry_safe(at, after, head, member)			\
	for (at = hlist_entry_or_null((head)->first, __typeof__(*(at)), member);	\
	     at && ({ after = (at)->member.next; 1; });				\
	     at = hlist_entry_or_null(after, __typeof__(*(at)), member))

#endif /* KPROF_SHIM_RCULIST_H */
