/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall.h - wall-clock time of each task: running, waiting for a CPU, or blocked, and on whom
 *
 * The input is a recording of "kprof record --wall". Its spans tell when and why a task was
 * switched out, when and by whom it was woken, and when it ran again. So the state of a task is
 * known at every moment between its first and its last event, and the times in the states add up
 * to the whole. Timer samples divide up the running time.
 */
#ifndef KPROF_WALL_H
#define KPROF_WALL_H

#include "data/data_fold.h"
#include "data/filter.h"
#include "lib/arena.h"
#include "lib/strtab.h"

/* The targets of the module that are needed, besides the timer; NULL-terminated. */
#define WALL_TARGETS	4
extern const char *const wall_targets[WALL_TARGETS + 1];

enum wall_state {
	WALL_RUNNING,
	WALL_RUNNABLE,	/* woken or preempted, waits for a CPU */
	WALL_THROTTLED,	/* runnable, but its cgroup has used up its limit of CPU time */
	WALL_IO,	/* blocked: waits for I/O */
	WALL_WAIT,	/* blocked: uninterruptible */
	WALL_SLEEP,	/* blocked: interruptible, or does not count as load (TASK_NOLOAD) */
	WALL_STOPPED,	/* blocked: stopped by a signal or a tracer, or parked */
	WALL_UNKNOWN,	/* blocked: since before the recording began, or until it ended */
	WALL_STATES
};

extern const char *const wall_state_names[];	/* NULL-terminated */

#define WALL_NOBODY	UINT32_MAX
#define WALL_NO_CPU	UINT32_MAX

/**
 * struct wall_waker - who woke a blocked task
 * @task:	index of the task; WALL_NOBODY: not one of the tasks
 * @context:	enum kprof_context; in an interrupt the current task is not the waker
 * @name:	name of the current task; NULL: not known
 */
struct wall_waker {
	uint32_t task;
	uint8_t context;
	const char *name;
};

/**
 * struct wall_piece - a period in which a task was in one state
 * @from:	CLOCK_MONOTONIC
 * @to:		start of the next piece
 * @key:	key with the stack on which it was switched out; 0: none, or not known
 * @state:	the state
 * @cpu:	where it ran or then ran, or where it was switched out; WALL_NO_CPU: not known
 * @waker:	for blocked states, who ended it
 * @cgroup:	for WALL_THROTTLED, the path of the cgroup that has the limit; NULL: not known
 */
struct wall_piece {
	uint64_t from, to;
	uint64_t key;
	enum wall_state state;
	uint32_t cpu;
	struct wall_waker waker;
	const char *cgroup;
};

/* A timer sample of a running task. */
struct wall_tick {
	uint64_t time, key, weight;
	uint32_t info;
};

/**
 * struct wall_task - a thread
 * @pid:	its id, which may have been reused
 * @key:	key with its name, the last one that it had
 * @piece:	contiguous pieces, from its first moment to its last
 * @tick:	timer samples
 * @runs:	how often it got a CPU
 * @elapsed:	set by wall_select(): how long it was there
 * @running:	likewise: how long it ran, as far as that was asked about
 * @is_shown:	likewise: anything of it was asked about
 * @is_followed:	private: an event shows that it is none that is left out, such as kprof
 * @now:	private: its state while the events are processed
 */
struct wall_task {
	uint32_t pid;
	uint64_t key;
	struct wall_piece *piece;
	size_t nr_pieces, piece_room;
	struct wall_tick *tick;
	size_t nr_ticks, tick_room;
	uint64_t runs, elapsed, running;
	bool is_shown, is_followed;
	struct wall_now {
		uint64_t since, ready, key;
		struct wall_waker waker;
		uint32_t cpu;
		bool is_off, is_woken, is_gone;
		uint64_t kept_from, kept_to;	/* when it was throttled; 0: it was not */
		const char *cgroup;
	} now;
};

/* What a row of "latency" tells about the records that refer to it. */
struct wall_row {
	enum wall_state state;
	const char *current;
	const char *cgroup;	/* as in struct wall_piece */
};

struct wall {
	const struct data *data;
	uint64_t from, to;	/* times of the first and of the last record */
	struct wall_task *task;
	size_t nr, room;
	struct wall_row *row;	/* by number */
	size_t nr_rows;
	struct arena names;
};

/* --- events: the records, in order of time (wall_events.c) --- */

enum wall_event_type {
	WALL_OUT,	/* a task is switched out */
	WALL_KEPT,	/* a task was throttled until now, while it was switched out */
	WALL_IN,	/* a task that was switched out is switched in again */
	WALL_WAKING,	/* a task is about to be woken, by the current task */
	WALL_READY,	/* a task becomes runnable */
	WALL_RUN,	/* a task that became runnable runs */
	WALL_EXIT,
	WALL_TICK,
};

struct wall_event {
	uint64_t time, key, weight;
	uint32_t pid, row, info;
	uint32_t order;		/* order of events with the same time */
	enum wall_event_type type;
};

struct wall_events {
	struct wall_event *event;
	size_t nr;
	bool has_wakers;	/* false: neither wakers nor new tasks are known */
};

/* Returns EXIT_OK, or EXIT_ERROR after a message if the recording lacks what is needed. */
int wall_events_read(struct wall_events *e, struct wall *w, const struct data *d, const char *path);

/* --- states (wall_states.c) --- */

/* The recording must outlive @w. Returns as wall_events_read(); free @w in any case. */
int wall_make(struct wall *w, const struct data *d, const char *path);
void wall_free(struct wall *w);

const char *wall_task_name(const struct wall *w, const struct wall_task *task);

/* ns * part / whole, rounded down. The product of two times can exceed 64 bits. */
static inline uint64_t wall_share(uint64_t ns, uint64_t part, uint64_t whole)
{
	unsigned __int128 product = ns;

	product *= part;
	return product / whole;
}

/* Append the name of its state, with the cgroup that throttled the task: throttled:PATH. */
void wall_add_state(const struct wall_piece *piece, struct buf *out);

static inline bool wall_is_blocked(const struct wall_piece *piece)
{
	return piece->state >= WALL_IO;
}

/* --- chains of wakers (wall_chain.c) --- */

/* Was a blocked state ended by an interrupt, and not by a task? */
bool wall_ended_by_interrupt(const struct wall_piece *piece);

/**
 * struct wall_link - a link of a chain: somebody, and what they did in a period
 * @before:	who waited for them meanwhile; NULL: this is the first, who was asked about
 * @who:	name of the task, or of the interrupt
 * @piece:	the state of the task then; NULL: see @why
 * @why:	why there is no state: "[exiting]" or the like; NULL: an interrupt, or somebody
 *		of whom no more is known
 * @from:	the period
 * @to:		likewise
 * @depth:	1 for the first
 * @is_irq:	@who is an interrupt
 */
struct wall_link {
	const struct wall_link *before;
	const char *who;
	const struct wall_piece *piece;
	const char *why;
	uint64_t from, to;
	int depth;
	bool is_irq;
};

/* Called with the last link of a chain. */
typedef void wall_end_fn(const struct wall_link *last, void *arg);

/*
 * Follow what the task @t waited for during @piece, a blocked one. The periods of the last links
 * add up to the piece's. If it is not known who ended it, the first link is the last one, too.
 */
void wall_chain(const struct wall *w, const struct wall_task *t, const struct wall_piece *piece,
		wall_end_fn *fn, void *arg);

/* --- places (wall_place.c) --- */

/* @scheduler: innermost frames that all stacks of tasks that wait have in common; all private. */
struct wall_places {
	const struct wall *w;
	size_t scheduler;
	struct data_frames f;
};

void wall_places_begin(struct wall_places *p, const struct wall *w);
void wall_places_end(struct wall_places *p);

/*
 * Add the innermost functions on whose account a task was blocked. Of a wait for a device, the
 * function that began it all stands before them.
 */
void wall_place(struct wall_places *p, const struct wall_piece *piece, struct buf *out);

/* Did it call the scheduler in a function such as msleep() or usleep_range()? */
bool wall_place_is_sleep(struct wall_places *p, const struct wall_piece *piece);

/* Was it a thread of the kernel that waited for work, in its own function? */
bool wall_place_is_idle(struct wall_places *p, const struct wall_piece *piece);

/* --- a part of it (wall_select.c) --- */

/*
 * Make @part what @query (its CPUs, context and filter) leaves of @w, with the same tasks under the
 * same numbers, whose pieces may have gaps then. Running time is divided as the samples are, where
 * stacks or contexts are asked for. For what a task waits, @w tells. Free both.
 */
void wall_select(struct wall *part, const struct wall *w, const struct tally_query *query);
bool wall_shows_any(const struct wall *part);

/* --- output: of @part, which may be less than what it is a part of, @w --- */

/*
 * Stacks of a file whose counts are nanoseconds: COMM;[STATE];stack. With @chain, the cause of a
 * blocked state follows after "--": the waker, and what the waker was doing or blocked by
 * meanwhile. Returns as data_fold(). (wall_fold.c)
 */
int wall_fold_file(const char *path, const struct data_fold_options *options, bool chain,
		   struct folded *out);

/* A line for each task with its time in each state, by running time (wall_table.c). */
enum wall_format { WALL_TEXT, WALL_CSV, WALL_JSON };

void wall_print(const struct wall *part, enum wall_format format, long lines, FILE *out);

/*
 * Who waited, where, for which task, and what that did meanwhile, by time: for text three tables,
 * by the last task of each chain, by the waiter, and by both; else a line for each chain. Waits
 * for nobody are summed up below: sleeps that an interrupt ended, kernel threads without work, and
 * what this program ended; with @with_all they are in the tables. (wall_waits.c)
 */
void wall_print_waits(const struct wall *w, const struct wall *part, enum wall_format format,
		      long lines, bool with_all, FILE *out);

#endif /* KPROF_WALL_H */
