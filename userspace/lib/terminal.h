/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - a terminal whose whole screen is the program's, and which gets keys one by one
 *
 * What was on the screen comes back, and so do the settings, at the program's end, whatever ends
 * it, except SIGKILL. There is one terminal: that of standard input and standard output.
 */
#ifndef KPROF_TERMINAL_H
#define KPROF_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Can this be done: are both a terminal, which knows how to move its cursor? */
bool terminal_is_there(void);

/*
 * May colours, and lines that are replaced, be written to @fd: is it a terminal that is not dumb,
 * and has the user not asked for plain text by NO_COLOR?
 */
bool terminal_is_decorated(int fd);

/*
 * Take the screen. *signals is a descriptor to poll for terminal_take_signals(). Returns 0, or
 * EXIT_ERROR after a message.
 */
int terminal_begin(int *signals);
void terminal_end(void);

/*
 * After there was something to read in *signals: has the user asked to stop the program (Ctrl-Z)?
 * After a change of size it is enough to draw again.
 */
bool terminal_take_signals(void);

/* Give the screen back, stop until the shell continues the program, and take the screen again. */
void terminal_stop(void);

size_t terminal_lines(void);

#endif /* KPROF_TERMINAL_H */
