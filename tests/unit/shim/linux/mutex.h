/* SPDX-License-Identifier: GPL-2.0-only */
/* mutex.h - locks for code that sleeps, for the host */
#ifndef KPROF_SHIM_MUTEX_H
#define KPROF_SHIM_MUTEX_H

#include <pthread.h>

struct mutex {
	pthread_mutex_t lock;
};

#define DEFINE_MUTEX(name)	struct mutex name = { PTHREAD_MUTEX_INITIALIZER }
#define mutex_init(mutex)	pthread_mutex_init(&(mutex)->lock, NULL)
#define mutex_lock(mutex)	pthread_mutex_lock(&(mutex)->lock)
#define mutex_unlock(mutex)	pthread_mutex_unlock(&(mutex)->lock)

#endif /* KPROF_SHIM_MUTEX_H */
