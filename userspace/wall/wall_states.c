// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_states.c - turn events into a contiguous sequence of states for each task
 */
#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/mem.h"
#include "lib/opt.h"
#include "wall/wall.h"

#define CPUS	(UINT16_MAX + 1)	/* a record has 16 bits for it */

const char *const wall_state_names[] = {
	"running", "runnable", "throttled", "io", "wait", "sleep", "stopped", "unknown", NULL
};

/* The task that has a pid now. */
struct slot {
	uint32_t pid, task;
};

struct builder {
	struct wall *w;
	bool has_wakers;
	struct slot *slot;
	size_t nr_slots, slot_room;
	struct hash by_pid;
	uint32_t *on_cpu;	/* by CPU: the task that runs there */
	uint64_t *left;		/* by CPU: when a task last stopped running there; 0: unknown */
	uint8_t *state_of_stack;	/* by kernel stack: the state in which tasks wait there */
};

/* --- tasks by pid --- */

static struct slot *find_slot(struct builder *b, uint32_t pid)
{
	uint32_t i;

	if (!b->nr_slots)
		return NULL;
	hash_each(i, &b->by_pid, hash_number(pid, 0))
		if (b->slot[hash_at(&b->by_pid, i)].pid == pid)
			return &b->slot[hash_at(&b->by_pid, i)];
	return NULL;
}

static struct slot *add_slot(struct builder *b, uint32_t pid)
{
	size_t i;

	b->slot = mem_grow(b->slot, &b->slot_room, b->nr_slots + 1, sizeof(*b->slot));
	if (hash_grow(&b->by_pid, b->nr_slots + 1))
		for (i = 0; i < b->nr_slots; i++)
			hash_put(&b->by_pid, hash_number(b->slot[i].pid, 0), i);
	hash_put(&b->by_pid, hash_number(pid, 0), b->nr_slots);
	b->slot[b->nr_slots] = (struct slot){ .pid = pid };
	return &b->slot[b->nr_slots++];
}

static struct wall_task *find(struct builder *b, uint32_t pid)
{
	struct slot *slot = find_slot(b, pid);

	return slot ? &b->w->task[slot->task] : NULL;
}

/* Add a new task, which may have the pid of an earlier one. */
static struct wall_task *add(struct builder *b, const struct wall_event *e, uint64_t since)
{
	struct slot *slot = find_slot(b, e->pid);
	struct wall *w = b->w;

	if (!slot)
		slot = add_slot(b, e->pid);
	w->task = mem_grow(w->task, &w->room, w->nr + 1, sizeof(*w->task));
	w->task[w->nr] = (struct wall_task){
		.pid = e->pid, .key = e->key,
		.now = { .since = since, .waker = { .task = WALL_NOBODY }, .cpu = WALL_NO_CPU },
	};
	slot->task = w->nr;
	return &w->task[w->nr++];
}

/* --- pieces --- */

static void add_piece(struct wall_task *t, uint64_t to, enum wall_state state, uint64_t key)
{
	/* CPUs' clocks may differ: a piece that ends before it begins takes no time. */
	if (to <= t->now.since)
		return;
	t->piece = mem_grow(t->piece, &t->piece_room, t->nr_pieces + 1, sizeof(*t->piece));
	t->piece[t->nr_pieces++] = (struct wall_piece){
		.from = t->now.since, .to = to, .key = key, .state = state, .cpu = t->now.cpu,
		.waker = t->now.waker, .cgroup = state == WALL_THROTTLED ? t->now.cgroup : NULL,
	};
	t->now.since = to;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Until @to it could have run, had a CPU been free, and its cgroup not been throttled. */
static void add_runnable(struct wall_task *t, uint64_t to, uint64_t key)
{
	if (t->now.kept_to) {
		add_piece(t, earlier(t->now.kept_from, to), WALL_RUNNABLE, key);
		add_piece(t, earlier(t->now.kept_to, to), WALL_THROTTLED, key);
	}
	add_piece(t, to, WALL_RUNNABLE, key);
}

static uint8_t *stack_state(struct builder *b, uint64_t key)
{
	uint32_t stack = KPROF_KEY_KSTACK(key);

	return stack >= KPROF_ID_FIRST && stack < b->w->data->nr_stacks ?
	       &b->state_of_stack[stack] : NULL;
}

static void leave_cpu(struct wall_task *t, const struct wall_event *e)
{
	if (!t->now.is_off)
		t->now.cpu = KPROF_INFO_CPU(e->info);
	add_piece(t, e->time, t->now.is_off ? WALL_UNKNOWN : WALL_RUNNING, t->now.key);
	t->now = (struct wall_now){
		.since = t->now.since, .key = e->key, .is_off = true,
		.waker = { .task = WALL_NOBODY }, .cpu = KPROF_INFO_CPU(e->info),
	};
}

/* The task was off the CPU: in @state until it was woken, and runnable from then until now. */
static void come_back(struct builder *b, struct wall_task *t, const struct wall_event *e,
		      enum wall_state state)
{
	uint64_t time = e->time, ready = t->now.ready ? t->now.ready : time;
	uint32_t cpu = KPROF_INFO_CPU(e->info);
	uint8_t *known = stack_state(b, t->now.key);

	if (t->now.cpu == WALL_NO_CPU || state == WALL_RUNNABLE)
		t->now.cpu = cpu;
	if (state == WALL_RUNNABLE) {
		add_runnable(t, time, t->now.key);
	} else {
		if (known && state != WALL_UNKNOWN)
			*known = state;
		add_piece(t, ready < time ? ready : time, state, t->now.key);
		t->now.waker = (struct wall_waker){ .task = WALL_NOBODY };
		t->now.cpu = cpu;
		add_runnable(t, time, 0);
	}
	t->now = (struct wall_now){
		.since = t->now.since, .waker = { .task = WALL_NOBODY }, .cpu = cpu,
	};
	t->runs++;
}

/* --- events --- */

static enum wall_state state_of_row(const struct wall *w, uint32_t row)
{
	return row < w->nr_rows ? w->row[row].state : WALL_UNKNOWN;
}

/* The task that runs on the CPU of the event, as far as is known. */
static struct wall_waker waker_at(const struct builder *b, const struct wall_event *e)
{
	const struct wall *w = b->w;
	uint32_t task = b->on_cpu[KPROF_INFO_CPU(e->info)];
	const char *name = e->row < w->nr_rows ? w->row[e->row].current : NULL;

	/* After a task has exited, one without any records so far may run on its CPU. */
	if (task != WALL_NOBODY && w->task[task].now.is_gone && name &&
	    strcmp(name, wall_task_name(w, &w->task[task])))
		task = WALL_NOBODY;
	return (struct wall_waker){
		.task = KPROF_INFO_CTX(e->info) == KPROF_CTX_TASK ? task : WALL_NOBODY,
		.context = KPROF_INFO_CTX(e->info), .name = name,
	};
}

/* Add a task whose first event is that it is woken or becomes runnable. */
static struct wall_task *meet_blocked(struct builder *b, const struct wall_event *e)
{
	bool is_new = e->type == WALL_READY && b->has_wakers;
	struct wall_task *t = add(b, e, is_new ? e->time : b->w->from);

	t->now.is_off = true;
	return t;
}

/* A new task becomes runnable without a wakeup; so the pid now belongs to another task. */
static bool is_another(const struct builder *b, const struct wall_task *t,
		       const struct wall_event *e)
{
	return t->now.is_gone && e->type == WALL_READY && b->has_wakers && !t->now.is_woken;
}

static void take_blocked(struct builder *b, struct wall_task *t, const struct wall_event *e)
{
	if (!t || is_another(b, t, e))
		t = meet_blocked(b, e);
	if (e->type == WALL_WAKING) {
		if (t->now.is_off && !t->now.is_woken)
			t->now.waker = waker_at(b, e);
		t->now.is_woken = true;
	} else if (t->now.is_gone) {
		t->now.is_woken = false;
	}
	/*
	 * It waits for its waker no longer than until that acts. It becomes runnable later, where
	 * an interrupt of another CPU has to do it; meanwhile the waker may wait for this one.
	 */
	if (t->now.is_off && !t->now.ready)
		t->now.ready = e->time;
}

/*
 * Add a task whose first event is that it runs. No wakeup came before, so it was never blocked; but
 * it may have waited for a CPU since before the recording, until another task left this one.
 */
static struct wall_task *meet_running(struct builder *b, const struct wall_event *e)
{
	bool comes = e->type == WALL_IN || e->type == WALL_RUN;
	struct wall_task *t = add(b, e, comes ? e->time : b->w->from);

	t->now.cpu = KPROF_INFO_CPU(e->info);
	if (!comes)
		add_piece(t, b->left[KPROF_INFO_CPU(e->info)], WALL_RUNNABLE, 0);
	return t;
}

static void take_kept(const struct builder *b, struct wall_task *t, const struct wall_event *e)
{
	if (!t || !t->now.is_off)
		return;
	t->now.kept_from = e->time - e->weight;
	t->now.kept_to = e->time;
	t->now.cgroup = b->w->row[e->row].cgroup;
}

static void take_running(struct builder *b, struct wall_task *t, const struct wall_event *e)
{
	uint32_t *on_cpu = &b->on_cpu[KPROF_INFO_CPU(e->info)];

	if (!t)
		t = meet_running(b, e);
	/* Also one that exits: it has yet to wake who waits for it. */
	*on_cpu = e->type == WALL_OUT ? WALL_NOBODY : (uint32_t)(t - b->w->task);
	if (t->now.is_gone) {
		/* If an exiting task is preempted, it becomes runnable, but is not new. */
		t->now.is_woken = e->type == WALL_OUT;
		return;
	}
	if (e->type == WALL_IN || e->type == WALL_RUN) {
		if (t->now.is_off)
			come_back(b, t, e,
				  e->type == WALL_IN ? state_of_row(b->w, e->row) : WALL_UNKNOWN);
	} else if (e->type == WALL_OUT) {
		leave_cpu(t, e);
		b->left[KPROF_INFO_CPU(e->info)] = e->time;
	}
	if (e->type == WALL_EXIT) {
		add_piece(t, e->time, WALL_RUNNING, 0);
		t->now.is_gone = true;
		t->now.is_woken = false;
	}
}

static void add_tick(struct wall_task *t, const struct wall_event *e)
{
	t->tick = mem_grow(t->tick, &t->tick_room, t->nr_ticks + 1, sizeof(*t->tick));
	t->tick[t->nr_ticks++] = (struct wall_tick){ e->time, e->key, e->weight, e->info };
}

/*
 * Does an event show that the task is followed? Of one that is not, such as kprof itself,
 * there are events of interrupts and of other tasks: samples, and that it is woken.
 */
static bool shows_task(const struct builder *b, const struct wall_task *t,
		       const struct wall_event *e)
{
	switch (e->type) {
	case WALL_TICK:
		return KPROF_INFO_CTX(e->info) == KPROF_CTX_TASK;
	case WALL_WAKING:
		return false;
	case WALL_READY:
		return !b->has_wakers || !t->now.is_woken;
	default:
		return true;
	}
}

static void take(struct builder *b, const struct wall_event *e)
{
	struct wall_task *t;

	if (!e->pid)
		return;	/* the idle tasks, one per CPU */
	t = find(b, e->pid);
	if (t)
		t->key = e->key;
	if (e->type == WALL_KEPT) {
		take_kept(b, t, e);
		return;
	}
	if (e->type == WALL_WAKING || e->type == WALL_READY)
		take_blocked(b, t, e);
	else
		take_running(b, t, e);
	t = find(b, e->pid);
	if (e->type == WALL_TICK && !t->now.is_gone)
		add_tick(t, e);
	t->is_followed |= shows_task(b, t, e);
}

/* Add the last state of a task. Tasks that are blocked on the same stack are in the same state. */
static void finish(struct builder *b, struct wall_task *t)
{
	uint8_t *known = stack_state(b, t->now.key);
	uint64_t to = b->w->to;

	if (!t->is_followed) {
		t->nr_pieces = 0;
		return;
	}
	if (t->now.is_gone)
		return;
	if (!t->now.is_off) {
		add_piece(t, to, WALL_RUNNING, 0);
		return;
	}
	add_piece(t, t->now.ready ? t->now.ready : to,
		  known && *known ? *known : WALL_UNKNOWN, t->now.key);
	t->now.waker = (struct wall_waker){ .task = WALL_NOBODY };
	add_runnable(t, to, 0);
}

int wall_make(struct wall *w, const struct data *d, const char *path)
{
	struct builder b = { .w = w };
	struct wall_events events;
	size_t i;
	int ret;

	*w = (struct wall){ 0 };
	ret = wall_events_read(&events, w, d, path);
	b.has_wakers = events.has_wakers;
	b.on_cpu = mem_zalloc(CPUS, sizeof(*b.on_cpu));
	memset(b.on_cpu, 0xff, CPUS * sizeof(*b.on_cpu));	/* WALL_NOBODY */
	b.left = mem_zalloc(CPUS, sizeof(*b.left));
	b.state_of_stack = mem_zalloc(d->nr_stacks, 1);
	for (i = 0; i < events.nr && !ret; i++)
		take(&b, &events.event[i]);
	for (i = 0; i < w->nr; i++)
		finish(&b, &w->task[i]);
	hash_free(&b.by_pid);
	free(b.slot);
	free(b.on_cpu);
	free(b.left);
	free(b.state_of_stack);
	free(events.event);
	return ret;
}

void wall_free(struct wall *w)
{
	size_t i;

	for (i = 0; i < w->nr; i++) {
		free(w->task[i].piece);
		free(w->task[i].tick);
	}
	free(w->task);
	free(w->row);
	arena_free(&w->names);
}

void wall_add_state(const struct wall_piece *piece, struct buf *out)
{
	buf_printf(out, "%s%s%s", wall_state_names[piece->state], piece->cgroup ? ":" : "",
		   piece->cgroup ? piece->cgroup : "");
}

const char *wall_task_name(const struct wall *w, const struct wall_task *task)
{
	return data_task_name(w->data, KPROF_KEY_TASK(task->key));
}
