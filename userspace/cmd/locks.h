/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * locks.h - kprof locks: who takes or lets go of a lock, from stacks
 *
 * A stack is a text, its outermost function first, with ';' between them.
 */
#ifndef KPROF_CMD_LOCKS_H
#define KPROF_CMD_LOCKS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/buf.h"

/* Append the function that takes the lock: the innermost one that does not implement locks. */
void locks_caller(const char *stack, struct buf *out);

/*
 * Append the function that lets the lock go, from the stack of who woke the waiter, and set *whole
 * to how much of the stack is not the work of locks and wakeups. Returns false if that did not let
 * go of a lock: then it was a signal, or the waiter got the lock by itself.
 */
bool locks_release(const char *stack, struct buf *out, size_t *whole);

#endif /* KPROF_CMD_LOCKS_H */
