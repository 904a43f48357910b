/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - start, stop, reset, parameters, and the control files
 *
 * This directory controls all others. It knows them, and none of them knows it. It is called when
 * the module is loaded or unloaded, and when somebody writes to a control file.
 */
#ifndef KPROF_CONTROL_H
#define KPROF_CONTROL_H

#include "control/parameters.h"
#include "control/session.h"
#include "control/settings.h"

struct dentry;

void kprof_control_create(struct dentry *root);

#endif /* KPROF_CONTROL_H */
