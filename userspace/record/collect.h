/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * collect.h - copy the module's rings and tables into a recording
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_COLLECT_H
#define KPROF_COLLECT_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/account.h"
#include "data/data.h"
#include "record/gone_files.h"
#include "record/keep_code.h"
#include "user/files.h"

#define COLLECT_CHUNK	2048	/* how many records are written at once */
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
	uint64_t noted[COLLECT_NOTED];	/* cache: addresses handled recently, by hash */
	bool *symbol_done;		/* by index in symbols: written to the recording */
	struct user_files user;		/* the files that user stacks refer to */
	struct buf places;		/* places whose file was not known yet */
	struct buf unresolved;		/* addresses without a symbol at the start */
	struct keep_code code;		/* where samples were taken */
	struct data meta;		/* stats and sources, for the account */
	struct buf earlier;		/* lines of sources that were removed before */
	struct account_counts counts;
	struct gone_files gone;
	bool has_new_files;		/* see collect_met_files() */
	int pins;			/* where the module's held files come from; -1: nowhere */
	bool of_cgroups;		/* the cgroups of tasks are recorded, too */
	size_t cgroups_done;		/* bytes of the module's task_cgroups that were written */
	bool stopped;			/* a ring reached its end of file */
	int (*take)(struct collect *c);	/* consumes drained records; NULL: collect_flush() */
};

/* Open rings and tables; discard old samples in the rings. */
int collect_open(struct collect *c, int out_fd);

/* Write the sources now, too, by which a recording that is cut off can tell its marks. */
int collect_write_sources(struct collect *c);

/* Have the module hold the files that user stacks refer to, until they are open here. */
void collect_pin_files(struct collect *c);

/* Wait for records, at most @timeout_ms, and for @nr other descriptors. */
int collect_wait(struct collect *c, struct pollfd *other, int nr, int timeout_ms);

/* Since the last time, was a sample the first one in a file? */
bool collect_met_files(struct collect *c);

/* Read what the rings hold now; calls c->take() when there is no room for more. */
int collect_drain(struct collect *c);

/* Write the drained records, with the stacks, tasks and symbols that they refer to. */
int collect_flush(struct collect *c);

/* After sampling was stopped: write the rest, and the loss account. */
int collect_finish(struct collect *c);

/* Close everything. May be called at any time after collect_open(). */
void collect_close(struct collect *c);

#endif /* KPROF_COLLECT_H */
