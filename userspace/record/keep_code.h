/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keep_code.h - the code of functions that were sampled, for the recording
 *
 * What ran is not in the file of the kernel, as the kernel patches its code, and modules may be
 * gone when the recording is read. So a recording keeps the bytes of the functions that samples
 * were taken in.
 */
#ifndef KPROF_RECORD_KEEP_CODE_H
#define KPROF_RECORD_KEEP_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "data/data.h"
#include "symbols/symtab.h"

#define KEEP_CODE_FUNCTION	(64u << 10)	/* bytes; larger functions are not kept */
#define KEEP_CODE_MAX		(4u << 20)	/* bytes of all functions */

/* Zero-initialise. */
struct keep_code {
	struct buf addr;	/* uint64_t: where samples were taken, once for a function */
	bool *noted;		/* by index of the symbol */
	size_t nr;		/* of symbols */
};

/* A sample was taken at @addr. */
void keep_code_of(struct keep_code *k, const struct symtab *symbols, uint64_t addr);

/*
 * Write the code of these functions, and the symbols of what they call. What cannot be read,
 * because the kernel is locked down or the module was unloaded, is left out. @symbols may have been
 * loaded anew.
 */
void keep_code_write(struct keep_code *k, const struct symtab *symbols, struct data_writer *out);

/* Append a line of DATA_BYTES. */
void keep_code_line(struct buf *lines, uint64_t start, const struct buf *bytes);
void keep_code_free(struct keep_code *k);

#endif /* KPROF_RECORD_KEEP_CODE_H */
