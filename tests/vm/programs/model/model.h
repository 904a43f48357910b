/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - what kprof must say, step by step
 *
 * The model is told of everything that is done to kprof and to the functions that it
 * watches, and counts for itself. Nobody else calls these functions, so both must say
 * the same, to the last call.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
#define PICK(array)	((array)[below(COUNT(array))])
#define MAX_CPUS	8
#define MAX_ROWS	256
#define MAX_HELD	16

enum function { CALLED, HELD, LOOP, TURN, EACH, RECURSIVE, NR_FUNCTIONS };

enum setting {
	RECORD, STACKS, PROBE, PID, COMM, CPUS, EVENT, UNWIND, CLOCK,
	DEPTH, MAX_STACKS, MAX_ROWS_OF, RING_KB, NR_SETTINGS
};

/* Whose call it is. */
enum who { OURS, OF_EACH, OF_HELD };

/**
 * struct call - calls that are alike, but for arguments that count up
 * @who:	makes them
 * @cpu:	on which
 * @number:	the argument that tells them apart: turns of a loop, or a number
 * @hits:	turns that kprof has seen inside
 */
struct call {
	enum who who;
	int cpu;
	unsigned long number;
	unsigned long hits;
};

/**
 * struct option - options of a target
 * @text:	as they are written
 * @at_entry:	do its conditions hold that can be told at entry; NULL: they do
 * @at_return:	and those at the return
 * @context:	prints the row's context; NULL: there is one row
 */
struct option {
	const char *text;
	bool (*at_entry)(const struct call *call);
	bool (*at_return)(const struct call *call);
	void (*context)(char *text, size_t size, const struct call *call);
};

#define MAX_CONTEXT	64

struct row {
	char context[MAX_CONTEXT];
	uint64_t calls;
};

enum target_state { ABSENT, REMOVED, WATCHED };

/**
 * struct target - what kprof must know of a function
 * @state:	REMOVED: watched no more, but in the profile
 * @option:	its options
 * @forgotten:	it was removed before the last reset, and is only there for a call inside
 * @direct:	it is watched by the trampoline
 * @probe:	goes up when it is watched anew: a kretprobe's calls do not outlive it
 * @samples:	of those recorded
 * @row:	with a context, those that have one; without, the only one is @rest
 * @rest:	calls without a row of their own
 */
struct target {
	enum target_state state;
	const struct option *option;
	bool forgotten;
	bool direct;
	unsigned int probe;
	uint64_t fired;
	uint64_t recorded;
	uint64_t filtered;
	uint64_t left_out;
	uint64_t samples;
	struct row row[MAX_ROWS];
	unsigned int nr_rows;
	uint64_t rest;
};

struct ring {
	uint64_t offered;
	uint64_t dropped;
	uint64_t unread;
};

/* state.c */
extern struct target targets[NR_FUNCTIONS];
extern const char * const function_names[NR_FUNCTIONS];
extern const char *settings[NR_SETTINGS];
extern struct ring rings[MAX_CPUS];
extern unsigned int nr_cpus, rows_used, nr_held;
extern bool running, timer_was_used;
const struct option *options_of(enum function f, size_t *nr);
void state_begin(void);
void state_calls(enum function f, const struct call *call, uint64_t n);
void state_hold(const struct call *call);
void state_release(void);
void state_clear(void);
unsigned long state_number(const char *text);
const char *setting_name(enum setting setting);
bool state_is_inside(enum function f);
unsigned int state_ring_size(void);

/* kprof.c */
char *read_file(const char *name);
int write_file(const char *name, const char *text, bool truncate);
int read_ring(int cpu, size_t size, size_t valid);
int trigger(const char *module, const char *parameter, const char *text);
bool stat_find(const char *stats, const char *name, uint64_t *value);
const char *stat_text(const char *stats, const char *name);

/* check.c */
void check_all(void);
void check_cleared(void);

/* model.c */
unsigned long below(unsigned long n);
__attribute__((format(printf, 1, 2))) void wrong(const char *format, ...);

#endif /* MODEL_H */
