/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - what happens when a watched function is called, and when it returns
 *
 * The room of a call under way: its keys, the calls that it is inside of, the row that it counts
 * in; and of the target that it is a call of. Much of this is inline: a call costs some
 * hundred instructions. It knows capture, the profile and stacks. How the call was
 * seen (trampoline/, points/, targets/) it does not know.
 */
#ifndef KPROF_CALLS_H
#define KPROF_CALLS_H

#include "calls/call.h"
#include "calls/enter.h"
#include "calls/forbidden.h"
#include "calls/keys.h"
#include "calls/nest.h"
#include "calls/recent.h"
#include "calls/target.h"

#endif /* KPROF_CALLS_H */
