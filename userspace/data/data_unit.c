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
	int timed;		/* of the targets: it is known how long their calls took */
	const char *event;	/* of the counter: its list of events */
	const char *target;	/* the first one */
	const char *untimed;	/* the first one that is not timed */
};

static void note_target(struct kinds *k, const char *name, bool is_timed)
{
	if (!k->targets++)
		k->target = name;
	if (is_timed)
		k->timed++;
	else if (!k->untimed)
		k->untimed = name;
}

/* Of several events, samples are weighted by the first one. */
static bool is_timer(const char *name)
{
	return !strncmp(name, "cpu-clock", 9) ||
	       (strcspn(name, ",") == strlen("timer") && !strncmp(name, "timer", strlen("timer")));
}

static void note_source(struct kinds *k, const struct data *d, uint32_t id, bool is_timed)
{
	const char *name = id < d->nr_sources ? d->source[id].name : NULL;

	if (data_is_target(d, id)) {
		note_target(k, name ? name : "an unknown source", is_timed);
		return;
	}
	k->others++;
	if (!name || is_timer(name)) {
		k->timer = true;
	} else {
		k->counter = true;
		k->event = name;
	}
}

void data_presence_of(struct data_presence *of, const struct data *d)
{
	size_t chunk, i;

	*of = (struct data_presence){ .has_records = { false } };
	for (chunk = 0; chunk < d->nr_chunks; chunk++) {
		for (i = 0; i < d->chunk[chunk].nr; i++) {
			const struct kprof_record *rec = &d->chunk[chunk].rec[i];
			uint32_t id = KPROF_KEY_SOURCE(rec->key);

			if (data_is_addition(rec))
				continue;
			of->has_records[id] = true;
			of->is_timed[id] |= KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL &&
					    rec->weight;
		}
	}
}

/* @without: a source that does not count; 0: none */
static struct kinds kinds_of(const struct data *d, const char *source, uint32_t without)
{
	const uint32_t asked = source ? tally_source(d, source) : 0;
	struct data_presence of;
	struct kinds k = { 0 };
	uint32_t id;

	data_presence_of(&of, d);
	for (id = 0; id < DATA_MAX_SOURCES; id++)
		if (of.has_records[id] && (source ? id == asked : !without || id != without))
			note_source(&k, d, id, of.is_timed[id]);
	/* One without records has the unit that it would have. */
	if (asked && !of.has_records[asked])
		note_source(&k, d, asked, false);
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
		.target = k->targets == 1 && !k->others ? k->target : NULL,
	};
	/* Events and time cannot be added: if there are both, count by number. */
	if (count != DATA_COUNT_SAMPLES && !(k->counter && (k->targets || k->timer)))
		unit->by_weight = count == DATA_COUNT_NS || unit->has_samples || k->timed;
	unit->is_mixed = k->counter && (k->targets || k->timer);
	if (unit->by_weight && k->timed < k->targets) {
		unit->nr_untimed = k->targets - k->timed;
		unit->untimed = k->untimed;
	}
	set_name(unit, k);
}

void data_unit_choose(struct data_unit *unit, const struct data *d, enum data_count count,
		      const char *source)
{
	struct kinds k = kinds_of(d, source, 0);

	choose(unit, &k, count);
}

void data_unit_choose_one(struct data_unit *unit, const struct data *d,
			  const struct data_presence *of, enum data_count count, uint32_t id)
{
	struct kinds k = { 0 };

	note_source(&k, d, id, of->is_timed[id]);
	choose(unit, &k, count);
}

void data_unit_choose_samples(struct data_unit *unit, const struct data *d, enum data_count count)
{
	struct kinds k = kinds_of(d, NULL, 0);
	int left_out = k.others ? k.targets : 0;

	if (left_out) {
		k.targets = 0;
		k.timed = 0;
	}
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

static bool is_time(const struct data_unit *unit)
{
	return unit->by_weight && !strcmp(unit->name, "ns");
}

void data_unit_sum(const struct data_unit *unit, struct buf *text)
{
	bool is_preset = unit->target && *unit->target == '@';

	buf_printf(text, "%s", !is_time(unit) ? unit->name : unit->has_samples ? "CPU time" :
		   is_preset ? "time" : "time in calls");
	if (unit->target)
		buf_printf(text, " %s %s", is_preset && is_time(unit) ? "in" : "of", unit->target);
}

void data_unit_tell(const struct data_unit *unit, const char *name)
{
	if (unit->is_mixed && !unit->by_weight)
		msg_warn("%s: events of a counter and time do not add up, so samples and calls are counted: --source NAME shows one source, in its own unit",
			 name);
	if (unit->nr_untimed)
		msg_warn("%s: calls that have no time are left out, those of %s%s: --samples counts calls, --source NAME shows one source",
			 name, unit->untimed, unit->nr_untimed > 1 ? " and others" : "");
}

void data_unit_describe(const struct data_unit *unit, const struct data *d, struct buf *text)
{
	char *cpus = data_meta(d, "cpus");

	data_unit_sum(unit, text);
	buf_printf(text, " %s, ", unit->is_part ? "of what was asked for" :
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
