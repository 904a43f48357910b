// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_stacks_json.c - print a comparison of two recordings of stacks, or folded texts, as JSON
 *
 * Counts are in the unit of the stacks: nanoseconds are not made milliseconds, as in the text.
 * Points are percentage points, by which shares of the totals differ.
 */
#include <math.h>
#include <stdlib.h>

#include "data/meta_json.h"
#include "diff/diff.h"
#include "diff/diff_stacks.h"

static const char *const side_names[] = { [DIFF_A] = "a", [DIFF_B] = "b" };

static void json_side(struct json *j, const struct diff_compared *c, enum diff_side side)
{
	const struct stacks_side *file = &c->side[side];
	const struct data_unit *unit = &c->two->unit[side];

	json_object(j, side_names[side], JSON_LINE);
	json_text(j, "recording", file->name);
	if (file->is_recording)
		meta_json(j, &file->data);
	json_text(j, "unit", *unit->name ? unit->name : NULL);
	json_number(j, "total", c->two->total[side], 0);
	json_number(j, "samples", unit->has_samples ? (double)c->samples[side] : NAN, 0);
	json_u64(j, "sources_left_out", unit->nr_left_out);
	json_close(j);
}

/* What differs between the boots, as far as both sides know theirs. */
static void json_boots(struct json *j, const struct diff_compared *c)
{
	struct diff d = { .data = { &c->side[DIFF_A].data, &c->side[DIFF_B].data } };

	if (c->side[DIFF_A].is_recording && c->side[DIFF_B].is_recording)
		diff_boot_make(&d);
	diff_json_changes(j, &d);
	diff_free(&d);
}

static void open_counts(struct json *j, const struct diff_compared *c, const char *name,
			const folded_count count[2])
{
	json_object(j, name, JSON_LINE);
	json_number(j, "a", count[0], 0);
	json_number(j, "b", count[1], 0);
	/* A difference of unlike units is none. */
	json_number(j, "difference",
		    c->two->unlike ? NAN : (double)diff_change(&c->counts, count), 0);
	json_number(j, "by_chance",
		    c->has_chance ? (double)diff_chance(&c->counts, count) : NAN, 1);
}

/* Of a part of the totals, in which shares differ, too. */
static void json_counts(struct json *j, const struct diff_compared *c, const char *name,
			const folded_count count[2])
{
	open_counts(j, c, name, count);
	json_number(j, "points", diff_change(&c->shares, count), 4);
	json_number(j, "points_by_chance",
		    c->has_chance ? (double)diff_chance(&c->shares, count) : NAN, 4);
	json_close(j);
}

/* Without samples there is none: it takes chance to tell. */
static void json_verdict(struct json *j, const struct diff_compared *c, const char *verdict)
{
	json_text(j, "verdict", c->has_chance ? verdict : NULL);
}

static void json_entries(struct json *j, const struct diff_compared *c, const struct folded *f)
{
	size_t nr, i;
	struct diff_function *entry = diff_entries(f, &c->by, &nr);

	json_array(j, "entered_for", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(j, NULL, JSON_LINE);
		json_text(j, "function", entry[i].name);
		json_verdict(j, c, diff_stacks_verdict(c, entry[i].total));
		json_counts(j, c, "total", entry[i].total);
		json_close(j);
	}
	json_close(j);
	free(entry);
}

void diff_stacks_json(const struct diff_compared *c, const struct folded *f,
		      const struct diff_function *function, size_t nr, const struct diff_late *late)
{
	const char *unit = c->two->unit[DIFF_B].name;
	struct json j = json_begin(stdout);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_side(&j, c, DIFF_A);
	json_side(&j, c, DIFF_B);
	json_boots(&j, c);
	json_text(&j, "unit", *unit && !c->two->unlike ? unit : NULL);
	json_text(&j, "compared_by", c->by.is_share ? "shares" : "counts");
	json_text(&j, "source", c->query.source);
	open_counts(&j, c, "in_all", c->two->total);
	json_close(&j);
	json_array(&j, "rows", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "function", function[i].name);
		json_verdict(&j, c, diff_function_verdict(c, &function[i], late));
		json_counts(&j, c, "self", function[i].self);
		json_counts(&j, c, "total", function[i].total);
		json_close(&j);
	}
	json_close(&j);
	json_entries(&j, c, f);
	json_end(&j);
}
