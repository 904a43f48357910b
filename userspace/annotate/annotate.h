/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * annotate.h - the instructions of a function, with the samples of a recording beside them
 *
 * Depends on code, data, diff, report, symbols and user.
 */
#ifndef KPROF_ANNOTATE_H
#define KPROF_ANNOTATE_H

#include <stdio.h>
#include <sys/types.h>

#include "data/data.h"
#include "data/data_unit.h"
#include "data/frames.h"
#include "data/tally.h"
#include "lib/arena.h"
#include "lib/strtab.h"

/* What was recorded at an address, or at all addresses. */
struct annotate_counts {
	uint64_t self, samples;		/* in the unit of the recording; and how many samples */
	uint64_t under;			/* self of what was called from there */
	uint64_t calls;			/* of watched functions: begun or called there */
};

struct annotate_insn {
	uint64_t addr;
	uint32_t size;
	const char *text;		/* NULL: not known */
	struct annotate_counts counts;
	uint64_t ran;			/* how often, by the counts of its block */
};

#define ANNOTATE_NOT_COUNTED	UINT64_MAX	/* its block has no count, or is in no file */

/* Zero-initialise. */
struct annotate {
	const struct data *data;
	const struct symbol *symbol;
	bool is_user;			/* user code: addresses are places */
	struct data_unit unit;
	const char *origin;		/* where its code was read; NULL: there is none */
	char why[256];			/* why there are no instructions, only addresses; or "" */
	char why_no_lines[256];		/* of user code; "" if there may be */
	struct inlined inlined;		/* functions and lines at its instructions, of user code */
	bool is_foreign;		/* user code of a file of another user or nobody, ... */
	uid_t owner;			/* ... this one */
	struct annotate_insn *insn;	/* by address */
	size_t nr;
	struct annotate_counts in, all;	/* in the function; in the whole recording */
	uint64_t no_address;		/* samples that have no address of this kind of code */
	uint64_t lost;			/* samples */
	bool is_empty;			/* no record is left by the query */
	bool has_counts;		/* of blocks */
	uint64_t counted_calls;		/* while they were counted */
	/* Private from here on. */
	struct arena texts;
	struct buf code;
	size_t room;
	struct frame frame[INLINED_DEPTH + 1];
};

/**
 * annotate_make() - find the function, its code, and what was recorded there
 * @name: NAME, MODULE:NAME, FILE:NAME or NAME@0xADDRESS; NULL: the function with the most samples
 * @query: which records count
 *
 * Return: EXIT_OK, or EXIT_ERROR or EXIT_USAGE after a message, but without one if no @name was
 * given and is_empty is set: the caller knows what was asked for; of the source of @query,
 * tally_check_source() is to be asked before. Call annotate_free() in any case.
 */
int annotate_make(struct annotate *a, const struct data *d, const char *name,
		  const struct tally_query *query);
void annotate_free(struct annotate *a);

/*
 * Put the counts of a file that kprof blocks --json has written to the instructions. Returns
 * EXIT_OK, or EXIT_ERROR after a message: it is of another function or kernel, or of other code.
 */
int annotate_take_blocks(struct annotate *a, const char *path);

/* Find the code of the function: sets code and origin, or why. annotate_make() calls it. */
void annotate_find_code(struct annotate *a);

/* The same of user code, from its file if the recording does not have it. */
void annotate_find_user_code(struct annotate *a);

/*
 * What is inlined at its instructions, and the source lines, from its file: once they are known.
 * Without it, the recording may have those of the places that were sampled.
 */
void annotate_find_user_lines(struct annotate *a);

/* Did the recording keep the code? Then it is there now. */
bool annotate_find_kept_code(struct annotate *a);

#define ANNOTATE_CODE_MAX	(1u << 20)	/* bytes; no function of the kernel comes near it */

/* As frames_at(), with what annotate_find_user_lines() has found. Valid until the next call. */
const struct frame *annotate_frames(struct annotate *a, uint64_t addr, size_t *nr);

/* --- output --- */

/* The source files that lines were read from. Zero-initialise. */
struct annotate_source {
	const char *folder;		/* for names that are not absolute; NULL: this folder */
	bool is_foreign;		/* names come from a file of another user, ... */
	uid_t owner;			/* ... so only files of this user are read */
	/* Private from here on. */
	struct strtab names;
	struct annotate_file *file;	/* by number of the name */
	size_t room, bytes;
};

/*
 * A line of a source file, without white space at either end; NULL if it cannot be read, or if too
 * many files or too much of them was read before.
 */
const char *annotate_source_line(struct annotate_source *s, const char *name, uint32_t line);
void annotate_source_free(struct annotate_source *s);

struct annotate_output {
	FILE *out;
	bool color;
	bool under, calls;		/* show these columns */
	long around;			/* only so many instructions around samples; -1: all */
	struct annotate_source source;
};

void annotate_print_text(struct annotate_output *o, struct annotate *a);
void annotate_print_json(struct annotate_output *o, struct annotate *a);

#endif /* KPROF_ANNOTATE_H */
