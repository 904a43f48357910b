// SPDX-License-Identifier: GPL-2.0-only
/*
 * probed.c - the function on which the cost of probes is measured
 *
 * A file of its own, because it is the only one that the function tracer reaches.
 */
#include <linux/compiler.h>

#include "calibrate.h"

/**
 * kprof_probed() - do nothing, as a function that can be watched
 *
 * Context: any.
 */
noinline void kprof_probed(void)
{
	barrier();
}
