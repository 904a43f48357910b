/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - what decides when a sample is taken, and its account
 *
 * A source is the timer or a watched function. It owns a small number that
 * keys and records carry, a name that "folded" shows, and on each CPU an
 * account in which fired = recorded + the sum of dropped, always.
 */
#ifndef KPROF_SOURCE_H
#define KPROF_SOURCE_H

#include <asm/local64.h>
#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "uapi/kprof.h"

struct kprof_source;
struct kprof_text;
struct kprof_totals;

/*
 * Why a sample was not recorded. Names in "stats": see source.c. Not every reason can happen
 * to every kind of source: see struct kprof_source_kind.
 */
enum kprof_drop {
	KPROF_DROP_NONE,	/* it was */
	KPROF_DROP_IDLE,	/* the idle task, and idle=0 */
	KPROF_DROP_FILTER,	/* pid=, comm= or cpus= did not match */
	KPROF_DROP_NESTED,	/* the CPU was already taking a sample in this context */
	KPROF_DROP_NOREGS,	/* the interrupted registers were not to be had */
	KPROF_DROP_NOMEM,	/* there was no memory for samples when the CPU came */
	KPROF_DROP_MAXACTIVE,	/* more calls at once than maxactive */
	KPROF_DROP_REENTRY,	/* another probe was at work on this CPU */
	KPROF_DROP_STACK,	/* no room on the stack for the trampoline */
	KPROF_DROP_TABLE,	/* no room among the spans that are open */
	KPROF_DROP_UNBEGUN,	/* the end of a span of which no beginning was seen */
	KPROF_NR_DROPS
};

/* What can happen to a sample of any kind. */
#define KPROF_DROPS_ANY							\
	(BIT(KPROF_DROP_IDLE) | BIT(KPROF_DROP_FILTER) | BIT(KPROF_DROP_NESTED) |	\
	 BIT(KPROF_DROP_NOREGS) | BIT(KPROF_DROP_NOMEM))

/* What happens to a call before the handler could see it: not in the accounts. */
#define KPROF_DROPS_UNSEEN						\
	(BIT(KPROF_DROP_MAXACTIVE) | BIT(KPROF_DROP_REENTRY) | BIT(KPROF_DROP_STACK))

/**
 * struct kprof_source_kind - what sources of a kind have in common
 * @name:	as the file "sources" has it
 * @drops:	BIT() of each reason for which samples can be dropped
 * @add:	adds to the totals what the accounts do not have; may be NULL
 * @stats:	prints the lines of "stats" that only this kind has; may be NULL
 *
 * Context of both functions: sleeps; kprof_mutex is held, and kprof_profile_sem for @stats.
 */
struct kprof_source_kind {
	const char *name;
	u32 drops;
	void (*add)(struct kprof_source *source, struct kprof_totals *totals);
	void (*stats)(struct kprof_source *source, const struct kprof_totals *totals,
		      struct kprof_text *text);
};

/**
 * struct kprof_account - what happened to a source's samples on one CPU
 * @fired:	times the source asked for a sample
 * @recorded:	samples that are in the profile, be it in a named overflow row
 * @dropped:	the rest, by cause
 * @overrun:	ticks that came too late to be taken one by one
 * @throttled:	ticks left out so as not to take the CPU over
 * @counted:	events that samples with counts of other counters stand for
 * @along:	what these others have counted meanwhile
 * @overflow:	samples that are in the profile's overflow row
 * @overflow_weight: and their weight
 */
struct kprof_account {
	local64_t fired;
	local64_t recorded;
	local64_t dropped[KPROF_NR_DROPS];
	local64_t overrun;
	local64_t throttled;
	local64_t counted;
	local64_t along[KPROF_MAX_ALONG];
	local64_t overflow;
	local64_t overflow_weight;
};

/* The same, added up over CPUs by a reader. */
struct kprof_totals {
	u64 fired;
	u64 recorded;
	u64 dropped[KPROF_NR_DROPS];
	u64 overrun;
	u64 throttled;
	u64 counted;
	u64 along[KPROF_MAX_ALONG];
	u64 overflow;
	u64 overflow_weight;
	u64 left_out;
};

#define KPROF_MAX_SOURCES	512
#define KPROF_SOURCE_NAME	160

/**
 * struct kprof_source - a source
 * @id:		1 to KPROF_MAX_SOURCES - 1
 * @kind:	what it has in common with others
 * @nr_along:	counters that are read with each sample; their names are in @name
 * @gone:	it takes no more samples, but the profile still holds some
 * @name:	as "folded" and "stats" show it
 * @account:	one for each CPU
 */
struct kprof_source {
	u16	id;
	bool	gone;
	u8	nr_along;
	const struct kprof_source_kind *kind;
	char	name[KPROF_SOURCE_NAME];
	struct kprof_account __percpu *account;
};

extern const char * const kprof_drop_names[KPROF_NR_DROPS];

int kprof_source_add(struct kprof_source *source);
void kprof_source_remove(struct kprof_source *source);
struct kprof_source *kprof_source_get(u32 id);
struct kprof_source *kprof_source_next(u32 *id);
void kprof_source_totals(struct kprof_source *source, struct kprof_totals *totals);
void kprof_sources_clear(void);

#endif /* KPROF_SOURCE_H */
