// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracepoint.c - finds the kernel's own tracepoints by name, as they are not exported
 */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/tracepoint.h"

struct search {
	const char *name;
	struct tracepoint *found;
};

static void look(struct tracepoint *tracepoint, void *data)
{
	struct search *search = data;

	if (!strcmp(tracepoint->name, search->name))
		search->found = tracepoint;
}

/**
 * kprof_kernel_tracepoint() - find a tracepoint of the kernel itself
 * @name:	its name
 *
 * Context: sleeps. Return: the tracepoint, NULL if there is none with that name.
 */
struct tracepoint *kprof_kernel_tracepoint(const char *name)
{
	struct search search = { .name = name };

	for_each_kernel_tracepoint(look, &search);
	return search.found;
}
