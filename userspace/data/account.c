// SPDX-License-Identifier: GPL-2.0-only
/*
 * account.c - the loss account: compare the module's counters with the recording
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "data/gone.h"
#include "data/marks.h"
#include "data/regions.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "lib/strtab.h"

#define OWN_CPU_LEAST	1.0	/* per cent of a CPU: less is not worth a line */

/*
 * Drops that are not losses: those that the user asked for, and ends of calls that had begun
 * before the recording. Without a counter it is the reader who leaves them out.
 */
static const struct {
	const char *counter, *what;
} filters[ACCOUNT_FILTERS] = {
	[ACCOUNT_IDLE] = { "dropped_idle", "of idle CPUs (--idle)" },
	[ACCOUNT_ASKED] = { "dropped_filter", "by pid, comm, cpus or if=" },
	[ACCOUNT_OWN] = { "dropped_own", "of kprof itself (--own)" },
	[ACCOUNT_UNBEGUN] = { "dropped_unbegun",
			      "ends of calls that had begun before the recording" },
	[ACCOUNT_UNMARKED] = { NULL, "outside of kprof_start() to kprof_stop() (--marked)" },
};

/* The filter that a counter belongs to; ACCOUNT_FILTERS: none. */
static enum account_filter filter_of(const char *counter)
{
	enum account_filter i;

	for (i = 0; i < ACCOUNT_FILTERS; i++)
		if (filters[i].counter && !strcmp(filters[i].counter, counter))
			break;
	return i;
}

static bool is_filter(const char *counter)
{
	return filter_of(counter) < ACCOUNT_FILTERS;
}

static void add_cause(struct buf *causes, const char *name, uint64_t n)
{
	buf_printf(causes, "%s%s %" PRIu64, causes->len ? ", " : "", name, n);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Maps names of sources to rows of an account. */
struct sources {
	struct strtab names;
	uint32_t row[KPROF_NR_SOURCES];
};

/* Take a counter of stats, "SOURCE.COUNTER", which grew by @n. */
static void take(struct account *a, const struct sources *s, const char *name, uint64_t n)
{
	const char *counter = strrchr(name, '.');
	enum account_filter filter;
	struct account_row *row;
	uint32_t source;

	if (!counter || !n)
		return;
	counter++;
	if (begins(name, "ring.dropped_")) {
		a->ring_dropped += n;
		add_cause(&a->causes, name, n);
		return;
	}
	if (begins(name, "user.")) {
		if (!account_maps_take(&a->maps, counter, n))
			account_user_take(&a->user, counter, n);
		return;
	}
	source = strtab_find(&s->names, name, counter - 1 - name);
	if (source == STRTAB_NONE)
		return;
	row = &a->row[s->row[source]];
	filter = filter_of(counter);
	if (filter < ACCOUNT_FILTERS) {
		row->filtered += n;
		a->filtered[filter] += n;
	} else if (!strcmp(counter, "fired")) {
		row->fired += n;
	} else if (!strcmp(counter, "overrun")) {
		a->overrun += n;
	} else if (!strcmp(counter, "throttled")) {
		*(strcmp(row->name, "timer") ? &a->stopped : &a->throttled) += n;
	} else if (begins(counter, "dropped_")) {
		add_cause(&a->causes, name, n);
	}
}

/* Iterates over lines "name: value", and computes how much each value grew. */
struct growth {
	const char *at;		/* the next line */
	struct strtab names;	/* names in the earlier text */
	uint64_t *value;	/* values in the earlier text, by name */
	size_t room;
	struct buf name;	/* of the current line */
	uint64_t n;		/* by how much its value grew */
};

/* Get the next name and value of a text. Returns false at the end. */
static bool next_value(const char **at, const char **name, size_t *len, uint64_t *value)
{
	const char *sep;

	while (buf_next_line(at, name, len)) {
		/* The name of a target may hold a ':', but no ": ". */
		sep = memmem(*name, *len, ": ", 2);
		if (!sep)
			continue;
		*value = number_or_0(sep + 2);
		*len = sep - *name;
		return true;
	}
	return false;
}

static void growth_begin(struct growth *g, const struct buf *before, const struct buf *after)
{
	const char *at = before->data, *name;
	uint64_t value;
	uint32_t i;
	size_t len;

	*g = (struct growth){ .at = after->data };
	while (next_value(&at, &name, &len, &value)) {
		i = strtab_add(&g->names, name, len);
		g->value = mem_grow(g->value, &g->room, i + 1ul, sizeof(*g->value));
		g->value[i] = value;
	}
}

static bool growth_next(struct growth *g)
{
	const char *name;
	uint32_t i;
	size_t len;

	if (!next_value(&g->at, &name, &len, &g->n))
		return false;
	g->name.len = 0;
	buf_add(&g->name, name, len);
	i = strtab_find(&g->names, name, len);
	if (i != STRTAB_NONE)
		g->n -= g->value[i];
	return true;
}

static void growth_end(struct growth *g)
{
	strtab_free(&g->names);
	free(g->value);
	buf_free(&g->name);
}

static void take_stats(struct account *a, const struct buf *before, const struct buf *after)
{
	struct sources sources = { .names = { 0 } };
	struct growth g;
	size_t i;

	for (i = 0; i < a->nr; i++)
		sources.row[strtab_add(&sources.names, a->row[i].name,
				      strlen(a->row[i].name))] = i;
	growth_begin(&g, before, after);
	while (growth_next(&g))
		take(a, &sources, g.name.data, g.n);
	growth_end(&g);
	strtab_free(&sources.names);
}

/* Its name behind that of the source; NULL: it is of no source. What is in rings is of one, too. */
static const char *counter_of_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && !begins(name, "ring.") ? dot + 1 : NULL;
}

uint64_t account_dropped(const struct buf *before, const struct buf *after, struct buf *causes)
{
	const char *counter;
	struct growth g;
	uint64_t all = 0;

	growth_begin(&g, before, after);
	while (growth_next(&g)) {
		counter = counter_of_source(g.name.data);
		if (!counter || !g.n || !begins(counter, "dropped_") || is_filter(counter))
			continue;
		add_cause(causes, g.name.data, g.n);
		all += g.n;
	}
	growth_end(&g);
	return all;
}

uint64_t account_growth(const struct buf *before, const struct buf *after, const char *counter)
{
	bool is_whole = strchr(counter, '.');
	const char *name;
	struct growth g;
	uint64_t all = 0;

	growth_begin(&g, before, after);
	while (growth_next(&g)) {
		name = is_whole ? g.name.data : counter_of_source(g.name.data);
		if (name && !strcmp(name, counter))
			all += g.n;
	}
	growth_end(&g);
	return all;
}

static bool is_word(const char *at, size_t left, const char *name, size_t len)
{
	return left >= len && !memcmp(at, name, len) && (left == len || strchr(" \t", at[len]));
}

/* Lines of "targets" begin with a name; an option may give another one. */
static bool is_target(const struct data *d, const char *name, size_t len)
{
	const char *at = d->text[DATA_TARGETS].data, *line, *as;
	size_t left;

	while (buf_next_line(&at, &line, &left)) {
		if (is_word(line, left, name, len))
			return true;
		as = memmem(line, left, " as=", 4);
		if (as && is_word(as + 4, line + left - as - 4, name, len))
			return true;
	}
	return false;
}

size_t account_silent(const struct data *d, size_t most, struct buf *names)
{
	struct growth g;
	const char *dot;
	size_t nr = 0;

	growth_begin(&g, &d->text[DATA_STATS_BEFORE], &d->text[DATA_STATS]);
	while (growth_next(&g)) {
		dot = strrchr(g.name.data, '.');
		if (g.n || !dot || strcmp(dot, ".fired") ||
		    !is_target(d, g.name.data, dot - g.name.data))
			continue;
		if (nr++ < most)
			buf_printf(names, "%s%.*s", nr > 1 ? ", " : "", (int)(dot - g.name.data),
				   g.name.data);
	}
	growth_end(&g);
	return nr;
}

void account_left_out(const struct buf *before, const struct buf *after, uint64_t *at_entry,
		      uint64_t *at_return)
{
	*at_entry = account_growth(before, after, "dropped_filter");
	*at_return = account_growth(before, after, "left_out");
}

static void add_rows(struct account *a, const struct data *d,
		     const struct account_counts *counts)
{
	uint32_t id;

	for (id = 1; id < d->nr_sources; id++) {
		if (!d->source[id].name)
			continue;
		a->row = mem_realloc(a->row, a->nr + 1, sizeof(*a->row));
		a->row[a->nr++] = (struct account_row){
			.name = d->source[id].name,
			.filtered = marks_left_out(d, id),
			.captured = counts->captured[id] + marks_taken(d, id),
		};
	}
}

static void add_up(struct account *a)
{
	struct account_row *total = &a->total;
	size_t i;

	for (i = 0; i < a->nr; i++) {
		struct account_row *row = &a->row[i];
		uint64_t want = row->fired - row->filtered;

		row->lost = want > row->captured ? want - row->captured : 0;
		total->captured += row->captured;
		total->lost += row->lost;
	}
}

static uint64_t own_cpu(const struct data *d)
{
	return data_text_number(&d->text[DATA_META], "own_cpu_ns");
}

void account_make(struct account *a, const struct data *d, const struct account_counts *counts)
{
	*a = (struct account){
		.no_stack = counts->no_stack,
		.duration_ns = data_duration_ns(d),
		.own_cpu_ns = own_cpu(d),
		.filtered[ACCOUNT_UNMARKED] = marks_all_left_out(d),
	};
	buf_add(&a->causes, "", 0);
	add_rows(a, d, counts);
	take_stats(a, &d->text[DATA_STATS_BEFORE], &d->text[DATA_STATS]);
	add_up(a);
}

void account_free(struct account *a)
{
	free(a->row);
	buf_free(&a->causes);
}

void account_count(struct account_counts *counts, const struct kprof_record *rec, size_t nr)
{
	for (; nr--; rec++) {
		if (KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL) {
			counts->calls++;
			continue;
		}
		if (KPROF_INFO_KIND(rec->info) != KPROF_REC_SAMPLE)
			continue;
		counts->samples++;
		counts->captured[KPROF_KEY_SOURCE(rec->key)]++;
		counts->no_stack += KPROF_KEY_KSTACK(rec->key) == KPROF_ID_FULL ||
				    KPROF_KEY_USTACK(rec->key) == KPROF_ID_FULL;
	}
}

bool account_of_data(struct account *a, const struct data *d)
{
	struct account_counts *counts;
	size_t i;

	if (!d->whole)
		return false;
	counts = mem_zalloc(1, sizeof(*counts));
	for (i = 0; i < d->nr_chunks; i++)
		account_count(counts, d->chunk[i].rec, d->chunk[i].nr);
	account_make(a, d, counts);
	a->gone = gone_samples(d);
	account_user_look(&a->user, d);
	free(counts);
	return true;
}

static void print_filtered(const struct account *a, const char *prefix, FILE *out)
{
	struct buf text = { 0 };
	int i;

	for (i = 0; i < ACCOUNT_FILTERS; i++)
		if (a->filtered[i])
			buf_printf(&text, "%s%" PRIu64 " %s", text.len ? ", " : "",
				   a->filtered[i], filters[i].what);
	if (text.len)
		fprintf(out, "%sfiltered: %s\n", prefix, text.data);
	buf_free(&text);
}

/* What makes a profile coarser than it was asked for, and yet is no loss. */
static void print_coarse(const struct account *a, const char *prefix, FILE *out)
{
	if (a->overrun)
		fprintf(out, "%s%" PRIu64 " tick%s came too late: the next sample stands for them, "
			"too, in nanoseconds\n", prefix, a->overrun, plural(a->overrun));
	if (a->throttled)
		fprintf(out, "%s%" PRIu64 " tick%s %s left out by max_cpu: the next sample stands "
			"for them, too, in nanoseconds\n", prefix, a->throttled,
			plural(a->throttled), a->throttled == 1 ? "was" : "were");
	if (a->stopped)
		fprintf(out, "%sperf stopped a counter %" PRIu64 " time%s until the next tick, as "
			"it interrupted too often\n", prefix, a->stopped, plural(a->stopped));
	if (a->no_stack)
		fprintf(out, "%s%" PRIu64 " sample%s found the stack table full: see "
			"[stack table full]\n", prefix, a->no_stack, plural(a->no_stack));
	if (a->gone)
		fprintf(out, "%s%" PRIu64 " sample%s %s in files that could not be opened: "
			"functions there have no names\n", prefix, a->gone, plural(a->gone),
			a->gone == 1 ? "was" : "were");
}

/* What kprof took itself, which others had to wait for; not if it is too little to matter. */
static void print_own_cpu(uint64_t own_ns, uint64_t duration_ns, const char *prefix, FILE *out)
{
	double percent = duration_ns ? 100.0 * own_ns / duration_ns : 0;

	if (percent >= OWN_CPU_LEAST)
		fprintf(out, "%skprof itself ran for %.3f s, %.1f %% of a CPU\n", prefix,
			own_ns / 1e9, percent);
}

void account_print_own_cpu(const struct data *d, const char *prefix, FILE *out)
{
	print_own_cpu(own_cpu(d), data_duration_ns(d), prefix, out);
}

void account_print(const struct account *a, const char *prefix, FILE *out)
{
	size_t i;

	fprintf(out, "%s%12s %12s %12s %12s  source\n", prefix, "fired", "filtered", "captured",
		"lost");
	for (i = 0; i < a->nr; i++) {
		const struct account_row *row = &a->row[i];

		if (row->fired || row->captured)
			fprintf(out, "%s%12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64
				"  %s\n", prefix, row->fired, row->filtered, row->captured,
				row->lost, row->name);
	}
	print_filtered(a, prefix, out);
	if (a->causes.len)
		fprintf(out, "%slost: %s\n", prefix, a->causes.data);
	print_coarse(a, prefix, out);
	print_own_cpu(a->own_cpu_ns, a->duration_ns, prefix, out);
	account_user_print(&a->user, prefix, out);
	account_maps_print(&a->maps, prefix, out);
}

int account_warn(const struct data *d, const char *path)
{
	struct account a;
	int ret = EXIT_OK;

	if (!account_of_data(&a, d)) {
		msg_warn("%s: cut off after %" PRIu64 " bytes: shown is what was written "
			 "until then", path, d->good);
		return EXIT_LOST;
	}
	if (a.total.lost || a.ring_dropped) {
		msg_warn("%s: captured %" PRIu64 " + lost %" PRIu64 " = %" PRIu64
			 " samples (%s)", path, a.total.captured, a.total.lost,
			 a.total.captured + a.total.lost,
			 a.causes.len ? a.causes.data : "cause unknown");
		ret = EXIT_LOST;
	}
	if (regions_unknown(d)) {
		msg_warn("%s: %" PRIu64 " region%s found the table of names full: see "
			 "[unknown region]", path, regions_unknown(d),
			 plural(regions_unknown(d)));
		ret = EXIT_LOST;
	}
	account_free(&a);
	return ret;
}
