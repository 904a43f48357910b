// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_place.c - the place where a task waits, in a few functions of its stack
 */
#include <string.h>

#include "symbols/functions.h"
#include "wall/wall.h"

#define PLACE_FRAMES	4	/* of a stack, innermost */
#define SCHEDULER_MAX	2	/* frames at most: __schedule() and its caller */

static void read_frames(struct wall_places *p, const struct wall_piece *piece)
{
	const struct data_fold_options options = DATA_FOLD_DEFAULTS;
	struct tally_row row = { .key = piece->key };

	data_frames_cut(&p->f, (struct data_frames_mark){ 0 });
	if (piece->key)
		data_frames_add_stacks(&p->f, p->w->data, &row, &options);
}

/* "libc.so.6", "ld-linux-x86-64.so.2", "[vdso]": code that a program calls, and is not its own. */
static bool is_library(const char *module)
{
	const char *slash = strrchr(module, '/'), *name = slash ? slash + 1 : module;

	return *module == '[' || strstr(name, ".so.") ||
	       (strlen(name) > 3 && !strcmp(name + strlen(name) - 3, ".so"));
}

/*
 * The innermost function of the program: of its own file, or where the stack has none of that file,
 * of any. NULL: the stack has no function of a program.
 */
static const char *find_own(const struct data *d, const struct wall_piece *piece)
{
	struct tally_row row = { .key = piece->key };
	struct data_stack stacks[DATA_ROW_STACKS];
	const char *innermost = NULL;
	int nr_stacks = piece->key ? data_row_stacks(d, &row, stacks) : 0, s, i;
	size_t nr, f;

	for (s = 0; s < nr_stacks; s++)
		for (i = 0; stacks[s].stack && i < stacks[s].stack->nr; i++) {
			const struct frame *frame = frames_at(d, stacks[s].stack->ip[i] - !!i, &nr);

			for (f = 0; f < nr && frame[f].is_user; f++) {
				if (!is_library(frame_module(&frame[f])))
					return frame[f].label;
				if (!innermost)
					innermost = frame[f].label;
			}
		}
	return innermost;
}

/* How many innermost frames do two stacks have in common, up to @max? */
static size_t common(const struct data_frames *a, const struct data_frames *b, size_t max)
{
	size_t i = 0;

	while (i < max && i < a->nr && i < b->nr &&
	       !strcmp(a->frame[a->nr - 1 - i].text, b->frame[b->nr - 1 - i].text))
		i++;
	return i;
}

/*
 * Every task that waits does so in the scheduler: frames that all stacks end in say nothing of the
 * place. Too short a stack is none of a task that waits, but a text such as "[no stack]".
 */
void wall_places_begin(struct wall_places *p, const struct wall *w)
{
	struct data_frames first = { 0 };
	size_t i, j;

	*p = (struct wall_places){ .w = w, .scheduler = SCHEDULER_MAX };
	for (i = 0; i < p->w->nr; i++) {
		const struct wall_task *t = &p->w->task[i];

		for (j = 0; j < t->nr_pieces && p->scheduler; j++) {
			if (!wall_is_blocked(&t->piece[j]))
				continue;
			read_frames(p, &t->piece[j]);
			if (p->f.nr <= SCHEDULER_MAX)
				continue;
			if (first.nr) {
				p->scheduler = common(&first, &p->f, p->scheduler);
				continue;
			}
			first = p->f;
			p->f = (struct data_frames){ 0 };
		}
	}
	data_frames_free(&first);
}

void wall_places_end(struct wall_places *p)
{
	data_frames_free(&p->f);
}

/*
 * The function that says for what a task waits for a device: of a task of a program, the one that
 * its system call begins with; of a thread of the kernel, that of the thread. @nr: none.
 */
static size_t find_purpose(const struct folded_frame *frame, size_t nr)
{
	size_t i = 0;

	while (i < nr && !function_begins_call(frame[i].text) && strcmp(frame[i].text, "kthread"))
		i++;
	return i < nr && !strcmp(frame[i].text, "kthread") ? i + 1 : i;
}

/* The innermost frame of that name; @nr: none. */
static size_t find_frame(const struct folded_frame *frame, size_t nr, const char *name)
{
	size_t i = nr;

	while (i > 0 && strcmp(frame[i - 1].text, name))
		i--;
	return i ? i - 1 : nr;
}

void wall_place(struct wall_places *p, const struct wall_piece *piece, struct buf *out)
{
	const char *own = find_own(p->w->data, piece);
	const struct folded_frame *frame;
	size_t i, nr, first, purpose, at;

	read_frames(p, piece);
	frame = p->f.frame;
	nr = p->f.nr;
	if (nr > SCHEDULER_MAX)
		nr -= p->scheduler;
	/* The state says it already. */
	while (nr > 1 && strstr(frame[nr - 1].text, "schedule"))
		nr--;
	purpose = piece->state == WALL_IO ? find_purpose(frame, nr) : nr;
	first = nr > PLACE_FRAMES ? nr - PLACE_FRAMES : 0;
	at = own ? find_frame(frame, nr, own) : nr;
	if (at < first)
		buf_printf(out, "%s;%s", own,
			   at + 1 < (purpose < first ? purpose : first) ? "...;" : "");
	if (purpose < first)
		buf_printf(out, "%s;%s", frame[purpose].text, purpose + 1 < first ? "...;" : "");
	for (i = first; i < nr; i++)
		buf_printf(out, "%s%s", frame[i].text, i + 1 < nr ? ";" : "");
}

bool wall_place_is_sleep(struct wall_places *p, const struct wall_piece *piece)
{
	const struct folded_frame *frame;
	size_t nr;

	read_frames(p, piece);
	frame = p->f.frame;
	for (nr = p->f.nr; nr && strstr(frame[nr - 1].text, "schedule"); nr--)
		;
	return nr && strstr(frame[nr - 1].text, "sleep");
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/*
 * A thread of the kernel begins where it was made, and calls its function. If that one itself lets
 * the scheduler have the CPU, and nothing is to be waited for (so says the state), the thread has
 * no work.
 */
bool wall_place_is_idle(struct wall_places *p, const struct wall_piece *piece)
{
	const struct folded_frame *frame;
	size_t i;

	if (piece->state != WALL_SLEEP)
		return false;
	read_frames(p, piece);
	frame = p->f.frame;
	for (i = 0; i < p->f.nr && begins(frame[i].text, "ret_from_fork"); i++)
		;
	if (!i)
		return false;
	if (i < p->f.nr && !strcmp(frame[i].text, "kthread"))
		i++;
	for (i++; i < p->f.nr && strstr(frame[i].text, "schedule"); i++)
		;
	return i == p->f.nr;
}
