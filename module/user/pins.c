// SPDX-License-Identifier: GPL-2.0-only
/*
 * pins.c - holds files that samples were taken in, until a reader has opened them
 *
 * A program may be removed, or its mount namespace end, before a reader gets to open it by its
 * path. So while there is a reader, the sample that meets a file first has its task look at its
 * own mappings before it runs on (see follow.c): the file is mapped, so it is there, and it is
 * held from then on. A file without samples is not held, and none for longer than the reader
 * needs to take it: a file system with a held file cannot be unmounted.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "uapi/kprof.h"
#include "user/attributes.h"
#include "user/mapped.h"
#include "user/pins.h"

/* The reader is woken for each, and takes it at once. */
#define MAX_PINS	256
#define PATIENCE	(2 * HZ)	/* with a reader that does not look */

/* What is known of a file of the table. Those from SETTLED on need nothing any more. */
enum state {
	UNMET,
	MET,		/* samples were taken in it */
	SETTLED,
	HELD = SETTLED,
	TAKEN,		/* by the reader, or let go as it has not taken it in time */
	USELESS,	/* code without a file, in a file that is no program, or in a far file */
};

struct pin {
	u32 id;
	struct file *file;
};

/* Changed under @lock, except from UNMET to MET or USELESS, which samples do. */
static u8 states[KPROF_MAX_MAPPED + 1];
static DEFINE_MUTEX(lock);	/* nobody who holds it waits for anything but a CPU */
static struct pin pins[MAX_PINS];
static u32 nr_pins;
static atomic64_t met, odd, full;
static unsigned long looked;	/* when the reader did so last, in jiffies */
static u64 taken, far, late, dropped;

bool kprof_files_wanted __read_mostly;
DECLARE_WAIT_QUEUE_HEAD(kprof_pins_readers);

/*
 * The state of a file. Its number is of the table, but the sampled process decides which one of
 * it: where the processor speculates, it may be any number.
 */
static u8 *state_of(u32 id)
{
	return &states[array_index_nospec(id, (u32)ARRAY_SIZE(states))];
}

/* A sample was taken in a file. Return: whether somebody who maps it should show it. */
static bool meet(u32 id)
{
	const struct kprof_mapped *mapped = kprof_mapped_get(id);

	if (!mapped || READ_ONCE(*state_of(id)) >= SETTLED)
		return false;
	if (mapped->kind != KPROF_MAPPED_FILE) {
		if (cmpxchg(state_of(id), UNMET, USELESS) == UNMET &&
		    mapped->kind == KPROF_MAPPED_DATA) {
			atomic64_inc(&met);
			atomic64_inc(&odd);
		}
		return false;
	}
	if (cmpxchg(state_of(id), UNMET, MET) == UNMET)
		atomic64_inc(&met);
	/* The reader is not getting on: do not bother the task with each of its samples. */
	if (READ_ONCE(nr_pins) == MAX_PINS) {
		atomic64_inc(&full);
		return false;
	}
	return true;
}

static bool is_settled(u64 place)
{
	u32 id = KPROF_USER_FILE(place);

	return !id || READ_ONCE(*state_of(id)) >= SETTLED;
}

static noinline bool meet_all(const u64 *place, u32 nr)
{
	bool is_needed = false;
	u32 last = 0, id, i;

	for (i = 0; i < nr; i++) {
		id = KPROF_USER_FILE(place[i]);
		if (id && id != last && meet(id))
			is_needed = true;
		last = id;
	}
	return is_needed;
}

/**
 * kprof_pins_meet() - a sample was taken, while a reader wants files
 * @place:	the places of its stack
 * @nr:		how many
 * @is_new:	there was no such stack before; otherwise, if its leaf needs nothing, nor do others
 *
 * Context: any, NMI included; current maps the files. Return: whether it should show those that
 * it maps to kprof_pins_offer().
 */
bool kprof_pins_meet(const u64 *place, u32 nr, bool is_new)
{
	/* Nearly all samples get no further. */
	if (!is_new && is_settled(place[0]))
		return false;
	return meet_all(place, nr);
}

static void let_go_of_late(struct work_struct *work);
static DECLARE_DELAYED_WORK(letting_go, let_go_of_late);

static void let_go(enum state next)
{
	u32 i;

	for (i = 0; i < nr_pins; i++) {
		WRITE_ONCE(states[pins[i].id], next);
		fput(pins[i].file);
	}
	WRITE_ONCE(nr_pins, 0);
}

/* A file system with a file that is held cannot be unmounted, and the reader may be stopped. */
static void let_go_of_late(struct work_struct *work)
{
	mutex_lock(&lock);
	if (time_after_eq(jiffies, looked + PATIENCE)) {
		late += nr_pins;
		let_go(TAKEN);
	} else if (nr_pins) {
		schedule_delayed_work(&letting_go, looked + PATIENCE - jiffies);
	}
	mutex_unlock(&lock);
}

static enum state hold(u32 id, struct file *file)
{
	/* Whoever opens it, or closes it as the last, may wait without end. */
	if (kprof_file_is_far(file)) {
		far++;
		return USELESS;
	}
	if (nr_pins == MAX_PINS) {
		atomic64_inc(&full);
		return MET;
	}
	pins[nr_pins] = (struct pin) { .id = id, .file = get_file(file) };
	WRITE_ONCE(nr_pins, nr_pins + 1);
	schedule_delayed_work(&letting_go, PATIENCE);
	return HELD;
}

/**
 * kprof_pins_offer() - show a file that a process maps
 * @id:		its number
 * @file:	the file, which the caller holds
 *
 * If it had samples and is not held yet, it is from now on.
 *
 * Context: sleeps, without a lock of mm.
 */
void kprof_pins_offer(u32 id, struct file *file)
{
	bool is_held = false;

	/* Nearly all need nothing. */
	if (id > KPROF_MAX_MAPPED || READ_ONCE(states[id]) != MET)
		return;
	mutex_lock(&lock);
	if (kprof_files_wanted && states[id] == MET) {
		WRITE_ONCE(states[id], hold(id, file));
		is_held = states[id] == HELD;
	}
	mutex_unlock(&lock);
	if (is_held)
		wake_up_interruptible(&kprof_pins_readers);
}

static void let_go_of_all(void)
{
	dropped += nr_pins;
	let_go(UNMET);
}

/**
 * kprof_pins_forget() - let go of all files
 * @are_renumbered: the table of files is being emptied, too
 *
 * Context: sleeps; no user stacks are taken meanwhile.
 */
void kprof_pins_forget(bool are_renumbered)
{
	mutex_lock(&lock);
	let_go_of_all();
	if (are_renumbered)
		memset(states, 0, sizeof(states));
	mutex_unlock(&lock);
}

/**
 * kprof_pins_exit() - let go of all files for good
 *
 * Context: sleeps; there is no reader, and no file is offered any more.
 */
void kprof_pins_exit(void)
{
	kprof_pins_forget(true);
	cancel_delayed_work_sync(&letting_go);
}

/**
 * kprof_pins_begin() - a reader is there that takes files
 *
 * It takes those that have samples from now on, whether or not another one has taken them before.
 *
 * Context: sleeps. Return: 0; -EBUSY if there is another one.
 */
int kprof_pins_begin(void)
{
	int err = 0;

	mutex_lock(&lock);
	if (kprof_files_wanted) {
		err = -EBUSY;
	} else {
		memset(states, 0, sizeof(states));
		looked = jiffies;
		WRITE_ONCE(kprof_files_wanted, true);
	}
	mutex_unlock(&lock);
	return err;
}

/**
 * kprof_pins_end() - the reader is gone
 *
 * Context: sleeps.
 */
void kprof_pins_end(void)
{
	mutex_lock(&lock);
	WRITE_ONCE(kprof_files_wanted, false);
	let_go_of_all();
	mutex_unlock(&lock);
}

/**
 * kprof_pins_list() - the files that are held, for the reader
 * @id:		where their numbers go
 * @max:	room for so many; with 0, they are only counted
 *
 * Context: sleeps. Return: the number of files; of those, @max are listed.
 */
u32 kprof_pins_list(u32 *id, u32 max)
{
	u32 nr, i;

	mutex_lock(&lock);
	looked = jiffies;
	nr = nr_pins;
	for (i = 0; i < min(nr, max); i++)
		id[i] = pins[i].id;
	mutex_unlock(&lock);
	return nr;
}

/**
 * kprof_pins_take() - take a file over
 * @id:		its number
 *
 * Context: sleeps. Return: the file, which the caller has to put; NULL if it is not held.
 */
struct file *kprof_pins_take(u32 id)
{
	struct file *file = NULL;
	u32 i;

	mutex_lock(&lock);
	for (i = 0; i < nr_pins && pins[i].id != id; i++)
		;
	if (i < nr_pins) {
		file = pins[i].file;
		WRITE_ONCE(states[pins[i].id], TAKEN);
		WRITE_ONCE(nr_pins, nr_pins - 1);
		pins[i] = pins[nr_pins];
		taken++;
	}
	mutex_unlock(&lock);
	return file;
}

/**
 * kprof_pins_totals() - what became of the files that samples were taken in
 * @sum:	where that goes; since load
 *
 * Context: sleeps.
 */
void kprof_pins_totals(struct kprof_pins_totals *sum)
{
	mutex_lock(&lock);
	*sum = (struct kprof_pins_totals) {
		.met = atomic64_read(&met), .held = nr_pins, .taken = taken,
		.odd = atomic64_read(&odd), .far = far, .late = late,
		.dropped = dropped, .full = atomic64_read(&full),
	};
	mutex_unlock(&lock);
}
