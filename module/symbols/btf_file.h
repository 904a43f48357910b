/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_file.h - the BTF of the kernel and of its modules
 */
#ifndef KPROF_BTF_FILE_H
#define KPROF_BTF_FILE_H

struct kprof_btf;

const struct kprof_btf *kprof_btf_of(const char *owner);
const struct kprof_btf *kprof_btf_at(unsigned long addr, char *name);
void kprof_btf_forget(void);

#endif /* KPROF_BTF_FILE_H */
