/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame.h - draw folded stacks as a flame graph: one self-contained SVG file
 *
 * flame_layout.c computes the position of each frame, flame_color.c its colour, which in
 * flame_states.c depends on the state of the task.
 * flame_style.c writes the style, flame_label.c turns a name into characters that are valid in XML,
 * flame_palette.c keeps colours between graphs, flame_attr.c reads attributes
 * of frames, and flame_svg.c writes the SVG, including flame.js, which makes it
 * interactive.
 */
#ifndef KPROF_FLAME_H
#define KPROF_FLAME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "data/folded.h"

/* In the order of flame_palettes[]. */
enum flame_palette {
	PALETTE_HOT, PALETTE_MEM, PALETTE_IO, PALETTE_WAKEUP, PALETTE_CHAIN, PALETTE_JAVA,
	PALETTE_JS, PALETTE_PERL, PALETTE_RED, PALETTE_GREEN, PALETTE_BLUE, PALETTE_AQUA,
	PALETTE_YELLOW, PALETTE_PURPLE, PALETTE_ORANGE,
	PALETTE_WALL,		/* one of these for each state, see flame_states.c; else grey */
};

extern const char *const flame_palettes[];

/* How colours vary within a palette. */
enum flame_variation {
	VARY_BY_NAME,		/* at random, the same for the same name */
	VARY_BY_HASH,		/* similar names have similar colours */
	VARY_AT_RANDOM,		/* each frame gets a random colour */
};

struct flame_options {
	const char *title, *subtitle;	/* NULL: the default title, no subtitle */
	long width;			/* of the picture; 0: of the window, see DEFAULT_WIDTH */
	long height;			/* of a frame */
	double minwidth;		/* narrower frames are left out */
	bool minwidth_is_percent;	/* of the total; else pixels */
	const char *fonttype;
	double fontsize, fontwidth;	/* fontwidth: width of a character, in fontsizes */
	int palette;			/* enum flame_palette */
	enum flame_variation variation;
	const char *bgcolors;		/* NULL: suits the palette and the viewer's theme */
	const char *countname, *nametype, *notes;
	const char *encoding;		/* NULL: UTF-8, not declared */
	double total;			/* the full width; 0: the sum of all counts */
	folded_count whole;		/* what 100 % are; 0: the full width */
	uint32_t apart;			/* a root that stands on the right of all others; 0: none */
	double factor;			/* shown counts are multiplied by it */
	bool inverted, flamechart, negate;
	bool soft;		/* differential: use only colours that text is easy to read on */
	const char *nameattr;		/* a file with attributes of frames, or NULL */
	const char *palette_map;	/* a file to keep colours in, or NULL */
	const char *output;		/* where standard output goes, or NULL: where it goes */
};

/*
 * Write the graph of stacks that are not empty. Returns EXIT_OK or, after a message, EXIT_ERROR: if
 * a file of the options is bad; EXIT_USAGE if the output is one of these. The output is not touched
 * before all that is read was read.
 */
int flame_write(const struct folded *f, const struct flame_options *o, FILE *out);

/*
 * Where there is nothing to draw: write an SVG that says so to whoever opens it and did not see the
 * message. It goes to standard output alone: no older picture is lost for it.
 */
void flame_write_empty(const struct flame_options *o, FILE *out);

/* The colours of a --bgcolors, top and bottom. Returns false if the name is not known. */
bool flame_background(const char *bgcolors, const char *colors[2]);

/* --- fonts, and the colours of all but the frames (flame_style.c) --- */

void flame_style_write(const struct flame_options *o, FILE *out);

/* --- a name as characters (flame_label.c) --- */

struct flame_label {
	uint32_t *c;		/* code points that XML 1.0 can hold */
	size_t nr, room;
	char annotation;	/* k, w, i, j of "name_[k]"; 0: none */
};

#define ANNOTATION_LEN	4	/* "_[k]" */

/* Decode UTF-8. Invalid bytes and unsafe characters (see escape.h) become U+FFFD. */
void flame_label_set(struct flame_label *label, const char *text);

/* Write characters @from to @to, escaped for XML; @ascii: write non-ASCII ones as &#x...; */
void flame_label_write(const struct flame_label *label, size_t from, size_t to, bool ascii,
		       FILE *out);

/* The same for a whole text. */
void flame_text_write(const char *text, bool ascii, FILE *out);

/* --- layout (flame_layout.c) --- */

struct flame_frame {
	uint32_t node;
	uint32_t depth;
	folded_count start, width;
};

struct flame_layout {
	struct flame_frame *frame;	/* frames that are wide enough, parents first */
	uint32_t nr;
	uint32_t max_depth;
	folded_count total;		/* the full width */
	folded_count max_delta;		/* largest delta of a node's own counts, at least 1 */
};

void flame_layout_init(struct flame_layout *l, const struct folded *f,
		       const struct flame_options *o, double pixels);
void flame_layout_free(struct flame_layout *l);

/* --- colours (flame_color.c) --- */

struct flame_color {
	int r, g, b;
};

/* @text is the original name, @name its characters and annotation; @palette: enum flame_palette. */
struct flame_color flame_color(const struct flame_options *o, int palette,
			       const struct flame_label *name, const char *text);

/* In the middle of a palette of one colour, for a legend. */
struct flame_color flame_color_of(int palette);

/* From white to red (more) or blue (less); @max > 0. */
struct flame_color flame_delta_color(folded_count delta, folded_count max, bool negate);

/* Can black text be read on it? If not, white text can. */
bool flame_takes_black(struct flame_color c);

/* The colour, as much lighter as black text on it needs. */
struct flame_color flame_readable(struct flame_color c);

/* "rgb(1,2,3)" or "#123456". Returns false if it is neither. */
bool flame_color_parse(const char *text, struct flame_color *c);

/* --- states of tasks (flame_states.c) --- */

#define FLAME_STATES	7

/* The state of each node that is drawn; FLAME_STATES: none. @of has room for all nodes. */
void flame_states_find(const struct folded *f, const struct flame_layout *l, uint8_t *of);

int flame_state_palette(size_t state);
const char *flame_state_name(size_t state);

/* --- colours kept in a file (flame_palette.c) --- */

struct flame_palette_map {
	struct flame_palette_entry *entry;
	size_t nr, room, nr_sorted;
	struct arena texts;
};

int flame_palette_read(struct flame_palette_map *map, const char *path);

/* The colour of a name in the file, as text, or NULL. */
const char *flame_palette_find(const struct flame_palette_map *map, const char *name);

/* Set the colour of a name that is not in the map. Returns a copy that lives as long as the map. */
const char *flame_palette_add(struct flame_palette_map *map, const char *name, const char *color);
int flame_palette_write(struct flame_palette_map *map, const char *path);
void flame_palette_free(struct flame_palette_map *map);

/* --- attributes of frames from a file (flame_attr.c) --- */

enum flame_attr_id {
	ATTR_ID, ATTR_CLASS, ATTR_TITLE, ATTR_HREF, ATTR_TARGET, FLAME_NR_ATTRS
};

struct flame_attr {
	const char *name;
	const char *value[FLAME_NR_ATTRS];	/* NULL: not given */
};

struct flame_attrs {
	struct flame_attr *attr;
	size_t nr, room;
	char *text;		/* what the above points into */
};

int flame_attrs_read(struct flame_attrs *attrs, const char *path);
const struct flame_attr *flame_attrs_find(const struct flame_attrs *attrs, const char *name);
void flame_attrs_free(struct flame_attrs *attrs);

#endif /* KPROF_FLAME_H */
