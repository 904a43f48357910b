/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kept_code.h - the code of functions that a recording has kept
 */
#ifndef KPROF_KEPT_CODE_H
#define KPROF_KEPT_CODE_H

#include "data/data.h"

/* A line "START HEX" of DATA_BYTES, and where its digits are. */
struct kept_function {
	uint64_t start;
	const char *hex;
	size_t size;			/* bytes that the digits stand for */
};

/* Zero-initialise. */
struct kept_code {
	struct kept_function *function;	/* by address; each begins behind the start of the last */
	size_t nr;
	/* Private from here on. */
	struct buf text;
	size_t room;
};

/* What of the recording's code is damaged is left out, after a warning. */
void kept_code_open(struct kept_code *k, const struct data *d);
void kept_code_close(struct kept_code *k);

/* The function that has this address in it; or NULL. */
const struct kept_function *kept_code_find(const struct kept_code *k, uint64_t addr);

/* Append its bytes, no more than @max: each instruction takes many times its bytes. */
void kept_code_add(const struct kept_function *f, size_t max, struct buf *bytes);

#endif /* KPROF_KEPT_CODE_H */
