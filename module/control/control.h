/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - start, stop, reset, parameters, and the files that are written
 *
 * The room that decides. It knows all others, and none of them knows it: it is called by those who
 * load and unload the module, and by who writes to a file.
 */
#ifndef KPROF_CONTROL_H
#define KPROF_CONTROL_H

#include "control/parameters.h"
#include "control/session.h"
#include "control/settings.h"

struct dentry;

void kprof_control_create(struct dentry *root);

#endif /* KPROF_CONTROL_H */
