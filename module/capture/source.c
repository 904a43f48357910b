// SPDX-License-Identifier: GPL-2.0-only
/*
 * source.c - the table of sources, and the sums of their accounts
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched.h>

#include "base/state.h"
#include "capture/source.h"
#include "profile/profile.h"

const char * const kprof_drop_names[KPROF_NR_DROPS] = {
	[KPROF_DROP_IDLE] = "idle",
	[KPROF_DROP_FILTER] = "filter",
	[KPROF_DROP_OWN] = "own",
	[KPROF_DROP_NESTED] = "nested",
	[KPROF_DROP_NOREGS] = "noregs",
	[KPROF_DROP_NOMEM] = "nomem",
	[KPROF_DROP_MAXACTIVE] = "maxactive",
	[KPROF_DROP_REENTRY] = "reentry",
	[KPROF_DROP_STACK] = "stack",
	[KPROF_DROP_TABLE] = "table",
	[KPROF_DROP_UNBEGUN] = "unbegun",
};

/* How often an account is copied until another CPU leaves it alone; see read_account(). */
#define MAX_TRIES	500
#define TRIES_AT_ONCE	20

/* Indexed by id. An id is not reused before the profile is emptied. */
static struct kprof_source *sources[KPROF_MAX_SOURCES];

/**
 * kprof_source_add() - give a source an id and an account
 * @source:	the source; kind and name are filled in
 *
 * Context: sleeps; kprof_mutex is held.
 * Return: 0, -ENOMEM, or -ENOSPC if there are too many.
 */
int kprof_source_add(struct kprof_source *source)
{
	u32 id = 1;

	lockdep_assert_held(&kprof_mutex);
	while (id < KPROF_MAX_SOURCES && sources[id])
		id++;
	if (id == KPROF_MAX_SOURCES)
		return -ENOSPC;
	source->account = alloc_percpu(struct kprof_account);
	if (!source->account)
		return -ENOMEM;
	source->id = id;
	sources[id] = source;
	return 0;
}

/**
 * kprof_source_remove() - undo kprof_source_add()
 * @source:	a source that takes no more samples and has none in the profile
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_source_remove(struct kprof_source *source)
{
	lockdep_assert_held(&kprof_mutex);
	sources[source->id] = NULL;
	free_percpu(source->account);
	source->account = NULL;
}

/**
 * kprof_source_get() - look up a source by id
 * @id:		any number
 *
 * Context: kprof_mutex is held. Return: the source, NULL if there is none.
 */
struct kprof_source *kprof_source_get(u32 id)
{
	return id < KPROF_MAX_SOURCES ? sources[id] : NULL;
}

/**
 * kprof_source_next() - iterate over the sources
 * @id:		cursor; 0 at first
 *
 * Context: kprof_mutex is held. Return: the next source, NULL after the last.
 */
struct kprof_source *kprof_source_next(u32 *id)
{
	while (++*id < KPROF_MAX_SOURCES)
		if (sources[*id])
			return sources[*id];
	return NULL;
}

static void add_account(struct kprof_totals *totals, const struct kprof_account *account)
{
	int i;

	totals->fired += local64_read(&account->fired);
	totals->recorded += local64_read(&account->recorded);
	for (i = 0; i < KPROF_NR_DROPS; i++)
		totals->dropped[i] += local64_read(&account->dropped[i]);
	totals->overrun += local64_read(&account->overrun);
	totals->late += local64_read(&account->late);
	totals->throttled += local64_read(&account->throttled);
	totals->counted += local64_read(&account->counted);
	for (i = 0; i < KPROF_MAX_ALONG; i++)
		totals->along[i] += local64_read(&account->along[i]);
	totals->overflow += local64_read(&account->overflow);
	totals->overflow_weight += local64_read(&account->overflow_weight);
}

/* Copy a CPU's account. Return: whether that CPU did not change it meanwhile. */
static bool copy_account(struct kprof_account *to, const struct kprof_account *from,
			 const struct kprof_cpu *cpu)
{
	s64 left = local64_read(&cpu->left);

	smp_rmb();	/* pairs with smp_wmb() in capture.c */
	*to = *from;
	smp_rmb();	/* pairs with smp_wmb() in capture.c */
	return local64_read(&cpu->entered) == left;
}

/* The samples whose fate was known when the account was copied. */
static s64 settled(const struct kprof_account *account)
{
	s64 nr = local64_read(&account->recorded);
	int i;

	for (i = 0; i < KPROF_NR_DROPS; i++)
		nr += local64_read(&account->dropped[i]);
	return nr;
}

/*
 * Copy a CPU's account at a moment when that CPU is not changing it.
 *
 * A CPU that does little but take samples may have no such moment that is long enough, or stand
 * still in a sample, where it is virtual. A try takes about as long as a sample, so MAX_TRIES are
 * hundreds of samples: what has not come between these will not come soon. All accounts of
 * hundreds of targets and CPUs then still take seconds at most, in which others may run.
 *
 * After that, what the last copy says is true of each counter alone, at a moment of its own. Only
 * "fired" may be too high, by samples that are being taken, or too low, by those that began after
 * it was read. Both are left to the next reader: fired are those that are recorded or dropped. So
 * the sums add up, and none ever goes back.
 */
static void read_account(struct kprof_account *to, const struct kprof_account *from,
			 const struct kprof_cpu *cpu)
{
	int tries;

	for (tries = 1; !copy_account(to, from, cpu); tries++) {
		if (tries == MAX_TRIES) {
			local64_set(&to->fired, settled(to));
			return;
		}
		cpu_relax();
		if (tries % TRIES_AT_ONCE == 0)
			cond_resched();
	}
}

/**
 * kprof_source_totals() - add up a source's accounts
 * @source:	the source
 * @totals:	where the sums go; in them, fired is recorded plus dropped
 *
 * Context: sleeps, and spins for a while if other CPUs take samples all the time; kprof_mutex is
 * held.
 */
void kprof_source_totals(struct kprof_source *source, struct kprof_totals *totals)
{
	struct kprof_account account;
	int cpu;

	memset(totals, 0, sizeof(*totals));
	for_each_possible_cpu(cpu) {
		read_account(&account, per_cpu_ptr(source->account, cpu),
			     per_cpu_ptr(kprof_profile->cpu, cpu));
		add_account(totals, &account);
	}
	if (source->kind->add)
		source->kind->add(source, totals);
}

/**
 * kprof_sources_clear() - empty every account
 *
 * Context: kprof_mutex is held; nothing takes samples meanwhile.
 */
void kprof_sources_clear(void)
{
	struct kprof_source *source;
	u32 id = 0;
	int cpu;

	while ((source = kprof_source_next(&id)))
		for_each_possible_cpu(cpu)
			memset(per_cpu_ptr(source->account, cpu), 0,
			       sizeof(*source->account));
}
