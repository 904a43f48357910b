/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * program.h - the program that a command runs
 */
#ifndef KPROF_RECORD_PROGRAM_H
#define KPROF_RECORD_PROGRAM_H

/* The file that execvp() takes, or NULL. Free it. */
char *program_find(const char *name);

#endif /* KPROF_RECORD_PROGRAM_H */
