/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_fold.h - convert the stacks of a recording to folded stacks
 */
#ifndef KPROF_DATA_FOLD_H
#define KPROF_DATA_FOLD_H

#include <stdbool.h>

#include "data/data.h"
#include "data/data_unit.h"
#include "data/empty.h"
#include "data/folded.h"
#include "data/frames.h"
#include "data/tally.h"
#include "data/text_kind.h"
#include "lib/arena.h"

/* When the first frame names the source. */
enum data_source_frames { DATA_OF_SEVERAL, DATA_ALWAYS, DATA_NEVER };

struct data_fold_options {
	struct tally_query query;	/* by_pid: the first frame is COMM-PID */
	bool samples_first;		/* if there are samples, these alone; without a source */
	enum data_source_frames source_frames;
	bool by_cgroup;			/* the first frame is the cgroup of the task */
	enum data_count count;		/* what is added up */
	struct data_unit *unit;		/* if not NULL: set to the unit of the counts */
	bool annotate;			/* functions of the kernel end in "_[k]" */
	bool delimit;			/* a frame "-" stands between user and kernel */
	bool full_address;		/* frames are NAME+0xOFFSET [MODULE] */
	const struct frames_options *frames;	/* used by data_fold(), which reads; or NULL */
	const struct filter_options *filter;	/* likewise, and of a text; or NULL */
	struct empty *empty;		/* if not NULL: gets empty_note() of the recording */
	struct buf *title, *about;	/* if not NULL: get what about_recording() says */
	const struct tally *tally;	/* a ready tally of this query and count, or NULL */
	/* If not NULL: appends the name of one more frame, below the leaf. */
	void (*below)(const struct tally_row *row, void *arg, struct buf *name);
	void *arg;			/* argument of below() */
	enum text_kind text_kind;	/* of a text; TEXT_AUTO: as it tells itself */
	const char *recording_only;	/* given options that need a recording, or NULL */
};

#define DATA_FOLD_DEFAULTS \
	((struct data_fold_options){ .query = { .context = TALLY_ANY } })

/*
 * Add the stacks of a recording to @out, after folded_init(). Returns EXIT_OK; EXIT_LOST, after
 * a line on standard error, if the recording lost samples or is cut off; EXIT_ERROR, after a
 * message, if it cannot be read; EXIT_USAGE, after a message, if a filter is not valid.
 */
int data_fold(struct input *in, const struct data_fold_options *options, struct folded *out);

/* The same for a recording that is open; messages call it @name. */
int data_fold_opened(struct data *d, const char *name, const struct data_fold_options *options,
		     struct folded *out);

/*
 * The unit in which these options count the stacks of a recording. With by_region, the calls that
 * regions are recorded as are left out, unless they are the source asked for: what a region took is
 * the time of the samples in it, and would be there twice.
 */
void data_fold_unit(struct data_unit *unit, const struct data *d,
		    const struct data_fold_options *options);

/* The stacks alone, without a filter. Returns -1 if it does not have the source asked for. */
int data_fold_tally(const struct data *d, const struct data_fold_options *options,
		    struct folded *out);

/* Does the input begin like a recording? */
bool data_is_recording(struct input *in);

/* A stack of a row, or what is shown in its place, such as "[user]". */
struct data_stack {
	const struct kprof_stack *stack;	/* NULL: @special */
	const char *special;
};

#define DATA_ROW_STACKS	2

/* The stacks of a row, kernel stack first. Returns how many, at least 1. */
int data_row_stacks(const struct data *d, const struct tally_row *row,
		    struct data_stack stacks[DATA_ROW_STACKS]);

/* The frames of one stack, root first. Zero-initialise. */
struct data_frames {
	struct folded_frame *frame;
	size_t nr;
	/* Private from here on. */
	size_t room;
	struct arena own;	/* names that nothing else keeps */
};

/* A position in struct data_frames, to cut it back to. All zero: the beginning. */
struct data_frames_mark {
	size_t nr;
	struct arena_mark own;
};

static inline struct data_frames_mark data_frames_mark(const struct data_frames *f)
{
	return (struct data_frames_mark){ f->nr, arena_mark(&f->own) };
}

/* Remove the frames that were added after @mark. */
void data_frames_cut(struct data_frames *f, struct data_frames_mark mark);
/* Add a frame. The name is not copied: it has to stay as long as the frame. */
void data_frames_add(struct data_frames *f, const char *name);
/* The same with a copy of the name in @name, which is emptied. */
void data_frames_add_made(struct data_frames *f, struct buf *name);
/* Add the cgroup of a task. */
void data_frames_add_cgroup(struct data_frames *f, const struct data *d, uint32_t task);
/* Add the stacks of a row. */
void data_frames_add_stacks(struct data_frames *f, const struct data *d,
			    const struct tally_row *row,
			    const struct data_fold_options *options);
void data_frames_free(struct data_frames *f);

const char *data_task_name(const struct data *d, uint32_t id);
const char *data_source_name(const struct data *d, uint32_t id);

#endif /* KPROF_DATA_FOLD_H */
