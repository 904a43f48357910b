/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export_stack.h - the stack of a row as places whose functions can be looked up
 */
#ifndef KPROF_EXPORT_STACK_H
#define KPROF_EXPORT_STACK_H

#include <stddef.h>
#include <stdint.h>

#include "data/data.h"
#include "data/frames.h"
#include "data/tally.h"

/* An address, for frames_at(); of a caller it is inside of the call. */
struct export_place {
	uint64_t addr;
	const char *special;	/* what stands in place of a function, such as "[user]"; or NULL */
};

/* Zero-initialise, and free place. */
struct export_stack {
	struct export_place *place;
	size_t nr;
	size_t room;		/* private */
};

/* The places of a row, leaf first: those of the kernel, then those of the program. */
void export_stack_of(struct export_stack *s, const struct data *d, const struct tally_row *row);

/*
 * The functions at a place, innermost first, as frames_at() has them; of a special place one, which
 * is valid until the next call.
 */
const struct frame *export_frames(const struct data *d, const struct export_place *place,
				  size_t *nr);

#endif /* KPROF_EXPORT_STACK_H */
