// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_runs_formats.c - print a comparison of several runs a side as CSV (rows only) and JSON
 */
#include <math.h>

#include "data/meta_json.h"
#include "diff/diff_runs.h"

/* The quantities that are shown of a kind. */
struct shown {
	enum diff_quantity quantity;
	const char *name;
	bool is_time;
};

static const struct shown shown_of_latencies[] = {
	{ DIFF_CALLS, "calls", false }, { DIFF_AVG, "avg", true },
	{ DIFF_SELF, "self", true }, { DIFF_TOTAL, "total", true }, { .name = NULL }
};

static const struct shown shown_of_functions[] = {
	{ DIFF_SELF, "self", false }, { DIFF_TOTAL, "total", false }, { .name = NULL }
};

static const struct shown *shown_of(const struct diff_runs *r)
{
	return r->kind == DIFF_LATENCIES ? shown_of_latencies : shown_of_functions;
}

/* --- CSV --- */

static void csv_header(struct csv *c, const struct diff_output *o, const struct diff_runs *r)
{
	static const char *const parts[] = { "a", "b", "difference", "low", "high" };
	const char *unit = lat_unit_names[o->unit];
	const struct shown *s;
	size_t i;

	csv_text(c, r->kind == DIFF_LATENCIES ? "target" : "function");
	if (r->kind == DIFF_LATENCIES) {
		csv_text(c, "context");
		csv_text(c, "calls_verdict");
	}
	csv_text(c, "verdict");
	csv_text(c, "differs");
	for (s = shown_of(r); s->name; s++) {
		for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
			if (r->kind == DIFF_FUNCTIONS)
				csv_textf(c, "%s_%s_%s", s->name, parts[i],
					  *r->unit ? r->unit : "count");
			else if (s->is_time)
				csv_textf(c, "%s%s_%s_%s", r->net ? "net_" : "", s->name, parts[i],
					  unit);
			else
				csv_textf(c, "%s_%s", s->name, parts[i]);
		}
		csv_textf(c, "%s_q", s->name);
	}
	csv_end_line(c);
}

static void csv_value(struct csv *c, const struct diff_output *o, const struct shown *s, bool known,
		      double value)
{
	if (s->is_time)
		diff_csv_time(c, o, known, value);
	else if (known)
		csv_number(c, value, 2);
	else
		csv_empty(c);
}

static void csv_values(struct csv *c, const struct diff_output *o, const struct shown *s,
		       const struct diff_values *v)
{
	const struct moments *a = &v->side[DIFF_A], *b = &v->side[DIFF_B];

	csv_value(c, o, s, a->nr, a->mean);
	csv_value(c, o, s, b->nr, b->mean);
	csv_value(c, o, s, diff_runs_known(v), v->difference);
	csv_value(c, o, s, v->confidence.known, v->confidence.low);
	csv_value(c, o, s, v->confidence.known, v->confidence.high);
	if (v->tested)
		csv_number(c, v->adjusted, 6);
	else
		csv_empty(c);
}

void diff_runs_print_csv(const struct diff_output *o, const struct diff_runs *r)
{
	struct csv c = csv_begin(o->out, NULL);
	const struct shown *s;
	size_t i;

	csv_header(&c, o, r);
	for (i = 0; i < diff_runs_shown(o, r); i++) {
		const struct diff_runs_row *row = &r->row[i];

		csv_text(&c, row->target);
		if (r->kind == DIFF_LATENCIES) {
			csv_text(&c, row->context);
			csv_text(&c, diff_calls_names[row->calls]);
		}
		csv_text(&c, diff_runs_verdict_name(r, row));
		csv_text(&c, row->differs ? "yes" : "no");
		for (s = shown_of(r); s->name; s++)
			csv_values(&c, o, s, &row->of[s->quantity]);
		csv_end_line(&c);
	}
}

/* --- JSON: always nanoseconds, or the unit of the stacks --- */

static const char *const side_names[] = { [DIFF_A] = "a", [DIFF_B] = "b" };

static void json_side(struct json *j, const struct diff_runs *r, enum diff_side side)
{
	size_t i;

	json_object(j, side_names[side], JSON_LINE);
	json_array(j, "recordings", JSON_LINE);
	for (i = 0; i < r->nr[side]; i++)
		json_text(j, NULL, r->path[side][i]);
	json_close(j);
	if (r->kind == DIFF_LATENCIES)
		meta_json(j, &r->first[side]);
	else
		json_number(j, "mean_total", r->total[side], 1);
	json_close(j);
}

static void json_group(struct json *j, const struct diff_runs *r, const struct diff_values *v,
		       enum diff_side side)
{
	const double *value = v->value + (side == DIFF_A ? 0 : r->nr[DIFF_A]);
	size_t i;

	json_object(j, side_names[side], JSON_LINE);
	json_number(j, "mean", v->side[side].nr ? v->side[side].mean : NAN, 2);
	json_number(j, "deviation", v->side[side].nr >= 2 ? sqrt(v->side[side].variance) : NAN, 2);
	json_array(j, "runs", JSON_LINE);
	for (i = 0; i < r->nr[side]; i++)
		json_number(j, NULL, value[i], 2);
	json_close(j);
	json_close(j);
}

static void json_values(struct json *j, const struct diff_runs *r, const struct shown *s,
			const struct diff_values *v)
{
	json_object(j, s->name, JSON_LINE);
	json_group(j, r, v, DIFF_A);
	json_group(j, r, v, DIFF_B);
	json_number(j, "difference", diff_runs_known(v) ? v->difference : NAN, 2);
	diff_json_interval(j, "confidence", &v->confidence);
	json_number(j, "p", v->tested ? v->chance : NAN, 9);
	json_number(j, "q", v->tested ? v->adjusted : NAN, 9);
	json_close(j);
}

static void json_row(struct json *j, const struct diff_runs *r, const struct diff_runs_row *row)
{
	const struct shown *s;

	json_object(j, NULL, JSON_LINE);
	json_text(j, r->kind == DIFF_LATENCIES ? "target" : "function", row->target);
	if (r->kind == DIFF_LATENCIES) {
		json_text(j, "context", row->context);
		json_text(j, "calls_verdict", diff_calls_names[row->calls]);
		json_number(j, "cost_ns", row->cost, 0);
		json_number(j, "cost_calls_ns", row->cost_calls, 0);
		json_number(j, "cost_time_ns", row->cost_time, 0);
	}
	json_text(j, "verdict", diff_runs_verdict_name(r, row));
	json_bool(j, "differs", row->differs);
	for (s = shown_of(r); s->name; s++)
		json_values(j, r, s, &row->of[s->quantity]);
	json_close(j);
}

void diff_runs_json(struct json *j, const struct diff_output *o, const struct diff_runs *r)
{
	size_t i;

	json_side(j, r, DIFF_A);
	json_side(j, r, DIFF_B);
	if (r->kind == DIFF_LATENCIES) {
		diff_json_changes(j, &r->head);
		diff_json_absences(j, &r->head);
		json_bool(j, "net", r->net);
	} else {
		json_text(j, "unit", *r->unit ? r->unit : NULL);
		json_text(j, "source", r->source);
		json_u64(j, "sources_left_out", r->left_out);
	}
	if (r->machines > 1) {
		json_u64(j, "machines_compared_within", r->machines);
		json_text(j, "test", "Student's t, least squares with a mean of each machine");
	}
	json_number(j, "threshold_percent", r->threshold, 3);
	json_number(j, "false_discovery_rate", r->rate / 100, 6);
	json_u64(j, "rows_tested", r->nr_tested);
	json_u64(j, "tests", r->nr_tests);
	json_u64(j, "rows_that_differ", r->nr_differ);
	json_array(j, "rows", JSON_LINES);
	for (i = 0; i < diff_runs_shown(o, r); i++)
		json_row(j, r, &r->row[i]);
	json_close(j);
}

void diff_runs_print_json(const struct diff_output *o, const struct diff_runs *r)
{
	struct json j = json_begin(o->out);

	json_object(&j, NULL, JSON_LINES);
	diff_runs_json(&j, o, r);
	json_end(&j);
}
