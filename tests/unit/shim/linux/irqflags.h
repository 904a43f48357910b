/* SPDX-License-Identifier: GPL-2.0-only */
/* irqflags.h - switching interrupts off, for the host: those of interrupt.h */
#ifndef KPROF_SHIM_IRQFLAGS_H
#define KPROF_SHIM_IRQFLAGS_H

#include "../interrupt.h"

#define local_irq_save(flags)		((flags) = interrupt_off, interrupt_off = true)
#define local_irq_restore(flags)	(interrupt_off = (flags))

#endif /* KPROF_SHIM_IRQFLAGS_H */
