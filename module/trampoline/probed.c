// SPDX-License-Identifier: GPL-2.0-only
/*
 * probed.c - the functions of kprof that ftrace can trace
 *
 * The cost of probes is measured on one of them. The other keeps ftrace from being switched off.
 */
#include <linux/compiler.h>

#include "trampoline/probed.h"
#include "trampoline/trampoline.h"

/**
 * kprof_probed() - an empty function that can be watched
 *
 * Context: any.
 */
noinline void kprof_probed(void)
{
	barrier();
}

#if KPROF_HAS_DIRECT
/**
 * kprof_guarded() - ftrace must stay on because of this function; nobody calls it
 *
 * Context: none.
 */
noinline void kprof_guarded(void)
{
	barrier();
}
#endif
