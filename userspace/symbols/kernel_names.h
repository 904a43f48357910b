/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_names.h - numbers that have a name: system calls, errors, softirqs
 *
 * Those of the architecture that the program is built for. NULL: none that is known.
 */
#ifndef KPROF_KERNEL_NAMES_H
#define KPROF_KERNEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* @is_32: of a program of 32 bits on a machine of 64 */
const char *kernel_syscall(unsigned long nr, bool is_32);
/* "ENOENT"; also those that stay inside of the kernel, such as "ERESTARTSYS" */
const char *kernel_error(unsigned long nr);
const char *kernel_softirq(unsigned long nr);

/* Does a recording's "machine" say that it is of this architecture? */
bool kernel_names_fit(const char *machine);

/* Made by the Makefile of the kernel's headers for user space. */
extern const char *const kernel_syscalls[], *const kernel_syscalls_32[];
extern const size_t kernel_nr_syscalls, kernel_nr_syscalls_32;

#endif /* KPROF_KERNEL_NAMES_H */
