/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interrupt.h - interrupts for code of the module that runs on the host
 *
 * Two kinds. Exact ones: each primitive of the kernel (a load, a store, an
 * atomic operation) is a point at which a handler can be made to run, so that a
 * test can try them all. And a timer's signals, which come wherever they like,
 * also between points.
 */
#ifndef KPROF_SHIM_INTERRUPT_H
#define KPROF_SHIM_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>

struct interrupt {
	void (*handler)(void);	/* NULL: none is to come */
	unsigned int left;	/* points until it does */
};

static __thread struct interrupt interrupt_next;

/* The primitives call this before they do their work. */
static inline void interrupt_point(void)
{
	void (*handler)(void) = interrupt_next.handler;

	if (!handler || interrupt_next.left--)
		return;
	interrupt_next.handler = NULL;
	handler();
}

/*
 * Run @code with @handler in front of its @point'th primitive. Return: whether
 * the code came that far.
 */
static inline bool interrupted(unsigned int point, void (*handler)(void), void (*code)(void))
{
	bool came;

	interrupt_next = (struct interrupt) { handler, point };
	code();
	came = !interrupt_next.handler;
	interrupt_next.handler = NULL;
	return came;
}

/* What is to be interrupted by what, and what has to hold before and after. */
struct scene {
	void (*before)(void);
	void (*code)(void);
	void (*handler)(void);	/* interrupts the code */
	void (*nested)(void);	/* interrupts the handler; NULL: nothing does */
	void (*after)(void);
};

static const struct scene *scene;
static unsigned int scene_point;	/* of the handler, where it is interrupted */
static bool scene_nested;		/* whether it was */

static inline void scene_handler(void)
{
	if (scene->nested)
		scene_nested = interrupted(scene_point, scene->nested, scene->handler);
	else
		scene->handler();
}

/* Play a scene for every pair of points. Return: how many points the code has. */
static inline unsigned int interrupt_everywhere(const struct scene *what)
{
	unsigned int point;
	bool came = true;

	scene = what;
	for (point = 0; came; point++) {
		scene_point = 0;
		do {
			scene_nested = false;
			what->before();
			came = interrupted(point, scene_handler, what->code);
			what->after();
			scene_point++;
		} while (scene_nested);
	}
	return point - 1;
}

static void (*interrupt_timer_handler)(void);
static unsigned int interrupt_timer_count;

static inline void interrupt_on_signal(int number)
{
	(void)number;
	__atomic_fetch_add(&interrupt_timer_count, 1, __ATOMIC_RELAXED);
	interrupt_timer_handler();
}

/* How often the timer has come since it was started. */
static inline unsigned int interrupts(void)
{
	return __atomic_load_n(&interrupt_timer_count, __ATOMIC_RELAXED);
}

/* Have the calling thread interrupted at a few kHz. */
static inline void interrupt_timer_start(void (*handler)(void))
{
	struct sigaction action = { .sa_handler = interrupt_on_signal, .sa_flags = SA_RESTART };
	struct itimerval timer = { { 0, 200 }, { 0, 200 } };

	interrupt_timer_handler = handler;
	interrupt_timer_count = 0;
	if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &timer, NULL))
		abort();
}

/* A last signal may still be on its way when the timer has ended: ignore it. */
static inline void interrupt_timer_stop(void)
{
	struct sigaction action = { .sa_handler = SIG_IGN };
	struct itimerval timer = { { 0, 0 }, { 0, 0 } };

	if (setitimer(ITIMER_REAL, &timer, NULL) || sigaction(SIGALRM, &action, NULL))
		abort();
}

/*
 * Create a thread that is another CPU: the timer's signals are not for it. Before it could block
 * them by itself, one may come. Return: as pthread_create().
 */
static inline int interrupt_free_thread(pthread_t *thread, void *(*code)(void *), void *arg)
{
	sigset_t set, old;
	int ret;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	if (pthread_sigmask(SIG_BLOCK, &set, &old))
		abort();
	ret = pthread_create(thread, NULL, code, arg);
	if (pthread_sigmask(SIG_SETMASK, &old, NULL))
		abort();
	return ret;
}

#endif /* KPROF_SHIM_INTERRUPT_H */
