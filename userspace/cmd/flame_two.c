// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_two.c - two recordings or folded texts as one differential flame graph
 *
 * The picture is that of B, as FlameGraph draws it: frames are as wide as in B, and their colours
 * tell by how much that differs from A. What B has no more would be of no width and unseen, so it
 * stands apart, on the right, as wide as in A.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/flame_two.h"
#include "data/about.h"
#include "diff/diff_stacks.h"
#include "lib/opt.h"
#include "lib/plural.h"

#define ONLY_IN_A	"[only in A]"
#define NAME_MAX_LEN	28	/* bytes: two names and more are to fit the picture */

/* The end of a path, which tells more than its beginning; from a '/' on if there is one. */
static void add_name(struct buf *legend, const char *path)
{
	size_t len = strlen(path);
	const char *end = len > NAME_MAX_LEN ? path + len - NAME_MAX_LEN : path;
	const char *slash = end > path ? strchr(end, '/') : NULL;

	if (slash && slash[1])
		end = slash;
	buf_printf(legend, "%s%s", end > path ? ".." : "", end);
}

/* One side: what it is called, how much there is, what was lost. */
static void add_side(struct buf *legend, char name, const struct stacks_side *side,
		     folded_count total, const char *unit_name)
{
	const struct diff_unit unit = diff_unit_of(unit_name);
	struct buf losses = { 0 };

	buf_printf(legend, ". %c: ", name);
	add_name(legend, side->name);
	buf_printf(legend, ", %.*Lf %s", unit.digits, total / unit.scale,
		   *unit.name ? unit.name : "in all");
	if (side->is_recording)
		about_losses(&side->data, &losses);
	if (losses.len)
		buf_printf(legend, ", %s", losses.data);
	buf_free(&losses);
}

/* The commands of both, if both are recordings; one that is the same, once. */
static void make_title(struct buf *title, const struct stacks_side side[2])
{
	struct buf of[2] = { { 0 }, { 0 } };
	int i;

	for (i = 0; i < 2 && side[0].is_recording && side[1].is_recording; i++)
		about_recording(&side[i].data, &of[i], NULL);
	if (of[0].len && of[1].len && strcmp(of[0].data, of[1].data))
		buf_printf(title, "A: %s; B: %s", of[0].data, of[1].data);
	else if (of[0].len && of[1].len)
		buf_printf(title, "%s", of[0].data);
	for (i = 0; i < 2; i++)
		buf_free(&of[i]);
}

static void make_legend(struct buf *legend, const struct flame_two *two,
			const struct stacks_side side[2], const struct stacks_two *sides,
			const struct folded_apart *apart, bool negate)
{
	folded_count total = sides->total[!!sides->by_shares];
	int i;

	buf_printf(legend, "red: %s in B, blue: %s%s; width: B", negate ? "less" : "more",
		   negate ? "more" : "less", sides->by_shares ? ", by share" : "");
	for (i = 0; i < 2; i++)
		add_side(legend, 'A' + i, &side[i], sides->total[i], sides->unit[i].name);
	if (apart->nr)
		buf_printf(legend, ". Only in A, %s: %.1Lf %%, %zu stack%s",
			   two->leave_out ? "not drawn" : "right",
			   100 * apart->count / total, apart->nr, plural(apart->nr));
}

/* Scale A to B's total, and set apart what only A has. */
static void make_picture(const struct flame_two *two, const struct stacks_two *sides,
			 struct folded *f, struct flame_options *o, struct folded_apart *apart)
{
	const folded_count whole = f->total;

	if (sides->by_shares && sides->total[0] > 0)
		folded_scale_before(f, sides->total[1] / sides->total[0]);
	/* In the order of time, all of A is before B. Without B, there is no picture. */
	if (f->mode & FOLDED_IN_ORDER || whole <= 0)
		return;
	folded_set_apart(f, two->leave_out ? NULL : ONLY_IN_A, apart);
	o->apart = apart->node;
	if (o->apart && o->total == 0)
		o->whole = whole;
}

/* What follows from both, once they are in @f. */
static void take(const struct flame_two *two, const struct stacks_side side[2],
		 const struct stacks_two *sides, struct folded *f, struct flame_options *o,
		 struct buf *title, struct buf *legend)
{
	struct folded_apart apart = { 0 };

	make_picture(two, sides, f, o, &apart);
	o->soft = true;
	if (!o->title)
		make_title(title, side);
	make_legend(legend, two, side, sides, &apart, o->negate);
	/* Beside a recording it is known that nobody knows. */
	if (!o->countname && sides->unlike && !*sides->unit[1].name)
		o->countname = "counts";
}

int flame_load_two(const struct flame_two *two, struct folded *f, struct flame_options *o,
		   struct data_unit *unit, struct buf *title, struct buf *legend)
{
	struct stacks_two sides = { .total = { 0, 0 } };
	struct stacks_side side[2];
	int i, ret = stacks_read_two(side, two->path, two->part, false);

	for (i = 0; i < 2 && ret == EXIT_OK; i++)
		ret = stacks_refuse_empty(&side[i]);
	if (ret == EXIT_OK)
		ret = stacks_compare(side, two->part, f, &sides);
	if ((ret == EXIT_OK || ret == EXIT_LOST) && stacks_choose(side, &sides, two->by))
		ret = EXIT_USAGE;
	if (ret == EXIT_OK || ret == EXIT_LOST)
		take(two, side, &sides, f, o, title, legend);
	*unit = sides.unit[1];
	stacks_close_two(side);
	return ret;
}
