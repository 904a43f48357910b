// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_print.c - an interval as lines of text, and as the screen of a terminal
 */
#include <inttypes.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/plural.h"
#include "top/top.h"

#define EARLIER_LEAST	0.001	/* seconds */

static double percent(folded_count part, folded_count of)
{
	return of > 0 ? (double)(100 * part / of) : 0;
}

static void add_view(struct buf *out, const struct top_view *view, const char *pid)
{
	size_t i;

	for (i = 0; i < view->depth; i++)
		buf_printf(out, "%s%s", i ? " < " : "callers of ", view->path[i]);
	if (view->depth)
		buf_printf(out, "; ");
	if (view->inside)
		buf_printf(out, "cgroup %s; ", view->inside);
	if (*view->cgroup)
		buf_printf(out, "cgroups '%s'; ", view->cgroup);
	if (*view->comm)
		buf_printf(out, "tasks '%s'; ", view->comm);
	if (*pid)
		buf_printf(out, "processes %s; ", pid);
	if (*view->text)
		buf_printf(out, "names with '%s'; ", view->text);
	buf_printf(out, "by %s\n", top_sort_names[view->sort]);
}

/*
 * A tick that could not be taken in time stands for time before the interval, too: then there is
 * more than the CPUs had in it.
 */
static void add_earlier(struct buf *out, const struct top_interval *t)
{
	double earlier = (double)t->stacks.total / 1e9 - t->seconds * t->cpus;

	if (t->cpus > 0 && earlier >= EARLIER_LEAST)
		buf_printf(out, "of these %.3f s, %.3f s or more are from before the interval, in ticks that came late\n",
			   (double)t->stacks.total / 1e9, earlier);
}

void top_heading(struct buf *out, const struct top_interval *t, const struct top_view *view,
		 const char *pid)
{
	buf_printf(out, "%" PRIu64 " sample%s in %.2f s; %.1f %% of the CPUs' time was idle; ",
		   t->recorded, plural(t->recorded), t->seconds, percent(t->idle, t->fired));
	buf_printf(out, "kprof takes %.2f %% of a CPU, left out\n", 100 * t->own_cpu);
	if (t->lost)
		buf_printf(out, "LOST %" PRIu64 " sample%s: %s; ", t->lost, plural(t->lost),
			   t->causes.data);
	else
		buf_printf(out, "lost none; ");
	add_view(out, view, pid);
	add_earlier(out, t);
}

void top_columns(struct buf *out, const struct top_view *view)
{
	buf_printf(out, "%8s %8s %10s  %s", "self%", "total%", "self_ms",
		   view->by_cgroup ? "cgroup" : view->depth ? "caller" : "function");
}

void top_line(struct buf *out, const struct top_row *row, const struct top_rows *rows)
{
	buf_printf(out, "%8.2f %8.2f %10.1f  %s", percent(row->self, rows->sum),
		   percent(row->total, rows->sum), (double)(row->self / 1000000), row->name);
}

/* --- the screen --- */

#define CLEAR_LINE	"\033[K\n"
#define REVERSE		"\033[7m"
#define PLAIN		"\033[0m"

static const char help[] =
	"  up, down, page up, page down   select a row\n"
	"  Enter, right                   the callers of the selected function,\n"
	"                                 or the functions of the selected cgroup\n"
	"  Backspace, left                back\n"
	"  s  t  n                        sort by self time, total time, name\n"
	"  g                              cgroups, or functions again\n"
	"  /                              only rows whose names contain a text\n"
	"  c                              only tasks whose names match a pattern\n"
	"  G                              only tasks whose cgroups match a pattern\n"
	"  p                              only these processes: 12,34\n"
	"  space                          pause, go on\n"
	"  h  q                           this help, quit\n\n"
	"An empty answer to / c G p ends the filter; Esc leaves it as it was.\n";

/* Add lines of text, escaped, each with what clears the rest of the screen's line. */
static size_t add_lines(struct buf *out, const char *text)
{
	const char *line;
	size_t len, nr = 0;

	while (buf_next_line(&text, &line, &len)) {
		escape_add(out, line, len);
		buf_add(out, CLEAR_LINE, strlen(CLEAR_LINE));
		nr++;
	}
	return nr;
}

/* Keep the selected row on the screen. */
static void scroll(struct top_state *s, const struct top_rows *rows)
{
	if (s->selected >= rows->nr)
		s->selected = rows->nr ? rows->nr - 1 : 0;
	if (s->first > s->selected)
		s->first = s->selected;
	if (s->page && s->first + s->page <= s->selected)
		s->first = s->selected - s->page + 1;
}

static void add_rows(struct buf *out, struct top_state *s, const struct top_rows *rows)
{
	struct buf line = { 0 };
	size_t i;

	for (i = s->first; i < rows->nr && i < s->first + s->page; i++) {
		line.len = 0;
		top_line(&line, &rows->row[i], rows);
		if (i == s->selected)
			buf_printf(out, REVERSE);
		escape_add(out, line.data, line.len);
		buf_printf(out, "%s" CLEAR_LINE, i == s->selected ? PLAIN : "");
	}
	buf_free(&line);
}

/* The last line: a question, a message, or which keys there are. */
static void add_bottom(struct buf *out, const struct top_state *s)
{
	static const char *const questions[] = {
		[TOP_ASK_COMM] = "tasks (pattern): ", [TOP_ASK_PID] = "processes: ",
		[TOP_ASK_TEXT] = "names with: ", [TOP_ASK_CGROUP] = "cgroups (pattern): ",
	};
	struct buf text = { 0 };

	if (s->prompt)
		buf_printf(&text, "%s%s_", questions[s->prompt], s->typed);
	else if (*s->message)
		buf_printf(&text, "%s", s->message);
	else
		buf_printf(&text, "%s  Enter: callers  Backspace: back  s t n: sort  g: cgroups  / c G p: filter  space: %s  h: help  q: quit",
			   s->paused ? "PAUSED" : "kprof top", s->paused ? "go on" : "pause");
	escape_add(out, text.data, text.len);
	buf_printf(out, "\033[J");
	buf_free(&text);
}

void top_screen(struct buf *out, struct top_state *s, const struct top_interval *t,
		const struct top_rows *rows, size_t lines)
{
	struct buf heading = { 0 };
	size_t used;

	top_heading(&heading, t, &s->view, s->pid);
	buf_printf(&heading, "\n");
	top_columns(&heading, &s->view);
	buf_printf(&heading, "\n");
	buf_printf(out, "\033[H");
	used = add_lines(out, heading.data) + 1;
	s->page = lines > used ? lines - used : 0;
	if (s->help)
		add_lines(out, help);
	scroll(s, rows);
	if (!s->help)
		add_rows(out, s, rows);
	add_bottom(out, s);
	buf_free(&heading);
}
