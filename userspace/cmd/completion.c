// SPDX-License-Identifier: GPL-2.0-only
/*
 * completion.c - kprof completion: a completion script for bash, made from the tables
 *
 * What a value is follows from the name of its argument in the table of options, as it
 * does for whoever reads --help: FILE, PID, FUNCTION, or one of the choices.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/verbs.h"
#include "lib/msg.h"

/* The rest of the script; $words and $kind were set by what goes before it. */
static const char tail[] =
	"\tesac\n"
	"\tif [ \"$word\" -eq 1 ]; then\n"
	"\t\tkind=words\n"
	"\telif [ -z \"$kind\" ]; then\n"
	"\t\tcase $cur in -*) kind=words ;; *) kind=$operands ;; esac\n"
	"\tfi\n"
	"\tcase $kind in\n"
	"\tfiles) ;;	# bash's own completion\n"
	"\tcommands) mapfile -t COMPREPLY < <(compgen -c -- \"$cur\") ;;\n"
	"\tfunctions) mapfile -t COMPREPLY < <(kprof list \"$cur*\" 2>/dev/null | cut -f 1 | head -n 1000) ;;\n"
	"\tpids) mapfile -t COMPREPLY < <(cd /proc && compgen -W \"$(echo [0-9]*)\" -- \"$cur\") ;;\n"
	"\tlist)	# the last of several, with , or + between them\n"
	"\t\tlocal last=${cur##*[,+]}\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"${cur%\"$last\"}\" -W \"$words\" -- \"$last\") ;;\n"
	"\twords) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
	"\t*) compopt +o default +o bashdefault 2>/dev/null ;;	# nothing is known of it\n"
	"\tesac\n"
	"}\n"
	"complete -o bashdefault -o default -F _kprof kprof\n";

static const char *kind_of(const struct opt *o)
{
	static const struct { const char *arg, *kind; } kinds[] = {
		{ "FILE", "files" }, { "DIR", "files" }, { "PID", "pids" },
		{ "FUNCTION", "functions" }, { "TARGET", "functions" },
	};
	size_t i;

	if (o->type == OPT_CHOICE)
		return "words";
	if (o->values)
		return "list";
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].arg, o->arg))
			return kinds[i].kind;
	return "none";
}

static const char *operands_of(const struct verb *verb)
{
	if (strstr(verb->args, "FILE") || !strcmp(verb->args, "A B"))
		return "files";
	if (strstr(verb->args, "TARGET") || strstr(verb->args, "PATTERN"))
		return "functions";
	if (verb->command)
		return "commands";
	return strcmp(verb->args, "bash") ? "none" : "words";
}

static void print_value(const struct opt *o)
{
	const char *const *choice = o->values ? o->values() : o->choices;

	fputs("\t\t", stdout);
	if (o->letter)
		printf("-%c|", o->letter);
	printf("--%s) kind=%s", o->name, kind_of(o));
	if (choice) {
		printf(" words='%s", *choice);
		while (*++choice)
			printf(" %s", *choice);
		putchar('\'');
	}
	fputs(" ;;\n", stdout);
}

static void print_verb(const struct verb *verb)
{
	const struct opt *o;

	printf("\t%s)\n\t\toperands=%s words='%s--help", verb->name, operands_of(verb),
	       strcmp(verb->args, "bash") ? "" : "bash ");
	for (o = verb->opts; o && o->name; o++)
		printf(" --%s", o->name);
	fputs("'\n\t\tcase $prev in\n", stdout);
	for (o = verb->opts; o && o->name; o++)
		if (o->type != OPT_FLAG)
			print_value(o);
	fputs("\t\tesac\n", stdout);
	if (verb->command || verb->dashes)
		fputs("\t\tcase \" ${COMP_WORDS[*]:0:word} \" in *' -- '*) kind=commands ;; esac\n",
		      stdout);
	fputs("\t\t;;\n", stdout);
}

static int run(int argc, char **argv)
{
	int i;

	if (argc != 1 || strcmp(argv[0], "bash"))
		return msg_usage("the shell must be given, and 'bash' is the one known");
	fputs("_kprof()\n{\n"
	      "\tlocal word=$COMP_CWORD cur=$2 prev=$3 words='--help --version", stdout);
	for (i = 0; verbs[i]; i++)
		printf(" %s", verbs[i]->name);
	fputs("' kind='' operands=none\n\n"
	      "\tCOMPREPLY=()\n"
	      "\t# --name=value comes as three words.\n"
	      "\tif [ \"$cur\" = = ]; then\n"
	      "\t\tcur=\n"
	      "\telif [ \"$prev\" = = ]; then\n"
	      "\t\tprev=${COMP_WORDS[word - 2]}\n"
	      "\tfi\n"
	      "\tcase ${COMP_WORDS[1]} in\n", stdout);
	for (i = 0; verbs[i]; i++)
		print_verb(verbs[i]);
	fputs(tail, stdout);
	return EXIT_OK;
}

const struct verb verb_completion = {
	.name = "completion",
	.args = "bash",
	.summary = "Print a completion script for bash",
	.details = "Use it in ~/.bashrc:\n  source <(kprof completion bash)\n",
	.run = run,
};
