/* SPDX-License-Identifier: GPL-2.0-only */
/* llist.h - a node of a list without locks, for the host */
#ifndef KPROF_SHIM_LLIST_H
#define KPROF_SHIM_LLIST_H

struct llist_node {
	struct llist_node *next;
};

#endif /* KPROF_SHIM_LLIST_H */
