/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame_rule.h - what an ELF file says of a frame, as a rule for the module
 */
#ifndef KPROF_USER_FRAME_RULE_H
#define KPROF_USER_FRAME_RULE_H

#include <elfutils/libdw.h>
#include <stdbool.h>

#include "kprof_rules.h"

/* Are there rules for this machine (EM_*)? */
bool frame_rule_has_machine(int machine);

/*
 * KPROF_RULE_UNKNOWN if the frame is described in a way that no rule can. @machine is one that
 * there are rules for.
 */
struct kprof_rule frame_rule(Dwarf_Frame *frame, int machine, bool is_signal);

#endif /* KPROF_USER_FRAME_RULE_H */
