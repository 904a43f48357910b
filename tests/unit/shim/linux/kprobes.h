/* SPDX-License-Identifier: GPL-2.0-only */
/* kprobes.h - what must not be probed, for the host, where nothing is */
#ifndef KPROF_SHIM_KPROBES_H
#define KPROF_SHIM_KPROBES_H

#define NOKPROBE_SYMBOL(name)	extern int shim_unused

#endif /* KPROF_SHIM_KPROBES_H */
