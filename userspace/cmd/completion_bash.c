// SPDX-License-Identifier: GPL-2.0-only
/*
 * completion_bash.c - the completion script for bash
 */
#include "cmd/completion.h"
#include "cmd/verbs.h"

/* The rest of the script. The part before it sets $words and $kind. */
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
	"\tlist)	# the last of several, with , or + between them, and each once\n"
	"\t\tlocal last=${cur##*[,+]} given left='' each\n"
	"\t\tgiven=,${cur%\"$last\"}\n"
	"\t\tfor each in $words; do\n"
	"\t\t\t[[ ${given//+/,} == *,\"$each\",* ]] || left+=\" $each\"\n"
	"\t\tdone\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -P \"${cur%\"$last\"}\" -W \"$left\" -- \"$last\") ;;\n"
	"\twords) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\") ;;\n"
	"\t*) compopt +o default +o bashdefault 2>/dev/null ;;	# nothing is known of it\n"
	"\tesac\n"
	"}\n"
	"complete -o bashdefault -o default -F _kprof kprof\n";

static void print_value(const struct opt *o)
{
	const char *const *choice = completion_words(o);

	fputs("\t\t", stdout);
	if (o->letter)
		printf("-%c|", o->letter);
	printf("--%s) kind=%s", o->name, completion_kind(o));
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
	const char *const *word = completion_operand_words(verb);
	const struct opt *o;

	printf("\t%s)\n\t\toperands=%s words='", verb->name, completion_operands(verb));
	while (word && *word)
		printf("%s ", *word++);
	fputs("--help", stdout);
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

void completion_bash(void)
{
	int i;

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
	fputs("\thelp)\n"
	      "\t\tif [ \"$word\" -eq 2 ]; then kind=words words=${words#--help --version}; fi ;;\n",
	      stdout);
	for (i = 0; verbs[i]; i++)
		print_verb(verbs[i]);
	fputs(tail, stdout);
}
