/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pager.h - pipe output through $PAGER, on a terminal
 */
#ifndef KPROF_PAGER_H
#define KPROF_PAGER_H

#include <stdbool.h>
#include <stdio.h>

struct pager {
	const char *command;	/* NULL: none is used */
	char *text;		/* private, as what follows */
	size_t len;
	FILE *memory;
};

/* Where to print to; pager_end() shows it. */
FILE *pager_begin(struct pager *p);

/* Through the pager or, where that cannot be run, without it. */
void pager_end(struct pager *p);

/* Are colours wanted: on a terminal, without a pager, unless NO_COLOR is set? */
bool pager_color(const struct pager *p);

#endif /* KPROF_PAGER_H */
