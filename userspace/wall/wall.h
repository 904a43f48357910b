/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall.h - where the time of each task went: running, waiting for a CPU, or blocked, and on whom
 *
 * From a recording with the spans of "kprof record --wall". They say when a task gave the CPU
 * away and why, when it was woken and by whom, and when it ran again: so of each moment between
 * a task's first and its last it is known what it did, and the parts add up to the whole. Samples
 * of the timer divide the part in which it ran.
 */
#ifndef KPROF_WALL_H
#define KPROF_WALL_H

#include "data/data_fold.h"
#include "data/filter.h"
#include "lib/arena.h"

/* Targets of the module that it takes, besides the timer; up to a NULL. */
#define WALL_TARGETS	4
extern const char *const wall_targets[WALL_TARGETS + 1];

enum wall_state {
	WALL_RUNNING,
	WALL_RUNNABLE,	/* woken, or preempted, and waits for a CPU */
	WALL_IO,	/* blocked: waits for input or output */
	WALL_WAIT,	/* blocked: no signal ends that */
	WALL_SLEEP,	/* blocked: a signal may end that, or it is no load */
	WALL_STOPPED,	/* blocked: by a signal, a tracer, or parked */
	WALL_UNKNOWN,	/* blocked: since before the recording began, or until it ended */
	WALL_STATES
};

extern const char *const wall_state_names[];	/* up to a NULL */

#define WALL_NOBODY	UINT32_MAX

/**
 * struct wall_waker - who ended that a task was blocked
 * @task:	which of the tasks; WALL_NOBODY: none of them
 * @context:	enum kprof_context: an interrupt wakes for nobody
 * @name:	of the task that ran there; NULL: nothing is known
 */
struct wall_waker {
	uint32_t task;
	uint8_t context;
	const char *name;
};

/**
 * struct wall_piece - a time in which a task was in one state
 * @from:	CLOCK_MONOTONIC
 * @to:		where the next one begins
 * @key:	of the stack on which it gave the CPU away; 0: none, or it is not known
 * @state:	in which it was
 * @waker:	of a state that is blocked
 */
struct wall_piece {
	uint64_t from, to;
	uint64_t key;
	enum wall_state state;
	struct wall_waker waker;
};

/* A sample of the timer, while a task ran. */
struct wall_tick {
	uint64_t key, weight;
	uint32_t info;
};

/**
 * struct wall_task - a thread
 * @pid:	of it; another one may have had it before
 * @key:	has its name, the last one that it had
 * @piece:	from its first moment to its last, without a gap
 * @tick:	samples
 * @runs:	how often it got a CPU
 * @now:	private, while the events are gone through
 */
struct wall_task {
	uint32_t pid;
	uint64_t key;
	struct wall_piece *piece;
	size_t nr_pieces, piece_room;
	struct wall_tick *tick;
	size_t nr_ticks, tick_room;
	uint64_t runs;
	struct wall_now {
		uint64_t since, ready, key;
		struct wall_waker waker;
		bool is_off, is_woken, is_gone;
	} now;
};

/* What a row of "latency" says of the records that name it. */
struct wall_row {
	enum wall_state state;
	const char *current;
};

struct wall {
	const struct data *data;
	uint64_t from, to;	/* the first record, and the last */
	struct wall_task *task;
	size_t nr, room;
	struct wall_row *row;	/* by number */
	size_t nr_rows;
	struct arena names;
};

/* --- events: what records say, in the order of time (wall_events.c) --- */

enum wall_event_type {
	WALL_OUT,	/* a task gives its CPU away */
	WALL_IN,	/* and has one again */
	WALL_WAKING,	/* it is about to be woken, by the task that runs there */
	WALL_READY,	/* it may run from now on */
	WALL_RUN,	/* and does */
	WALL_EXIT,
	WALL_TICK,
};

struct wall_event {
	uint64_t time, key, weight;
	uint32_t pid, row, info;
	uint32_t order;		/* of those of the same time */
	enum wall_event_type type;
};

struct wall_events {
	struct wall_event *event;
	size_t nr;
	bool has_wakers;	/* else nobody knows who woke whom, nor who is new */
};

/* EXIT_OK, or EXIT_ERROR after a message where the recording has not what it takes. */
int wall_events_read(struct wall_events *e, struct wall *w, const struct data *d, const char *path);

/* --- states (wall_states.c) --- */

/* Of a recording that outlives @w. As wall_events_read(); free it in any case. */
int wall_make(struct wall *w, const struct data *d, const char *path);
void wall_free(struct wall *w);

const char *wall_task_name(const struct wall *w, const struct wall_task *task);

/* --- what is shown of it --- */

/* Is a task one that is asked for? By name and number; a filter cannot tell anything else here. */
bool wall_shows(const struct wall *w, struct filter *filter, const struct wall_task *task);

/*
 * Stacks whose counts are nanoseconds: COMM;[STATE];stack. With @chain, what a task is blocked by
 * follows behind "--": who woke it, and what that one was doing or blocked by meanwhile.
 * (wall_fold.c, wall_chain.c)
 */
void wall_fold(const struct wall *w, const struct data_fold_options *options,
	       struct filter *filter, bool chain, struct folded *out);

/* The same from a file; as data_fold(). */
int wall_fold_file(const char *path, const struct data_fold_options *options, bool chain,
		   struct folded *out);

/* Frames, and counts, of what @task is blocked by in a piece; @f has those before. */
void wall_chain(const struct wall *w, const struct wall_piece *piece,
		const struct data_fold_options *options, struct data_frames *f,
		struct folded *out);

/* The frames of a piece: its state and its stack. */
void wall_add_piece(const struct wall *w, const struct wall_piece *piece,
		    const struct data_fold_options *options, struct data_frames *f);

/* A line for each task, the longest first: how long it was in each state (wall_table.c). */
enum wall_format { WALL_TEXT, WALL_CSV, WALL_JSON };

void wall_print(const struct wall *w, struct filter *filter, enum wall_format format, long lines,
		FILE *out);

#endif /* KPROF_WALL_H */
