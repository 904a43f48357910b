/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opt.h - verbs and their options: one table drives parsing, --help and completion
 *
 * A verb is a struct verb in its own cmd/NAME.c, listed in cmd/verbs.list. Its table of
 * options ends with an entry whose name is NULL.
 */
#ifndef KPROF_OPT_H
#define KPROF_OPT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/exit.h"

enum opt_type {
	OPT_FLAG,	/* bool *: set to true */
	OPT_LONG,	/* long *: a whole number from min to max */
	OPT_DOUBLE,	/* double *: from min to max */
	OPT_STRING,	/* const char **: the last one given wins */
	OPT_LIST,	/* struct opt_list *: may be given several times */
	OPT_CHOICE,	/* int *: index into choices, a NULL-terminated list */
};

struct opt_list {
	const char **item;
	int nr;
};

struct opt {
	char letter;			/* short form, 0: none */
	const char *name;		/* long form, without the dashes */
	enum opt_type type;
	void *value;
	const char *arg;		/* name of the argument in --help */
	const char *help;
	double min, max;		/* OPT_LONG and OPT_DOUBLE */
	const char *const *choices;	/* OPT_CHOICE */
	const char *const *(*values)(void);	/* for completion: possible list items, or NULL */
	bool of_target;			/* by=, if= and min= may follow as separate arguments */
};

/* Options that perf has, and a verb has not. */
struct opt_hint {
	const char *names;		/* as they are typed, without a value: "-i --input" */
	const char *hint;		/* what to do instead */
};

struct verb {
	const char *name;
	const char *args;		/* what follows the options: "[FILE]" */
	const char *summary;		/* one line, for `kprof --help` */
	const char *details;		/* paragraphs and examples, for --help */
	const struct opt *opts;
	const struct opt_hint *hints;	/* up to one without names; or NULL */
	int (*run)(int argc, char **argv);	/* argv[0] is the first operand */
	bool command;			/* the operands are a command; its options are not parsed */
	bool dashes;			/* the same after "--", which is kept among the operands */
	bool groups;			/* "--" is kept as well, and parts groups of operands */
};

/* Append an item, which has to stay. */
void opt_list_add(struct opt_list *list, const char *item);

/* Print the version of the program, and that of the module's layouts. */
void opt_print_version(FILE *out);

/* Parse the options after the verb's name (argv[0]), then run it. */
int opt_run_verb(const struct verb *verb, int argc, char **argv);

/* Is this argument by=, if= or min=? These belong to the target before them. */
bool opt_is_of_target(const char *word);

void opt_print_help(const struct verb *verb, FILE *out);

/* Is a word of @names, with spaces between them, @name, of @len bytes? */
bool opt_is_listed(const char *names, const char *name, size_t len);

#endif /* KPROF_OPT_H */
