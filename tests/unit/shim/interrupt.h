/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * interrupt.h - interrupts for code of the module that runs on the host
 *
 * Three kinds. Exact ones: each primitive of the kernel (a load, a store, an
 * atomic operation) is a point at which a handler can be made to run, so that a
 * test can try them all. Those in front of an instruction, of which a test can
 * try all, too: the processor steps through the code. And a timer's signals,
 * which come wherever they like.
 */
#ifndef KPROF_SHIM_INTERRUPT_H
#define KPROF_SHIM_INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>

struct interrupt {
	void (*handler)(void);	/* NULL: none is to come */
	unsigned int left;	/* points until it does */
};

static __thread struct interrupt interrupt_next;
static __thread bool interrupt_off;	/* none of the exact ones comes */

/* The primitives call this before they do their work. */
static inline void interrupt_point(void)
{
	void (*handler)(void) = interrupt_next.handler;

	if (!handler || interrupt_off || interrupt_next.left--)
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

/* The thread sanitizer's code is far more than that of the test. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#define INTERRUPT_CAN_STEP	true
#define INTERRUPT_MAX_STEPS	8192
#define INTERRUPT_TRAP_FLAG	0x100
#define INTERRUPT_INT3		0xcc

extern char __executable_start, etext;

/* The instructions of the test's own code, in the order in which they run. */
static unsigned char *interrupt_steps[INTERRUPT_MAX_STEPS];
static unsigned int interrupt_nr_steps;

/* The breakpoint in front of which a handler is to run, and how often it is passed before. */
static struct {
	unsigned char *at;
	unsigned char byte;	/* that it replaces */
	unsigned int passes;
	bool is_stepped_over;
	void (*handler)(void);
} interrupt_break;

static inline void interrupt_on_step(int number, siginfo_t *info, void *context)
{
	unsigned char *at = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	(void)info;
	if ((char *)at < &__executable_start || (char *)at >= &etext)
		return;
	if (interrupt_nr_steps == INTERRUPT_MAX_STEPS)
		abort();
	interrupt_steps[interrupt_nr_steps++] = at;
}

static inline void interrupt_on_break(int number, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)number;
	(void)info;
	if (interrupt_break.is_stepped_over) {
		interrupt_break.is_stepped_over = false;
		regs[REG_EFL] &= ~INTERRUPT_TRAP_FLAG;
		*interrupt_break.at = INTERRUPT_INT3;
		return;
	}
	*interrupt_break.at = interrupt_break.byte;
	regs[REG_RIP] = (greg_t)interrupt_break.at;
	if (interrupt_break.passes--) {
		interrupt_break.is_stepped_over = true;
		regs[REG_EFL] |= INTERRUPT_TRAP_FLAG;
	} else {
		if (!interrupt_off)
			interrupt_break.handler();
	}
}

static inline void interrupt_on_trap(void (*handler)(int number, siginfo_t *info, void *context))
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	if (sigaction(SIGTRAP, &action, NULL))
		abort();
}

/* Below what leaf functions keep under the stack pointer. */
static __attribute__((noinline)) void interrupt_find_steps(void (*code)(void))
{
	interrupt_nr_steps = 0;
	interrupt_on_trap(interrupt_on_step);
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; orq %0, (%%rsp); popfq; "
			 "lea 128(%%rsp), %%rsp" : : "i"(INTERRUPT_TRAP_FLAG) : "memory", "cc");
	code();
	__asm__ volatile("lea -128(%%rsp), %%rsp; pushfq; andq %0, (%%rsp); popfq; "
			 "lea 128(%%rsp), %%rsp" : : "i"(~INTERRUPT_TRAP_FLAG) : "memory", "cc");
}

/* Code is only written to here, and only by the thread that runs it. */
static inline void interrupt_unlock_code(void)
{
	const unsigned long page = 4096, start = (unsigned long)&__executable_start & -page;
	const size_t size = (unsigned long)&etext - start;

	if (mprotect((void *)start, size, PROT_READ | PROT_WRITE | PROT_EXEC))
		abort();
}

/*
 * Play a scene, which has no @nested, for each instruction of its code, in front of which its
 * handler runs. Only in the main thread. Return: how many instructions the code has.
 */
static inline unsigned int interrupt_every_instruction(const struct scene *what)
{
	unsigned int point, i;

	interrupt_unlock_code();
	what->before();
	interrupt_find_steps(what->code);
	what->after();
	interrupt_on_trap(interrupt_on_break);
	/* The first and the last instructions are those of interrupt_find_steps(). */
	for (point = 0; point < interrupt_nr_steps; point++) {
		interrupt_break.at = interrupt_steps[point];
		interrupt_break.byte = *interrupt_break.at;
		interrupt_break.handler = what->handler;
		interrupt_break.passes = 0;
		for (i = 0; i < point; i++)
			interrupt_break.passes += interrupt_steps[i] == interrupt_break.at;
		what->before();
		*interrupt_break.at = INTERRUPT_INT3;
		what->code();
		*interrupt_break.at = interrupt_break.byte;
		what->after();
	}
	return interrupt_nr_steps;
}
#else
#define INTERRUPT_CAN_STEP	false

/* No program steps through itself here. */
static inline unsigned int interrupt_every_instruction(const struct scene *what)
{
	return interrupt_everywhere(what);
}
#endif

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
