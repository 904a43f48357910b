/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msg.h - messages for people, on standard error, with the verb in front
 *
 * A message names what was wrong, its value, and what would be right. It is one line,
 * and escaped: it may have names of files and what stands in them.
 */
#ifndef KPROF_MSG_H
#define KPROF_MSG_H

/* The verb that is running, for the front of messages; NULL: none yet. */
void msg_set_verb(const char *verb);

void msg_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* These return the exit code that fits, so: return msg_error("..."); */
int msg_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int msg_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Wrong usage: two options that exclude each other, as they are typed. */
int msg_contradiction(const char *one, const char *other);

#endif /* KPROF_MSG_H */
