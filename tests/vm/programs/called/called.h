/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * called.h - the functions of the library
 */
#ifndef CALLED_H
#define CALLED_H

#include <setjmp.h>

long called_work(long n, const char *word);
long called_deep(long n);
void called_leave(jmp_buf to);
void called_back(long n, jmp_buf to);
void called_exit(void);
long called_other(long n);
long called_jumps(long n);
void called_never(void);
void called_sleep(unsigned int us);
void called_marked(int n, const char *word);

#endif /* CALLED_H */
