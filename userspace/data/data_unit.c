// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_unit.c - the unit in which the stacks of a recording are counted
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/data_unit.h"
#include "data/tally.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"

/* Which kinds of sources have records. */
struct kinds {
	bool timer, counter;
	int targets, others;	/* how many */
	const char *event;	/* of the counter: its list of events */
};

static void note_source(struct kinds *k, const struct data *d, uint32_t id)
{
	const char *name = id < d->nr_sources ? d->source[id].name : NULL;

	if (data_is_target(d, id)) {
		k->targets++;
		return;
	}
	k->others++;
	if (!name || !strcmp(name, "timer") || !strncmp(name, "cpu-clock", 9)) {
		k->timer = true;
	} else {
		k->counter = true;
		k->event = name;
	}
}

/* @without: a source that does not count; 0: none */
static struct kinds kinds_of(const struct data *d, const char *source, uint32_t without)
{
	const uint32_t asked = source ? tally_source(d, source) : 0;
	bool seen[1u << KPROF_SOURCE_BITS] = { false };
	struct kinds k = { 0 };
	size_t chunk, i;

	for (chunk = 0; chunk < d->nr_chunks; chunk++) {
		for (i = 0; i < d->chunk[chunk].nr; i++) {
			const struct kprof_record *rec = &d->chunk[chunk].rec[i];
			uint32_t id = KPROF_KEY_SOURCE(rec->key);

			if (seen[id] || data_is_addition(rec))
				continue;
			seen[id] = true;
			if (source ? id == asked : !without || id != without)
				note_source(&k, d, id);
		}
	}
	/* One without records has the unit that it would have. */
	if (asked && !seen[asked])
		note_source(&k, d, asked);
	return k;
}

static void set_name(struct data_unit *unit, const struct kinds *k)
{
	const char *name = "samples";

	if (unit->by_weight && k->counter)
		name = k->event;
	else if (unit->by_weight)
		name = "ns";
	else if (k->targets && !unit->has_samples)
		name = "calls";
	/* The first event is the leading one: samples are weighted by it. */
	snprintf(unit->name, sizeof(unit->name), "%.*s", (int)strcspn(name, ","), name);
}

static void choose(struct data_unit *unit, const struct kinds *k, enum data_count count)
{
	*unit = (struct data_unit){
		.has_samples = k->timer || k->counter, .nr_sources = k->targets + k->others,
	};
	/* Events and time cannot be added: if there are both, count by number. */
	if (count != DATA_COUNT_SAMPLES && !(k->counter && (k->targets || k->timer)))
		unit->by_weight = count == DATA_COUNT_NS || unit->has_samples;
	set_name(unit, k);
}

void data_unit_choose(struct data_unit *unit, const struct data *d, enum data_count count,
		      const char *source)
{
	struct kinds k = kinds_of(d, source, 0);

	choose(unit, &k, count);
}

void data_unit_choose_samples(struct data_unit *unit, const struct data *d, enum data_count count)
{
	struct kinds k = kinds_of(d, NULL, 0);
	int left_out = k.others ? k.targets : 0;

	k.targets -= left_out;
	choose(unit, &k, count);
	unit->nr_left_out = left_out;
}

void data_unit_choose_without(struct data_unit *unit, const struct data *d, enum data_count count,
			      const char *source)
{
	uint32_t without = tally_source(d, source);
	struct kinds k = kinds_of(d, NULL, without);

	if (!k.targets && !k.others && without) {
		without = 0;
		k = kinds_of(d, NULL, 0);
	}
	choose(unit, &k, count);
	unit->without = without;
}

bool data_is_all_cpus(const struct data *d)
{
	char *cpus = data_meta(d, "cpus"), *possible = data_meta(d, "possible_cpus");
	uint64_t nr = number_or_0(possible);
	char list[32];
	bool all;

	snprintf(list, sizeof(list), nr > 1 ? "0-%" PRIu64 : "%" PRIu64, nr ? nr - 1 : 0);
	all = !*cpus || !strcmp(cpus, "all") || (nr && !strcmp(cpus, list));
	free(cpus);
	free(possible);
	return all;
}

/* In which modes samples were taken. */
static const char *modes_of(const struct data *d)
{
	bool user = false, kernel = false;
	size_t chunk, i;

	for (chunk = 0; chunk < d->nr_chunks && !(user && kernel); chunk++) {
		for (i = 0; i < d->chunk[chunk].nr; i++) {
			const struct kprof_record *rec = &d->chunk[chunk].rec[i];
			uint32_t id = KPROF_KEY_SOURCE(rec->key);

			if (data_is_addition(rec) || data_is_target(d, id))
				continue;
			*(rec->info & KPROF_INFO_USER ? &user : &kernel) = true;
		}
	}
	return user && kernel ? "kernel and user" : user ? "all in user code" : "all in the kernel";
}

static bool is_of_some_tasks(const struct data *d)
{
	char *pid = data_meta(d, "pid"), *comm = data_meta(d, "comm");
	bool some = *pid || *comm;

	free(pid);
	free(comm);
	return some;
}

void data_unit_describe(const struct data_unit *unit, const struct data *d, struct buf *text)
{
	bool is_time = unit->by_weight && !strcmp(unit->name, "ns");
	char *cpus = data_meta(d, "cpus");

	buf_printf(text, "%s %s, ", !is_time ? unit->name : unit->has_samples ? "CPU time" :
		   "time in calls", unit->is_part ? "of what was asked for" :
		   is_of_some_tasks(d) ? "of the tasks recorded" : "of all tasks");
	if (data_is_all_cpus(d))
		buf_printf(text, "all CPUs together");
	else
		buf_printf(text, "CPUs %s together", cpus);
	if (unit->has_samples)
		buf_printf(text, ", %s", modes_of(d));
	if (data_duration_ns(d))
		buf_printf(text, ", in %.3f s", data_duration_ns(d) / 1e9);
	free(cpus);
}

int data_count_of_options(bool ns, bool samples, enum data_count *count)
{
	if (ns && samples)
		return msg_contradiction("--ns", "--samples");
	*count = ns ? DATA_COUNT_NS : samples ? DATA_COUNT_SAMPLES : DATA_COUNT_DEFAULT;
	return EXIT_OK;
}
