/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall_waits.h - parts of waits, added up by who waited, where, and for whom
 *
 * Private to wall_waits*.c. A wait is a piece of a task's time in which it was blocked. The chain
 * of wakers splits it into parts; in each table, parts with the same texts make a row.
 */
#ifndef KPROF_WALL_WAITS_H
#define KPROF_WALL_WAITS_H

#include "wall/wall.h"

/* What a part has: the task that waited, its chain, and the last task of that. */
enum wall_text {
	WALL_WHO,
	WALL_STATE,
	WALL_PLACE,
	WALL_CHAIN,
	WALL_LAST_STATE,
	WALL_LAST_PLACE,
	WALL_LAST_WHO,
	WALL_TEXTS
};

/* Those of WALL_CHAINS, which are columns of CSV and JSON. */
#define WALL_COLUMNS	WALL_LAST_WHO

enum wall_waits_table {
	WALL_ENDS,	/* the last task, what it did, and who waited for that */
	WALL_PLACES,	/* who waited where, for whomever */
	WALL_LINKS,	/* who waited where, for which last task, and behind whom */
	WALL_CHAINS,	/* the same, the others in their order */
	WALL_TABLES
};

/**
 * struct wall_waits_row - parts of waits that are alike
 * @text:	by enum wall_text; empty: they may differ in it
 * @name:	of tasks, each once: who waited (WALL_ENDS), or whom they were behind (WALL_LINKS)
 * @ns:		all of them
 * @max:	the most that one wait has in this row
 * @waits:	how many waits have a part in it
 * @part:	what the last of these has so far
 * @wait:	private: that one
 */
struct wall_waits_row {
	const char *text[WALL_TEXTS];
	struct strtab name;
	uint64_t ns, max, waits, part;
	const struct wall_piece *wait;
};

/* @row: by time, sorted when all are there. @keys: private. */
struct wall_waits_rows {
	struct wall_waits_row *row;
	struct strtab keys;
	size_t room;
};

static inline size_t wall_waits_nr(const struct wall_waits_rows *rows)
{
	return rows->keys.nr;
}

/* Waits that are left out of the tables, unless asked for; but never those of an unknown end. */
enum wall_waits_kind {
	WALL_TOLD,		/* a task waits for another one, or for a device */
	WALL_SLEEPS,		/* ended by an interrupt: mostly until a timer of its own */
	WALL_IDLE,		/* a kernel thread that has nothing to do */
	WALL_BY_KPROF,		/* ended by this program */
	WALL_END_UNKNOWN,
	WALL_KINDS
};

/**
 * struct wall_waits - all waits of a recording
 * @table:	those that were asked for
 * @ns:		of all parts
 * @by_irq:	of these, ended by interrupts
 * @left_out:	by kind
 */
struct wall_waits {
	struct wall_waits_rows table[WALL_TABLES];
	uint64_t ns, by_irq, left_out[WALL_KINDS];
};

/* What percentages are of. Nobody waits for who has no work, or for this program. */
static inline double wall_waits_whole(const struct wall_waits *s)
{
	return s->ns + s->left_out[WALL_SLEEPS];
}

/* @lines: of the table WALL_LINKS; 0: as many as matter (wall_waits_text.c) */
void wall_waits_print_text(struct wall_waits *s, const struct wall *part, size_t lines, FILE *out);

/* @lines: 0: all (wall_waits_formats.c) */
void wall_waits_print_csv(const struct wall_waits *s, size_t lines, FILE *out);
void wall_waits_print_json(const struct wall_waits *s, size_t lines, FILE *out);

#endif /* KPROF_WALL_WAITS_H */
