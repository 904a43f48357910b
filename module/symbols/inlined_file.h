/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inlined_file.h - finds the places in the running kernel where functions are inlined
 */
#ifndef KPROF_INLINED_FILE_H
#define KPROF_INLINED_FILE_H

#include "symbols/inlined.h"

int kprof_inlined_look(const char *spec, kprof_inlined_fn look, void *data);
unsigned long kprof_inlined_address(const struct kprof_inlined *object,
				    const struct kprof_index_host *host);
const char *kprof_inlined_problem(void);
void kprof_inlined_forget(void);

#endif /* KPROF_INLINED_FILE_H */
