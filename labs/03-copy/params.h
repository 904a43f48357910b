/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the program and its truth
 */
#ifndef COPY_PARAMS_H
#define COPY_PARAMS_H

#include "lib/derive.h"

#define PAGE		4096
#define LARGE_BLOCK	(1u << 20)	/* of the questions on mode rw */
#define MAPPED_BLOCK	(1u << 16)	/* of those on mode mmap */
#define PIECE		512		/* of a block that is read in pieces */

/*
 * Numbers of the ledger, for each of the two copies: its page faults from main() on, and those of
 * the process. The former lack those of exec, which are the copy's, and as many as pages have to be
 * looked for; the latter have those from fork to exec, too, which are those of whoever measures.
 */
#define COPY_NUMBERS	4

/* What is done with blocks that are larger than the best one, and makes them worse. */
enum copy_cause {
	COPY_FAULTS,	/* a new buffer for each */
	COPY_CALLS,	/* they are read and written in pieces */
	COPY_USER,	/* the program adds up their bytes */
	COPY_NR
};

/* What is synced of a block that was copied in mode mmap. */
enum copy_sync {
	COPY_SYNC_ALL,
	COPY_SYNC_NEXT,	/* the one behind it: the pointer has moved on */
	COPY_SYNC_PAGE,	/* its first page */
	COPY_SYNC_NR
};

struct copy_params {
	enum copy_cause cause;
	enum copy_sync sync;
	u32 best;	/* bytes of a block */
	u32 table;	/* pages that mode rw takes, whatever it copies */
	u32 bytes;	/* of the file */
};

static inline void copy_params(struct copy_params *p, u64 token)
{
	p->cause = derive_pick(token, "cause", COPY_NR);
	p->sync = derive_pick(token, "sync", COPY_SYNC_NR);
	p->best = 8192u << derive_pick(token, "best", 4);
	p->table = derive_range(token, "table", 0, 400, 1);
	p->bytes = derive_range(token, "bytes", 2u << 20, 5u << 20, MAPPED_BLOCK);
}

#endif /* COPY_PARAMS_H */
