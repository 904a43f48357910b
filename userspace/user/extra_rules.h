/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * extra_rules.h - rules for code that .eh_frame says nothing of, but whose frames are known
 */
#ifndef KPROF_USER_EXTRA_RULES_H
#define KPROF_USER_EXTRA_RULES_H

#include <gelf.h>
#include <stddef.h>
#include <stdint.h>

#include "kprof_rules.h"

struct extra_rule {
	uint64_t from, to;	/* addresses in the file */
	struct kprof_rule rule;
};

#define EXTRA_RULES	2

/* Find them in a file for @machine (EM_*), which may be damaged. Returns how many. */
size_t extra_rules(Elf *elf, int machine, struct extra_rule extra[EXTRA_RULES]);

#endif /* KPROF_USER_EXTRA_RULES_H */
