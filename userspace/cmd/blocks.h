/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blocks.h - kprof blocks for another verb
 */
#ifndef KPROF_CMD_BLOCKS_H
#define KPROF_CMD_BLOCKS_H

#include <stdio.h>

/* Run 'kprof blocks' with these arguments, and write what it has to say to @out. */
int blocks_into(FILE *out, int nr, char **word);

#endif /* KPROF_CMD_BLOCKS_H */
