/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_kind.h - the kinds of texts of stacks, by which programs print them
 */
#ifndef KPROF_TEXT_KIND_H
#define KPROF_TEXT_KIND_H

enum text_kind {
	TEXT_AUTO,		/* as the text itself tells */
	TEXT_FOLDED,		/* "a;b;c 12" */
	TEXT_PERF,		/* perf script, kprof script */
	TEXT_BPFTRACE,		/* maps that have stacks as keys */
	TEXT_BPFTRACE_JSON,	/* the same, of bpftrace -f json */
	TEXT_LIST,		/* a frame a line, innermost first, then a line with the count */
	TEXT_NR_KINDS
};

/* "a text of perf script" */
const char *text_kind_name(enum text_kind kind);

/* What --format calls each kind; ends in NULL. */
extern const char *const text_kind_words[TEXT_NR_KINDS + 1];

#endif /* KPROF_TEXT_KIND_H */
