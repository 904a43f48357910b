/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame.h - a flame graph of folded stacks, as one SVG file that needs nothing else
 *
 * flame_layout.c says where each frame lies, flame_color.c what colour it has,
 * flame_label.c turns a name into characters that XML can hold, flame_palette.c
 * keeps colours between graphs, flame_attr.c reads attributes of frames, and
 * flame_svg.c writes it all down with flame.js, which makes it interactive.
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
};

extern const char *const flame_palettes[];

/* How colours vary within a palette. */
enum flame_variation {
	VARY_BY_NAME,		/* at random, the same for the same name */
	VARY_BY_HASH,		/* similar names have similar colours */
	VARY_AT_RANDOM,		/* from frame to frame */
};

struct flame_options {
	const char *title, *subtitle;	/* NULL: the usual one, none */
	long width;			/* of the picture */
	long height;			/* of a frame */
	double minwidth;		/* narrower frames are left out */
	bool minwidth_is_percent;	/* of the total; else pixels */
	const char *fonttype;
	double fontsize, fontwidth;	/* the latter of a character, in fontsizes */
	int palette;			/* enum flame_palette */
	enum flame_variation variation;
	const char *bgcolors;		/* NULL: what suits palette and reader */
	const char *countname, *nametype, *notes;
	const char *encoding;		/* NULL: UTF-8, unsaid */
	double total;			/* the full width; 0: the sum of all counts */
	double factor;			/* of counts, when shown */
	bool inverted, flamechart, negate;
	bool soft;		/* a differential's colours are none that text is hard to read on */
	const char *nameattr;		/* a file with attributes of frames, or NULL */
	const char *palette_map;	/* a file to keep colours in, or NULL */
};

/*
 * Write the graph. EXIT_OK or, after a message, EXIT_ERROR: where there is
 * nothing to draw (the SVG then says so) or a file of the options is no good.
 */
int flame_write(const struct folded *f, const struct flame_options *o, FILE *out);

/* The colours of a --bgcolors, top and bottom; false: there is none of that name. */
bool flame_background(const char *bgcolors, const char *colors[2]);

/* --- a name as characters (flame_label.c) --- */

struct flame_label {
	uint32_t *c;		/* code points that XML 1.0 can hold */
	size_t nr, room;
	char annotation;	/* k, w, i, j of "name_[k]"; 0: none */
};

#define ANNOTATION_LEN	4	/* "_[k]" */

/* Decode UTF-8. What is none, or must not be shown (see escape.h), becomes U+FFFD. */
void flame_label_set(struct flame_label *label, const char *text);

/* Write characters from..to escaped; @ascii: those beyond ASCII as &#x...; */
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
	struct flame_frame *frame;	/* the ones wide enough, parents first */
	uint32_t nr;
	uint32_t max_depth;
	folded_count total;		/* the full width */
	folded_count max_delta;		/* of a node's own counts, at least 1 */
};

void flame_layout_init(struct flame_layout *l, const struct folded *f,
		       const struct flame_options *o, double pixels);
void flame_layout_free(struct flame_layout *l);

/* --- colours (flame_color.c) --- */

struct flame_color {
	int r, g, b;
};

/* @text is the name as it came, @name its characters, with an annotation. */
struct flame_color flame_color(const struct flame_options *o, const struct flame_label *name,
			       const char *text);

/* From white to red (more) or blue (less); @max > 0. */
struct flame_color flame_delta_color(folded_count delta, folded_count max, bool negate);

/* --- colours kept in a file (flame_palette.c) --- */

struct flame_palette_map {
	struct flame_palette_entry *entry;
	size_t nr, room, nr_sorted;
	struct arena texts;
};

int flame_palette_read(struct flame_palette_map *map, const char *path);

/* The colour the file had for a name, as text, or NULL. */
const char *flame_palette_find(const struct flame_palette_map *map, const char *name);

/* A colour for a name the file had not. Returns a copy that lives with the map. */
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
