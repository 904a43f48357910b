/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - handles the entry to, and the return from, a watched function
 *
 * This directory knows a call in progress: its keys, the calls around it, and the row that it
 * counts in. It also knows the target that was called. Much of this is inline, as a call costs some
 * hundred instructions. It uses capture, the profile and the unwinders. It does not know
 * how the call was seen (trampoline/, points/, targets/).
 */
#ifndef KPROF_CALLS_H
#define KPROF_CALLS_H

#include "calls/call.h"
#include "calls/enter.h"
#include "calls/forbidden.h"
#include "calls/keys.h"
#include "calls/nest.h"
#include "calls/recent.h"
#include "calls/system_call.h"
#include "calls/target.h"

#endif /* KPROF_CALLS_H */
