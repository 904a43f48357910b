// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame.c - kprof flame: a flame graph of folded text or of a recording
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/flame_two.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/about.h"
#include "data/stacks.h"
#include "flame/flame.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "report/report.h"
#include "wall/wall.h"

static struct flame_options options = {
	.height = 16,
	.fonttype = "Verdana",
	.fontsize = 12,
	.fontwidth = 0.59,
	.nametype = "Function:",
	.factor = 1,
	.palette = -1,
};

static const char *minwidth = "0.1";
static bool reverse, hash, at_random, deterministic, keep_palette;

/* Which part of a recording to draw, and how. */
static struct data_unit unit;
static struct frames_options frames;
static struct filter_options filter_options;
static struct data_fold_options part = {
	.query = { .context = TALLY_ANY },
};

static const char *cpus, *input;
static int format = TEXT_AUTO;
static bool ns, samples, wall, chain, shares, counts, no_gone;

static const struct opt opts[] = {
	{ .name = "title", .type = OPT_STRING, .value = &options.title, .arg = "TEXT",
	  .help = "the heading; default what was recorded" },
	{ .name = "subtitle", .type = OPT_STRING, .value = &options.subtitle, .arg = "TEXT",
	  .help = "a second heading" },
	{ .name = "width", .type = OPT_LONG, .value = &options.width, .arg = "PIXELS",
	  .min = 100, .max = 100000, .help = "of the picture; default the window's,\n"
				    "and 1200 where scripts do not run" },
	{ .name = "height", .type = OPT_LONG, .value = &options.height, .arg = "PIXELS",
	  .min = 2, .max = 1000, .help = "of each frame; default 16" },
	{ .name = "minwidth", .type = OPT_STRING, .value = &minwidth, .arg = "NUM[%]",
	  .help = "leave out narrower frames: pixels, or percent of\nthe total; default 0.1" },
	{ .name = "fonttype", .type = OPT_STRING, .value = &options.fonttype, .arg = "FONT",
	  .help = "default Verdana" },
	{ .name = "fontsize", .type = OPT_DOUBLE, .value = &options.fontsize, .arg = "NUM",
	  .min = 1, .max = 1000, .help = "default 12" },
	{ .name = "fontwidth", .type = OPT_DOUBLE, .value = &options.fontwidth, .arg = "NUM",
	  .min = 0.01, .max = 10, .help = "of a character, in font sizes; default 0.59" },
	{ .name = "colors", .type = OPT_CHOICE, .value = &options.palette, .arg = "PALETTE",
	  .choices = flame_palettes,
	  .help = "hot (the default), mem, io, wakeup, chain, java, js,\n"
		  "perl, red, green, blue, aqua, yellow, purple, orange;\n"
		  "wall, the default of --wall: one for each state of a task" },
	{ .name = "bgcolors", .type = OPT_STRING, .value = &options.bgcolors, .arg = "COLOR",
	  .help = "background: yellow, blue, green, grey or #rrggbb;\n"
		  "by default what suits the palette, dark on dark desktops" },
	{ .name = "hash", .type = OPT_FLAG, .value = &hash,
	  .help = "similar names get similar colours" },
	{ .name = "random", .type = OPT_FLAG, .value = &at_random,
	  .help = "colours vary from frame to frame" },
	{ .name = "deterministic", .type = OPT_FLAG, .value = &deterministic,
	  .help = "a name has one colour in all graphs (the default)" },
	{ .name = "cp", .type = OPT_FLAG, .value = &keep_palette,
	  .help = "take colours from palette.map, and add new ones there" },
	{ .name = "reverse", .type = OPT_FLAG, .value = &reverse,
	  .help = "begin with the leaves: who is called, from where" },
	{ .name = "inverted", .type = OPT_FLAG, .value = &options.inverted,
	  .help = "icicles: the root is on top" },
	{ .name = "flamechart", .type = OPT_FLAG, .value = &options.flamechart,
	  .help = "keep the order of the input, from left to right" },
	{ .name = "negate", .type = OPT_FLAG, .value = &options.negate,
	  .help = "of a differential: blue is more, red is less" },
	{ .name = "normalize", .type = OPT_FLAG, .value = &shares, .help = STACKS_SHARES_HELP },
	{ .name = "no-normalize", .type = OPT_FLAG, .value = &counts,
	  .help = STACKS_COUNTS_HELP },
	{ .name = "no-gone", .type = OPT_FLAG, .value = &no_gone,
	  .help = "of two files: do not draw the stacks that only A has" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &options.output, .arg = "FILE",
	  .help = "where the picture goes; default standard output" },
	OPTION_INPUT(&input, "the recording or text, as FILE is"),
	OPTION_FORMAT(&format),
	OPTION_WALL(&wall),
	OPTION_CHAIN(&chain),
	OPTION_REGIONS(&part.query.by_region),
	OPTION_CGROUPS(&part.by_cgroup),
	OPTION_NS(&ns),
	OPTION_SAMPLES(&samples),
	OPTION_SOURCE(&part.query.source),
	OPTION_CPUS(&cpus),
	OPTION_CONTEXT(&part.query.context),
#include "cmd/filter_options.list"
	OPTION_ANNOTATIONS(&part.annotate),
	OPTION_DELIMITED(&part.delimit),
	OPTION_INDEX(&frames.index),
	OPTION_NO_INLINE(&frames.no_inline),
	OPTION_SRCLINE(&frames.lines),
	{ .name = "countname", .type = OPT_STRING, .value = &options.countname, .arg = "TEXT",
	  .help = "what is counted; default what a recording has, or samples" },
	{ .name = "nametype", .type = OPT_STRING, .value = &options.nametype, .arg = "TEXT",
	  .help = "what the frames are; default \"Function:\"" },
	{ .name = "nameattr", .type = OPT_STRING, .value = &options.nameattr, .arg = "FILE",
	  .help = "attributes of frames, a line \"NAME<TAB>ATTR=VALUE...\" for\n"
		  "each: id, class, title, href, target" },
	{ .name = "notes", .type = OPT_STRING, .value = &options.notes, .arg = "TEXT",
	  .help = "a comment in the SVG" },
	{ .name = "total", .type = OPT_DOUBLE, .value = &options.total, .arg = "NUM",
	  .max = 1e300, .help = "what the full width stands for; default all counts" },
	{ .name = "factor", .type = OPT_DOUBLE, .value = &options.factor, .arg = "NUM",
	  .min = 0.000000000001, .max = 1e12,
	  .help = "multiply counts by this when they are shown" },
	{ .name = "encoding", .type = OPT_STRING, .value = &options.encoding, .arg = "NAME",
	  .help = "say that the SVG is in this encoding; default UTF-8" },
	{ 0 }
};

/* --- options that the table cannot check --- */

static int check_minwidth(void)
{
	const char *end = minwidth;
	bool good = number_take_real(&end, &options.minwidth);

	options.minwidth_is_percent = *end == '%';
	if (!good || end[options.minwidth_is_percent] ||
	    options.minwidth < 0 || options.minwidth > 1e9)
		return msg_usage("--minwidth: '%s' is not a number of pixels or a percentage, "
				 "such as 0.5 or 0.1%%", minwidth);
	return EXIT_OK;
}

/* Do bytes of ASCII mean the same in it? With a name given, they are all that is written. */
static bool has_ascii(const char *encoding)
{
	static const char *const others[] = {
		"UTF-16", "UTF16", "UTF-32", "UTF32", "UTF-7", "UTF7", "UCS-", "UCS2", "UCS4",
		"ISO-10646", "UNICODE", "UTF-EBCDIC", "EBCDIC", "IBM", "CP037", "CP500", "CP1026",
		"CP1047", "csUCS", "csUnicode", "SCSU", "BOCU",
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strncasecmp(encoding, others[i], strlen(others[i])))
			return false;
	return true;
}

/* These two are written to the SVG unescaped. */
static int check_words(void)
{
	const char *p;

	for (p = options.fonttype; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr(" ,-_'", *p))
			return msg_usage("--fonttype: '%s' is not a list of font names",
					 options.fonttype);
	for (p = options.encoding; p && *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("-_.:", *p))
			break;
	if (p && (*p || !isalpha((unsigned char)options.encoding[0])))
		return msg_usage("--encoding: '%s' is not a name such as ISO-8859-1",
				 options.encoding);
	if (options.encoding && !has_ascii(options.encoding))
		return msg_usage("--encoding: in '%s' ASCII is not what it is elsewhere, and ASCII is "
				 "what is written: give UTF-8, ISO-8859-1 or the like",
				 options.encoding);
	return EXIT_OK;
}

static int check_options(void)
{
	const char *colors[2];
	int ret = check_minwidth();

	if (!ret)
		ret = check_words();
	if (ret)
		return ret;
	if (hash + at_random + deterministic > 1)
		return msg_usage("--hash, --random and --deterministic exclude each other");
	if (options.bgcolors && !flame_background(options.bgcolors, colors))
		return msg_usage("--bgcolors: '%s' is not one of yellow blue green grey or #rrggbb",
				 options.bgcolors);
	if (options.notes && (strpbrk(options.notes, "<>") || strstr(options.notes, "--") ||
			      (*options.notes && options.notes[strlen(options.notes) - 1] == '-')))
		return msg_usage("--notes: '%s' has '<', '>', '--' or a '-' at the end, "
				 "which a comment cannot hold", options.notes);
	options.variation = hash ? VARY_BY_HASH : at_random ? VARY_AT_RANDOM : VARY_BY_NAME;
	if (options.palette < 0)
		options.palette = wall ? PALETTE_WALL : PALETTE_HOT;
	options.palette_map = keep_palette ? "palette.map" : NULL;
	return EXIT_OK;
}

/* --- the verb --- */

/*
 * The options given that need a recording, as folded text does not have that data; NULL: none is.
 * @two: what a text counts is what it is, and a recording beside it may be counted in samples.
 */
static const char *parts_given(bool two)
{
	if (ns || (samples && !two) || part.annotate || part.delimit || part.query.by_region ||
	    part.by_cgroup)
		return two ? "--regions, --cgroups, --ns, --annotations and --delimited" :
			     "--regions, --cgroups, --ns, --samples, --annotations and --delimited";
	return NULL;
}

/* Options of two files; NULL: none is given. */
static const char *two_given(void)
{
	return shares ? "--normalize" : counts ? "--no-normalize" : no_gone ? "--no-gone" : NULL;
}

/* What a run is about, as far as the options tell. */
static int check_files(int argc, char **argv)
{
	if (wall && argc > 1)
		return msg_usage("--wall: one recording at a time, not also '%s'", argv[1]);
	if (argc > 2)
		return msg_usage("one FILE at a time, or two to compare, not also '%s'", argv[2]);
	if (argc < 2 && two_given())
		return msg_usage("%s is of two files, A and B", two_given());
	return EXIT_OK;
}

static int load(int argc, char **argv, const char *path, struct folded *f, struct buf *title,
		struct buf *about)
{
	struct flame_two two = { .path = argv, .part = &part, .leave_out = no_gone };

	if (argc == 2)
		return stacks_by_of_options(shares, counts, &two.by) ? EXIT_USAGE :
		       flame_load_two(&two, f, &options, &unit, title, about);
	if (!options.title)
		part.title = title;
	if (!options.subtitle)
		part.about = about;
	return wall ? wall_fold_file(path, &part, chain, f) : stacks_load(path, &part, f);
}

/* @ret: what reading has returned, which drawing may make worse. */
static int draw(const struct folded *f, const struct empty *empty, int ret)
{
	int drawn;

	if (f->total > 0) {
		drawn = flame_write(f, &options, stdout);
		return drawn ? drawn : ret;
	}
	flame_write_empty(&options, stdout);
	return empty_tell(empty);
}

static int run(int argc, char **argv)
{
	const char *path = argc ? argv[0] : input ? input : "-";
	struct empty empty = {
		.is_text = true, .is_wall = wall, .filter = &filter_options,
		.source = part.query.source, .cpus = cpus, .context = part.query.context,
	};
	struct buf title = { 0 }, about = { 0 };
	struct folded f;
	int ret = check_options();

	if (!ret)
		ret = data_count_of_options(ns, samples, &part.count);
	if (!ret)
		ret = option_query_cpus(&part.query, cpus);
	if (!ret)
		ret = option_check_wall(wall, chain, &part, &filter_options);
	if (!ret)
		ret = check_files(argc, argv);
	if (ret)
		return ret;
	part.unit = &unit;
	if (argc && input)
		return msg_usage("two inputs: --input %s and %s", input, argv[0]);
	if (!argc && !input && !input_is_given() && option_default_recording(&path))
		return EXIT_ERROR;
	part.empty = &empty;
	part.frames = &frames;
	part.text_kind = (enum text_kind)format;
	part.filter = &filter_options;
	part.recording_only = parts_given(argc == 2);
	if (!part.recording_only)
		part.recording_only = frames_options_given(&frames);
	folded_init(&f, (options.flamechart ? FOLDED_IN_ORDER : 0) |
			(reverse ? FOLDED_LEAF_FIRST : 0));
	ret = load(argc, argv, path, &f, &title, &about);
	if (title.len && !options.title)
		options.title = title.data;
	if (about.len && !options.subtitle)
		options.subtitle = about.data;
	if (!options.countname)
		options.countname = *unit.name ? unit.name : "samples";
	/* Where neither of two files has anything, the second one is named. */
	empty.path = argc == 2 ? argv[1] : path;
	if (ret == EXIT_OK || ret == EXIT_LOST)
		ret = draw(&f, &empty, ret);
	empty_free(&empty);
	folded_free(&f);
	buf_free(&title);
	buf_free(&about);
	return ret;
}

const struct verb verb_flame = {
	.name = "flame",
	.args = "[FILE | A B]",
	.summary = "Draw a flame graph of a recording or of folded stacks, as SVG",
	.details =
"FILE is a recording of 'kprof record' or folded text, such as\n"
"/sys/kernel/debug/kprof/folded. Without one, standard input is read if it is a pipe\n"
"or a file, as in 'kprof fold | kprof flame'; else, as on a terminal or with\n"
"</dev/null, kprof.data. - is standard input, whatever it is.\n"
"Two files, or two counts in a line, make a differential: red has grown in B, blue\n"
"has shrunk. Widths are those of B; what only A has stands on the right, below [only\n"
"in A], as wide as in A.\n"
"The SVG needs nothing else: click to zoom, Back to zoom out, Ctrl-F or / to search\n"
"(as you type; Enter keeps, Escape clears), Ctrl-I for case, arrow keys and Enter\n"
"to walk, Escape to see all. Its address is a link to what it shows.\n"
"\n"
"Examples:\n"
"  kprof flame kprof.data > flame.svg\n"
"  kprof flame --wall --chain kprof.data > wall.svg\n"
"  kprof flame before.data after.data > differential.svg\n"
"  kprof flame --colors=mem --title='Pages' < folded.txt > flame.svg\n",
	.opts = opts,
	.run = run,
};
