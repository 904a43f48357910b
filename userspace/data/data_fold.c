// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_fold.c - convert the stacks of a recording to folded stacks
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "data/account.h"
#include "data/cgroups.h"
#include "data/data_fold.h"
#include "data/missed.h"
#include "data/regions.h"
#include "data/rooted.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/pid.h"

static void add_frame(struct data_frames *f, const char *name, size_t len)
{
	f->frame = mem_grow(f->frame, &f->room, f->nr + 1, sizeof(*f->frame));
	f->frame[f->nr++] = (struct folded_frame){ .text = name, .len = (uint32_t)len };
}

void data_frames_add(struct data_frames *f, const char *name)
{
	add_frame(f, name, strlen(name));
}

void data_frames_add_made(struct data_frames *f, struct buf *name)
{
	add_frame(f, arena_copy(&f->own, name->len ? name->data : "", name->len), name->len);
	buf_free(name);
}

void data_frames_cut(struct data_frames *f, struct data_frames_mark mark)
{
	f->nr = mark.nr;
	arena_cut(&f->own, mark.own);
}

void data_frames_free(struct data_frames *f)
{
	arena_free(&f->own);
	free(f->frame);
}

const char *data_task_name(const struct data *d, uint32_t id)
{
	if (id == KPROF_ID_FULL)
		return "[task table full]";
	if (id < d->nr_tasks && d->task[id].comm[0])
		return d->task[id].comm;
	return id == KPROF_ID_NONE ? "[no task]" : "[task not in recording]";
}

const char *data_source_name(const struct data *d, uint32_t id)
{
	return id < d->nr_sources && d->source[id].name ? d->source[id].name : "unknown source";
}

/* A function, named as the options want it. */
static void add_changed(struct data_frames *f, const struct frame *frame,
			const struct symbol *sym, uint64_t ip,
			const struct data_fold_options *options)
{
	struct buf name = { 0 };

	if (!sym || frame->is_inlined) {
		buf_add(&name, frame->label, frame->label_len);
	} else {
		buf_printf(&name, "%s+0x%" PRIx64, sym->name, ip - sym->start);
		if (sym->module)
			buf_printf(&name, " [%s]", sym->module);
	}
	if (options->annotate && !frame->is_user)
		buf_add(&name, "_[k]", 4);
	data_frames_add_made(f, &name);
}

/* Add the functions at an address, outermost first. */
static void add_functions(struct data_frames *f, const struct data *d, uint64_t ip, bool leaf,
			  const struct data_fold_options *options)
{
	/* A return address may already belong to the next function. */
	uint64_t addr = leaf ? ip : ip - 1;
	size_t nr, i;
	const struct frame *frame = frames_at(d, addr, &nr);
	const struct symbol *sym = options->full_address ?
		symtab_find(frame->is_user ? &d->code : &d->symbols, addr) : NULL;

	for (i = nr; i-- > 0;) {
		if (options->full_address || options->annotate)
			add_changed(f, &frame[i], sym, ip, options);
		else
			add_frame(f, frame[i].label, frame[i].label_len);
	}
}

static struct data_stack stack_of(const struct data *d, uint32_t id)
{
	if (id == KPROF_ID_FULL)
		return (struct data_stack) { NULL, "[stack table full]" };
	if (id >= d->nr_stacks || !d->stack[id])
		return (struct data_stack) { NULL, "[stack not in recording]" };
	return (struct data_stack) { d->stack[id], NULL };
}

int data_row_stacks(const struct data *d, const struct tally_row *row,
		    struct data_stack stacks[DATA_ROW_STACKS])
{
	uint32_t kernel = KPROF_KEY_KSTACK(row->key), user = KPROF_KEY_USTACK(row->key);
	const char *missed = missed_name(row->info);
	int nr = 0;

	if (missed) {
		stacks[0] = (struct data_stack) { NULL, missed };
		return 1;
	}
	if (kernel != KPROF_ID_NONE)
		stacks[nr++] = stack_of(d, kernel);
	if (user != KPROF_ID_NONE)
		stacks[nr++] = stack_of(d, user);
	if (!nr)
		stacks[nr++] = (struct data_stack) {
			NULL, row->info & KPROF_INFO_USER ? "[user]" : "[no stack]"
		};
	return nr;
}

static void add_stack(struct data_frames *f, const struct data *d, const struct data_stack *part,
		      const struct data_fold_options *options)
{
	const struct kprof_stack *stack = part->stack;
	uint32_t i;

	if (!stack) {
		data_frames_add(f, part->special);
		return;
	}
	if (stack->flags & KPROF_STACK_CUT)
		data_frames_add(f, "[cut]");
	else if (stack->flags & KPROF_STACK_PARTIAL && !data_is_rooted(d, stack))
		data_frames_add(f, "[unknown]");
	for (i = stack->nr; i-- > 0;)
		add_functions(f, d, stack->ip[i], !i, options);
}

void data_frames_add_cgroup(struct data_frames *f, const struct data *d, uint32_t task)
{
	struct buf name = { 0 };

	buf_printf(&name, "cgroup:%s", cgroups_name(d, task));
	data_frames_add_made(f, &name);
}

/* Root first: the user stack, then the kernel stack. */
void data_frames_add_stacks(struct data_frames *f, const struct data *d,
			    const struct tally_row *row,
			    const struct data_fold_options *options)
{
	struct data_stack stacks[DATA_ROW_STACKS];
	int nr = data_row_stacks(d, row, stacks);

	while (nr-- > 0) {
		add_stack(f, d, &stacks[nr], options);
		if (nr && options->delimit)
			data_frames_add(f, "-");
	}
}

/* The frame of the task, with the process on request. */
static void add_task(struct data_frames *f, const struct data *d, const struct tally_row *row,
		     bool by_pid)
{
	const char *task = data_task_name(d, KPROF_KEY_TASK(row->key));
	struct buf name = { 0 };
	char pid[PID_TEXT];

	if (!by_pid) {
		data_frames_add(f, task);
		return;
	}
	buf_printf(&name, "%s-%s", task, pid_text(row->pid, pid));
	data_frames_add_made(f, &name);
}

static void fold_row(struct data_frames *f, const struct data *d, const struct tally_row *row,
		     const struct data_fold_options *options, bool several_sources)
{
	struct buf name = { 0 };

	data_frames_cut(f, (struct data_frames_mark){ 0 });
	if (several_sources) {
		buf_printf(&name, "[%s]", data_source_name(d, KPROF_KEY_SOURCE(row->key)));
		data_frames_add_made(f, &name);
	}
	if (options->by_cgroup)
		data_frames_add_cgroup(f, d, KPROF_KEY_TASK(row->key));
	add_task(f, d, row, options->query.by_pid);
	if (row->region) {
		buf_printf(&name, "region:%s", regions_name(d, row->region));
		data_frames_add_made(f, &name);
	}
	data_frames_add_stacks(f, d, row, options);
	if (options->below) {
		options->below(row, options->arg, &name);
		data_frames_add_made(f, &name);
	}
}

static void fold_rows(const struct data *d, const struct tally *t,
		      const struct data_fold_options *options, bool by_weight,
		      struct folded *out)
{
	bool several = options->source_frames == DATA_ALWAYS ||
		       (options->source_frames == DATA_OF_SEVERAL && t->nr_sources > 1);
	struct data_frames f = { 0 };
	size_t i;

	for (i = 0; i < t->nr; i++) {
		uint64_t value = by_weight ? t->row[i].ns : t->row[i].samples;

		if (!value)
			continue;
		fold_row(&f, d, &t->row[i], options, several);
		folded_add(out, f.frame, f.nr, value);
	}
	data_frames_free(&f);
}

void data_fold_unit(struct data_unit *unit, const struct data *d,
		    const struct data_fold_options *options)
{
	if (options->samples_first)
		data_unit_choose_samples(unit, d, options->count);
	else if (options->query.by_region && !options->query.source)
		data_unit_choose_without(unit, d, options->count, REGIONS_SOURCE);
	else
		data_unit_choose(unit, d, options->count, options->query.source);
	unit->is_part = options->filter && filter_options_given(options->filter);
}

int data_fold_tally(const struct data *d, const struct data_fold_options *options,
		    struct folded *out)
{
	struct tally_query query = options->query;
	struct data_unit unit;
	struct tally t;

	if (options->tally) {
		fold_rows(d, options->tally, options, options->count == DATA_COUNT_NS, out);
		return 0;
	}
	data_fold_unit(&unit, d, options);
	query.samples_only |= unit.nr_left_out > 0;
	query.without = unit.without;
	if (options->unit)
		*options->unit = unit;
	if (tally_make(&t, d, &query))
		return -1;
	fold_rows(d, &t, options, unit.by_weight, out);
	tally_free(&t);
	return 0;
}

/* Fold the part of the recording that the options select. */
static int fold_part(struct data *d, const char *path,
		     const struct data_fold_options *options, struct folded *out)
{
	struct data_fold_options part = *options;
	struct filter filter;
	int ret = EXIT_OK;

	if (options->title || options->about)
		about_recording(d, options->title, options->about);
	if (options->filter) {
		ret = filter_open(&filter, d, options->filter, path);
		part.query.filter = &filter;
	}
	if (!ret)
		ret = tally_check_source(d, options->query.source, path);
	if (!ret)
		data_fold_tally(d, &part, out);
	if (options->filter)
		filter_close(&filter);
	return ret;
}

int data_fold_opened(struct data *d, const char *name, const struct data_fold_options *options,
		     struct folded *out)
{
	int ret;

	if (options->empty)
		empty_note(options->empty, d);
	if (options->frames && frames_open(d, options->frames, name))
		return EXIT_ERROR;
	if (!d->nr_records && d->text[DATA_BUCKETS].len)
		return msg_error("%s: a measurement of 'kprof lat' has no stacks: 'kprof report' "
				 "shows it, 'kprof record -t FUNCTION' records stacks", name);
	if (options->by_cgroup && cgroups_check(d, name))
		return EXIT_ERROR;
	if (options->query.by_region && regions_open(d, name))
		return EXIT_ERROR;
	ret = fold_part(d, name, options, out);
	return ret ? ret : account_warn(d, name);
}

int data_fold(struct input *in, const struct data_fold_options *options, struct folded *out)
{
	struct data_fold_options mine = *options;
	struct data_unit unit;
	struct data d;
	int ret;

	if (!mine.unit)
		mine.unit = &unit;
	ret = data_read(&d, in) ? msg_error("%s: %s", in->name, d.error) :
				  data_fold_opened(&d, in->name, &mine, out);
	if (ret == EXIT_OK || ret == EXIT_LOST) {
		data_unit_tell(mine.unit, in->name);
		if (mine.about) {
			buf_printf(mine.about, "%swidth: ", mine.about->len ? ", " : "");
			data_unit_sum(mine.unit, mine.about);
		}
	}
	data_close(&d);
	return ret;
}

/*
 * The name of the format, which could begin a line of text, too, and the size of the header: in a
 * file, and in a pipe; of both byte orders.
 */
bool data_is_of_perf(struct input *in)
{
	static const char begin[][17] = {
		"PERFILE2\x68\0\0\0\0\0\0", "PERFILE2\x10\0\0\0\0\0\0",
		"2ELIFREP\0\0\0\0\0\0\0\x68", "2ELIFREP\0\0\0\0\0\0\0\x10",
	};
	size_t i;

	for (i = 0; i < sizeof(begin) / sizeof(*begin); i++)
		if (input_begins(in, begin[i], 16))
			return true;
	return false;
}

bool data_is_recording(struct input *in)
{
	/* Folded text may begin with the magic, but not continue with a byte of DATA_ORDER. */
	return input_begins(in, DATA_MAGIC "\4", sizeof(DATA_MAGIC)) ||
	       input_begins(in, DATA_MAGIC "\1", sizeof(DATA_MAGIC));
}
