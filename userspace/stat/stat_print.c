// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_print.c - print counts as text, CSV and JSON
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/json.h"
#include "stat/stat.h"

void stat_mean_add(struct stat_mean *m, double value)
{
	m->sum += value;
	m->squares += value * value;
	m->runs++;
}

void stat_result_add(struct stat_result *result, const struct stat_value *value)
{
	result->sum.supported |= value->supported;
	result->sum.value += value->value;
	result->sum.enabled += value->enabled;
	result->sum.running += value->running;
	result->sum.silent += value->silent;
	stat_mean_add(&result->mean, value->value);
}

static double mean_of(const struct stat_mean *m)
{
	return m->runs ? m->sum / m->runs : 0;
}

/* The standard error of the mean, in per cent of the mean; 0 if it cannot be computed. */
static double error_of(const struct stat_mean *m)
{
	double mean = mean_of(m), variance;

	if (m->runs < 2 || !mean)
		return 0;
	variance = (m->squares - m->sum * mean) / (m->runs - 1);
	return variance > 0 ? 100 * sqrt(variance / m->runs) / mean : 0;
}

/* --- metrics: the ratio of a count to another one --- */

struct metric {
	double value;
	const char *unit;	/* NULL: no metric */
};

/* The count of another event of the same modes; 0 if it is not known. */
static double beside(const struct stat_results *r, size_t row, const struct stat_event *event,
		     const char *kind)
{
	size_t i;

	for (i = 0; i < r->events->nr; i++) {
		const struct stat_event *other = &r->events->event[i];

		if (!strcmp(other->kind, kind) && other->no_user == event->no_user &&
		    other->no_kernel == event->no_kernel)
			return mean_of(&stat_result_of(r, i, row)->mean);
	}
	return 0;
}

/* CPU time in nanoseconds, from an event of any modes; 0 if no such event was counted. */
static double processor_time(const struct stat_results *r, size_t row)
{
	size_t i;

	for (i = 0; i < r->events->nr; i++)
		if (r->events->event[i].is_time)
			return mean_of(&stat_result_of(r, i, row)->mean);
	return 0;
}

static struct metric rate(double per_second)
{
	if (per_second >= 1e9)
		return (struct metric){ per_second / 1e9, "G/sec" };
	if (per_second >= 1e6)
		return (struct metric){ per_second / 1e6, "M/sec" };
	if (per_second >= 1e3)
		return (struct metric){ per_second / 1e3, "K/sec" };
	return (struct metric){ per_second, "/sec" };
}

/* The ratios that have names of their own: an event, what it is compared with. */
static const struct {
	const char *kind, *other;
	double scale;
	const char *unit;
} ratios[] = {
	{ "instructions", "cycles", 1, "insn per cycle" },
	{ "branch-misses", "branches", 100, "% of all branches" },
	{ "cache-misses", "cache-references", 100, "% of all cache refs" },
	{ "L1-dcache-load-misses", "L1-dcache-loads", 100, "% of all L1-dcache accesses" },
	{ "L1-icache-load-misses", "L1-icache-loads", 100, "% of all L1-icache accesses" },
	{ "LLC-load-misses", "LLC-loads", 100, "% of all LL-cache accesses" },
	{ "dTLB-load-misses", "dTLB-loads", 100, "% of all dTLB cache accesses" },
	{ "iTLB-load-misses", "iTLB-loads", 100, "% of all iTLB cache accesses" },
};

static struct metric metric_of(const struct stat_results *r, size_t event_nr, size_t row)
{
	const struct stat_event *event = &r->events->event[event_nr];
	double value = mean_of(&stat_result_of(r, event_nr, row)->mean);
	double time = processor_time(r, row), elapsed = mean_of(&r->elapsed), other;
	size_t i;

	if (event->is_time)
		return elapsed ? (struct metric){ value / 1e9 / elapsed, "CPUs utilized" } :
				 (struct metric){ 0 };
	for (i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		if (strcmp(event->kind, ratios[i].kind))
			continue;
		other = beside(r, row, event, ratios[i].other);
		if (other)
			return (struct metric){ ratios[i].scale * value / other, ratios[i].unit };
	}
	if (!time || *event->unit)
		return (struct metric){ 0 };
	if (!strcmp(event->kind, "cycles"))
		return (struct metric){ value / time, "GHz" };
	return rate(1e9 * value / time);
}

/* Why there is no value; NULL if there is one. */
static const char *excuse(const struct stat_value *sum)
{
	if (!sum->supported)
		return "<not supported>";
	return sum->running ? NULL : "<not counted>";
}

static double share(const struct stat_value *sum)
{
	return sum->enabled ? 100.0 * sum->running / sum->enabled : 100;
}

/* Decimals: none for a whole count, three for a scaled one, if a double has that many digits. */
static int digits_of(double value)
{
	return fabs(value) < 1e15 && value != floor(value) ? 3 : 0;
}

/* --- text, like that of perf stat --- */

static void text_error(const struct stat_mean *m, FILE *out)
{
	if (m->runs > 1)
		fprintf(out, "  ( +- %5.2f%% )", error_of(m));
}

static void text_value(const struct stat_event *event, double value, FILE *out)
{
	if (event->is_time)
		fprintf(out, "%18.2f msec %-25s", value / 1e6, event->name);
	else if (*event->unit)
		fprintf(out, "%18.2f %-4s %-25s", value, event->unit, event->name);
	else
		fprintf(out, "%18.0f      %-25s", value, event->name);
}

static void text_event(const struct stat_results *r, size_t i, size_t row, FILE *out)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = stat_result_of(r, i, row);
	const char *reason = excuse(&result->sum);
	struct metric metric;

	if (r->intervals)
		fprintf(out, "%16.9f ", r->at);
	if (r->cpu)
		fprintf(out, "CPU%-4d ", r->cpu[row]);
	if (reason) {
		fprintf(out, "%18s      %s\n", reason, event->name);
		return;
	}
	text_value(event, mean_of(&result->mean), out);
	metric = metric_of(r, i, row);
	if (metric.unit)
		fprintf(out, " # %8.3f %-19s", metric.value, metric.unit);
	else
		fprintf(out, " %30s", "");
	text_error(&result->mean, out);
	/* The counter was multiplexed, so the count is an estimate. */
	if (result->sum.running < result->sum.enabled)
		fprintf(out, "  (%.2f%%)", share(&result->sum));
	fputc('\n', out);
}

static void text_seconds(const struct stat_mean *m, const char *what, FILE *out)
{
	fprintf(out, "%18.9f seconds %s", mean_of(m), what);
	text_error(m, out);
	fputc('\n', out);
}

static void text_heading(const struct stat_results *r, FILE *out)
{
	if (r->intervals) {
		fprintf(out, "#           time %s            counts unit events\n",
			r->cpu ? "CPU     " : "");
		return;
	}
	fputs("\n Performance counter stats for ", out);
	escape_print(r->what, out);
	if (r->elapsed.runs > 1)
		fprintf(out, " (%d runs)", r->elapsed.runs);
	fputs(":\n\n", out);
}

static void text_times(const struct stat_results *r, FILE *out)
{
	fputc('\n', out);
	text_seconds(&r->elapsed, "time elapsed", out);
	if (r->has_command) {
		fputc('\n', out);
		text_seconds(&r->user, "user", out);
		text_seconds(&r->system, "sys", out);
	}
	fputc('\n', out);
}

/* --- CSV --- */

static void csv_heading(const struct stat_results *r, FILE *out)
{
	fprintf(out, "%s%svalue,unit,event,running_ns,running_percent,metric,metric_unit,error_percent\n",
		r->intervals ? "time_s," : "", r->cpu ? "cpu," : "");
}

static void csv_value(struct csv *c, const struct stat_event *event, double value)
{
	if (event->is_time)
		csv_number(c, value / 1e6, 2);
	else
		csv_number(c, value, *event->unit ? 2 : 0);
}

static void csv_event(const struct stat_results *r, size_t i, size_t row, struct csv *c)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = stat_result_of(r, i, row);
	const char *reason = excuse(&result->sum);
	struct metric metric = reason ? (struct metric){ 0 } : metric_of(r, i, row);

	if (r->intervals)
		csv_number(c, r->at, 9);
	if (r->cpu)
		csv_u64(c, r->cpu[row]);
	if (reason)
		csv_text(c, reason);
	else
		csv_value(c, event, mean_of(&result->mean));
	csv_text(c, event->is_time ? "msec" : event->unit);
	csv_text(c, event->name);
	csv_u64(c, result->sum.running);
	csv_number(c, share(&result->sum), 2);
	if (metric.unit)
		csv_number(c, metric.value, 4);
	else
		csv_empty(c);
	csv_text(c, metric.unit ? metric.unit : "");
	if (result->mean.runs > 1 && !reason)
		csv_number(c, error_of(&result->mean), 2);
	else
		csv_empty(c);
	csv_end_line(c);
}

/* --- JSON --- */

static void json_event(const struct stat_results *r, size_t i, size_t row, struct json *j)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = stat_result_of(r, i, row);
	bool known = !excuse(&result->sum);
	struct metric metric = known ? metric_of(r, i, row) : (struct metric){ 0 };
	double value = mean_of(&result->mean);

	json_object(j, NULL, JSON_LINE);
	if (r->cpu)
		json_u64(j, "cpu", r->cpu[row]);
	json_text(j, "event", event->name);
	json_bool(j, "supported", result->sum.supported);
	if (known)
		json_number(j, "value", value, digits_of(value));
	else
		json_null(j, "value");
	json_text(j, "unit", event->is_time ? "ns" : event->unit);
	json_u64(j, "enabled_ns", result->sum.enabled);
	json_u64(j, "running_ns", result->sum.running);
	if (metric.unit) {
		json_number(j, "metric", metric.value, 6);
		json_text(j, "metric_unit", metric.unit);
	}
	if (result->mean.runs > 1 && known)
		json_number(j, "error_percent", error_of(&result->mean), 4);
	json_close(j);
}

static void json_begin_all(struct stat_printer *p, const struct stat_results *r)
{
	p->json = json_begin(p->out);
	json_object(&p->json, NULL, JSON_LINES);
	json_text(&p->json, "of", r->what);
	if (r->intervals)
		json_array(&p->json, "intervals", JSON_LINES);
	else
		json_u64(&p->json, "runs", r->elapsed.runs);
}

/* The times of a command are known at its end, so an interval has none. */
static void json_times(struct json *j, const struct stat_results *r)
{
	if (r->intervals) {
		json_object(j, NULL, JSON_LINES);
		json_number(j, "time_s", r->at, 9);
	}
	json_number(j, "elapsed_s", mean_of(&r->elapsed), 9);
	if (r->has_command && !r->intervals) {
		json_number(j, "user_s", mean_of(&r->user), 9);
		json_number(j, "system_s", mean_of(&r->system), 9);
	}
	json_array(j, "events", JSON_LINES);
}

/* --- all formats --- */

static void begin(struct stat_printer *p, const struct stat_results *r)
{
	if (p->format == STAT_JSON)
		json_begin_all(p, r);
	else if (p->format == STAT_TEXT)
		text_heading(r, p->out);
	else if (!p->separator)
		csv_heading(r, p->out);
	p->begun = true;
}

static void print_event(struct stat_printer *p, const struct stat_results *r, size_t i, size_t row)
{
	struct csv csv;

	switch (p->format) {
	case STAT_TEXT:
		text_event(r, i, row, p->out);
		break;
	case STAT_CSV:
		csv = csv_begin(p->out, p->separator);
		csv_event(r, i, row, &csv);
		break;
	case STAT_JSON:
		json_event(r, i, row, &p->json);
		break;
	}
}

void stat_print(struct stat_printer *p, const struct stat_results *r)
{
	size_t i, row;

	if (!p->begun)
		begin(p, r);
	if (p->format == STAT_JSON)
		json_times(&p->json, r);
	for (i = 0; i < r->events->nr; i++)
		for (row = 0; row < r->nr_rows; row++)
			print_event(p, r, i, row);
	if (p->format == STAT_TEXT && !r->intervals)
		text_times(r, p->out);
	if (p->format == STAT_JSON && r->intervals) {
		json_close(&p->json);
		json_close(&p->json);
	}
	fflush(p->out);
}

void stat_print_end(struct stat_printer *p)
{
	if (p->format == STAT_JSON && p->begun)
		json_end(&p->json);
}
