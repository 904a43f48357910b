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
	size_t room;			/* private */
};

/*
 * Uncompress the code of a recording that has been read, which most of what is asked of it does not
 * need; once. Returns EXIT_OK, or EXIT_ERROR after a message, which calls it @name, if the code is
 * damaged.
 */
int kept_code_load(struct data *d, const char *name);

/* Of a recording whose code was loaded, which must outlive @k. */
void kept_code_open(struct kept_code *k, const struct data *d);
void kept_code_close(struct kept_code *k);

/* The function that has this address in it; or NULL. */
const struct kept_function *kept_code_find(const struct kept_code *k, uint64_t addr);

/* Append its bytes, no more than @max: each instruction takes many times its bytes. */
void kept_code_add(const struct kept_function *f, size_t max, struct buf *bytes);

#endif /* KPROF_KEPT_CODE_H */
