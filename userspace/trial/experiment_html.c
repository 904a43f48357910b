// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_html.c - the report of an experiment as one page, which needs no other file
 *
 * Of each row there is a bar: the interval of the difference, as a part of what A has. Of stacks
 * there is a differential flame graph, the sum of the runs of both sides.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trial/experiment.h"
#include "flame/flame.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"

#define BAR	240	/* width of a bar */
#define CUT	1.0	/* what differs by more, as a part of A, is at the end of the bar */

static const char head[] =
	"<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<style>\n"
	"body { font: 14px sans-serif; margin: 2em; color: #222; background: #fff }\n"
	"table { border-collapse: collapse; margin: 1em 0 }\n"
	"th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd }\n"
	"th.t, td.t { text-align: left }\n"
	"tr.yes { background: #fff3d6 }\n"
	"object { width: 100%; height: 600px; border: 0 }\n"
	"</style>\n";

/* --- cells --- */

static void text_cell(FILE *out, const char *text)
{
	fputs("<td class=\"t\">", out);
	flame_text_write(text, false, out);
	fputs("</td>", out);
}

static void number_cell(FILE *out, bool known, const char *fmt, double value)
{
	char text[64];

	snprintf(text, sizeof(text), fmt, value);
	fprintf(out, "<td>%s</td>", known ? text : "-");
}

static void header(FILE *out, const char *const *names, int texts)
{
	int i;

	fputs("<table>\n<tr>", out);
	for (i = 0; names[i]; i++)
		fprintf(out, "<th%s>%s</th>", i < texts ? " class=\"t\"" : "", names[i]);
	fputs("</tr>\n", out);
}

/* --- the bar of an interval --- */

static double place_of(double part)
{
	double cut = part > CUT ? CUT : part < -CUT ? -CUT : part;

	return BAR / 2.0 * (1 + cut / CUT);
}

static void bar_cell(FILE *out, const struct diff_values *v, bool differs)
{
	double mean = v->side[DIFF_A].mean, low, high;

	if (!v->confidence.known || !(mean > 0)) {
		fputs("<td></td>", out);
		return;
	}
	low = place_of(v->confidence.low / mean);
	high = place_of(v->confidence.high / mean);
	fprintf(out, "<td><svg width=\"%d\" height=\"14\" role=\"img\" aria-label=\"%+.1f %% to "
		"%+.1f %%\"><line x1=\"%d\" x2=\"%d\" y1=\"0\" y2=\"14\" stroke=\"#999\"/>"
		"<rect x=\"%.1f\" width=\"%.1f\" y=\"4\" height=\"6\" fill=\"%s\"/>"
		"<circle cx=\"%.1f\" cy=\"7\" r=\"3\"/></svg></td>", BAR,
		100 * v->confidence.low / mean, 100 * v->confidence.high / mean, BAR / 2, BAR / 2,
		low, high - low > 1 ? high - low : 1,
		!differs ? "#aaa" : v->difference > 0 ? "#d33" : "#36c",
		place_of(v->difference / mean));
}

/* --- the tables --- */

static void write_values(FILE *out, const struct diff_values *v)
{
	double mean = v->side[DIFF_A].mean;
	bool known = diff_runs_known(v);

	number_cell(out, v->side[DIFF_A].nr, "%.1f", mean);
	number_cell(out, v->side[DIFF_B].nr, "%.1f", v->side[DIFF_B].mean);
	number_cell(out, known && mean > 0, "%+.1f %%", mean > 0 ? 100 * v->difference / mean : 0);
	number_cell(out, v->tested, "%.4f", v->adjusted);
	bar_cell(out, v, v->found);
}

static void write_rows(const struct diff_runs *r, FILE *out)
{
	static const char *const latencies[] = {
		"target", "context", "calls", "each is", "calls A", "calls B", "B - A", "q",
		"interval", "avg A, ns", "avg B, ns", "B - A", "q", "interval", NULL
	};
	static const char *const functions[] = {
		"function", "self is", "self A", "self B", "B - A", "q", "interval", NULL
	};
	bool times = r->kind == DIFF_LATENCIES;
	size_t i;

	header(out, times ? latencies : functions, times ? 4 : 2);
	for (i = 0; i < r->nr_rows; i++) {
		const struct diff_runs_row *row = &r->row[i];

		fprintf(out, "<tr class=\"%s\">", row->differs ? "yes" : "no");
		text_cell(out, row->target);
		if (times) {
			text_cell(out, row->context);
			text_cell(out, diff_calls_names[row->calls]);
		}
		text_cell(out, diff_runs_verdict_name(r, row));
		if (times)
			write_values(out, &row->of[DIFF_CALLS]);
		write_values(out, &row->of[times ? DIFF_AVG : DIFF_SELF]);
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

static void write_runs(const struct experiment *e, const struct diff_runs *r, FILE *out)
{
	static const char *const names[] = {
		"side", "args", "machine", "order", "run", "seconds", "lost", NULL
	};
	static const char *const of_one[] = {
		"side", "args", "order", "run", "seconds", "lost", NULL
	};
	size_t i;

	header(out, e->nr_machines ? names : of_one, e->nr_machines ? 3 : 2);
	for (i = 0; i < e->nr_runs; i++) {
		const struct experiment_run *run = &e->run[i];

		fputs("<tr>", out);
		text_cell(out, e->side[run->side].name);
		text_cell(out, e->side[run->side].args);
		if (run->machine)
			text_cell(out, run->machine);
		fprintf(out, "<td>%zu</td><td>%zu</td>", i + 1, run->nr + 1);
		number_cell(out, run->seconds >= 0, "%.1f", run->seconds);
		fprintf(out, "<td>%s</td></tr>\n", r->lost[run->side][run->nr] ? "yes" : "no");
	}
	fputs("</table>\n", out);
}

static void write_changes(const struct diff *d, FILE *out)
{
	static const char *const names[] = { "differs", "name", "A", "B", NULL };
	size_t i;

	header(out, names, 4);
	for (i = 0; i < d->nr_changes; i++) {
		fputs("<tr>", out);
		text_cell(out, d->change[i].kind);
		text_cell(out, d->change[i].name);
		text_cell(out, d->change[i].value[DIFF_A] ? d->change[i].value[DIFF_A] : "-");
		text_cell(out, d->change[i].value[DIFF_B] ? d->change[i].value[DIFF_B] : "-");
		fputs("</tr>\n", out);
	}
	fputs("</table>\n", out);
}

/* --- the flame graph --- */

/* Add the stacks of one run. */
static int add_run(const struct experiment_run *run, struct folded *all)
{
	struct folded f;
	int ret = experiment_stacks(run, &f);

	if (!ret)
		folded_add_side(all, &f, run->side == DIFF_A);
	folded_free(&f);
	return ret;
}

static void write_base64(const char *data, size_t len, FILE *out)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t i;
	int at, byte;

	for (i = 0; i < len; i += 3) {
		uint32_t word = 0;

		for (byte = 0; byte < 3; byte++)
			word = word << 8 |
			       (i + byte < len ? (unsigned char)data[i + byte] : 0);
		for (at = 0; at < 4; at++)
			fputc((size_t)at > len - i ? '=' : digits[word >> (18 - 6 * at) & 63], out);
	}
}

/* As an object, so that its script works and its style is its own. */
static int write_flame(const struct experiment *e, const struct diff_runs *r, FILE *out)
{
	const struct flame_options o = {
		.title = "B against A, all runs", .width = 1200, .height = 16, .minwidth = 0.1,
		.fonttype = "Verdana", .fontsize = 12, .fontwidth = 0.59, .factor = 1,
		.countname = *r->unit ? r->unit : "counts", .nametype = "Function:", .notes = "",
	};
	struct folded all;
	char *svg = NULL;
	size_t len, i;
	int ret = EXIT_OK;
	FILE *to = open_memstream(&svg, &len);

	if (!to)
		return msg_error("no memory for the flame graph");
	folded_init(&all, FOLDED_MERGE);
	all.differential = true;
	for (i = 0; i < e->nr_runs && ret == EXIT_OK; i++)
		ret = add_run(&e->run[i], &all);
	if (ret == EXIT_OK)
		ret = all.total > 0 ? flame_write(&all, &o, to) :
				      msg_error("no run has a stack: there is no flame graph");
	/* What is written to memory fails only for want of it. */
	if (fclose(to))
		mem_exhausted(len, 1);
	if (ret == EXIT_OK) {
		fputs("<h2>Flame graph</h2>\n<object type=\"image/svg+xml\" data=\""
		      "data:image/svg+xml;base64,", out);
		write_base64(svg, len, out);
		fputs("\"></object>\n", out);
	}
	folded_free(&all);
	free(svg);
	return ret;
}

/* As text: it is a tree, and tables of blocks below it. */
static int write_refined(const struct experiment_refined *x, FILE *out)
{
	char *text = NULL, *line, *rest;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return msg_error("no memory for the verdict");
	experiment_refined_print(x, to);
	if (fclose(to))
		mem_exhausted(len, 1);
	if (len) {
		fputs("<h2>Where</h2>\n<pre>", out);
		for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
			flame_text_write(line, true, out);
			fputs("\n", out);
		}
		fputs("</pre>\n", out);
	}
	free(text);
	return EXIT_OK;
}

int experiment_html(const struct experiment *e, const struct diff_runs *r,
		    const struct experiment_refined *x, FILE *out)
{
	int ret = EXIT_OK;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n", out);
	fputs(head, out);
	fputs("<title>", out);
	flame_text_write(e->title, false, out);
	fputs("</title>\n</head>\n<body>\n<h1>", out);
	flame_text_write(e->title, false, out);
	fprintf(out, "</h1>\n<p>%zu of %zu row%s tested (%zu test%s), <b>%zu differ</b>; false "
		"discovery rate %g %%, threshold %g %%; %ld runs a side, seed %" PRIu64 ".</p>\n"
		"<p>Bars: 95 %% intervals of B - A by how the runs of a side differ, from -%g %% to "
		"+%g %% of A.</p>\n", r->nr_tested, r->nr_rows, plural(r->nr_rows), r->nr_tests,
		plural(r->nr_tests), r->nr_differ, r->rate, r->threshold, e->runs, e->seed,
		100 * CUT, 100 * CUT);
	if (r->machines > 1)
		fprintf(out, "<p>B - A is that within machines: each of the %zu has a mean of its own, "
			"of both sides, which is taken off its runs, and costs a degree of freedom "
			"(least squares, Student's t).</p>\n", r->machines);
	write_rows(r, out);
	if (r->kind == DIFF_FUNCTIONS) {
		ret = write_flame(e, r, out);
	} else {
		fputs("<h2>Boots</h2>\n", out);
		write_changes(&r->head, out);
	}
	if (ret == EXIT_OK)
		ret = write_refined(x, out);
	fputs("<h2>Runs</h2>\n", out);
	write_runs(e, r, out);
	fputs("</body>\n</html>\n", out);
	return ret;
}
