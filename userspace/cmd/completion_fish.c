// SPDX-License-Identifier: GPL-2.0-only
/*
 * completion_fish.c - the completion script for fish
 */
#include <string.h>

#include "cmd/completion.h"
#include "cmd/verbs.h"

#define QUOTE	"\\'"

static const char head[] =
	"function __kprof_no_verb\n"
	"\ttest (count (commandline -opc)) -eq 1\n"
	"end\n"
	"\n"
	"# Is this the word behind help?\n"
	"function __kprof_help\n"
	"\tset -l words (commandline -opc)\n"
	"\ttest (count $words) -eq 2; and test $words[2] = help\n"
	"end\n"
	"\n"
	"# Is this the verb, and no command begun?\n"
	"function __kprof_is\n"
	"\tset -l words (commandline -opc)\n"
	"\ttest (count $words) -gt 1; and test $words[2] = $argv[1]; and not contains -- -- $words\n"
	"end\n"
	"\n"
	"function __kprof_with\n"
	"\tset -l words (commandline -opc)\n"
	"\ttest (count $words) -gt 1; and test $words[2] = $argv[1]\n"
	"end\n"
	"\n"
	"function __kprof_has_dashes\n"
	"\tset -l words (commandline -opc)\n"
	"\tcontains -- -- $words; and not contains -- $words[2] $__kprof_groups\n"
	"end\n"
	"\n"
	"# What the command behind -- is completed with.\n"
	"function __kprof_command\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l at (contains -i -- -- $words); or return\n"
	"\tset -e words[1..$at]\n"
	"\tset -l line (string escape -- $words) (commandline -ct)\n"
	"\tcomplete -C (string join ' ' -- $line)\n"
	"end\n"
	"\n"
	"function __kprof_functions\n"
	"\tset -l start (commandline -ct | string replace -r '^--[a-z-]*=' '')\n"
	"\tkprof list \"$start*\" 2>/dev/null | cut -f 1 | head -n 1000\n"
	"end\n"
	"\n"
	"# The last of several, with , or + between them, and each once.\n"
	"function __kprof_list\n"
	"\tset -l token (commandline -ct | string replace -r '^--[a-z-]*=' '')\n"
	"\tset -l before (string match -r -- '^.*[,+]' \"$token\"; or echo)\n"
	"\tset -l given (string split -- , (string replace -a -- + , \"$before\"))\n"
	"\tfor each in $argv\n"
	"\t\tcontains -- $each $given; or echo -- $before$each\n"
	"\tend\n"
	"end\n"
	"\n"
	"complete -c kprof -f\n"
	"complete -c kprof -n __kprof_has_dashes -x -a '(__kprof_command)'\n"
	"complete -c kprof -n __kprof_no_verb -s h -l help -d 'show the verbs'\n"
	"complete -c kprof -n __kprof_no_verb -s V -l version -d 'show the version'\n";

/* Print the arguments of complete for a value of this kind. */
static void print_kind(const char *kind, const char *const *word)
{
	if (!strcmp(kind, "files")) {
		fputs(" -r -F", stdout);
		return;
	}
	fputs(" -x", stdout);
	if (!strcmp(kind, "functions"))
		fputs(" -a '(__kprof_functions)'", stdout);
	else if (!strcmp(kind, "pids"))
		fputs(" -a '(__fish_complete_pids)'", stdout);
	if (!word)
		return;
	fputs(strcmp(kind, "list") ? " -a '" : " -a '(__kprof_list", stdout);
	for (; *word; word++)
		printf(" %s", *word);
	fputs(strcmp(kind, "list") ? "'" : ")'", stdout);
}

static void print_option(const struct verb *verb, const struct opt *o)
{
	printf("complete -c kprof -n '__kprof_is %s' -l %s", verb->name, o->name);
	if (o->letter)
		printf(" -s %c", o->letter);
	if (o->type != OPT_FLAG)
		print_kind(completion_kind(o), completion_words(o));
	fputs(" -d ", stdout);
	completion_quote(o->help, QUOTE);
	putchar('\n');
}

static void print_verb(const struct verb *verb)
{
	static const char *const places[] = { "__kprof_no_verb", "__kprof_help" };
	const char *operands = completion_operands(verb);
	const struct opt *o;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		printf("complete -c kprof -n %s -a %s -d ", places[i], verb->name);
		completion_quote(verb->summary, QUOTE);
		putchar('\n');
	}
	for (o = verb->opts; o && o->name; o++)
		print_option(verb, o);
	printf("complete -c kprof -n '__kprof_is %s' -l help -d 'show the options'\n", verb->name);
	if (!strcmp(operands, "files")) {
		printf("complete -c kprof -n '__kprof_%s %s' -F\n", verb->groups ? "with" : "is",
		       verb->name);
	} else if (strcmp(operands, "none") && strcmp(operands, "commands")) {
		printf("complete -c kprof -n '__kprof_is %s'", verb->name);
		print_kind(operands, completion_operand_words(verb));
		putchar('\n');
	}
}

void completion_fish(void)
{
	int i;

	fputs(head, stdout);
	fputs("\n# Verbs whose -- is between operands.\nset -g __kprof_groups", stdout);
	for (i = 0; verbs[i]; i++)
		if (verbs[i]->groups)
			printf(" %s", verbs[i]->name);
	putchar('\n');
	for (i = 0; verbs[i]; i++)
		print_verb(verbs[i]);
}
