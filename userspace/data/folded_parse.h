/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded_parse.h - the lines of folded text, one by one, for whoever reads them from an input
 */
#ifndef KPROF_FOLDED_PARSE_H
#define KPROF_FOLDED_PARSE_H

#include "data/folded.h"

struct text_filter;

/* How many counts a line has. */
enum folded_columns {
	FOLDED_AS_FLAMEGRAPH,	/* two if it ends in two numbers, as flamegraph.pl takes it */
	FOLDED_ONE_COUNT,	/* another number is part of a name */
	FOLDED_TWO_COUNTS
};

/*
 * Zero-initialise, but for the first four members. Keeps the previous line and the ends of its
 * frames: if a line begins with the same frames, these need not be looked up again.
 */
struct folded_parser {
	struct folded *f;
	const char *from;		/* what messages call the text */
	struct text_filter *filter;	/* NULL: all stacks are taken */
	enum folded_columns columns;
	/* Private from here on. */
	struct folded_odd other_columns;	/* lines with another number of counts */
	struct folded_odd prose;		/* lines that may be no stacks */
	folded_change_fn *change;	/* NULL: as they are */
	void *arg;
	const char *last;
	size_t last_len;
	size_t *end;
	size_t nr_ends, end_room;
	struct folded_frame *frame;	/* where the line is needed as an array: of the line */
	size_t frame_room;
};

/* Parse a line that is not empty. It must stay where it is until the next one is parsed, */
void folded_parser_line(struct folded_parser *p, const char *line, size_t len);

/* unless this is called in between. */
void folded_parser_text_moves(struct folded_parser *p);
void folded_parser_free(struct folded_parser *p);

/* Say what is doubtful in the text. */
void folded_parser_tell(const struct folded_parser *p);

/* "# interval: 100", as austin and others begin a text with */
bool folded_is_comment(const char *line, size_t len);

/*
 * Is the only name of a line one that hardly any program has printed as a frame? It is indented, or
 * ends in a colon; or it is too long for the name of a task, and has blanks outside of brackets,
 * and not before them: "run (app.py:12)".
 */
bool folded_is_prose(const char *name, size_t len);

bool folded_ends_in_two_counts(const char *text, size_t len);

/* Report the line that was read last as one that is left out, and count it in bad_lines. */
void folded_report(struct folded *f, const char *from, const char *why, const char *line,
		   size_t len);

/* At the end of the text: only the first of such lines were reported one by one. */
void folded_report_end(const struct folded *f, const char *from);

#endif /* KPROF_FOLDED_PARSE_H */
