/* SPDX-License-Identifier: GPL-2.0-only */
/* local64.h - counters of one CPU, for the host */
#ifndef KPROF_SHIM_LOCAL64_H
#define KPROF_SHIM_LOCAL64_H

#include <linux/compiler.h>
#include <linux/types.h>

struct shim_local64 {
	s64 value;
};

#define local64_t struct shim_local64

static inline s64 local64_read(const local64_t *v)
{
	return READ_ONCE(v->value);
}

static inline void local64_set(local64_t *v, s64 value)
{
	WRITE_ONCE(v->value, value);
}

static inline void local64_add(s64 n, local64_t *v)
{
	interrupt_point();
	__atomic_fetch_add(&v->value, n, __ATOMIC_RELAXED);
}

static inline void local64_inc(local64_t *v)
{
	local64_add(1, v);
}

#endif /* KPROF_SHIM_LOCAL64_H */
