// SPDX-License-Identifier: GPL-2.0-only
/*
 * state.c - the model itself: what calls, and what is done, make of the profile
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

#define RECORD_BYTES	32

/* A call that has not returned. */
struct held {
	struct call call;
	bool seen;		/* by kprof, at its entry */
	bool direct;
	bool sample;
	unsigned int probe;
	unsigned int epoch;
};

const char * const function_names[NR_FUNCTIONS] = {
	[CALLED] = "odd_called", [HELD] = "odd_held", [LOOP] = "known_loop",
	[TURN] = "known_turn", [EACH] = "known_called", [RECURSIVE] = "known_recursive",
};

static const char * const setting_names[NR_SETTINGS] = {
	[RECORD] = "record", [STACKS] = "stacks", [PROBE] = "probe", [PID] = "pid",
	[COMM] = "comm", [CPUS] = "cpus", [EVENT] = "event", [UNWIND] = "unwind",
	[CLOCK] = "clock", [DEPTH] = "depth", [MAX_STACKS] = "max_stacks",
	[MAX_ROWS_OF] = "max_rows", [RING_KB] = "ring_kb",
};

struct target targets[NR_FUNCTIONS];
const char *settings[NR_SETTINGS];
struct ring rings[MAX_CPUS];
unsigned int nr_cpus, rows_used, nr_held;
bool running, timer_was_used;

static struct held held[MAX_HELD];	/* in the order in which they began */
static unsigned int epoch;

const char *setting_name(enum setting setting)
{
	return setting_names[setting];
}

unsigned long state_number(const char *text)
{
	return strtoul(text, NULL, 0);
}

/* --- options --- */

static bool is_more_than_3(const struct call *call) { return call->number > 3; }
static bool is_less_than_5(const struct call *call) { return call->number < 5; }
static bool is_4(const struct call *call) { return call->number == 4; }
static bool never(const struct call *call) { return !call; }

static bool fails(const struct call *call)
{
	return call->number == 13;	/* known_loop does */
}

static void by_arg1(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "$arg1=%lu", call->number);
}

static void by_cpu(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "context=task,cpu=%d", call->cpu);
}

static void by_arg2(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "$arg2=%lu", call->number);
}

static void by_hits(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "hits(known_turn)=%lu", call->hits);
}

static void by_error(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "error=%d", fails(call));
}

static void by_retval(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "$retval:s32=%ld", fails(call) ? -22 : (long)call->number);
}

static void by_log2(char *text, size_t size, const struct call *call)
{
	unsigned long low = 1;

	while (2 * low <= call->number)
		low *= 2;
	snprintf(text, size, "log2($arg2)=[%lu,%lu)", low, 2 * low);
}

static void by_linear(char *text, size_t size, const struct call *call)
{
	unsigned long low = call->number / 10 * 10;

	snprintf(text, size, "linear($arg2,10)=[%lu,%lu)", low, low + 10);
}

static void by_comm(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "comm=\"model\",$arg2=%lu", call->number);
}

static void by_string(char *text, size_t size, const struct call *call)
{
	snprintf(text, size, "+0($arg1):string=\"%s\"", call->number % 2 ? "odd" : "even");
}

static const struct option none[] = {
	{ "", NULL, NULL, NULL },
};

static const struct option called[] = {
	{ "", NULL, NULL, NULL },
	{ "by=$arg1", NULL, NULL, by_arg1 },
	{ "by=$arg1 if=$arg1<5", is_less_than_5, NULL, by_arg1 },
	{ "by=context,cpu", NULL, NULL, by_cpu },
	{ "min=1000s", NULL, never, NULL },
};

static const struct option of_held[] = {
	{ "", NULL, NULL, NULL },
	{ "by=$arg1", NULL, NULL, by_arg1 },
};

static const struct option loop[] = {
	{ "", NULL, NULL, NULL },
	{ "by=$arg2", NULL, NULL, by_arg2 },
	{ "by=hits(known_turn)", NULL, NULL, by_hits },
	{ "by=hits(known_turn)", NULL, NULL, by_hits },
	{ "by=error", NULL, NULL, by_error },
	{ "by=$retval:s32", NULL, NULL, by_retval },
	{ "by=log2($arg2)", NULL, NULL, by_log2 },
	{ "by=linear($arg2,10)", NULL, NULL, by_linear },
	{ "by=comm,$arg2 if=$arg2>3", is_more_than_3, NULL, by_comm },
	{ "by=+0($arg1):string", NULL, NULL, by_string },
	{ "by=error if=$retval==4", NULL, is_4, by_error },
	{ "by=$arg2 min=1000s", NULL, never, by_arg2 },
};

const struct option *options_of(enum function f, size_t *nr)
{
	switch (f) {
	case CALLED:
		*nr = COUNT(called);
		return called;
	case HELD:
		*nr = COUNT(of_held);
		return of_held;
	case LOOP:
		*nr = COUNT(loop);
		return loop;
	default:
		*nr = COUNT(none);
		return none;
	}
}

/* --- filters --- */

static bool passes_pid(const struct call *call)
{
	if (!*settings[PID])
		return true;
	return call->who == OURS && state_number(settings[PID]) == (unsigned long)getpid();
}

static bool passes_comm(const struct call *call)
{
	if (!*settings[COMM])
		return true;
	return !strcmp(settings[COMM], "model") == (call->who == OURS);
}

static bool passes_cpus(const struct call *call)
{
	return !strcmp(settings[CPUS], "all") ||
	       state_number(settings[CPUS]) == (unsigned long)call->cpu;
}

static bool passes(const struct call *call)
{
	return passes_pid(call) && passes_comm(call) && passes_cpus(call);
}

/* --- what a call leaves behind --- */

unsigned int state_ring_size(void)
{
	return state_number(settings[RING_KB]) * 1024 / RECORD_BYTES;
}

static void put(int cpu, uint64_t n)
{
	struct ring *ring = &rings[cpu];
	uint64_t room = state_ring_size() - ring->unread;

	ring->offered += n;
	ring->unread += n < room ? n : room;
	ring->dropped += n < room ? 0 : n - room;
}

/* Where calls of a context are counted. */
static uint64_t *row_of(struct target *target, const struct call *call)
{
	char context[MAX_CONTEXT];
	unsigned int i;

	if (!target->option->context)
		return &target->rest;
	target->option->context(context, sizeof(context), call);
	for (i = 0; i < target->nr_rows; i++)
		if (!strcmp(target->row[i].context, context))
			return &target->row[i].calls;
	if (rows_used == state_number(settings[MAX_ROWS_OF]) || i == MAX_ROWS)
		return &target->rest;
	rows_used++;
	target->nr_rows++;
	strcpy(target->row[i].context, context);
	return &target->row[i].calls;
}

/* Return: whether kprof looks at what becomes of it. */
static bool enters(struct target *target, const struct call *call, uint64_t n)
{
	if (!running || target->state != WATCHED)
		return false;
	target->fired += n;
	if (!passes(call) || (target->option->at_entry && !target->option->at_entry(call))) {
		target->filtered += n;
		return false;
	}
	target->recorded += n;
	if (*settings[RECORD] == '1') {
		target->samples += n;
		put(call->cpu, n);
	}
	return true;
}

static void leaves(struct target *target, const struct call *call, bool sample, uint64_t n)
{
	if (target->option->at_return && !target->option->at_return(call)) {
		target->left_out += n;
		return;
	}
	*row_of(target, call) += n;
	if (sample)
		put(call->cpu, n);
}

/* Calls that have begun and ended. */
void state_calls(enum function f, const struct call *call, uint64_t n)
{
	if (enters(&targets[f], call, n))
		leaves(&targets[f], call, *settings[RECORD] == '1', n);
}

/* --- calls under way --- */

void state_hold(const struct call *call)
{
	struct target *target = &targets[HELD];
	struct held *new = &held[nr_held++];

	*new = (struct held) {
		.call = *call, .seen = enters(target, call, 1), .direct = target->direct,
		.sample = *settings[RECORD] == '1', .probe = target->probe, .epoch = epoch,
	};
}

/* The oldest one returns. */
void state_release(void)
{
	struct target *target = &targets[HELD];
	struct held old = held[0];

	memmove(&held[0], &held[1], --nr_held * sizeof(held[0]));
	if (!old.seen || old.epoch != epoch || !running)
		return;
	/* The trampoline stays for those inside; a kretprobe that has gone does not. */
	if (old.direct || (old.probe == target->probe && target->state == WATCHED))
		leaves(target, &old.call, old.sample, 1);
}

/* Is somebody inside of whom the trampoline still needs to know? */
bool state_is_inside(enum function f)
{
	unsigned int i;

	for (i = 0; i < nr_held && f == HELD; i++)
		if (held[i].seen && held[i].direct)
			return true;
	return false;
}

/* --- the profile as a whole --- */

static void clear_target(enum function f)
{
	struct target *target = &targets[f];

	if (target->state == REMOVED && !state_is_inside(f))
		target->state = ABSENT;
	target->forgotten = target->state == REMOVED;
	if (target->forgotten)
		target->option = none;
	target->fired = 0;
	target->recorded = 0;
	target->filtered = 0;
	target->left_out = 0;
	target->samples = 0;
	target->nr_rows = 0;
	target->rest = 0;
	memset(target->row, 0, sizeof(target->row));
}

void state_clear(void)
{
	enum function f;

	for (f = 0; f < NR_FUNCTIONS; f++)
		clear_target(f);
	memset(rings, 0, sizeof(rings));
	rows_used = 0;
	epoch++;
	timer_was_used = running && !strcmp(settings[EVENT], "timer");
}

/* As kprof is loaded. */
void state_begin(void)
{
	settings[RECORD] = "1";
	settings[STACKS] = "kernel";
	settings[PROBE] = "auto";
	settings[PID] = "";
	settings[COMM] = "";
	settings[CPUS] = "all";
	settings[EVENT] = "none";
	settings[UNWIND] = "cache";
	settings[CLOCK] = "auto";
	settings[DEPTH] = "64";
	settings[MAX_STACKS] = "16384";
	settings[MAX_ROWS_OF] = "512";
	settings[RING_KB] = "256";
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
}
