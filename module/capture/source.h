/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * source.h - sources, which decide when a sample is taken, and their accounts
 *
 * A source is, for example, the timer or a watched function. It has a small id that
 * keys and records carry, a name that "folded" shows, and an account on each
 * CPU. In an account, fired always equals recorded plus the sum of dropped.
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
 * Why a sample was not recorded. source.c has the names shown in "stats". Not every reason
 * applies to every kind of source: see struct kprof_source_kind.
 */
enum kprof_drop {
	KPROF_DROP_NONE,	/* recorded */
	KPROF_DROP_IDLE,	/* the idle task, and idle=0 */
	KPROF_DROP_FILTER,	/* pid=, comm= or cpus= did not match */
	KPROF_DROP_OWN,		/* of the process that own= names, or kprof's own code */
	KPROF_DROP_NESTED,	/* the CPU was already taking a sample in this context */
	KPROF_DROP_NOREGS,	/* the interrupted registers were not available */
	KPROF_DROP_NOMEM,	/* there was no memory for samples when the CPU came online */
	KPROF_DROP_MAXACTIVE,	/* more calls at once than maxactive */
	KPROF_DROP_REENTRY,	/* another probe was active on this CPU */
	KPROF_DROP_STACK,	/* too little of the stack was left */
	KPROF_DROP_TABLE,	/* no room in the table of open spans */
	KPROF_DROP_UNBEGUN,	/* the end of a span whose beginning was not seen */
	KPROF_NR_DROPS
};

/* Reasons that apply to every kind of source. */
#define KPROF_DROPS_ANY							\
	(BIT(KPROF_DROP_IDLE) | BIT(KPROF_DROP_FILTER) | BIT(KPROF_DROP_OWN) |		\
	 BIT(KPROF_DROP_NESTED) | BIT(KPROF_DROP_NOREGS) | BIT(KPROF_DROP_NOMEM))

/* Calls that were lost before the handler could see them; not in the accounts. */
#define KPROF_DROPS_UNSEEN						\
	(BIT(KPROF_DROP_MAXACTIVE) | BIT(KPROF_DROP_REENTRY) | BIT(KPROF_DROP_STACK))

/**
 * struct kprof_source_kind - what sources of a kind have in common
 * @name:	as shown in the file "sources"
 * @drops:	BIT() of each reason that applies
 * @add:	adds to the totals what the accounts do not have; may be NULL
 * @stats:	prints the lines of "stats" that are specific to this kind; may be NULL
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
 * @recorded:	samples in the profile, including those in a named overflow row
 * @dropped:	samples not recorded, by reason
 * @overrun:	ticks that came too late and were merged into another sample
 * @late:	records for the ring that say why a sample came late
 * @throttled:	timer: ticks skipped to limit the CPU time used; counter: times that perf
 *		throttled it
 * @counted:	weight of the samples that carry counts of other counters
 * @along:	what those other counters have counted
 * @overflow:	samples in the profile's overflow row
 * @overflow_weight: their weight
 */
struct kprof_account {
	local64_t fired;
	local64_t recorded;
	local64_t dropped[KPROF_NR_DROPS];
	local64_t overrun;
	local64_t late;
	local64_t throttled;
	local64_t counted;
	local64_t along[KPROF_MAX_ALONG];
	local64_t overflow;
	local64_t overflow_weight;
};

/* The same, summed over all CPUs by a reader. */
struct kprof_totals {
	u64 fired;
	u64 recorded;
	u64 dropped[KPROF_NR_DROPS];
	u64 overrun;
	u64 late;
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
 * @nr_along:	number of counters read with each sample; their names are part of @name
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
