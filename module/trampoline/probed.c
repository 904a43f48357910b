// SPDX-License-Identifier: GPL-2.0-only
/*
 * probed.c - the functions of kprof that the function tracer reaches
 *
 * On one the cost of probes is measured; the other keeps ftrace from being switched off.
 */
#include <linux/compiler.h>

#include "trampoline/probed.h"
#include "trampoline/trampoline.h"

/**
 * kprof_probed() - do nothing, as a function that can be watched
 *
 * Context: any.
 */
noinline void kprof_probed(void)
{
	barrier();
}

#if KPROF_HAS_DIRECT
/**
 * kprof_guarded() - a function that ftrace has a reason to stay on for; nobody calls it
 *
 * Context: none.
 */
noinline void kprof_guarded(void)
{
	barrier();
}
#endif
