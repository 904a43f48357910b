// SPDX-License-Identifier: GPL-2.0-only
/*
 * latency_file.c - the files latency, buckets and histogram, with a row for each
 * target and context
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "calls/calls.h"
#include "files/files.h"
#include "files/text_file.h"
#include "profile/profile.h"

#define BAR_WIDTH	40

/**
 * struct row - a row of these files
 * @target:	the target
 * @context:	id of the context; KPROF_ID_NONE for calls of a target without keys,
 *		KPROF_ID_FULL for calls that found no room
 * @value:	values of the context's keys
 */
struct row {
	struct kprof_target *target;
	u32 context;
	const u64 *value;
};

/**
 * struct table - the rows of all targets, found and ordered at once
 * @row:	rows with a context; by target, and by context within it
 * @first:	by id of the target: the first of its rows
 * @nr:		by id of the target: number of its rows
 * @target:	by id; NULL if there is none
 * @totals:	of the target that is printed now
 * @sum:	of the row that is printed now
 */
struct table {
	struct row *row;
	u32 first[KPROF_MAX_SOURCES];
	u32 nr[KPROF_MAX_SOURCES];
	struct kprof_target *target[KPROF_MAX_SOURCES];
	struct kprof_totals totals;
	struct kprof_latency_sum sum;
};

typedef void (*print_fn)(struct kprof_text *text, const struct row *row,
			 const struct table *table);

static void add_up(const struct row *row, struct kprof_latency_sum *sum)
{
	struct kprof_cpu *own;
	int cpu = -1;

	kprof_latency_sum_begin(sum);
	if (row->context < KPROF_ID_FIRST) {
		for_each_possible_cpu(cpu)
			kprof_latency_sum_add(sum, &per_cpu_ptr(row->target->cpu, cpu)->latency);
	} else {
		while ((own = kprof_next_cpu(kprof_profile, &cpu)))
			kprof_latency_sum_add(sum, &own->rows[row->context - KPROF_ID_FIRST]);
	}
	kprof_latency_sum_end(sum);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *one = a, *other = b;
	u32 i;

	if (one->target != other->target)
		return one->target->source.id < other->target->source.id ? -1 : 1;
	for (i = 0; i < one->target->keys.nr_keys; i++)
		if (one->value[i] != other->value[i])
			return (s64)one->value[i] < (s64)other->value[i] ? -1 : 1;
	return 0;
}

/* Return: number of rows. */
static u32 gather_rows(struct table *table)
{
	const struct kprof_intern *contexts = &kprof_profile->contexts;
	u32 i, nr = 0, used = kprof_intern_used(contexts);
	const struct kprof_intern_entry *entry;
	struct kprof_target *target;

	for (i = 0; i < used; i++) {
		entry = kprof_intern_get(contexts, i + KPROF_ID_FIRST);
		target = entry && entry->word[0] < KPROF_MAX_SOURCES ?
			 table->target[entry->word[0]] : NULL;
		if (!target)
			continue;
		table->row[nr++] = (struct row) {
			.target = target, .context = i + KPROF_ID_FIRST,
			.value = entry->word + 1,
		};
	}
	return nr;
}

static void make_table(struct table *table)
{
	struct kprof_target *target;
	u32 id, i, nr;

	list_for_each_entry(target, kprof_targets(), node)
		table->target[target->source.id] = target;
	nr = gather_rows(table);
	sort(table->row, nr, sizeof(*table->row), compare_rows, NULL);
	for (i = 0; i < nr; i++) {
		id = table->row[i].target->source.id;
		if (!table->nr[id]++)
			table->first[id] = i;
	}
}

static void print_rows_of(struct kprof_text *text, struct kprof_target *target,
			  struct table *table, print_fn print)
{
	const struct row *row = table->row + table->first[target->source.id];
	struct row rest = {
		.target = target,
		.context = target->keys.nr_keys ? KPROF_ID_FULL : KPROF_ID_NONE,
	};
	u32 i;

	kprof_source_totals(&target->source, &table->totals);
	for (i = 0; i < table->nr[target->source.id]; i++) {
		add_up(&row[i], &table->sum);
		if (table->sum.calls)	/* a row that lost a race for its id has none */
			print(text, &row[i], table);
		cond_resched();
	}
	add_up(&rest, &table->sum);
	if (table->sum.calls || rest.context == KPROF_ID_NONE)
		print(text, &rest, table);
}

/* Print the rows of all targets. */
static int print_rows(struct kprof_text *text, print_fn print)
{
	struct table *table = kvzalloc(sizeof(*table), GFP_KERNEL);
	struct kprof_target *target;

	if (table)
		table->row = kvcalloc(kprof_profile->contexts.capacity, sizeof(*table->row),
				      GFP_KERNEL);
	if (table && table->row) {
		make_table(table);
		list_for_each_entry(target, kprof_targets(), node)
			print_rows_of(text, target, table, print);
	} else {
		text->failed = true;
	}
	if (table)
		kvfree(table->row);
	kvfree(table);
	return 0;
}

static void print_name(struct kprof_text *text, const struct row *row, char separator)
{
	kprof_text_printf(text, "%s%c", row->target->source.name, separator);
	if (row->context == KPROF_ID_NONE)
		kprof_text_printf(text, "-");
	else if (row->context == KPROF_ID_FULL)
		kprof_text_printf(text, "[row table full]");
	else
		kprof_keyset_print(&row->target->keys, row->value, false, text);
}

static u64 percentile(const struct kprof_latency_sum *sum, u32 percent)
{
	u64 value = kprof_hist_percentile(sum->bucket, sum->calls, percent, sum->min, sum->max);

	return kprof_hist_narrow(value, sum->calls, percent, sum->min, sum->max, sum->total);
}

static void print_latency(struct kprof_text *text, const struct row *row,
			  const struct table *table)
{
	const struct kprof_latency_sum *sum = &table->sum;
	u64 calls = sum->calls, missed = 0;
	int i;

	for (i = 0; i < KPROF_NR_DROPS; i++)
		if (KPROF_DROPS_UNSEEN & BIT(i))
			missed += table->totals.dropped[i];
	/* Without a probe on the return, entries are counted as calls. */
	if (row->target->probe == KPROF_PROBE_ENTRY)
		calls = table->totals.recorded;
	print_name(text, row, '\t');
	kprof_text_printf(text, "\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%llu\t%u\n",
			  calls, missed, sum->total, sum->total - min(sum->others, sum->total),
			  sum->calls ? div64_u64(sum->total, sum->calls) : 0,
			  sum->min, percentile(sum, 50), percentile(sum, 90),
			  percentile(sum, 99), sum->max, row->context);
}

static int make_latency(struct kprof_text *text)
{
	kprof_text_printf(text, "target\tcontext\tcalls\tmissed\ttotal_ns\tself_ns\tavg_ns\tmin_ns\tp50_ns\tp90_ns\tp99_ns\tmax_ns\trow\n");
	return print_rows(text, print_latency);
}

static void print_buckets(struct kprof_text *text, const struct row *row,
			  const struct table *table)
{
	const struct kprof_latency_sum *sum = &table->sum;
	u32 i;

	for (i = 0; i < KPROF_HIST_BUCKETS; i++) {
		if (!sum->bucket[i])
			continue;
		print_name(text, row, '\t');
		kprof_text_printf(text, "\t%llu\t%llu\t%llu\n", kprof_hist_low(i),
				  kprof_hist_low(i + 1), sum->bucket[i]);
	}
}

static int make_buckets(struct kprof_text *text)
{
	kprof_text_printf(text, "target\tcontext\tlow_ns\thigh_ns\tcalls\n");
	return print_rows(text, print_buckets);
}

/* Number of calls in a bucket of a power of two, as bcc and bpftrace draw them. */
static u64 octave(const struct kprof_latency_sum *sum, u32 log2)
{
	u32 bucket = log2 ? kprof_hist_bucket(1ULL << log2) : 0;
	u32 end = kprof_hist_bucket(2ULL << log2);
	u64 n = 0;

	if (log2 == KPROF_HIST_OCTAVES)	/* the last one has everything above it, too */
		end = KPROF_HIST_BUCKETS;
	while (bucket < end)
		n += sum->bucket[bucket++];
	return n;
}

static void print_octave(struct kprof_text *text, u32 log2, u64 n, u64 most)
{
	char range[64], bar[BAR_WIDTH + 1];
	u32 width = div64_u64(n * BAR_WIDTH, most);

	memset(bar, '@', width);
	bar[width] = '\0';
	snprintf(range, sizeof(range), "[%llu, %llu)", log2 ? 1ULL << log2 : 0, 2ULL << log2);
	kprof_text_printf(text, "%-32s %10llu |%-*s|\n", range, n, BAR_WIDTH, bar);
}

static void print_histogram(struct kprof_text *text, const struct row *row,
			    const struct table *table)
{
	const struct kprof_latency_sum *sum = &table->sum;
	u32 log2, first = KPROF_HIST_OCTAVES, last = 0;
	u64 most = 0;

	print_name(text, row, ' ');
	kprof_text_printf(text, " (ns)\n");
	for (log2 = 0; log2 <= KPROF_HIST_OCTAVES; log2++) {
		if (!octave(sum, log2))
			continue;
		first = min(first, log2);
		last = log2;
		most = max(most, octave(sum, log2));
	}
	for (log2 = first; most && log2 <= last; log2++)
		print_octave(text, log2, octave(sum, log2), most);
	kprof_text_write(text, "\n", 1);
}

static int make_histogram(struct kprof_text *text)
{
	return print_rows(text, print_histogram);
}

KPROF_TEXT_FILE(latency, make_latency);
KPROF_TEXT_FILE(histogram, make_histogram);
KPROF_TEXT_FILE(buckets, make_buckets);
