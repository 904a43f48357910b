/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * collect.h - from the module's rings and tables into a recording
 *
 * Functions that return int give 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_COLLECT_H
#define KPROF_COLLECT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/account.h"
#include "data/data.h"
#include "user/files.h"

#define COLLECT_CHUNK	2048	/* records that are written at once */
#define COLLECT_NOTED	8192

struct collect_ring {
	int fd;
	uint32_t cpu;
	size_t nr;
	struct kprof_record rec[COLLECT_CHUNK];
};

struct collect_table {
	int fd;
	struct buf pending;	/* read, but not yet written */
};

struct collect {
	struct data_writer out;
	struct collect_ring **ring;
	int nr_rings;
	struct collect_table stacks, tasks;
	struct symtab symbols;
	uint64_t noted[COLLECT_NOTED];	/* addresses whose symbols were noted lately, by hash */
	bool *symbol_done;		/* by place in symbols: it is in the recording */
	struct user_files user;		/* of places in user stacks */
	struct buf places;		/* those whose file was not known yet */
	struct buf unresolved;		/* addresses that were no symbol at the start */
	struct data meta;		/* stats and sources, for the account */
	struct account_counts counts;
	bool stopped;			/* a ring came to its end */
	int (*take)(struct collect *c);	/* what was drained; NULL: collect_flush() */
};

/* Open rings and tables; what older samples the rings hold is thrown away. */
int collect_open(struct collect *c, int out_fd);

/* Wait for records, @timeout_ms at most, beside @nr other descriptors. */
int collect_wait(struct collect *c, struct pollfd *other, int nr, int timeout_ms);

/* Take out what the rings hold now; where there is no room for more c->take() is called. */
int collect_drain(struct collect *c);

/* Write what was taken out, and what it takes to read it. */
int collect_flush(struct collect *c);

/* After sampling was stopped: the rest, and the loss account. */
int collect_finish(struct collect *c);

/* Close everything; it may be called at any time after collect_open(). */
void collect_close(struct collect *c);

#endif /* KPROF_COLLECT_H */
