// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded.c - the files folded and folded_ns: "comm;root;...;leaf count"
 *
 * The text is made when the file is opened, and shows the profile at that moment,
 * whatever sampling or a reset does meanwhile. Rows of all CPUs that have the same
 * text are added up. Lines are in alphabetical order. A user stack comes before the
 * kernel's, whose functions then end in "_[k]".
 */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "base/available.h"
#include "capture/capture.h"
#include "files/files.h"
#include "files/runs.h"
#include "files/sum.h"
#include "files/text_file.h"
#include "profile/profile.h"
#include "symbols/symbols.h"
#include "user/user.h"

/* Maximum number of names before a stack: source, cgroup and task. */
#define EXTRA_FRAMES	3

/* No frame at all. */
#define NO_NAME		INT_MIN

/**
 * struct row - a future line
 * @key:	key in the profile; rows for a source's overflow have only the source
 * @n:		number of samples
 * @weight:	nanoseconds
 * @frames:	names, root first
 */
struct row {
	u64 key;
	u64 n;
	u64 weight;
	struct kprof_run frames;
};

/**
 * struct folded - the state while the text is made
 * @counts:	counts of all CPUs
 * @row:	the lines, unordered
 * @nr:		number of lines
 * @name_sources: there are several sources, so lines begin with their source
 * @has_users:	there are user stacks
 * @front:	source and task of the row named last
 * @source:	name of that source
 * @cgroup:	name of that task's cgroup; NO_NAME if tasks are not told apart by it
 * @task:	name of that task
 * @names:	the texts of the frames
 * @frames:	frames of all rows, one row after the other
 * @order:	the lines in the order in which they are printed
 * @length:	upper bound of the length of the text
 */
struct folded {
	struct kprof_counts counts;
	struct row *row;
	u32 nr;
	bool name_sources;
	bool has_users;
	u64 front;
	int source;
	int cgroup;
	int task;
	struct kprof_names names;
	u32 *frames;
	struct kprof_run **order;
	size_t length;
};

/* Samples that found no room in the counts: a row that has only the source. */
static int gather_overflow(struct folded *folded, struct kprof_source *source)
{
	struct kprof_totals totals;

	kprof_source_totals(source, &totals);
	return kprof_sum_add(&folded->counts, (u64)source->id << KPROF_SOURCE_SHIFT,
			     totals.overflow, totals.overflow_weight);
}

/* Add up the counts of all CPUs in a table of the same kind. */
static int gather(struct folded *folded)
{
	struct kprof_source *source;
	struct kprof_cpu *own;
	int cpu = -1, err = kprof_sum_init(&folded->counts);
	u32 id = 0, sources = 0;

	while (!err && (own = kprof_next_cpu(kprof_profile, &cpu)))
		err = kprof_sum_add_all(&folded->counts, &own->counts);
	while (!err && (source = kprof_source_next(&id))) {
		err = gather_overflow(folded, source);
		sources++;
	}
	folded->name_sources = sources > 1;
	return err;
}

static int make_rows(struct folded *folded)
{
	const struct kprof_count *count;
	struct row *row;
	u32 i;

	folded->nr = kprof_counts_used(&folded->counts);
	folded->row = kprof_table((size_t)folded->nr + 1, sizeof(*folded->row));
	if (!folded->row)
		return -ENOMEM;
	row = folded->row;
	for (i = 0; i <= folded->counts.mask; i++) {
		count = &folded->counts.row[i];
		if (!count->key)
			continue;
		row->key = count->key;
		folded->has_users |= KPROF_KEY_USTACK(row->key) != KPROF_ID_NONE;
		row->n = local64_read(&count->n);
		row->weight = local64_read(&count->weight);
		row++;
	}
	if (folded->has_users)
		folded->names.suffix = "_[k]";
	return 0;
}

static int name_source(struct folded *folded, u32 id)
{
	struct kprof_source *source = kprof_source_get(id);
	char text[KPROF_SOURCE_NAME + 2];

	snprintf(text, sizeof(text), "[%s]", source ? source->name : "unknown");
	return kprof_names_text(&folded->names, text);
}

static int name_cgroup(struct folded *folded, u64 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->paths, id);
	char text[sizeof("cgroup:") + KPROF_PATH_WORDS * sizeof(u64)];

	if (id == KPROF_ID_NONE)
		return NO_NAME;
	if (!entry)
		return kprof_names_text(&folded->names, "[cgroup table full]");
	snprintf(text, sizeof(text), "cgroup:%s", (const char *)entry->word);
	return kprof_names_text(&folded->names, text);
}

static int name_task(struct folded *folded, const struct kprof_intern_entry *entry)
{
	char comm[TASK_COMM_LEN + 1] = "";

	if (!entry)
		return kprof_names_text(&folded->names, "[task table full]");
	memcpy(comm, entry->word, TASK_COMM_LEN);
	return kprof_names_text(&folded->names, comm);
}

/* Use the name of what was at this address when the stack was taken. */
static noinline int name_gone(struct kprof_names *names, u32 id, u64 ip, bool exact)
{
	char text[KSYM_NAME_LEN];

	if (kprof_gone_name(id, ip - !exact, text))
		return kprof_names_function(names, text);
	return kprof_names_addr(names, ip, exact);
}

static int name_frame(struct kprof_names *names, u32 id, u64 ip, bool exact)
{
	if (unlikely(READ_ONCE(kprof_gone_any)))
		return name_gone(names, id, ip, exact);
	return kprof_names_addr(names, ip, exact);
}

/* Append a name; if it is an error, return that. */
static int push(struct row *row, int name)
{
	if (name < 0)
		return name;
	row->frames.word[row->frames.nr++] = name;
	return 0;
}

static int name_place(struct folded *folded, u64 place, bool exact)
{
	char *text = kprof_user_place_name(place, exact);
	int name = text ? kprof_names_text(&folded->names, text) : -ENOMEM;

	kfree(text);
	return name;
}

static int name_frames(struct folded *folded, struct row *row, u32 id,
		       const struct kprof_intern_entry *entry)
{
	struct kprof_names *names = &folded->names;
	int err = 0;
	u32 i;

	if (entry->flags & KPROF_STACK_CUT)
		err = push(row, kprof_names_text(names, "[cut]"));
	else if (entry->flags & KPROF_STACK_PARTIAL)
		err = push(row, kprof_names_text(names, "[unknown]"));
	for (i = entry->nr; i-- && !err; )
		err = push(row, entry->flags & KPROF_STACK_USER ?
				name_place(folded, entry->word[i], !i) :
				name_frame(names, id, entry->word[i], !i));
	return err;
}

static int name_stack(struct folded *folded, struct row *row, u32 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->stacks, id);

	if (!entry)
		return push(row, kprof_names_text(&folded->names, "[stack table full]"));
	return name_frames(folded, row, id, entry);
}

/* The user stack comes first, then the kernel's. */
static int name_stacks(struct folded *folded, struct row *row)
{
	u32 user = KPROF_KEY_USTACK(row->key), kernel = KPROF_KEY_KSTACK(row->key);
	int err = 0;

	if (user != KPROF_ID_NONE)
		err = name_stack(folded, row, user);
	else if (kernel == KPROF_ID_NONE)
		err = push(row, kprof_names_text(&folded->names, "[user]"));
	if (!err && kernel != KPROF_ID_NONE)
		err = name_stack(folded, row, kernel);
	return err;
}

/* Name source, cgroup and task. Many rows have the same as the row before. */
static void name_front(struct folded *folded, u64 key)
{
	const struct kprof_intern_entry *task =
		kprof_intern_get(&kprof_profile->tasks, KPROF_KEY_TASK(key));
	u64 front = key >> KPROF_TASK_SHIFT;

	if (front == folded->front)
		return;
	folded->front = front;
	folded->source = name_source(folded, KPROF_KEY_SOURCE(key));
	folded->cgroup = name_cgroup(folded, task ? task->word[KPROF_TASK_CGROUP] : KPROF_ID_NONE);
	folded->task = name_task(folded, task);
}

static int name_row(struct folded *folded, struct row *row)
{
	int err = 0;

	name_front(folded, row->key);
	if (folded->name_sources)
		err = push(row, folded->source);
	if (err)
		return err;
	if (row->key == (u64)KPROF_KEY_SOURCE(row->key) << KPROF_SOURCE_SHIFT)
		return push(row, kprof_names_text(&folded->names, "[count table full]"));
	if (folded->cgroup != NO_NAME)
		err = push(row, folded->cgroup);
	return err ?: push(row, folded->task) ?: name_stacks(folded, row);
}

/* Number of frames of a stack, with one for what it lacks. */
static u32 frames_of_stack(u32 id)
{
	const struct kprof_intern_entry *entry = kprof_intern_get(&kprof_profile->stacks, id);

	return 1 + (entry ? entry->nr : 1);
}

static u32 frames_of(u64 key)
{
	return EXTRA_FRAMES + frames_of_stack(KPROF_KEY_USTACK(key)) +
	       frames_of_stack(KPROF_KEY_KSTACK(key));
}

static int name_rows(struct folded *folded)
{
	size_t total = 0;
	u32 *next, i;
	int err = 0;

	for (i = 0; i < folded->nr; i++)
		total += frames_of(folded->row[i].key);
	folded->frames = kprof_table(total + 1, sizeof(*folded->frames));
	if (!folded->frames)
		return -ENOMEM;
	next = folded->frames;
	for (i = 0; i < folded->nr && !err; i++) {
		folded->row[i].frames.word = next;
		err = name_row(folded, &folded->row[i]);
		next += folded->row[i].frames.nr;
		cond_resched();
	}
	return err;
}

/* Replace names by their ranks, and sort the rows. */
static int order_rows(struct folded *folded)
{
	u32 *rank = kprof_names_rank(&folded->names), i, j, length;
	struct kprof_run *run;

	folded->order = kprof_table((size_t)folded->nr + 1, sizeof(*folded->order));
	if (!rank || !folded->order) {
		kvfree(rank);
		return -ENOMEM;
	}
	for (i = 0; i < folded->nr; i++) {
		run = &folded->row[i].frames;
		for (j = 0; j < run->nr; j++) {
			run->word[j] = rank[run->word[j]];
			kprof_names_get(&folded->names, run->word[j], &length);
			folded->length += length + 1;
		}
		folded->length += sizeof("18446744073709551615\n");
		folded->order[i] = run;
	}
	kvfree(rank);
	kprof_runs_sort(folded->order, folded->nr);
	return 0;
}

/* Bytes of a line's first frames, with a separator after each. */
static size_t length_of(const struct folded *folded, const struct kprof_run *frames, u32 nr)
{
	size_t total = 0;
	u32 i, length;

	for (i = 0; i < nr; i++) {
		kprof_names_get(&folded->names, frames->word[i], &length);
		total += length + 1;
	}
	return total;
}

/* "Chrome 12": would a reader of folded text take the end of this name for a count? */
static bool ends_in_count(const char *name, u32 length)
{
	u32 i = length;

	while (i && isdigit(name[i - 1]))
		i--;
	return i && i < length && name[i - 1] == ' ';
}

/* Print a line's frames; @shared of them are copied from the line that begins at @before. */
static void print_frames(struct kprof_text *text, const struct folded *folded,
			 const struct kprof_run *frames, u32 shared, size_t before)
{
	const char *name;
	u32 i, length;

	kprof_text_repeat(text, before, length_of(folded, frames, shared));
	for (i = shared; i < frames->nr; i++) {
		name = kprof_names_get(&folded->names, frames->word[i], &length);
		kprof_text_write(text, name, length);
		if (i + 1 < frames->nr)
			kprof_text_write(text, ";", 1);
		else if (ends_in_count(name, length))
			kprof_text_write(text, "; ", 2);
		else
			kprof_text_write(text, " ", 1);
	}
}

static u64 value_of(struct kprof_run *frames, bool weights)
{
	const struct row *row = container_of(frames, struct row, frames);

	return weights ? row->weight : row->n;
}

/* Rows with the same text make one line. */
static void print_rows(struct kprof_text *text, const struct folded *folded, bool weights)
{
	struct kprof_run **order = folded->order, *line;
	u32 i = 0, shared = 0, next;
	size_t before = 0, begin;
	u64 value;

	while (i < folded->nr) {
		line = order[i];
		value = 0;
		do {
			value += value_of(order[i], weights);
			next = ++i < folded->nr ? kprof_runs_shared(line, order[i]) : 0;
		} while (i < folded->nr && next == line->nr && next == order[i]->nr);
		if (value) {
			begin = text->size;
			print_frames(text, folded, line, shared, before);
			kprof_text_number(text, value);
			kprof_text_write(text, "\n", 1);
			before = begin;
			shared = line->nr - 1;	/* no separator follows the last frame */
		}
		shared = min(shared, next);
		cond_resched();
	}
}

static int make_folded(struct kprof_text *text, bool weights)
{
	struct folded folded = { };
	int err;

	err = kprof_names_init(&folded.names) ?: gather(&folded) ?: make_rows(&folded) ?:
	      name_rows(&folded) ?: order_rows(&folded);
	if (!err) {
		kprof_text_reserve(text, folded.length);
		print_rows(text, &folded, weights);
	}
	kprof_names_free(&folded.names);
	kprof_counts_free(&folded.counts);
	kvfree(folded.frames);
	kvfree(folded.order);
	kvfree(folded.row);
	return err;
}

static int make_counts(struct kprof_text *text)
{
	return make_folded(text, false);
}

static int make_weights(struct kprof_text *text)
{
	return make_folded(text, true);
}

KPROF_TEXT_FILE(folded, make_counts);
KPROF_TEXT_FILE(folded_ns, make_weights);
