/* SPDX-License-Identifier: GPL-2.0-only */
/* rcupdate.h - read-copy-update, for the host, where tests free nothing that is being read */
#ifndef KPROF_SHIM_RCUPDATE_H
#define KPROF_SHIM_RCUPDATE_H

static inline void rcu_read_lock(void)
{
}

static inline void rcu_read_unlock(void)
{
}

#endif /* KPROF_SHIM_RCUPDATE_H */
