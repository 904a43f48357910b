/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pager.h - show output through a pager if standard output is a terminal
 *
 * It is $PAGER, or else pager or less, if they are there. As with perf and git, less is told to do
 * nothing with what fits on the screen.
 */
#ifndef KPROF_PAGER_H
#define KPROF_PAGER_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

struct pager {
	const char *command;	/* NULL: no pager is used */
	/* Private from here on. */
	bool has_colors;
	FILE *pipe;
	int terminal;		/* standard output, as it was */
	sighandler_t old_pipe, old_int, old_quit;
};

/* --no-pager: pager_begin() uses none. */
extern bool pager_is_off;

/*
 * Returns the stream to print to, which is standard output. It is the pager's input until
 * pager_end(), which waits for the user to leave the pager: print messages after that.
 */
FILE *pager_begin(struct pager *p);
void pager_end(struct pager *p);

/* Are colours wanted: on a terminal, if there is a pager one that shows them, without NO_COLOR? */
bool pager_color(const struct pager *p);

#endif /* KPROF_PAGER_H */
