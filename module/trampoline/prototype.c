// SPDX-License-Identifier: GPL-2.0-only
/*
 * prototype.c - can the trampoline pass on the arguments of a function
 *
 * It copies a fixed number of stack words. That a function takes no more of them must be
 * proven by the BTF of the kernel or of its module. A function gets no trampoline if it has no
 * BTF, is missing from it, or shares its name with other functions.
 */
#include <linux/kallsyms.h>

#include "symbols/symbols.h"
#include "trampoline/frame.h"
#include "trampoline/trampoline.h"

/**
 * kprof_prototype_refuse() - why a function cannot have the trampoline
 * @addr:	its entry
 *
 * Context: sleeps; kprof_mutex is held. Return: the reason; NULL if the function's arguments
 * are known, and fit.
 */
const char *kprof_prototype_refuse(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	const struct kprof_btf *btf = kprof_btf_at(addr, name);
	int words;

	if (!btf)
		return "no BTF tells what arguments it takes";
	words = kprof_btf_stack_words(btf, name);
	if (words == -ENOENT)
		return "BTF does not tell what arguments it takes";
	if (words < 0)
		return "it takes any number of arguments, or nobody knows how many";
	if (words > KPROF_STACK_ARGS)
		return "it takes more arguments than the trampoline hands on";
	if (kprof_symbols_count(name) != 1)
		return "other functions, with other arguments, may have its name";
	return NULL;
}
