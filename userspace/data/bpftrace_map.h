/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpftrace_map.h - parse the maps that bpftrace prints, with stacks as keys, into stacks
 *
 *	@[
 *	    vfs_read+1
 *	    ksys_read+95
 *	, dd]: 12
 *
 * Keys are stacks, innermost function first, and others, such as comm. The others become the first
 * frames, in their order; of several stacks the last is the outermost, as of kstack, ustack, and as
 * stackcollapse-bpftrace.pl has it. A key that is a tuple, "(a, b)", is like so many keys. A stack
 * is printed with names, or in mode perf with addresses before and files behind them, or in mode
 * raw as addresses. Values that are no count, and those without a stack, are left out.
 */
#ifndef KPROF_BPFTRACE_MAP_H
#define KPROF_BPFTRACE_MAP_H

#include "data/text_filter.h"
#include "lib/strtab.h"

/* Zero-initialise, but for @filter. */
struct bpftrace_map {
	struct text_filter *filter;	/* NULL: all entries are taken */
	struct folded_odd no_stack, no_count;	/* values that are left out */
	/* Private from here on. */
	uint64_t lost;			/* events that bpftrace could not print */
	uint64_t line;			/* of the entry: its number */
	struct buf name, first;		/* of the map of the entry, and of that which is taken */
	uint64_t other_maps;		/* values of other maps than the first */
	uint64_t repeated;		/* values of keys that had one already */
	struct buf raw;			/* the key of the entry, as it is printed */
	struct strtab seen;		/* those of all entries that were taken */
	uint64_t addresses;		/* frames without a name */
	bool in_entry;
	bool is_list;			/* the keys of the entry are one of JSON */
	const char *separator;		/* between two keys */
	struct buf keys, functions;	/* of the entry: names, each with a NUL */
	size_t nr_keys, nr_functions;
	struct folded_frame *frame;
	size_t room;
};

/* Is this a line as bpftrace begins with? It cannot be folded text, which ends in a count. */
bool bpftrace_map_begins(const char *line, size_t len);

/* Parse line number @nr. Returns false if it is not a line of such a text. */
bool bpftrace_map_line(struct bpftrace_map *m, struct folded *f, const char *line, size_t len,
		       uint64_t nr);

/* --- an entry that is not printed as such lines --- */

/* @name: of the map; @separator: between two keys; @line: its number */
void bpftrace_map_begin(struct bpftrace_map *m, const char *name, size_t len,
			const char *separator, uint64_t line);

/* A line of the key: with other keys, or one function. The first line has no function. */
void bpftrace_map_part(struct bpftrace_map *m, const char *line, size_t len, bool is_first);

/* Count the entry, if @value is a count. */
void bpftrace_map_end(struct bpftrace_map *m, struct folded *f, const char *value);

/* --- */

/* So many events were lost. */
void bpftrace_map_lose(struct bpftrace_map *m, uint64_t nr);

/*
 * Say what was left out of the text, which messages call @from. Returns EXIT_OK; EXIT_ERROR if that
 * was all.
 */
int bpftrace_map_finish(struct bpftrace_map *m, const char *from);
void bpftrace_map_free(struct bpftrace_map *m);

#endif /* KPROF_BPFTRACE_MAP_H */
