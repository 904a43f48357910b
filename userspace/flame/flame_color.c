// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_color.c - the colours of frames, the same as in flamegraph.pl, but light enough to read on
 */
#include <math.h>
#include <string.h>

#include "flame/flame.h"
#include "lib/number.h"

const char *const flame_palettes[] = {
	"hot", "mem", "io", "wakeup", "chain", "java", "js", "perl", "red", "green", "blue",
	"aqua", "yellow", "purple", "orange", "wall", NULL
};

static const struct {
	const char *name;
	const char *colors[2];
} backgrounds[] = {
	{ "yellow", { "#eeeeee", "#eeeeb0" } },
	{ "blue", { "#eeeeee", "#e0e0ff" } },
	{ "green", { "#eef2ee", "#e0ffe0" } },
	{ "grey", { "#f8f8f8", "#e8e8e8" } },
};

bool flame_background(const char *bgcolors, const char *colors[2])
{
	size_t i;

	for (i = 0; i < sizeof(backgrounds) / sizeof(backgrounds[0]); i++) {
		if (!strcmp(backgrounds[i].name, bgcolors)) {
			colors[0] = backgrounds[i].colors[0];
			colors[1] = backgrounds[i].colors[1];
			return true;
		}
	}
	colors[0] = bgcolors;
	colors[1] = bgcolors;
	return *bgcolors == '#' && strlen(bgcolors) == 7 &&
	       strspn(bgcolors + 1, "0123456789abcdefABCDEF") == 6;
}

/* --- variation: numbers from 0 to below 1 --- */

/* One step of the generator of drand48(), which Perl's rand() uses, too. */
static double next_random(uint64_t *state)
{
	*state = (*state * 0x5deece66dull + 0xb) & 0xffffffffffffull;
	return (double)*state / 281474976710656.0;
}

/* flamegraph.pl seeds the generator with the sum of the characters; this is its first number. */
static double random_of_name(const struct flame_label *name)
{
	uint32_t sum = 0;
	uint64_t state;
	size_t i;

	for (i = 0; i < name->nr; i++)
		sum += name->c[i];
	state = (uint64_t)sum << 16 | 0x330e;
	return next_random(&state);
}

/*
 * Computed from the first three characters, with decreasing weight, so that names with the same
 * beginning have similar colours. A module, before a backtick, is skipped.
 */
static double hash_of_name(const struct flame_label *name, bool backwards)
{
	double vector = 0, weight = 1, max = 1;
	size_t i, begin = 0, mod = 10;
	uint32_t c;

#define CHAR(i) (name->c[backwards ? name->nr - 1 - (i) : (i)])
	for (i = 1; i < name->nr && !begin; i++)
		if (CHAR(i) == '`')
			begin = i + 1;
	for (i = begin; i < name->nr && mod <= 12; i++) {
		c = CHAR(i) % (uint32_t)mod;
		vector += (double)c / (double)(mod - 1) * weight;
		mod++;
		max += weight;
		weight *= 0.70;
	}
#undef CHAR
	return 1 - vector / max;
}

/* --- palettes --- */

static bool begins_with(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

static bool is_java_path(const char *text)
{
	static const char *const packages[] = {
		"java/", "javax/", "jdk/", "net/", "org/", "com/", "io/", "sun/"
	};
	size_t i;

	if (*text == 'L')
		text++;
	for (i = 0; i < sizeof(packages) / sizeof(packages[0]); i++)
		if (begins_with(text, packages[i]))
			return true;
	return false;
}

static int java_palette(const char *text, char annotation)
{
	if (annotation == 'j')
		return PALETTE_GREEN;
	if (annotation == 'i')
		return PALETTE_AQUA;
	if (is_java_path(text) || strstr(text, ":::"))
		return PALETTE_GREEN;
	if (strstr(text, "::"))
		return PALETTE_YELLOW;
	return annotation == 'k' ? PALETTE_ORANGE : PALETTE_RED;
}

static int perl_palette(const char *text, char annotation)
{
	if (strstr(text, "::"))
		return PALETTE_YELLOW;
	if (strstr(text, "Perl") || strstr(text, ".pl"))
		return PALETTE_GREEN;
	return annotation == 'k' ? PALETTE_ORANGE : PALETTE_RED;
}

static int js_palette(const char *text, char annotation)
{
	const char *slash = strchr(text, '/');

	if (annotation == 'j')
		return slash ? PALETTE_GREEN : PALETTE_AQUA;
	if (strstr(text, "::"))
		return PALETTE_YELLOW;
	if (slash && strstr(slash, ".js"))
		return PALETTE_GREEN;
	if (strchr(text, ':'))
		return PALETTE_AQUA;
	if (!strcmp(text, " "))
		return PALETTE_GREEN;
	return strstr(text, "_[k]") ? PALETTE_ORANGE : PALETTE_RED;
}

/* Palettes that distinguish kinds of code use a single-colour palette for each kind. */
static int plain_palette(int palette, const char *text, char annotation)
{
	switch (palette) {
	case PALETTE_JAVA:
		return java_palette(text, annotation);
	case PALETTE_PERL:
		return perl_palette(text, annotation);
	case PALETTE_JS:
		return js_palette(text, annotation);
	case PALETTE_WAKEUP:
		return PALETTE_AQUA;
	case PALETTE_CHAIN:
		return annotation == 'w' || strstr(text, "_[w]") ? PALETTE_AQUA : PALETTE_BLUE;
	default:
		return palette;
	}
}

/* A colour channel: from @base to below @base + @range. */
static int vary(int base, int range, double by)
{
	return base + (int)(range * by);
}

static struct flame_color in_palette(int palette, double v1, double v2, double v3)
{
	int x;

	switch (palette) {
	case PALETTE_HOT:
		return (struct flame_color) {
			vary(205, 50, v3), vary(0, 230, v1), vary(0, 55, v2)
		};
	case PALETTE_MEM:
		return (struct flame_color) { 0, vary(190, 50, v2), vary(0, 210, v1) };
	case PALETTE_IO:
		x = vary(80, 60, v1);
		return (struct flame_color) { x, x, vary(190, 55, v2) };
	case PALETTE_RED:
		x = vary(50, 80, v1);
		return (struct flame_color) { vary(200, 55, v1), x, x };
	case PALETTE_GREEN:
		x = vary(50, 60, v1);
		return (struct flame_color) { x, vary(200, 55, v1), x };
	case PALETTE_BLUE:
		x = vary(80, 60, v1);
		return (struct flame_color) { x, x, vary(205, 50, v1) };
	case PALETTE_YELLOW:
		x = vary(175, 55, v1);
		return (struct flame_color) { x, x, vary(50, 20, v1) };
	case PALETTE_PURPLE:
		x = vary(190, 65, v1);
		return (struct flame_color) { x, vary(80, 60, v1), x };
	case PALETTE_AQUA:
		x = vary(165, 55, v1);
		return (struct flame_color) { vary(50, 60, v1), x, x };
	case PALETTE_ORANGE:
		return (struct flame_color) { vary(190, 65, v1), vary(90, 65, v1), 0 };
	case PALETTE_WALL:
		x = vary(195, 35, v1);
		return (struct flame_color) { x, x, x };
	}
	return (struct flame_color) { 0, 0, 0 };
}

struct flame_color flame_color_of(int palette)
{
	return in_palette(palette, 0.5, 0.5, 0.5);
}

struct flame_color flame_color(const struct flame_options *o, int palette,
			       const struct flame_label *name, const char *text)
{
	static uint64_t random_state = 0x330e;	/* the same picture each time */
	double v1, v2, v3;

	if (!strcmp(text, "--"))
		return (struct flame_color) { 160, 160, 160 };
	if (!strcmp(text, "-"))
		return (struct flame_color) { 200, 200, 200 };
	switch (o->variation) {
	case VARY_BY_HASH:
		v1 = hash_of_name(name, false);
		v2 = hash_of_name(name, true);
		v3 = v2;
		break;
	case VARY_AT_RANDOM:
		v1 = next_random(&random_state);
		v2 = next_random(&random_state);
		v3 = next_random(&random_state);
		break;
	default:
		v1 = random_of_name(name);
		v2 = v1;
		v3 = v1;
	}
	return in_palette(plain_palette(palette, text, name->annotation), v1, v2, v3);
}

struct flame_color flame_delta_color(folded_count delta, folded_count max, bool negate)
{
	folded_count size = delta < 0 ? -delta : delta;
	int rest = (int)(210 * (max - size) / max);

	if (delta == 0)
		return (struct flame_color) { 255, 255, 255 };
	if (negate ? delta <= 0 : delta > 0)
		return (struct flame_color) { 255, rest, rest };
	return (struct flame_color) { rest, rest, 255 };
}

/* --- contrast --- */

/* How much light a channel gives, as WCAG 2 has it; a table, as there are many frames. */
static double light_of(int channel)
{
	static double light[256];
	int i;

	for (i = 1; i < 256 && light[255] == 0; i++)
		light[i] = i <= 10 ? i / 255.0 / 12.92 : pow((i / 255.0 + 0.055) / 1.055, 2.4);
	return light[channel];
}

/* Has black text a contrast of 4.5 on it, what WCAG 2 asks for? If not, white text has. */
bool flame_takes_black(struct flame_color c)
{
	double light = 0.2126 * light_of(c.r) + 0.7152 * light_of(c.g) + 0.0722 * light_of(c.b);

	return (light + 0.05) / 0.05 >= 4.5;
}

/* The colour, or if it is too dark for black text, the first that is not on the way to white. */
struct flame_color flame_readable(struct flame_color c)
{
	struct flame_color mixed = c;
	int i;

	for (i = 1; !flame_takes_black(mixed); i++) {
		mixed.r = c.r + (255 - c.r) * i / 16;
		mixed.g = c.g + (255 - c.g) * i / 16;
		mixed.b = c.b + (255 - c.b) * i / 16;
	}
	return mixed;
}

/* "#123456" */
static bool parse_hex(const char *text, struct flame_color *c)
{
	uint64_t value;

	if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6 ||
	    !number_parse(text, NUMBER_HEX, &value))
		return false;
	*c = (struct flame_color){ (int)(value >> 16), (int)(value >> 8 & 255),
				   (int)(value & 255) };
	return true;
}

bool flame_color_parse(const char *text, struct flame_color *c)
{
	static const char behind[] = ",,)";
	uint64_t value[3];
	int i;

	if (*text == '#')
		return parse_hex(text + 1, c);
	if (!begins_with(text, "rgb("))
		return false;
	text += 4;
	for (i = 0; i < 3; i++)
		if (!number_take(&text, NUMBER_DECIMAL, &value[i]) || value[i] > 255 ||
		    *text++ != behind[i])
			return false;
	*c = (struct flame_color){ (int)value[0], (int)value[1], (int)value[2] };
	return !*text;
}
