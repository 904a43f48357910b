// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_svg.c - draw a comparison of measurements as SVG, with a panel for each row
 *
 * A panel shows the histograms of A and B over each other, on a logarithmic
 * axis. Areas are shares of the calls, so both histograms have the same area,
 * whatever the numbers of calls. Dashed lines are the averages.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "flame/flame.h"
#include "lib/buf.h"
#include "lib/plural.h"

#define WIDTH		1000
#define MARGIN		24
#define LINE		17	/* height of a line of text */
#define PLOT		90	/* height of the histograms */
#define PANEL		(2 * LINE + PLOT + 40)
#define CHARS		150	/* characters of small text that fit into a line */
#define CHANGES		8	/* how many differences of the boots are shown */
#define LEAST_RATIO	4	/* minimum ratio of the ends of an axis */

struct plot {
	FILE *out;
	double top;		/* of the histograms */
	double low, high;	/* ends of the axis: log10 of nanoseconds */
	double most;		/* the highest density of both */
};

/* --- text --- */

/* Write a text, escaped, and cut to the width of the picture. */
static void write_text(FILE *out, double y, const char *class, const char *text)
{
	struct buf cut = { 0 };

	if (strlen(text) > CHARS)
		buf_printf(&cut, "%.*s...", CHARS - 3, text);
	fprintf(out, "<text x=\"%d\" y=\"%g\" class=\"%s\">", MARGIN, y, class);
	flame_text_write(cut.data ? cut.data : text, false, out);
	fputs("</text>\n", out);
	buf_free(&cut);
}

static void add_time(struct buf *text, const struct diff_output *o, const char *before, double ns)
{
	buf_printf(text, "%s%.*f", before, o->unit == LAT_NS ? 0 : 3, ns / lat_unit_ns[o->unit]);
}

/* Append a time with its sign, + or -. */
static void add_difference(struct buf *text, const struct diff_output *o, const char *before,
			   double ns)
{
	buf_printf(text, "%s%+.*f", before, o->unit == LAT_NS ? 1 : 3, ns / lat_unit_ns[o->unit]);
}

static const char style[] =
	"<style type=\"text/css\">\n"
	"svg { background: #fff; }\n"
	"text { font-family: sans-serif; font-size: 12px; fill: #222; }\n"
	".title { font-size: 17px; font-weight: bold; }\n"
	".row { font-size: 13px; font-weight: bold; }\n"
	".small { fill: #555; }\n"
	".tick { font-size: 10px; fill: #555; text-anchor: middle; }\n"
	".axis { stroke: #888; }\n"
	".grid { stroke: #ddd; }\n"
	".a { fill: #4477aa; stroke: #4477aa; }\n"
	".b { fill: #ee7733; stroke: #ee7733; }\n"
	"path { fill-opacity: 0.35; stroke-width: 1.2; }\n"
	"line.a, line.b { stroke-width: 1.5; stroke-dasharray: 5 3; }\n"
	"@media (prefers-color-scheme: dark) {\n"
	"svg { background: #1c1c1e; }\n"
	"text { fill: #e4e4e6; }\n"
	".small, .tick { fill: #a5a5aa; }\n"
	".grid { stroke: #3a3a3e; }\n"
	".a { fill: #77aadd; stroke: #77aadd; }\n"
	".b { fill: #ffaa66; stroke: #ffaa66; }\n"
	"}\n</style>\n";

/* --- one panel --- */

static double log_of(uint64_t ns)
{
	return log10(ns ? ns : 0.5);
}

/* The share of calls in a bucket, divided by the width of the bucket on the axis. */
static double density(const struct lat_row *row, size_t i)
{
	const struct lat_bucket *b = &row->bucket[i];

	return b->calls / (double)lat_bucket_calls(row) / (log_of(b->high) - log_of(b->low));
}

static double x_of(const struct plot *p, double value)
{
	return MARGIN + (WIDTH - 2 * MARGIN) * (value - p->low) / (p->high - p->low);
}

static double y_of(const struct plot *p, double value)
{
	return p->top + PLOT * (1 - value / p->most);
}

static void find_ends(struct plot *p, const struct diff_row *row)
{
	int side;
	size_t i;
	double more;

	p->low = INFINITY;
	p->high = -INFINITY;
	p->most = 0;
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		const struct lat_row *r = row->side[side];

		for (i = 0; r && i < r->nr_buckets; i++) {
			p->low = fmin(p->low, log_of(r->bucket[i].low));
			p->high = fmax(p->high, log_of(r->bucket[i].high));
			p->most = fmax(p->most, density(r, i));
		}
	}
	more = log10(LEAST_RATIO) - (p->high - p->low);
	more = more > 0.05 ? more : 0.05;
	p->low -= more / 2;
	p->high += more / 2;
}

/* Draw a vertical line from @top down to the axis. */
static void draw_upright(const struct plot *p, const char *class, double x, double top)
{
	fprintf(p->out, "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%g\" y2=\"%g\"/>\n",
		class, x, x, top, p->top + PLOT);
}

static void draw_tick(const struct plot *p, int decade, int times, bool label)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double x = x_of(p, decade + log10(times));
	int unit = decade < 0 ? 0 : decade / 3 < 3 ? decade / 3 : 3;

	draw_upright(p, "grid", x, p->top);
	if (label)
		fprintf(p->out, "<text class=\"tick\" x=\"%.1f\" y=\"%g\">%g %s</text>\n", x,
			p->top + PLOT + 13, times * pow(10, decade - 3 * unit), units[unit]);
}

static void draw_axis(const struct plot *p)
{
	double decades = p->high - p->low;
	int decade, times;

	for (decade = floor(p->low); decade <= p->high; decade++)
		for (times = 1; times < 10; times++) {
			double at = decade + log10(times);
			bool round = times == 1 || times == 2 || times == 5;

			if (at >= p->low && at <= p->high && (times == 1 || decades < 3))
				draw_tick(p, decade, times, times == 1 || decades < 1 || round);
		}
	fprintf(p->out, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%g\" y2=\"%g\"/>\n", MARGIN,
		WIDTH - MARGIN, p->top + PLOT, p->top + PLOT);
}

/* Draw a histogram; it goes down to the axis where a bucket is empty. */
static void draw_histogram(const struct plot *p, const struct lat_row *row, enum diff_side side)
{
	const struct lat_bucket *b = row->bucket;
	size_t i;

	fprintf(p->out, "<path class=\"%c\" d=\"", 'a' + side);
	for (i = 0; i < row->nr_buckets; i++, b++) {
		bool follows = i && b[-1].high == b->low;
		bool ends = i + 1 == row->nr_buckets || b[1].low != b->high;
		double y = y_of(p, density(row, i));

		if (!follows)
			fprintf(p->out, "M%.1f %.1f", x_of(p, log_of(b->low)), p->top + PLOT);
		fprintf(p->out, "V%.1fH%.1f", y, x_of(p, log_of(b->high)));
		if (ends)
			fprintf(p->out, "V%.1f", p->top + PLOT);
	}
	fprintf(p->out, "\"><title>%c: %" PRIu64 " call%s</title></path>\n", 'A' + side, row->calls,
		plural(row->calls));
}

static void draw_average(const struct plot *p, const struct lat_row *row, enum diff_side side)
{
	double x = x_of(p, log10(fmax(lat_avg(row), 0.5)));

	draw_upright(p, side == DIFF_A ? "a" : "b", x, p->top - 4);
}

static void describe(const struct diff_output *o, const struct diff_row *row, struct buf *text)
{
	const char *unit = lat_unit_names[o->unit];
	int side;

	for (side = 0; side < DIFF_NR_SIDES; side++) {
		const struct lat_row *r = row->side[side];

		if (!r)
			continue;
		buf_printf(text, "%s%c: %" PRIu64 " call%s", text->len ? "; " : "", 'A' + side,
			   r->calls, plural(r->calls));
		add_time(text, o, ", avg ", lat_avg(r));
		add_time(text, o, ", p50 ", r->p50);
		add_time(text, o, ", p99 ", r->p99);
		buf_printf(text, " %s", unit);
	}
	if (row->side[DIFF_A] && row->side[DIFF_B])
		add_difference(text, o, "; B - A: ", row->difference);
	if (row->confidence.known) {
		add_difference(text, o, " [", row->confidence.low);
		add_difference(text, o, ", ", row->confidence.high);
		buf_add(text, "]", 1);
	}
	buf_printf(text, ": %s", diff_verdict_names[row->verdict]);
}

static void draw_panel(const struct diff_output *o, const struct diff_row *row, double top)
{
	struct plot p = { .out = o->out, .top = top + 2 * LINE + 6 };
	struct buf text = { 0 };
	int side;

	buf_printf(&text, "%s  %s", diff_name(row)->target, diff_name(row)->context);
	write_text(o->out, top + LINE - 4, "row", text.data);
	text.len = 0;
	describe(o, row, &text);
	write_text(o->out, top + 2 * LINE - 4, "small", text.data);
	buf_free(&text);
	find_ends(&p, row);
	if (p.most <= 0)	/* without buckets there is nothing to draw */
		return;
	draw_axis(&p);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		if (row->side[side])
			draw_histogram(&p, row->side[side], side);
	for (side = 0; side < DIFF_NR_SIDES; side++)
		if (row->side[side])
			draw_average(&p, row->side[side], side);
}

/* --- the whole --- */

static size_t changes_shown(const struct diff *d)
{
	return d->nr_changes < CHANGES ? d->nr_changes : CHANGES;
}

static double draw_head(const struct diff_output *o, const struct diff *d)
{
	double y = MARGIN + 6;
	size_t i;
	int side;

	write_text(o->out, y, "title", "Latency of calls, A and B");
	for (side = 0; side < DIFF_NR_SIDES; side++) {
		char *kernel = data_meta(d->data[side], "kernel");
		struct buf text = { 0 };

		y += LINE + 3;
		buf_printf(&text, "%c: %s  %s", 'A' + side, d->path[side], kernel);
		fprintf(o->out, "<rect class=\"%c\" x=\"%d\" y=\"%g\" width=\"12\" height=\"12\"/>\n",
			'a' + side, MARGIN, y - 10);
		fprintf(o->out, "<g transform=\"translate(18 0)\">");
		write_text(o->out, y, "", text.data);
		fputs("</g>\n", o->out);
		buf_free(&text);
		free(kernel);
	}
	for (i = 0; i < changes_shown(d); i++) {
		const struct diff_change *c = &d->change[i];
		struct buf text = { 0 };

		y += LINE;
		buf_printf(&text, "%s %s: %s / %s", c->kind, c->name,
			   c->value[DIFF_A] ? c->value[DIFF_A] : "-",
			   c->value[DIFF_B] ? c->value[DIFF_B] : "-");
		if (i == CHANGES - 1 && d->nr_changes > CHANGES) {
			text.len = 0;
			buf_printf(&text, "and %zu more differences", d->nr_changes - i);
		}
		write_text(o->out, y, "small", text.data);
		buf_free(&text);
	}
	return y + LINE;
}

static double head_height(const struct diff *d)
{
	return MARGIN + 6 + DIFF_NR_SIDES * (LINE + 3) + changes_shown(d) * LINE + LINE;
}

void diff_print_svg(const struct diff_output *o, const struct diff *d)
{
	size_t i, nr = diff_rows_shown(o, d);
	double y, height = head_height(d) + (double)nr * PANEL + MARGIN;

	fprintf(o->out, "<?xml version=\"1.0\" standalone=\"no\"?>\n"
		"<svg version=\"1.1\" width=\"%d\" height=\"%g\" viewBox=\"0 0 %d %g\" "
		"xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"aria-label=\"Latency of calls, A and B\">\n"
		"<!-- Comparison by kprof %s. -->\n", WIDTH, height, WIDTH, height, KPROF_VERSION);
	fputs(style, o->out);
	y = draw_head(o, d);
	for (i = 0; i < nr; i++, y += PANEL)
		draw_panel(o, &d->row[i], y);
	fputs("</svg>\n", o->out);
}
