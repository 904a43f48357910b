/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.h - write JSON: commas, indentation, escaping
 *
 *	struct json j = json_begin(out);
 *
 *	json_object(&j, NULL, JSON_LINES);
 *	json_text(&j, "kernel", release);
 *	json_array(&j, "calls", JSON_LINE);
 *	json_u64(&j, NULL, 42);
 *	json_close(&j);
 *	json_end(&j);
 *
 * A value inside an object has a name; inside an array, pass NULL for the name.
 */
#ifndef KPROF_JSON_H
#define KPROF_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_DEPTH	8

/* The members of an object or array: all on one line, or each on a line of its own. */
enum json_layout { JSON_LINE, JSON_LINES };

struct json {
	FILE *out;
	/* Private from here on. */
	int depth;
	int indent;
	bool value[JSON_DEPTH];	/* by depth: at least one value has been written */
	bool lines[JSON_DEPTH];
	char closing[JSON_DEPTH];
};

struct json json_begin(FILE *out);
/* Close all objects and arrays that are still open, and end the line. */
void json_end(struct json *j);

void json_object(struct json *j, const char *name, enum json_layout layout);
void json_array(struct json *j, const char *name, enum json_layout layout);
void json_close(struct json *j);

/* Invalid UTF-8 becomes U+FFFD. NULL becomes null. */
void json_text(struct json *j, const char *name, const char *text);
void json_u64(struct json *j, const char *name, uint64_t value);
/* With @digits decimals. NaN and infinity become null. */
void json_number(struct json *j, const char *name, double value, int digits);
/* Write a number if the text is a whole number, else a string. */
void json_text_or_number(struct json *j, const char *name, const char *text);
void json_bool(struct json *j, const char *name, bool value);
void json_null(struct json *j, const char *name);

#endif /* KPROF_JSON_H */
