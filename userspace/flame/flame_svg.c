// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_svg.c - write a flame graph as SVG
 *
 * Positions, titles and the rounding of numbers are the same as in
 * flamegraph.pl; colours too dark for text are lightened. Each frame also carries its start
 * and width in counts, so that zooming does not magnify rounding errors.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "flame/flame.h"
#include "flame/flame_js.h"
#include "lib/buf.h"
#include "lib/decimal.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/output.h"

#define DEFAULT_WIDTH	1200	/* until the script has seen the window */
#define XPAD		10	/* left and right of all frames */
#define FRAME_GAP	1	/* vertical gap between frames */
#define TEXT_INDENT	3	/* of a name in its frame */
#define MIN_CHARS	3	/* room for one and two dots */

struct graph {
	const struct folded *f;
	const struct flame_options *o;
	FILE *out;
	struct flame_layout layout;
	struct flame_palette_map palette;
	struct flame_attrs attrs;
	struct flame_label label;	/* of the current frame */
	uint8_t *state;			/* by node: of its task; NULL: another palette */
	bool *waker;			/* in a chain graph, by node: it is a waker */
	const char **color;		/* with a palette.map: by name */
	bool ascii;			/* non-ASCII characters are escaped */
	double height;
	long width;
	double top, bottom;		/* room above and below all frames */
};

/* --- everything around the frames --- */

static void write_text(struct graph *g, const char *text)
{
	flame_text_write(text, g->ascii, g->out);
}

static void write_head(struct graph *g, const char *title)
{
	const struct flame_options *o = g->o;

	fputs("<?xml version=\"1.0\"", g->out);
	if (o->encoding)
		fprintf(g->out, " encoding=\"%s\"", o->encoding);
	fprintf(g->out, " standalone=\"no\"?>\n"
		"<svg version=\"1.1\" width=\"%ld\" height=\"%.15g\" viewBox=\"0 0 %ld %.15g\" "
		"xmlns=\"http://www.w3.org/2000/svg\" aria-label=\"",
		g->width, g->height, g->width, g->height);
	write_text(g, title);
	fprintf(g->out, "\">\n<!-- Flame graph by kprof %s. -->\n", KPROF_VERSION);
	if (o->notes) {
		fputs("<!-- NOTES: ", g->out);
		write_text(g, o->notes);
		fputs(" -->\n", g->out);
	}
}

static void write_script(struct graph *g)
{
	fputs("<script type=\"text/ecmascript\"><![CDATA[\n", g->out);
	fputs(flame_js, g->out);
	fputs("]]></script>\n", g->out);
}

static void write_label(struct graph *g, const char *attrs, double x, double y, const char *text)
{
	fprintf(g->out, "<text %s x=\"%.2f\" y=\"%.15g\">", attrs, x, y);
	write_text(g, text);
	fputs("</text>\n", g->out);
}

static const char *default_title(const struct flame_options *o)
{
	if (o->flamechart)
		return "Flame Chart";
	return o->inverted ? "Icicle Graph" : "Flame Graph";
}

static void write_controls(struct graph *g, const char *title)
{
	const struct flame_options *o = g->o;
	double top = o->fontsize * 2, bottom = g->height - g->bottom / 2;
	double right = (double)(g->width - XPAD);

	fprintf(g->out, "<rect x=\"0\" y=\"0\" width=\"100%%\" height=\"%.1f\" "
		"fill=\"url(#background)\"/>\n", g->height);
	write_label(g, "id=\"title\"", (double)(g->width / 2), top, title);
	if (o->subtitle)
		write_label(g, "id=\"subtitle\"", (double)(g->width / 2), o->fontsize * 4,
			    o->subtitle);
	write_label(g, "id=\"details\" role=\"status\"", XPAD, bottom, " ");
	write_label(g, "id=\"unzoom\" role=\"button\" tabindex=\"0\" class=\"hide\"", XPAD, top,
		    "Reset Zoom");
	write_label(g, "id=\"search\" role=\"button\" tabindex=\"0\"", right - 100, top, "Search");
	write_label(g, "id=\"ignorecase\" role=\"button\" tabindex=\"0\" "
		    "aria-label=\"Ignore case\"", right - 16, top, "ic");
	write_label(g, "id=\"matched\" role=\"status\"", right, bottom, " ");
}

/* The colours of the states that are in the picture. */
static void write_legend(struct graph *g, double y)
{
	const struct flame_options *o = g->o;
	bool is_there[FLAME_STATES + 1] = { false };
	double x = XPAD;
	uint32_t i;
	size_t s;

	for (i = 0; i < g->layout.nr; i++)
		is_there[g->state[g->layout.frame[i].node]] = true;
	for (s = 0; s < FLAME_STATES; s++) {
		const struct flame_color c = flame_readable(flame_color_of(flame_state_palette(s)));

		if (!is_there[s])
			continue;
		fprintf(g->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
			"fill=\"rgb(%d,%d,%d)\"/>\n", x, y - o->fontsize + 2, o->fontsize,
			o->fontsize, c.r, c.g, c.b);
		write_label(g, "class=\"legend\"", x + o->fontsize * 1.4, y, flame_state_name(s));
		x += o->fontsize * (3 + o->fontwidth * strlen(flame_state_name(s)));
	}
}

/* --- frames --- */

/* A number of pixels, behind @before. */
static void write_place(struct graph *g, const char *before, double pixels, int places)
{
	fputs(before, g->out);
	decimal_fixed(g->out, pixels, places);
}

/* "1234567" as "1,234,567". */
static void write_commas(const char *digits, FILE *out)
{
	size_t left = strspn(digits, "0123456789");

	for (; *digits; digits++) {
		putc(*digits, out);
		if (left && --left && left % 3 == 0)
			putc(',', out);
	}
}

static void write_percent(struct graph *g, folded_count count, bool sign)
{
	const folded_count whole = g->o->whole > 0 ? g->o->whole : g->layout.total;
	const folded_count percent = 100 * count / (whole * g->o->factor);

	if (sign && percent > 0)
		putc('+', g->out);
	decimal_fixed(g->out, (double)percent, 2);
	putc('%', g->out);
}

static folded_count delta_of(const struct graph *g, uint32_t node)
{
	return g->f->self[node].after - g->f->self[node].before;
}

static size_t shown_chars(const struct graph *g)
{
	return g->label.nr - (g->label.annotation ? ANNOTATION_LEN : 0);
}

/* "name (1,234 samples, 12.34%)"; the percentage is computed from the count as shown. */
static void write_title(struct graph *g, const struct flame_frame *frame)
{
	const bool is_whole = !frame->node && g->o->whole > 0;
	const folded_count width = is_whole ? g->o->whole : frame->width;
	const folded_count shown = rintl(width * g->o->factor);
	folded_count delta = delta_of(g, frame->node);
	char count[64];

	if (shown < 1e18L)
		snprintf(count, sizeof(count), "%" PRIu64, (uint64_t)shown);
	else
		snprintf(count, sizeof(count), "%.0Lf", shown);
	if (frame->node)
		flame_label_write(&g->label, 0, shown_chars(g), g->ascii, g->out);
	else
		fputs("all", g->out);
	fputs(" (", g->out);
	write_commas(count, g->out);
	putc(' ', g->out);
	write_text(g, g->o->countname);
	fputs(", ", g->out);
	if (!frame->node) {
		fputs("100%)", g->out);
		return;
	}
	/* What stands apart may have been multiplied: the count as shown would be too rough. */
	write_percent(g, g->o->whole > 0 ? width * g->o->factor : shown, false);
	if (g->f->differential) {
		fputs("; ", g->out);
		write_percent(g, g->o->negate ? 0 - delta : delta, true);
	}
	putc(')', g->out);
}

/* The name, or as much of it as fits, followed by two dots. */
static void write_name(struct graph *g, bool is_root, double width, double x, double y)
{
	size_t room = (size_t)(width / (g->o->fontsize * g->o->fontwidth));
	size_t shown = shown_chars(g);

	if (room < MIN_CHARS || (!shown && !is_root))
		return;
	write_place(g, "<text x=\"", x, 2);
	fputs("\" y=\"", g->out);
	decimal_shortest(g->out, y);
	fputs(is_root ? "\">all" : "\">", g->out);
	flame_label_write(&g->label, 0, room < shown ? room - 2 : shown, g->ascii, g->out);
	fputs(room < shown ? "..</text>\n" : "</text>\n", g->out);
}

/* The colour of the name in a palette.map; if there is none, @color, which is added to it. */
static const char *mapped_color(struct graph *g, uint32_t name, const char *color)
{
	const char *text = g->f->names.name[name].text;

	if (!g->color[name])
		g->color[name] = flame_palette_find(&g->palette, text);
	if (!g->color[name])
		g->color[name] = flame_palette_add(&g->palette, text, color);
	return g->color[name];
}

static struct flame_color delta_color(const struct graph *g, const struct flame_frame *frame)
{
	struct flame_color c = flame_delta_color(delta_of(g, frame->node), g->layout.max_delta,
						 g->o->negate);

	if (!g->o->soft)
		return c;
	/* Black text is not readable on the darkest blue. */
	return (struct flame_color){ 255 - (255 - c.r) * 6 / 10, 255 - (255 - c.g) * 6 / 10,
				     255 - (255 - c.b) * 6 / 10 };
}

static int palette_of(const struct graph *g, uint32_t node)
{
	return g->state ? flame_state_palette(g->state[node]) : g->o->palette;
}

/* The map keeps colours as they are; on the frame they are as light as the name on it needs. */
static void write_color(struct graph *g, const struct flame_frame *frame)
{
	uint32_t name = g->f->node[frame->node].name;
	const char *text = g->f->names.name[name].text, *mapped;
	bool separator = !strcmp(text, "-") || !strcmp(text, "--");
	struct flame_color c;
	char color[32];

	if (g->f->differential && !separator)
		c = delta_color(g, frame);
	else
		c = flame_color(g->o, palette_of(g, frame->node), &g->label, text);
	if (g->o->palette_map && !g->f->differential && !separator) {
		snprintf(color, sizeof(color), "rgb(%d,%d,%d)", c.r, c.g, c.b);
		mapped = mapped_color(g, name, color);
		if (!flame_color_parse(mapped, &c)) {
			fputs(mapped, g->out);
			return;
		}
	}
	c = flame_readable(c);
	fprintf(g->out, "rgb(%d,%d,%d)", c.r, c.g, c.b);
}

/* Round to a tenth of a pixel, so that adjacent frames still touch. */
static double tenths(double x)
{
	return (double)(uint64_t)(x * 10 + 0.5) / 10;
}

/* In a chain graph, the frames above a "--" are wakers, and are marked as such. */
static bool is_waker(struct graph *g, uint32_t node, const char *name)
{
	uint32_t parent = g->f->node[node].parent;

	if (g->o->palette != PALETTE_CHAIN || !node)
		return false;
	g->waker[node] = g->waker[parent] ||
			 !strcmp(g->f->names.name[g->f->node[parent].name].text, "--");
	return g->waker[node] && strcmp(name, "--");
}

static void set_label(struct graph *g, uint32_t node)
{
	const char *name = g->f->names.name[g->f->node[node].name].text;
	struct buf waker = { 0 };

	if (!is_waker(g, node, name)) {
		flame_label_set(&g->label, name);
		return;
	}
	buf_printf(&waker, "%s_[w]", name);
	flame_label_set(&g->label, waker.data);
	buf_free(&waker);
}

static bool is_link(const struct flame_attr *attr)
{
	return attr && attr->value[ATTR_HREF];
}

static void write_attr(struct graph *g, const char *name, const char *value)
{
	if (!value)
		return;
	fprintf(g->out, " %s=\"", name);
	write_text(g, value);
	putc('"', g->out);
}

/* The element around a frame. A link replaces the whole page, not only an embedded picture. */
static void write_group(struct graph *g, const struct flame_frame *frame,
			const struct flame_attr *attr)
{
	const char *target;

	fputs(is_link(attr) ? "<a data-x=\"" : "<g data-x=\"", g->out);
	decimal_count(g->out, frame->start);
	fputs("\" data-w=\"", g->out);
	decimal_count(g->out, frame->width);
	putc('"', g->out);
	if (g->label.annotation)
		fprintf(g->out, " data-kind=\"%c\"", g->label.annotation);
	if (attr) {
		write_attr(g, "id", attr->value[ATTR_ID]);
		write_attr(g, "class", attr->value[ATTR_CLASS]);
		write_attr(g, "href", attr->value[ATTR_HREF]);
	}
	if (is_link(attr)) {
		target = attr->value[ATTR_TARGET];
		write_attr(g, "target", target ? target : "_top");
	}
	putc('>', g->out);
}

static void write_frame(struct graph *g, const struct flame_frame *frame)
{
	const struct flame_attr *attr;
	const struct flame_options *o = g->o;
	double scale = (double)(g->width - 2 * XPAD) / (double)g->layout.total;
	double x1 = XPAD + (double)frame->start * scale;
	double x2 = XPAD + (double)(frame->start + frame->width) * scale;
	double row = (double)frame->depth * (double)o->height;
	double y1, y2;

	if (o->inverted) {
		y1 = g->top + row;
		y2 = y1 + (double)o->height - FRAME_GAP;
	} else {
		y2 = g->height - g->bottom - row;
		y1 = y2 - (double)o->height + FRAME_GAP;
	}
	set_label(g, frame->node);
	attr = flame_attrs_find(&g->attrs, g->f->names.name[g->f->node[frame->node].name].text);
	write_group(g, frame, attr);
	fputs("<title>", g->out);
	if (attr && attr->value[ATTR_TITLE])
		write_text(g, attr->value[ATTR_TITLE]);
	else
		write_title(g, frame);
	write_place(g, "</title><rect x=\"", tenths(x1), 1);
	write_place(g, "\" y=\"", y1, 1);
	write_place(g, "\" width=\"", tenths(x2) - tenths(x1), 1);
	write_place(g, "\" height=\"", y2 - y1, 1);
	fputs("\" fill=\"", g->out);
	write_color(g, frame);
	fputs("\" rx=\"2\" ry=\"2\"/>", g->out);
	write_name(g, !frame->node, x2 - x1, x1 + TEXT_INDENT, 3 + (y1 + y2) / 2);
	fputs(is_link(attr) ? "</a>\n" : "</g>\n", g->out);
}

static void write_frames(struct graph *g)
{
	uint32_t i;

	fprintf(g->out, "<g id=\"frames\" data-pad=\"%d\" data-fluid=\"%d\" data-font=\"%.15g\" "
		"data-inverted=\"%d\" data-nametype=\"", XPAD, !g->o->width, g->o->fontsize,
		g->o->inverted);
	write_text(g, g->o->nametype);
	fputs("\">\n", g->out);
	for (i = 0; i < g->layout.nr; i++)
		write_frame(g, &g->layout.frame[i]);
	fputs("</g>\n", g->out);
}

/* --- the whole --- */

static bool is_ascii(const struct flame_options *o)
{
	return o->encoding && strcasecmp(o->encoding, "UTF-8");
}

static long width_of(const struct flame_options *o)
{
	return o->width ? o->width : DEFAULT_WIDTH;
}

void flame_write_empty(const struct flame_options *o, FILE *out)
{
	struct graph g = {
		.o = o, .out = out, .width = width_of(o), .ascii = is_ascii(o),
		.height = o->fontsize * 5,
	};

	if (o->output && strcmp(o->output, "-"))
		return;
	write_head(&g, "Empty flame graph");
	write_label(&g, "text-anchor=\"middle\"", (double)(g.width / 2), o->fontsize * 2,
		    "ERROR: no stack with a count in the input.");
	fputs("</svg>\n", out);
}

static void write_graph(struct graph *g)
{
	const struct flame_options *o = g->o;
	const char *title = o->title ? o->title : default_title(o);

	flame_layout_init(&g->layout, g->f, o, (double)(g->width - 2 * XPAD));
	g->top = o->fontsize * 3;
	g->bottom = o->fontsize * 2 + 10;
	if (o->subtitle)
		g->top += o->fontsize * 2;
	if (o->palette == PALETTE_WALL) {
		g->top += o->fontsize * 2;
		g->state = mem_zalloc(g->f->nr_nodes, sizeof(*g->state));
		flame_states_find(g->f, &g->layout, g->state);
	}
	g->height = (double)((g->layout.max_depth + 1) * o->height) + g->top + g->bottom;
	g->waker = mem_zalloc(g->f->nr_nodes, sizeof(*g->waker));
	g->color = mem_zalloc(g->f->names.nr, sizeof(*g->color));
	write_head(g, title);
	flame_style_write(o, g->out);
	write_script(g);
	write_controls(g, title);
	if (g->state)
		write_legend(g, g->top - o->fontsize);
	write_frames(g);
	fputs("</svg>\n", g->out);
	free(g->state);
	free(g->waker);
	free(g->color);
	free(g->label.c);
	flame_layout_free(&g->layout);
}

int flame_write(const struct folded *f, const struct flame_options *o, FILE *out)
{
	struct graph g = {
		.f = f, .o = o, .out = out, .width = width_of(o), .ascii = is_ascii(o),
	};
	int ret = EXIT_OK;

	if (o->nameattr)
		ret = flame_attrs_read(&g.attrs, o->nameattr);
	if (ret == EXIT_OK && o->palette_map)
		ret = flame_palette_read(&g.palette, o->palette_map);
	if (ret == EXIT_OK && o->output)
		ret = output_redirect(o->output);
	if (ret == EXIT_OK) {
		write_graph(&g);
		if (o->palette_map)
			ret = flame_palette_write(&g.palette, o->palette_map);
	}
	flame_attrs_free(&g.attrs);
	flame_palette_free(&g.palette);
	return ret;
}
