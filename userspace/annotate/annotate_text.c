// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_text.c - the instructions of a function and what was recorded there, as text
 */
#include <inttypes.h>
#include <string.h>

#include "annotate/annotate.h"
#include "data/about.h"
#include "lib/escape.h"
#include "lib/plural.h"
#include "report/report_print.h"

#define HOT	5.0	/* percent of the function from which on a line is marked */

static void print_text(FILE *out, const char *text)
{
	struct buf escaped = { 0 };

	escape_add(&escaped, text, strlen(text));
	fwrite(escaped.data, 1, escaped.len, out);
	buf_free(&escaped);
}

static void print_name(FILE *out, const struct symbol *sym)
{
	print_text(out, sym->name);
	if (sym->module) {
		fputs(" [", out);
		print_text(out, sym->module);
		fputs("]", out);
	}
}

static void print_why(FILE *out, const char *what, const char *why)
{
	fprintf(out, "# %s: ", what);
	print_text(out, why);
	fputs("\n", out);
}

static void print_heading(const struct annotate_output *o, const struct annotate *a)
{
	struct buf about = { 0 };

	fputs("# ", o->out);
	print_name(o->out, a->symbol);
	fprintf(o->out, ": %.2f %% of %s, %" PRIu64 " of %" PRIu64 " sample%s\n",
		report_percent(a->in.self, a->all.self),
		!strcmp(a->unit.name, "ns") ? "the time" : a->unit.name, a->in.samples,
		a->all.samples, plural(a->all.samples));
	about_recording(a->data, NULL, &about);
	if (about.len) {
		fputs("# ", o->out);
		print_text(o->out, about.data);
		fputs("\n", o->out);
	}
	fprintf(o->out, "# samples: %" PRIu64 " recorded, %" PRIu64 " lost; %" PRIu64
		" without %s\n", a->all.samples, a->lost, a->no_address,
		a->is_user ? "a user stack" : "an address in the kernel");
	print_why(o->out, *a->why ? "no instructions" : "code", *a->why ? a->why : a->origin);
	if (*a->why_no_lines)
		print_why(o->out, "no source lines", a->why_no_lines);
	if (o->calls)
		fprintf(o->out, "# calls of watched functions, here or from here: %" PRIu64 "\n",
			a->in.calls);
	if (a->has_counts)
		fprintf(o->out, "# counts of blocks: %" PRIu64 " call%s of the function\n",
			a->counted_calls, plural(a->counted_calls));
	buf_free(&about);
}

/* --- rows --- */

static void print_columns(const struct annotate_output *o, const struct annotate *a)
{
	fprintf(o->out, "#  %% self  samples%s%s%s  offset   instruction\n",
		o->under ? "  % under" : "", o->calls ? "     calls" : "",
		a->has_counts ? "         ran" : "");
}

/* A column, empty rather than zero. */
static void print_percent(FILE *out, int width, uint64_t part, uint64_t all)
{
	if (part)
		fprintf(out, "%*.2f", width, report_percent(part, all));
	else
		fprintf(out, "%*s", width, "");
}

static void print_number(FILE *out, int width, uint64_t number)
{
	if (number)
		fprintf(out, "%*" PRIu64, width, number);
	else
		fprintf(out, "%*s", width, "");
}

static void paint(const struct annotate_output *o, const char *sequence)
{
	if (o->color)
		escape_paint(sequence, o->out);
}

static void print_insn(const struct annotate_output *o, const struct annotate *a,
		       const struct annotate_insn *insn)
{
	const struct annotate_counts *c = &insn->counts;
	double self = report_percent(c->self, a->in.self);

	paint(o, report_color(self));
	fprintf(o->out, "%c ", self >= HOT ? '>' : ' ');
	print_percent(o->out, 7, c->self, a->in.self);
	print_number(o->out, 9, c->samples);
	if (o->under)
		print_percent(o->out, 9, c->under, a->in.under);
	if (o->calls)
		print_number(o->out, 10, c->calls);
	if (a->has_counts && insn->ran != ANNOTATE_NOT_COUNTED)
		fprintf(o->out, "%12" PRIu64, insn->ran);
	else if (a->has_counts)
		fprintf(o->out, "%12s", "?");
	fprintf(o->out, "  +0x%-6" PRIx64 "%s", insn->addr - a->symbol->start,
		insn->text ? " " : "");
	/* It may have the name of a function of another user. */
	if (insn->text)
		print_text(o->out, insn->text);
	paint(o, "\033[0m");
	fputs("\n", o->out);
}

/* --- source --- */

/* Is it the same inlined function and the same line? */
static bool is_same(const struct frame *a, const struct frame *b)
{
	return a->line == b->line && a->is_inlined == b->is_inlined && !strcmp(a->name, b->name) &&
	       (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* A line of source above its instructions: "; FUNCTION (FILE:LINE): TEXT". */
static void print_source(struct annotate_output *o, const struct annotate *a,
			 const struct frame *frame)
{
	int width = 20 + (o->under ? 9 : 0) + (o->calls ? 10 : 0) + (a->has_counts ? 12 : 0);
	struct buf name = { 0 };
	const char *text;

	frame_print(frame, &name);
	text = annotate_source_line(&o->source, frame->file, frame->line);
	fprintf(o->out, "%*s; ", width, "");
	print_text(o->out, name.data);
	if (frame->file && frame->line) {
		fputs(" (", o->out);
		print_text(o->out, frame->file);
		fprintf(o->out, ":%" PRIu32 ")", frame->line);
	}
	if (text && *text) {
		fputs(": ", o->out);
		print_text(o->out, text);
	}
	fputs("\n", o->out);
	buf_free(&name);
}

/* --- the table --- */

static bool has_counts(const struct annotate_output *o, const struct annotate_insn *insn)
{
	return insn->counts.self || insn->counts.samples || (o->under && insn->counts.under) ||
	       (o->calls && insn->counts.calls);
}

/* Is an instruction close to one where something was recorded? */
static bool is_shown(const struct annotate_output *o, const struct annotate *a, size_t at)
{
	size_t from, i;

	if (o->around < 0)
		return true;
	from = at > (size_t)o->around ? at - o->around : 0;
	for (i = from; i < a->nr && i <= at + o->around; i++)
		if (has_counts(o, &a->insn[i]))
			return true;
	return false;
}

void annotate_print_text(struct annotate_output *o, struct annotate *a)
{
	struct frame last = { .name = "" };
	bool is_gap = false;
	size_t i, nr;

	print_heading(o, a);
	print_columns(o, a);
	for (i = 0; i < a->nr; i++) {
		const struct frame *frame;

		if (!is_shown(o, a, i)) {
			is_gap = true;
			continue;
		}
		if (is_gap)
			fprintf(o->out, "  ...\n");
		frame = annotate_frames(a, a->insn[i].addr, &nr);
		/* Names stay, but not the frames: see frames_at(). */
		if ((is_gap || !is_same(frame, &last)) && (frame->is_inlined || frame->line))
			print_source(o, a, frame);
		last = *frame;
		is_gap = false;
		print_insn(o, a, &a->insn[i]);
	}
}
