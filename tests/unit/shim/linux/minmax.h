/* SPDX-License-Identifier: GPL-2.0-only */
/* minmax.h - the smaller and the larger, for the host */
#ifndef KPROF_SHIM_MINMAX_H
#define KPROF_SHIM_MINMAX_H

#define min_t(type, a, b) \
	({ type a_ = (a), b_ = (b); a_ < b_ ? a_ : b_; })
#define max_t(type, a, b) \
	({ type a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
#define min(a, b)		min_t(__typeof__(a), a, b)
#define max(a, b)		max_t(__typeof__(a), a, b)
#define clamp(value, low, high)	min(max(value, low), high)

#endif /* KPROF_SHIM_MINMAX_H */
