/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_read.h - read JSON into a tree
 *
 * A value that is looked for and not there is NULL, and NULL has no members and is no number; so a
 * chain of look-ups needs one check, at its end.
 */
#ifndef KPROF_JSON_READ_H
#define KPROF_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_READ_DEPTH	64	/* of objects and arrays in each other, at most */
#define JSON_READ_VALUES	(4u << 20)	/* at most: a tree is a multiple of its text */

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_ARRAY, JSON_OBJECT };

struct json_value {
	enum json_type type;
	const char *name;	/* as a member of an object, else NULL */
	const char *text;	/* of a text; of others what is written, without an end */
	uint32_t nr;		/* members */
	uint32_t size;		/* of the array of values: itself, and its members with theirs */
};

/* Zero-initialise. */
struct json_tree {
	struct json_value *value;	/* the first one is the whole; members follow theirs */
	uint32_t nr;
	size_t room;
};

/*
 * Parse @text, which is changed, and which the tree refers to. Returns 0; or -1 with @error set, if
 * it is no JSON, has a NUL in a text, or more than JSON_READ_VALUES. Call json_tree_free() in any
 * case.
 */
int json_tree_read(struct json_tree *t, char *text, char error[256]);
void json_tree_free(struct json_tree *t);

/* A member of an object by its name, the first one if there are several; or NULL. */
const struct json_value *json_get(const struct json_value *object, const char *name);

/* The members one by one: NULL is before the first, and behind the last. */
const struct json_value *json_next(const struct json_value *parent, const struct json_value *last);

/* The text of a text; NULL if it is none. */
const char *json_get_text(const struct json_value *object, const char *name);

/* Is a member a whole number, which is not negative? Then it goes to @number. */
bool json_get_u64(const struct json_value *object, const char *name, uint64_t *number);

#endif /* KPROF_JSON_READ_H */
