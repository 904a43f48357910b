/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * msg.h - messages to the user on standard error, prefixed with the verb
 *
 * A message says what was wrong, its value, and what would be right. It is a single line.
 * It is escaped, because it may contain file names and file contents. Of a message of more than
 * 2 KiB the middle is left out.
 */
#ifndef KPROF_MSG_H
#define KPROF_MSG_H

/* Set the verb that messages are prefixed with; NULL: none yet. */
void msg_set_verb(const char *verb);

void msg_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* These return EXIT_ERROR and EXIT_USAGE, for use as: return msg_error("..."); */
int msg_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int msg_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Report two mutually exclusive options, named as the user types them. Returns EXIT_USAGE. */
int msg_contradiction(const char *one, const char *other);

#endif /* KPROF_MSG_H */
