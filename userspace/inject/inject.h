/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inject.h - system calls of a command that fail, return a value, wait or raise a signal
 *
 * A plan is parsed from expressions in the syntax of strace(1). A seccomp filter stops the command
 * and its descendants at the entry of those system calls that are in a plan, at no others; the
 * reader, which traces them by ptrace(2), decides there what happens. Depends on lib, symbols
 * (names of system calls) and record (starting a command); needs no module.
 */
#ifndef KPROF_INJECT_H
#define KPROF_INJECT_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "lib/buf.h"

#define INJECT_SYSCALLS	1024	/* numbers of system calls are below this */

enum inject_abi { INJECT_NATIVE, INJECT_32, INJECT_ABIS };

/* An expression: what happens at which of the calls of a thread. */
struct inject_rule {
	const char *text;
	bool skips;			/* the call is not made, but returns value */
	int64_t value;
	int signal;			/* 0: none */
	uint64_t delay_enter_ns, delay_exit_ns;
	uint32_t first, last, step;	/* of a thread's calls; step 0: first alone */
};

/* A system call of a rule, and what became of its calls. */
struct inject_slot {
	enum inject_abi abi;
	uint32_t nr;
	size_t rule;
	uint64_t calls, injected, threads;
	uint64_t lost;			/* the thread ended before the injection was made */
};

struct inject_plan {
	struct inject_rule *rule;
	struct inject_slot *slot;
	size_t nr_rules, nr_slots;
	uint16_t map[INJECT_ABIS][INJECT_SYSCALLS];	/* slot and 1; 0: none */
};

/*
 * Add an expression, such as "fault=read:error=EIO:when=3+2". For its system calls it overrides
 * earlier ones. Returns EXIT_OK, or EXIT_USAGE after a message. @text is kept.
 */
int inject_parse(struct inject_plan *plan, const char *text);
void inject_free(struct inject_plan *plan);

/* Is it the thread's @call-th call, from 1 on, that is injected? */
bool inject_is_due(const struct inject_rule *rule, uint32_t call);

/* The seccomp filter that stops at the calls of a plan. Free its filter. */
struct sock_fprog inject_filter(const struct inject_plan *plan);

/* Apply it to the calling thread, for good. Returns 0, or -1 with errno set. */
int inject_filter_apply(const struct sock_fprog *filter);

struct inject_call {
	enum inject_abi abi;
	uint32_t nr;
};

/* The system call at whose entry a thread has stopped. Returns false if it is none of ours. */
bool inject_call_read(pid_t tid, struct inject_call *call);

/* Have it return @value without being made. Returns 0, or -1: the thread has ended. */
int inject_call_skip(pid_t tid, int64_t value);

/* Called at each injection, with the number of the thread's call. */
typedef void inject_tell(pid_t tid, const struct inject_slot *slot, uint32_t call);

/*
 * Run the command by the plan, until it and all its descendants have ended. *@status gets its exit
 * status, as a shell has it. Returns EXIT_OK, or EXIT_ERROR after a message.
 */
int inject_run(struct inject_plan *plan, char **argv, inject_tell *tell, int *status);

/* Append the name of a slot's system call. */
void inject_name(struct buf *to, const struct inject_slot *slot);

/* What a rule does, such as "error=EIO, signal=USR1". */
void inject_effect(struct buf *to, const struct inject_rule *rule);

void inject_print_text(const struct inject_plan *plan, FILE *out);
void inject_print_json(const struct inject_plan *plan, FILE *out);

#endif /* KPROF_INJECT_H */
