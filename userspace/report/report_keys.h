/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_keys.h - what a line of a report stands for: one key, or several
 */
#ifndef KPROF_REPORT_KEYS_H
#define KPROF_REPORT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "data/data.h"
#include "data/tally.h"
#include "lib/buf.h"

enum report_key {
	REPORT_SYM,
	REPORT_COMM,
	REPORT_PID,
	REPORT_CPU,
	REPORT_SOURCE,
	REPORT_CONTEXT,
	REPORT_MODULE,
	REPORT_NR_KEYS
};

/* In the order in which they were given, each once. */
struct report_keys {
	enum report_key key[REPORT_NR_KEYS];
	size_t nr;
};

/* By enum report_key, up to a NULL. */
extern const char *const report_key_names[];

/*
 * Parse the value of --sort, "comm,sym", for the recording @path. EXIT_OK, or EXIT_USAGE after a
 * message.
 */
int report_keys_parse(struct report_keys *keys, const char *list, const char *path);
/* The same back as text. */
void report_keys_add(const struct report_keys *keys, struct buf *out);

bool report_keys_have(const struct report_keys *keys, enum report_key key);
/* Is it this key alone? */
bool report_keys_are(const struct report_keys *keys, enum report_key key);
/* Does a sample have several values of a key, one for each function of its stack? */
bool report_key_is_of_frames(enum report_key key);
bool report_keys_have_frames(const struct report_keys *keys);

/* What the query of a tally must tell apart for these keys. */
void report_query(struct tally_query *query, const struct report_keys *keys);

/* The value of a key that is none of frames, put into @name where it is nobody else's text. */
const char *report_key_text(const struct data *d, const struct tally_row *row,
			    enum report_key key, struct buf *name);

#endif /* KPROF_REPORT_KEYS_H */
