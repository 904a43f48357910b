// SPDX-License-Identifier: GPL-2.0-only
/*
 * rooted.c - whether a user stack begins where its program or thread does
 */
#include <string.h>

#include "data/rooted.h"

bool data_is_rooted(const struct data *d, const struct kprof_stack *stack)
{
	static const char *const roots[] = {
		"_start", "__libc_start_call_main", "__libc_start_main", "__libc_start_main_impl",
		"clone", "clone3", "__clone", "__clone3", "start_thread", NULL
	};
	const struct symbol *sym;
	int i = 0;

	if (!(stack->flags & KPROF_STACK_USER) || !stack->nr)
		return false;
	sym = symtab_find(&d->code, stack->ip[stack->nr - 1] - (stack->nr > 1));
	while (sym && roots[i] && strcmp(sym->name, roots[i]))
		i++;
	return sym && roots[i];
}
