/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded_impl.h - what the parser of folded text needs of the tree
 */
#ifndef KPROF_FOLDED_IMPL_H
#define KPROF_FOLDED_IMPL_H

#include "data/folded.h"

/* A name where it stands in the text; no NUL. */
struct folded_frame {
	const char *text;
	uint32_t len;
};

/*
 * Step from path[depth - 1] to the frame below it and put its node into
 * path[depth]. What the path has beyond stays when the node is the same.
 */
uint32_t folded_step_to(struct folded *f, size_t depth, const struct folded_frame *frame);

/* Count the stack path[0] to path[depth - 1]. */
void folded_count_path(struct folded *f, size_t depth, const struct folded_self *count);

/* Would the end of a stack be read as a count, where one follows it? */
bool folded_ends_in_count(const char *text, size_t len);

#endif /* KPROF_FOLDED_IMPL_H */
