// SPDX-License-Identifier: GPL-2.0-only
/*
 * prototype.c - may the trampoline hand on the arguments of a function
 *
 * It copies so many words of the stack and no more. That a function takes no more of them
 * has to be proven: by the BTF of the kernel or of its module, read as anybody can. What
 * has none, is not in it, or has a name that more functions have, gets no trampoline.
 */
#include <linux/kallsyms.h>

#include "symbols/symbols.h"
#include "trampoline/frame.h"
#include "trampoline/trampoline.h"

/**
 * kprof_prototype_refuse() - why may a function not have the trampoline
 * @addr:	its entry
 *
 * Context: sleeps; kprof_mutex is held. Return: what is in the way; NULL if its arguments
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
