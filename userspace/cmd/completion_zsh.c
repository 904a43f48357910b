// SPDX-License-Identifier: GPL-2.0-only
/*
 * completion_zsh.c - the completion script for zsh
 *
 * The script is sourced, or found as _kprof in $fpath; then the first completion runs it.
 */
#include "cmd/completion.h"
#include "cmd/verbs.h"

#define QUOTE	"'\\''"

static const char head[] =
	"#compdef kprof\n"
	"\n"
	"_kprof()\n{\n"
	"\tlocal cur=${words[CURRENT]} prev=${words[CURRENT-1]} kind='' operands=none at\n"
	"\tlocal -a offered verbs given\n"
	"\n"
	"\tif [[ $cur == --*=* ]]; then\n"
	"\t\tprev=${cur%%=*} cur=${cur#*=}\n"
	"\t\tcompset -P '*='\n"
	"\tfi\n"
	"\tverbs=(";

static const char tail[] =
	"\tesac\n"
	"\tif [[ -z $kind ]]; then\n"
	"\t\tif [[ $cur == -* || $operands == words ]]; then kind=words; else kind=$operands; fi\n"
	"\tfi\n"
	"\tcase $kind in\n"
	"\tfiles) _files ;;\n"
	"\tcommands)\n"
	"\t\tat=${words[(i)--]}\n"
	"\t\tif (( at < CURRENT )); then\n"
	"\t\t\tshift $at words\n"
	"\t\t\t(( CURRENT -= at ))\n"
	"\t\t\t_normal\n"
	"\t\telse\n"
	"\t\t\t_command_names -e\n"
	"\t\tfi ;;\n"
	"\tfunctions) compadd -- ${(f)\"$(kprof list \"$cur*\" 2>/dev/null | cut -f 1 | head -n 1000)\"} ;;\n"
	"\tpids) compadd -- /proc/[0-9]*(N:t) ;;\n"
	"\tlist)\n"
	"\t\tgiven=(${(s:,:)${${cur%${cur##*[,+]}}//+/,}})\n"
	"\t\tcompset -P '*[,+]'; compadd -- ${offered:|given} ;;\n"
	"\twords)\n"
	"\t\tif [[ $cur == -* ]]; then\n"
	"\t\t\t_describe -o kprof offered\n"
	"\t\telse\n"
	"\t\t\toffered=(${offered:#--*})\n"
	"\t\t\t_describe kprof offered\n"
	"\t\tfi ;;\n"
	"\tesac\n"
	"}\n"
	"\n"
	"if [[ ${funcstack[1]} == _kprof ]]; then\n"
	"\t_kprof \"$@\"\n"
	"else\n"
	"\tcompdef _kprof kprof\n"
	"fi\n";

static void print_words(const char *const *word)
{
	for (; word && *word; word++)
		printf(" %s", *word);
}

/* "--event:what samples are driven by": the part before the colon is offered. */
static void print_described(const char *dashes, const char *name, const char *help)
{
	printf(" '%s%s:'", dashes, name);
	completion_quote(help, QUOTE);
}

static void print_value(const struct opt *o)
{
	fputs("\t\t", stdout);
	if (o->letter)
		printf("-%c|", o->letter);
	printf("--%s) kind=%s offered=(", o->name, completion_kind(o));
	print_words(completion_words(o));
	fputs(" ) ;;\n", stdout);
}

static void print_verb(const struct verb *verb)
{
	const struct opt *o;

	printf("\t%s)\n\t\toperands=%s offered=(", verb->name, completion_operands(verb));
	print_words(completion_operand_words(verb));
	for (o = verb->opts; o && o->name; o++)
		print_described("--", o->name, o->help);
	print_described("--", "help", "show the options");
	fputs(" )\n\t\tcase $prev in\n", stdout);
	for (o = verb->opts; o && o->name; o++)
		if (o->type != OPT_FLAG)
			print_value(o);
	fputs("\t\tesac\n", stdout);
	if (verb->command || verb->dashes)
		fputs("\t\tif (( ${words[(i)--]} < CURRENT )); then kind=commands; fi\n", stdout);
	fputs("\t\t;;\n", stdout);
}

void completion_zsh(void)
{
	int i;

	fputs(head, stdout);
	for (i = 0; verbs[i]; i++)
		print_described("", verbs[i]->name, verbs[i]->summary);
	fputs(")\n"
	      "\tif (( CURRENT == 2 )); then\n"
	      "\t\toffered=(--help --version $verbs)\n"
	      "\t\t_describe kprof offered\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tcase ${words[2]} in\n"
	      "\thelp) (( CURRENT == 3 )) && kind=words offered=($verbs) ;;\n", stdout);
	for (i = 0; verbs[i]; i++)
		print_verb(verbs[i]);
	fputs(tail, stdout);
}
