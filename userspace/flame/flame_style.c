// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_style.c - the style of a flame graph: fonts, and the colours of all but the frames
 */
#include "flame/flame.h"

static const char *usual_background(int palette)
{
	switch (palette) {
	case PALETTE_MEM:
		return "green";
	case PALETTE_IO:
	case PALETTE_WAKEUP:
	case PALETTE_CHAIN:
		return "blue";
	case PALETTE_HOT:
	case PALETTE_JAVA:
	case PALETTE_JS:
	case PALETTE_PERL:
		return "yellow";
	default:
		return "grey";
	}
}

/* What text around the frames is to be readable on. */
static const char *text_color(const char *const colors[2])
{
	struct flame_color c;
	int i;

	for (i = 0; i < 2; i++)
		if (flame_color_parse(colors[i], &c) && !flame_takes_black(c))
			return "#fff";
	return "#000";
}

void flame_style_write(const struct flame_options *o, FILE *out)
{
	const char *colors[2];

	flame_background(o->bgcolors ? o->bgcolors : usual_background(o->palette), colors);
	fprintf(out,
		"<defs><linearGradient id=\"background\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\n"
		"<stop id=\"bg1\" stop-color=\"%s\" offset=\"5%%\"/>\n"
		"<stop id=\"bg2\" stop-color=\"%s\" offset=\"95%%\"/>\n"
		"</linearGradient></defs>\n<style type=\"text/css\">\n"
		"text { font-family: %s; font-size: %.15gpx; fill: %s; }\n"
		"#title { text-anchor: middle; font-size: %.15gpx; }\n"
		"#subtitle { text-anchor: middle; }\n#matched { text-anchor: end; }\n"
		"#unzoom, #search, #ignorecase { cursor: pointer; }\n"
		"#search:hover, #ignorecase:hover, #search:focus, #ignorecase:focus, .show "
		"{ text-decoration: underline; }\n.show { font-weight: bold; }\n"
		"#frames text { fill: #000; stroke: none; pointer-events: none; }\n"
		"#frames > *:hover, #frames > .at { stroke: #000; stroke-width: 0.5; "
		"cursor: pointer; }\n"
		"#frames > .at { stroke-width: 1.5; }\n"
		".hide { display: none; }\n"
		"#frames > .match > rect { fill: rgb(230,0,230); }\n",
		colors[0], colors[1], o->fonttype, o->fontsize, text_color(colors),
		o->fontsize + 5);
	if (!o->bgcolors)
		fputs("@media (prefers-color-scheme: dark) {\n"
		      "#bg1 { stop-color: #1c1c1e; }\n#bg2 { stop-color: #2a2a2e; }\n"
		      "text { fill: #ddd; }\n"
		      "#frames > *:hover, #frames > .at { stroke: #fff; }\n}\n", out);
	fputs("</style>\n", out);
}
