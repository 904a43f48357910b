/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz.h - run verbs of the reader inside a fuzzer, and look at what they print
 */
#ifndef KPROF_FUZZ_H
#define KPROF_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "cmd/verbs.h"

/* What a verb prints on standard output, and so what it must keep to. */
enum fuzz_output {
	FUZZ_TEXT,	/* for a terminal: nothing that one obeys */
	FUZZ_CSV,
	FUZZ_JSON,	/* is JSON, of UTF-8 */
	FUZZ_SVG,	/* is XML, with nothing in it that XML cannot hold */
	FUZZ_FOLDED,	/* folded text, which is read back and printed likewise */
};

/*
 * Run a verb with these arguments, up to a NULL. The program ends, which is a
 * finding, where it prints what it must not, or takes more time or memory
 * than what is linear in @size, the bytes of the input.
 */
void fuzz_verb(const struct verb *verb, enum fuzz_output output, size_t size,
	       const char *const *args);

/* One of the ways in which a target reads its input. */
struct fuzz_way {
	const struct verb *verb;
	enum fuzz_output output;
	const char *args[8];	/* up to a NULL */
};

/* The way of a table that the first byte of an input chooses. */
#define FUZZ_WAY(ways, byte)	(&(ways)[(byte) % (sizeof(ways) / sizeof(*(ways)))])

/* fuzz_verb(), with a file or two behind the way's arguments: @other may be NULL. */
void fuzz_run(const struct fuzz_way *way, size_t size, const char *file, const char *other);

/* The same limits for what runs between the two, which may take @more bytes of memory. */
void fuzz_begin(void);
void fuzz_end(size_t size, size_t more);

/* A file with these contents; the path is good until the next call for @slot. */
#define FUZZ_SLOTS	12
const char *fuzz_file(int slot, const void *data, size_t size);

/* A part of an input. */
struct fuzz_part {
	const char *data;
	size_t size;
};

/* The parts of an input, which lines "%%" keep apart; those that are not there are empty. */
void fuzz_split(const uint8_t *data, size_t size, struct fuzz_part *part, size_t nr);

/* End with a finding. */
void fuzz_fail(const char *why, const char *text, size_t len) __attribute__((noreturn));

/* Is the text what a verb may print? NULL, or why not. (check.c) */
const char *check_text(const char *text, size_t len);
const char *check_json(const char *text, size_t len);
const char *check_svg(const char *text, size_t len);

/* What libFuzzer calls. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif /* KPROF_FUZZ_H */
