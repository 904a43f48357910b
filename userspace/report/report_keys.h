/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_keys.h - the keys that the lines of a report are grouped by
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
	REPORT_REGION,
	REPORT_CGROUP,
	REPORT_SRCLINE,
	REPORT_NR_KEYS
};

/* Keys in the order in which they were given, each once. */
struct report_keys {
	enum report_key key[REPORT_NR_KEYS];
	size_t nr;
};

/* Indexed by enum report_key; NULL-terminated. */
extern const char *const report_key_names[];

/*
 * Parse the value of --sort, "comm,sym", for the recording @path. Returns EXIT_OK, or EXIT_USAGE
 * after a message.
 */
int report_keys_parse(struct report_keys *keys, const char *list, const char *path);
/* Append the keys as text, "comm,sym". */
void report_keys_add(const struct report_keys *keys, struct buf *out);

bool report_keys_have(const struct report_keys *keys, enum report_key key);
/* Is it this key alone? */
bool report_keys_are(const struct report_keys *keys, enum report_key key);
/* Does a sample have several values of this key, one for each function of its stack? */
bool report_key_is_of_frames(enum report_key key);
bool report_keys_have_frames(const struct report_keys *keys);
/* Is it the key of frames that the module is shown with, where that is no key itself? */
bool report_key_has_module(const struct report_keys *keys, enum report_key key);

/* Set what the query of a tally has to distinguish for these keys. */
void report_query(struct tally_query *query, const struct report_keys *keys);

/* The value of a key that is not one of frames. @name is used as storage if necessary. */
const char *report_key_text(const struct data *d, const struct tally_row *row,
			    enum report_key key, struct buf *name);

#endif /* KPROF_REPORT_KEYS_H */
