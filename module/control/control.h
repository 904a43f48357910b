/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * control.h - the files that tell kprof what to do
 */
#ifndef KPROF_CONTROL_H
#define KPROF_CONTROL_H

struct dentry;

void kprof_control_create(struct dentry *root);

#endif /* KPROF_CONTROL_H */
