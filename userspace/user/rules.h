/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.h - the rules of a file for the module: how to find a function's caller
 *
 * They are made from .eh_frame, by libdw, a few functions at a time: a large library takes long,
 * and meanwhile others wait for the reader.
 */
#ifndef KPROF_USER_RULES_H
#define KPROF_USER_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/buf.h"
#include "user/files.h"

struct user_rules;

/* Was this program built with libdw? The others must not be called otherwise. */
bool user_rules_are_possible(void);

/* A file that is not ELF, or not of 64 bits and this machine, has no rules. */
struct user_rules *user_rules_begin(int fd);

/*
 * Make those of some more functions; a few milliseconds, also where a file describes a function in
 * a way that takes long. Returns false when there is nothing left to do.
 */
bool user_rules_step(struct user_rules *r);

/*
 * Append all to a buffer, as the module wants them: see kprof_rules.h. Returns false if some are
 * not there, because the file describes more than one could make in reasonable time and memory.
 */
bool user_rules_finish(struct user_rules *r, uint32_t id, const struct user_file *file,
		       struct buf *out);
void user_rules_free(struct user_rules *r);

#endif /* KPROF_USER_RULES_H */
