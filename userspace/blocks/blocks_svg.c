// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_svg.c - how often each block of a function ran, as a picture: SVG
 *
 * Boxes are blocks: the wider, the more instructions they executed; the redder, the more often they
 * ran. Numbers beside edges say how often these were taken.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks/blocks.h"
#include "blocks/layout.h"
#include "flame/flame.h"
#include "lib/mem.h"
#include "lib/plural.h"

#define WIDTH_LEAST	190.0	/* of a box: its texts have room */
#define WIDTH_MORE	300.0	/* by which the box with the most instructions is wider */
#define WIDTH_ENDS	80.0
#define CHAR		6.0	/* width of a character */
#define MARGIN		16.0
#define HEAD		52.0	/* height of the heading of a graph */
#define MAX_GRAPHS	16	/* contexts that are drawn */

static const char style[] =
	"<style type=\"text/css\">\n"
	"svg { background: #fff; }\n"
	"text { font-family: monospace; font-size: 10px; fill: #000; }\n"
	".title { font-size: 15px; }\n"
	".box { stroke: #444; stroke-width: 1; }\n"
	".end { fill: #eee; }\n"
	".unknown { fill: #ddd; stroke-dasharray: 3 2; }\n"
	".inner { stroke-width: 2; }\n"
	".edge { fill: none; stroke: #555; stroke-width: 1.2; }\n"
	".back { stroke: #2050c0; }\n"
	".idle { stroke: #bbb; stroke-dasharray: 4 3; }\n"
	".middle { text-anchor: middle; }\n"
	"</style>\n"
	"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" "
	"markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#555\"/>"
	"</marker></defs>\n";

/* A graph that is being drawn. */
struct drawing {
	FILE *out;
	const struct blocks_output *o;
	const struct blocks *b;
	const struct blocks_run *run;
	struct layout layout;
	bool *shown;		/* by block */
	double *width;
	double top;		/* of the graph in the picture */
	uint64_t most;		/* the largest count */
	uint32_t hidden;
};

/* --- text --- */

/* @room: in pixels; a text that is longer is cut. */
static void write_line(const struct drawing *d, const char *class, double x, double y, double room,
		       const char *text)
{
	struct flame_label label = { 0 };
	size_t fits = room / CHAR;

	flame_label_set(&label, text);
	fprintf(d->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	if (label.nr <= fits) {
		flame_label_write(&label, 0, label.nr, false, d->out);
	} else {
		flame_label_write(&label, 0, fits > 2 ? fits - 2 : 0, false, d->out);
		fputs("..", d->out);
	}
	fputs("</text>\n", d->out);
	free(label.c);
}

static void add_count(struct buf *out, uint64_t count)
{
	if (count == COUNT_UNKNOWN)
		buf_printf(out, "?");
	else
		buf_printf(out, "%" PRIu64, count);
}

/* --- boxes --- */

static double insns_of(const struct drawing *d, uint32_t block)
{
	uint64_t count = d->run->flow.node[block];

	return count == COUNT_UNKNOWN ? 0 : (double)count * d->b->graph.block[block].nr;
}

static void choose_shown(struct drawing *d)
{
	const struct graph *g = &d->b->graph;
	double most = 1;
	uint32_t i;

	for (i = 0; i < g->nr; i++) {
		uint64_t count = d->run->flow.node[i];

		d->shown[i] = d->o->with_idle || count;
		d->hidden += !d->shown[i];
		if (count != COUNT_UNKNOWN && count > d->most)
			d->most = count;
		if (insns_of(d, i) > most)
			most = insns_of(d, i);
	}
	for (i = 0; i < g->nr; i++)
		d->width[i] = WIDTH_LEAST + WIDTH_MORE * insns_of(d, i) / most;
}

/* The whole of what is known of a block, shown while the mouse is over it. */
static void write_tip(const struct drawing *d, uint32_t block, const char *name)
{
	const struct graph_block *g = &d->b->graph.block[block];
	struct buf text = { 0 };
	uint32_t i;

	fputs("<title>", d->out);
	flame_text_write(name, false, d->out);
	for (i = g->first; i < g->first + g->nr; i++) {
		text.len = 0;
		buf_printf(&text, "%" PRIx64 ": ", d->b->function.insn[i].addr);
		code_function_print(&d->b->function, &d->b->names.symbols, i, &text);
		putc('\n', d->out);
		flame_text_write(text.data, false, d->out);
	}
	fputs("</title>\n", d->out);
	buf_free(&text);
}

/* By the logarithm of the count, from white to red. */
static void write_rect(const struct drawing *d, const struct layout_node *n, uint64_t count)
{
	double share = count == COUNT_UNKNOWN ? 0 : log1p(count) / log1p(d->most ? d->most : 1);
	struct flame_color c = flame_delta_color(1000 * share, 1400, false);

	fprintf(d->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\" ",
		n->x - n->width / 2, d->top + layout_top(n->layer), n->width, LAYOUT_HEIGHT);
	if (count == COUNT_UNKNOWN)
		fputs("class=\"box unknown\"/>\n", d->out);
	else
		fprintf(d->out, "class=\"box%s\" fill=\"rgb(%d,%d,%d)\"/>\n",
			d->b->graph.block[n->block].is_head ? " inner" : "", c.r, c.g, c.b);
}

static void write_block(const struct drawing *d, const struct layout_node *n)
{
	const struct graph_block *g = &d->b->graph.block[n->block];
	const struct code_insn *insn = &d->b->function.insn[g->first];
	double left = n->x - n->width / 2 + 5, y = d->top + layout_top(n->layer);
	uint64_t count = d->run->flow.node[n->block], entries;
	struct buf name = { 0 }, line = { 0 };
	size_t nr;

	frame_print(frames_at(&d->b->names, insn->addr, &nr), &name);
	fputs("<g>\n", d->out);
	write_tip(d, n->block, name.data);
	write_rect(d, n, count);
	blocks_place(d->b, n->block, &line);
	buf_printf(&line, ", %u instruction%s", g->nr, plural(g->nr));
	write_line(d, "place", left, y + 14, n->width - 10, line.data);
	write_line(d, "name", left, y + 28, n->width - 10, name.data);
	line.len = 0;
	buf_printf(&line, "ran ");
	add_count(&line, count);
	if (g->is_head) {
		entries = flow_entries(&d->run->flow, &d->b->graph, n->block);
		if (count != COUNT_UNKNOWN && entries != COUNT_UNKNOWN && entries)
			buf_printf(&line, ", %.1f turns", (double)count / entries);
	}
	write_line(d, "count", left, y + 44, n->width - 10, line.data);
	fputs("</g>\n", d->out);
	buf_free(&name);
	buf_free(&line);
}

static void write_end(const struct drawing *d, const struct layout_node *n)
{
	double y = d->top + layout_top(n->layer);

	fprintf(d->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"20\" "
		"class=\"box end\"/>\n", n->x - n->width / 2, y, n->width, LAYOUT_HEIGHT);
	write_line(d, "middle", n->x, y + LAYOUT_HEIGHT / 2 + 4, n->width,
		   n->kind == LAYOUT_ENTER ? "enter" : "leave");
}

/* --- edges --- */

static double bottom_of(const struct drawing *d, uint32_t node)
{
	return d->top + layout_top(d->layout.node[node].layer) + LAYOUT_HEIGHT;
}

static double top_of(const struct drawing *d, uint32_t node)
{
	return d->top + layout_top(d->layout.node[node].layer);
}

/* Down, through its bends. */
static void write_way_down(const struct drawing *d, const struct layout_edge *e)
{
	const uint32_t *path = &d->layout.path[e->first];
	double x = e->from_x, y = bottom_of(d, path[0]), to_x, to_y;
	uint32_t i;

	fprintf(d->out, "M%.1f,%.1f", x, y);
	for (i = 1; i < e->nr; i++) {
		to_x = i + 1 < e->nr ? d->layout.node[path[i]].x : e->to_x;
		to_y = top_of(d, path[i]);
		fprintf(d->out, " C%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y + LAYOUT_GAP / 2, to_x,
			to_y - LAYOUT_GAP / 2, to_x, to_y);
		x = to_x;
		y = bottom_of(d, path[i]);
		if (i + 1 < e->nr)
			fprintf(d->out, " L%.1f,%.1f", x, y);
	}
}

/* Round the right side, with a little distance between those of a layer. */
static void write_way_back(const struct drawing *d, const struct layout_edge *e)
{
	const uint32_t *path = &d->layout.path[e->first];
	double from = bottom_of(d, path[0]), to = top_of(d, path[e->nr - 1]);
	double step = 6 + 3 * fmod(e->lane / LAYOUT_LANE, 4);

	fprintf(d->out, "M%.1f,%.1f V%.1f H%.1f V%.1f H%.1f V%.1f", e->from_x, from, from + step,
		e->lane, to - step, e->to_x, to);
}

static void write_edge(const struct drawing *d, const struct layout_edge *e)
{
	uint64_t count = d->run->flow.edge[e->edge];
	struct buf text = { 0 };

	fprintf(d->out, "<path class=\"edge%s%s\" marker-end=\"url(#arrow)\" d=\"",
		e->is_back ? " back" : "", count ? "" : " idle");
	(e->is_back ? write_way_back : write_way_down)(d, e);
	fputs("\"/>\n", d->out);
	add_count(&text, count);
	write_line(d, "edge-count", e->from_x + 3, bottom_of(d, d->layout.path[e->first]) + 11,
		   WIDTH_LEAST, text.data);
	buf_free(&text);
}

/* --- a graph, the picture --- */

static void write_heading(const struct drawing *d)
{
	const struct symbol *symbol = d->b->symbol;
	struct buf line = { 0 };

	buf_printf(&line, "%s%s%s%s", symbol->name, symbol->module ? " [" : "",
		   symbol->module ? symbol->module : "", symbol->module ? "]" : "");
	if (*d->run->context)
		buf_printf(&line, ": %s", d->run->context);
	write_line(d, "title", MARGIN, d->top - HEAD + 24, 1e4, line.data);
	line.len = 0;
	buf_printf(&line, "calls ");
	add_count(&line, d->run->calls);
	buf_printf(&line, ", instructions %s%" PRIu64, d->run->is_partial ? "at least " : "",
		   d->run->insns);
	if (d->hidden)
		buf_printf(&line, "; %u block%s never ran", d->hidden, plural(d->hidden));
	if (d->o->lost)
		buf_printf(&line, "; lost: %s", d->o->lost);
	write_line(d, "about", MARGIN, d->top - HEAD + 40, 1e4, line.data);
	buf_free(&line);
}

static void write_graph(const struct drawing *d)
{
	const struct layout *l = &d->layout;
	uint32_t i;

	write_heading(d);
	for (i = 0; i < l->nr_edges; i++)
		write_edge(d, &l->edge[i]);
	for (i = 0; i < l->nr; i++) {
		if (l->node[i].kind == LAYOUT_BLOCK)
			write_block(d, &l->node[i]);
		else if (l->node[i].kind != LAYOUT_BEND)
			write_end(d, &l->node[i]);
	}
}

static void prepare(struct drawing *d, const struct blocks_output *o, const struct blocks *b,
		    const struct blocks_run *run)
{
	*d = (struct drawing){ .out = o->out, .o = o, .b = b, .run = run };
	d->shown = mem_zalloc(b->graph.nr + 1, sizeof(*d->shown));
	d->width = mem_zalloc(b->graph.nr + 1, sizeof(*d->width));
	choose_shown(d);
	layout_make(&d->layout, &b->graph, d->shown, d->width, WIDTH_ENDS);
}

void blocks_print_svg(const struct blocks_output *o, const struct blocks *b,
		      const struct blocks_runs *runs)
{
	size_t nr = runs->nr < MAX_GRAPHS ? runs->nr : MAX_GRAPHS, i;
	struct drawing *d = mem_zalloc(nr + 1, sizeof(*d));
	double width = 400, height = MARGIN;

	for (i = 0; i < nr; i++) {
		prepare(&d[i], o, b, &runs->run[i]);
		d[i].top = height + HEAD;
		height = d[i].top + d[i].layout.height;
		if (d[i].layout.width + MARGIN > width)
			width = d[i].layout.width + MARGIN;
	}
	fprintf(o->out, "<?xml version=\"1.0\" standalone=\"no\"?>\n"
		"<svg version=\"1.1\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
		"xmlns=\"http://www.w3.org/2000/svg\">\n<!-- Blocks by kprof %s. -->\n%s",
		width, height + 2 * MARGIN, width, height + 2 * MARGIN, KPROF_VERSION, style);
	for (i = 0; i < nr; i++) {
		write_graph(&d[i]);
		layout_free(&d[i].layout);
		free(d[i].shown);
		free(d[i].width);
	}
	if (runs->nr > nr)
		fprintf(o->out, "<text x=\"%.1f\" y=\"%.1f\">%zu more context%s not drawn</text>\n",
			MARGIN, height + MARGIN, runs->nr - nr, plural(runs->nr - nr));
	fputs("</svg>\n", o->out);
	free(d);
}
