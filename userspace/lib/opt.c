// SPDX-License-Identifier: GPL-2.0-only
/*
 * opt.c - parse the options of a verb and print its --help from its table
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/nearest.h"
#include "lib/number.h"
#include "lib/opt.h"

#define HELP_COLUMN	26

/* Values of getopt_long(): these, or an option's index plus the last one; no letter is one. */
#define OPT_HELP	256
#define OPT_VERSION	257
#define OPT_BASE	258

static int nr_options(const struct verb *verb)
{
	int nr = 0;

	while (verb->opts && verb->opts[nr].name)
		nr++;
	return nr;
}

/* The table in the format of getopt_long(). */
struct getopt_table {
	struct option *longs;
	struct buf shorts;
};

static void getopt_table_init(struct getopt_table *t, const struct verb *verb)
{
	int nr = nr_options(verb), i;

	*t = (struct getopt_table){ .longs = mem_zalloc(nr + 3ul, sizeof(*t->longs)) };
	buf_printf(&t->shorts, "%s:hV", verb->command ? "+" : "");
	for (i = 0; i < nr; i++) {
		const struct opt *o = &verb->opts[i];

		t->longs[i].name = o->name;
		t->longs[i].has_arg = o->type == OPT_FLAG ? no_argument : required_argument;
		t->longs[i].val = OPT_BASE + i;
		if (o->letter)
			buf_printf(&t->shorts, "%c%s", o->letter, o->type == OPT_FLAG ? "" : ":");
	}
	t->longs[i].name = "help";
	t->longs[i++].val = OPT_HELP;
	t->longs[i].name = "version";
	t->longs[i].val = OPT_VERSION;
}

static void getopt_table_free(struct getopt_table *t)
{
	free(t->longs);
	buf_free(&t->shorts);
}

static int bad_value(const struct opt *o, const char *arg, const char *right)
{
	return msg_usage("--%s: '%s' is not %s", o->name, arg, right);
}

static int set_number(const struct opt *o, const char *arg)
{
	const char *kind = o->type == OPT_LONG ? "a whole number" : "a number";
	char right[96];
	int64_t whole = 0;
	double value;
	bool good;

	snprintf(right, sizeof(right), "%s from %.15g to %.15g", kind, o->min, o->max);
	if (o->type == OPT_LONG)
		good = number_within(arg, (int64_t)o->min, (int64_t)o->max, &whole);
	else
		good = number_real(arg, &value) && value >= o->min && value <= o->max;
	if (!good)
		return bad_value(o, arg, right);
	if (o->type == OPT_LONG)
		*(long *)o->value = whole;
	else
		*(double *)o->value = value;
	return EXIT_OK;
}

static int set_choice(const struct opt *o, const char *arg)
{
	char right[512] = "one of";
	size_t len = strlen(right);
	int i;

	for (i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], arg)) {
			*(int *)o->value = i;
			return EXIT_OK;
		}
		if (len < sizeof(right))
			len += snprintf(right + len, sizeof(right) - len, " %s", o->choices[i]);
	}
	return bad_value(o, arg, right);
}

void opt_list_add(struct opt_list *list, const char *item)
{
	list->item = mem_realloc(list->item, list->nr + 1ul, sizeof(*list->item));
	list->item[list->nr++] = item;
}

static int set(const struct opt *o, const char *arg)
{
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)o->value = true;
		return EXIT_OK;
	case OPT_LONG:
	case OPT_DOUBLE:
		return set_number(o, arg);
	case OPT_STRING:
		*(const char **)o->value = arg;
		return EXIT_OK;
	case OPT_LIST:
		opt_list_add(o->value, arg);
		return EXIT_OK;
	case OPT_CHOICE:
		return set_choice(o, arg);
	}
	return EXIT_ERROR;
}

static const struct opt *find_letter(const struct verb *verb, int letter)
{
	const struct opt *o;

	for (o = verb->opts; o && o->name; o++)
		if (o->letter == letter)
			return o;
	return NULL;
}

/* An option of which only the beginning is given, which several have. */
static int ambiguous(const char *what, const char *const *names, const char *begin)
{
	struct buf which = { 0 };
	int nr = 0, ret;

	for (; *names; names++)
		if (!strncmp(*names, begin, strlen(begin)))
			buf_printf(&which, "%s--%s", nr++ ? ", " : "", *names);
	ret = nr > 1 ? msg_usage("ambiguous option '%s': it could be one of %s", what, which.data) :
		       EXIT_OK;
	buf_free(&which);
	return ret;
}

bool opt_is_listed(const char *names, const char *name, size_t len)
{
	for (; *names; names += strspn(names, " ")) {
		size_t n = strcspn(names, " ");

		if (n == len && !strncmp(names, name, len))
			return true;
		names += n;
	}
	return false;
}

static const char *hint_for(const struct verb *verb, const char *what)
{
	const struct opt_hint *h = verb->hints;
	size_t len = strcspn(what, "=");

	while (h && h->names && !opt_is_listed(h->names, what, len))
		h++;
	return h ? h->hint : NULL;
}

/* Report what is no option, or not told from others. */
static int unknown(const struct verb *verb, const char *what)
{
	const char **names, *near, *hint = hint_for(verb, what);
	int nr = nr_options(verb), i, ret;
	struct buf name = { 0 };

	if (hint)
		return msg_usage("unknown option '%s': %s", what, hint);
	if (strncmp(what, "--", 2))
		return msg_usage("unknown option '%s'", what);
	names = mem_zalloc(nr + 3ul, sizeof(*names));
	for (i = 0; i < nr; i++)
		names[i] = verb->opts[i].name;
	names[i++] = "help";
	names[i] = "version";
	buf_printf(&name, "%.*s", (int)strcspn(what + 2, "="), what + 2);
	ret = ambiguous(what, names, name.data);
	near = nearest_name(names, name.data);
	if (!ret)
		ret = msg_usage("unknown option '%s'%s%s%s", what, near ? "; did you mean '--" : "",
				near ? near : "", near ? "'?" : "");
	buf_free(&name);
	free(names);
	return ret;
}

/* Report what getopt_long() refused: argv[optind - 1], unless it was a letter. */
static int refuse(const struct verb *verb, int c, char **argv)
{
	char letter[3] = { '-', 0, 0 };
	const char *what = argv[optind - 1];

	if (optopt > 0 && optopt < OPT_HELP) {
		letter[1] = (char)optopt;
		what = letter;
	}
	if (c == ':')
		return msg_usage("option '%s' needs a value", what);
	if (optopt >= OPT_HELP)
		return msg_usage("option '%s' takes no value", what);
	return unknown(verb, what);
}

/* How many words to parse as options. */
static int words_to_parse(const struct verb *verb, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		if ((verb->dashes || verb->groups) && !strcmp(argv[i], "--"))
			return i;
	return argc;
}

bool opt_is_of_target(const char *word)
{
	return !strncmp(word, "by=", 3) || !strncmp(word, "if=", 3) || !strncmp(word, "min=", 4);
}

/* The option whose value is the next word: "-t", "-at", "--target"; or NULL. */
static const struct opt *awaits_value(const struct verb *verb, const char *word)
{
	const struct opt *o;

	if (!strncmp(word, "--", 2)) {
		for (o = verb->opts; o && o->name; o++)
			if (!strcmp(word + 2, o->name) && o->type != OPT_FLAG)
				return o;
		return NULL;
	}
	for (word++; *word; word++) {
		o = find_letter(verb, *word);
		if (o && o->type != OPT_FLAG)
			return word[1] ? NULL : o;
	}
	return NULL;
}

/* "-t", "f", "by=comm" becomes "-t", "f by=comm". Returns how many words are left. */
static int join_targets(const struct verb *verb, int argc, char **argv)
{
	const struct opt *o;
	int from, to = 1;

	for (from = 1; from < argc; from++) {
		struct buf joined = { 0 };

		argv[to++] = argv[from];
		/* The first word of a command ends kprof's own options. */
		if (verb->command && *argv[from] != '-')
			break;
		o = *argv[from] == '-' ? awaits_value(verb, argv[from]) : NULL;
		if (!o || from + 1 >= argc)
			continue;
		argv[to++] = argv[++from];
		if (!o->of_target || from + 1 >= argc || !opt_is_of_target(argv[from + 1]))
			continue;
		buf_printf(&joined, "%s", argv[from]);
		while (from + 1 < argc && opt_is_of_target(argv[from + 1]))
			buf_printf(&joined, " %s", argv[++from]);
		argv[to - 1] = joined.data;	/* never freed */
	}
	while (++from < argc)
		argv[to++] = argv[from];
	return to;
}

/* The same for words up to the "--" before a command. The words after it move up. */
static int join_words(const struct verb *verb, int argc, char **argv)
{
	int words, left;

	for (words = 1; words < argc && strcmp(argv[words], "--"); words++)
		;
	left = join_targets(verb, words, argv);
	memmove(argv + left, argv + words, (argc - words + 1) * sizeof(*argv));
	return argc - words + left;
}

/* *is_over: there is nothing to run, as with --help. */
static int parse(const struct verb *verb, const struct getopt_table *t, int words, char **argv,
		 bool *is_over)
{
	const struct opt *o;
	int c, ret = EXIT_OK;

	while (!ret && (c = getopt_long(words, argv, t->shorts.data, t->longs, NULL)) != -1) {
		if (c == ':' || c == '?')
			return refuse(verb, c, argv);
		*is_over = c == 'h' || c == OPT_HELP || c == 'V' || c == OPT_VERSION;
		if (*is_over) {
			if (c == 'h' || c == OPT_HELP)
				opt_print_help(verb, stdout);
			else
				opt_print_version(stdout);
			return EXIT_OK;
		}
		o = c >= OPT_BASE ? &verb->opts[c - OPT_BASE] : find_letter(verb, c);
		ret = set(o, optarg);
	}
	return ret;
}

int opt_run_verb(const struct verb *verb, int argc, char **argv)
{
	struct getopt_table t;
	bool is_over = false;
	int words, ret;

	argc = join_words(verb, argc, argv);
	words = words_to_parse(verb, argc, argv);
	msg_set_verb(verb->name);
	getopt_table_init(&t, verb);
	opterr = 0;
	optind = 0;
	ret = parse(verb, &t, words, argv, &is_over);
	getopt_table_free(&t);
	return ret || is_over ? ret : verb->run(argc - optind, argv + optind);
}

void opt_print_version(FILE *out)
{
	fprintf(out, "kprof %s (abi %d)\n", KPROF_VERSION, KPROF_ABI_VERSION);
}

static void print_option(char letter, const char *name, const char *arg, const char *help,
			 FILE *out)
{
	char head[128];
	int len;

	len = snprintf(head, sizeof(head), "  %c%c%c --%s%s%s", letter ? '-' : ' ',
		       letter ? letter : ' ', letter ? ',' : ' ', name, arg ? " " : "",
		       arg ? arg : "");
	if (len + 1 >= HELP_COLUMN)
		fprintf(out, "%s\n%*s", head, HELP_COLUMN, "");
	else
		fprintf(out, "%-*s", HELP_COLUMN, head);
	for (; *help; help++) {
		fputc(*help, out);
		if (*help == '\n')
			fprintf(out, "%*s", HELP_COLUMN, "");
	}
	fputc('\n', out);
}

void opt_print_help(const struct verb *verb, FILE *out)
{
	const struct opt *o;

	fprintf(out, "Usage: kprof %s [options]%s%s\n\n%s.\n\nOptions:\n", verb->name,
		verb->args && *verb->args ? " " : "", verb->args ? verb->args : "",
		verb->summary);
	for (o = verb->opts; o && o->name; o++)
		print_option(o->letter, o->name, o->arg, o->help, out);
	print_option(find_letter(verb, 'h') ? 0 : 'h', "help", NULL, "show this text", out);
	if (verb->details)
		fprintf(out, "\n%s", verb->details);
	fprintf(out, "\nIts manual: man kprof-%s\n", verb->name);
}
