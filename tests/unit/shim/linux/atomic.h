/* SPDX-License-Identifier: GPL-2.0-only */
/* atomic.h - atomic operations, for the host */
#ifndef KPROF_SHIM_ATOMIC_H
#define KPROF_SHIM_ATOMIC_H

#include <linux/cache.h>
#include <linux/compiler.h>

struct shim_atomic {
	int counter;
};

#define atomic_t struct shim_atomic

/* What pairs with what, the module's code says. */
#define smp_load_acquire(p) \
	({ interrupt_point(); __atomic_load_n(p, __ATOMIC_ACQUIRE); })
/* As above. */
#define smp_store_release(p, value) \
	({ interrupt_point(); __atomic_store_n(p, value, __ATOMIC_RELEASE); })

#define shim_cmpxchg(p, old, new, order) ({				\
	__typeof__(*(p)) seen_ = (old);					\
	interrupt_point();						\
	__atomic_compare_exchange_n(p, &seen_, new, false, order,	\
				    __ATOMIC_RELAXED);			\
	seen_;								\
})
#define cmpxchg(p, old, new)		shim_cmpxchg(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_local(p, old, new)	shim_cmpxchg(p, old, new, __ATOMIC_RELAXED)

#define xchg(p, new) \
	({ interrupt_point(); __atomic_exchange_n(p, new, __ATOMIC_SEQ_CST); })

static inline int atomic_read(const atomic_t *v)
{
	return READ_ONCE(v->counter);
}

static inline void atomic_set(atomic_t *v, int value)
{
	WRITE_ONCE(v->counter, value);
}

static inline int atomic_fetch_inc(atomic_t *v)
{
	interrupt_point();
	return __atomic_fetch_add(&v->counter, 1, __ATOMIC_SEQ_CST);
}

static inline void atomic_inc(atomic_t *v)
{
	interrupt_point();
	__atomic_fetch_add(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline void atomic_dec(atomic_t *v)
{
	interrupt_point();
	__atomic_fetch_sub(&v->counter, 1, __ATOMIC_RELAXED);
}

static inline int atomic_inc_return(atomic_t *v)
{
	return atomic_fetch_inc(v) + 1;
}

/* The thread sanitizer knows no fences, but operations that are as strong. */
#define smp_mb() \
	({ int fence_ = 0; interrupt_point(); __atomic_fetch_add(&fence_, 1, __ATOMIC_SEQ_CST); })

struct shim_atomic64 {
	long long counter;
};

#define atomic64_t struct shim_atomic64

static inline long long atomic64_read(const atomic64_t *v)
{
	return READ_ONCE(v->counter);
}

static inline long long atomic64_inc_return(atomic64_t *v)
{
	interrupt_point();
	return __atomic_add_fetch(&v->counter, 1, __ATOMIC_SEQ_CST);
}

static inline void atomic64_inc(atomic64_t *v)
{
	interrupt_point();
	__atomic_fetch_add(&v->counter, 1, __ATOMIC_RELAXED);
}

#define try_cmpxchg(p, old, new) ({					\
	interrupt_point();						\
	__atomic_compare_exchange_n(p, old, new, false,			\
				    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);\
})

#endif /* KPROF_SHIM_ATOMIC_H */
