// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_completion.c - kprof completion: a completion script for bash, made from the tables
 */
#include <stdio.h>
#include <string.h>

#include "msg.h"
#include "verbs.h"

static void print_words(const struct verb *verb)
{
	const struct opt *o;

	printf("\t%s)\n\t\twords='--help", verb->name);
	for (o = verb->opts; o && o->name; o++)
		printf(" --%s", o->name);
	fputs("'\n", stdout);
	for (o = verb->opts; o && o->name; o++) {
		const char *const *choice = o->choices;

		if (o->type != OPT_CHOICE)
			continue;
		printf("\t\t[ \"$prev\" = --%s ] && words='%s", o->name, *choice);
		while (*++choice)
			printf(" %s", *choice);
		fputs("'\n", stdout);
	}
	fputs("\t\t;;\n", stdout);
}

static int run(int argc, char **argv)
{
	int i;

	if (argc != 1 || strcmp(argv[0], "bash"))
		return msg_usage("the shell must be given, and 'bash' is the one known");
	fputs("_kprof()\n{\n\tlocal cur=$2 prev=$3 words=\n\n\tcase ${COMP_WORDS[1]} in\n",
	      stdout);
	for (i = 0; verbs[i]; i++)
		print_words(verbs[i]);
	fputs("\tesac\n\t[ \"$COMP_CWORD\" -eq 1 ] && words='--help --version", stdout);
	for (i = 0; verbs[i]; i++)
		printf(" %s", verbs[i]->name);
	fputs("'\n\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n"
	      "complete -o bashdefault -o default -F _kprof kprof\n", stdout);
	return EXIT_OK;
}

const struct verb verb_completion = {
	.name = "completion",
	.args = "bash",
	.summary = "Print a completion script for bash",
	.details = "Use it in ~/.bashrc:\n  source <(kprof completion bash)\n",
	.run = run,
};
