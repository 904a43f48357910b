/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bare.h - the functions of the library
 */
#ifndef BARE_H
#define BARE_H

void bare_library(unsigned long n, void (*back)(unsigned long));
unsigned long bare_nothing(unsigned long n);

#endif /* BARE_H */
