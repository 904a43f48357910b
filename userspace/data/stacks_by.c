// SPDX-License-Identifier: GPL-2.0-only
/*
 * stacks_by.c - whether two sides are compared by their counts, or by shares of their totals
 *
 * A recording that is ten times as long has ten times as much of everything: that is no difference.
 * Recordings say how long they are. Of two texts only the totals tell; and what a text counts, it
 * does not say, so beside a recording only its shares mean anything.
 */
#include "data/stacks.h"
#include "lib/msg.h"
#include "lib/opt.h"

#define LONGER	1.1	/* the same length is never exactly the same */

/* By how much B is longer than A; 0: that is not known. */
static double length_ratio(const struct stacks_side side[2], struct stacks_two *two)
{
	double length[2];
	int i;

	two->is_duration = side[0].is_recording && side[1].is_recording &&
			   data_duration_ns(&side[0].data) && data_duration_ns(&side[1].data);
	for (i = 0; i < 2; i++)
		length[i] = two->is_duration ? (double)data_duration_ns(&side[i].data) :
					       (double)two->total[i];
	return length[0] > 0 && length[1] > 0 ? length[1] / length[0] : 0;
}

static const char *name_of_text(const struct stacks_side side[2])
{
	return side[side[0].is_recording].name;
}

int stacks_choose(const struct stacks_side side[2], struct stacks_two *two, enum stacks_by asked)
{
	double ratio = length_ratio(side, two);

	two->asked = asked;
	two->longer = ratio > LONGER || (ratio && ratio < 1 / LONGER) ? ratio : 0;
	two->unlike = side[0].is_recording != side[1].is_recording;
	if (two->unlike && asked == STACKS_BY_COUNTS)
		return msg_usage("--no-normalize: what '%s' counts is not known, so beside a recording "
				 "only its shares compare", name_of_text(side));
	two->by_shares = two->unlike || asked == STACKS_BY_SHARES ||
			 (two->longer && asked == STACKS_BY_LENGTH);
	return EXIT_OK;
}

void stacks_why_shares(const struct stacks_side side[2], const struct stacks_two *two,
		       struct buf *text)
{
	if (two->unlike)
		buf_printf(text, "what '%s' counts is not known", name_of_text(side));
	else if (two->asked == STACKS_BY_SHARES)
		buf_printf(text, "--normalize asks for it");
	else if (two->is_duration)
		buf_printf(text, "B was recorded for %.2f times as long as A", two->longer);
	else
		buf_printf(text, "B has %.2f times as much in all as A", two->longer);
}

int stacks_by_of_options(bool shares, bool counts, enum stacks_by *by)
{
	if (shares && counts)
		return msg_contradiction("--normalize", "--no-normalize");
	*by = shares ? STACKS_BY_SHARES : counts ? STACKS_BY_COUNTS : STACKS_BY_LENGTH;
	return EXIT_OK;
}
