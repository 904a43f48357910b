/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pager.h - show output through $PAGER if standard output is a terminal
 */
#ifndef KPROF_PAGER_H
#define KPROF_PAGER_H

#include <stdbool.h>
#include <stdio.h>

struct pager {
	const char *command;	/* NULL: no pager is used */
	/* Private from here on. */
	char *text;
	size_t len;
	FILE *memory;
};

/* Returns the stream to print to; pager_end() shows what was printed. */
FILE *pager_begin(struct pager *p);

/* Show the output through the pager or, if the pager cannot be run, directly. */
void pager_end(struct pager *p);

/* Are colours wanted: on a terminal, without a pager, unless NO_COLOR is set? */
bool pager_color(const struct pager *p);

#endif /* KPROF_PAGER_H */
