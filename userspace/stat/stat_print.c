// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_print.c - print counts as text, CSV and JSON
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/csv.h"
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
static double beside(const struct stat_results *r, const struct stat_event *event,
		     const char *kind)
{
	size_t i;

	for (i = 0; i < r->events->nr; i++) {
		const struct stat_event *other = &r->events->event[i];

		if (!strcmp(other->kind, kind) && other->no_user == event->no_user &&
		    other->no_kernel == event->no_kernel)
			return mean_of(&r->result[i].mean);
	}
	return 0;
}

/* CPU time in nanoseconds, from an event of any modes; 0 if no such event was counted. */
static double processor_time(const struct stat_results *r)
{
	size_t i;

	for (i = 0; i < r->events->nr; i++)
		if (r->events->event[i].is_time)
			return mean_of(&r->result[i].mean);
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

static struct metric metric_of(const struct stat_results *r, size_t i)
{
	const struct stat_event *event = &r->events->event[i];
	double value = mean_of(&r->result[i].mean), time = processor_time(r);
	double elapsed = mean_of(&r->elapsed), other;

	if (event->is_time)
		return elapsed ? (struct metric){ value / 1e9 / elapsed, "CPUs utilized" } :
				 (struct metric){ 0 };
	other = beside(r, event, "cycles");
	if (!strcmp(event->kind, "instructions") && other)
		return (struct metric){ value / other, "insn per cycle" };
	other = beside(r, event, "branches");
	if (!strcmp(event->kind, "branch-misses") && other)
		return (struct metric){ 100 * value / other, "% of all branches" };
	other = beside(r, event, "cache-references");
	if (!strcmp(event->kind, "cache-misses") && other)
		return (struct metric){ 100 * value / other, "% of all cache refs" };
	if (!time)
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

/* --- text, like that of perf stat --- */

static void text_error(const struct stat_mean *m, FILE *out)
{
	if (m->runs > 1)
		fprintf(out, "  ( +- %5.2f%% )", error_of(m));
}

static void text_event(const struct stat_results *r, size_t i, FILE *out)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = &r->result[i];
	const char *reason = excuse(&result->sum);
	struct metric metric;

	if (reason) {
		fprintf(out, "%18s      %s\n", reason, event->name);
		return;
	}
	if (event->is_time)
		fprintf(out, "%18.2f msec %-25s", mean_of(&result->mean) / 1e6, event->name);
	else
		fprintf(out, "%18.0f      %-25s", mean_of(&result->mean), event->name);
	metric = metric_of(r, i);
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

void stat_print_text(const struct stat_results *r, FILE *out)
{
	size_t i;

	fprintf(out, "\n Performance counter stats for %s", r->what);
	if (r->elapsed.runs > 1)
		fprintf(out, " (%d runs)", r->elapsed.runs);
	fputs(":\n\n", out);
	for (i = 0; i < r->events->nr; i++)
		text_event(r, i, out);
	fputc('\n', out);
	text_seconds(&r->elapsed, "time elapsed", out);
	if (r->has_command) {
		fputc('\n', out);
		text_seconds(&r->user, "user", out);
		text_seconds(&r->system, "sys", out);
	}
	fputc('\n', out);
}

/* --- CSV and JSON --- */

static void csv_event(const struct stat_results *r, size_t i, struct csv *c)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = &r->result[i];
	const char *reason = excuse(&result->sum);
	struct metric metric = reason ? (struct metric){ 0 } : metric_of(r, i);

	if (reason)
		csv_text(c, reason);
	else
		csv_number(c, mean_of(&result->mean) / (event->is_time ? 1e6 : 1),
			   event->is_time ? 2 : 0);
	csv_text(c, event->is_time ? "msec" : "");
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

void stat_print_csv(const struct stat_results *r, const char *separator, FILE *out)
{
	struct csv c = csv_begin(out, separator);
	size_t i;

	if (!separator)
		fputs("value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent\n",
		      out);
	for (i = 0; i < r->events->nr; i++)
		csv_event(r, i, &c);
}

/* Decimals: none for a whole count, three for a scaled one, if a double has that many digits. */
static int digits_of(double value)
{
	return fabs(value) < 1e15 && value != floor(value) ? 3 : 0;
}

static void json_event(const struct stat_results *r, size_t i, struct json *j)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = &r->result[i];
	bool known = !excuse(&result->sum);
	struct metric metric = known ? metric_of(r, i) : (struct metric){ 0 };
	double value = mean_of(&result->mean);

	json_object(j, NULL, JSON_LINE);
	json_text(j, "event", event->name);
	json_bool(j, "supported", result->sum.supported);
	if (known)
		json_number(j, "value", value, digits_of(value));
	else
		json_null(j, "value");
	json_text(j, "unit", event->is_time ? "ns" : "");
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

void stat_print_json(const struct stat_results *r, FILE *out)
{
	struct json j = json_begin(out);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "of", r->what);
	json_u64(&j, "runs", r->elapsed.runs);
	json_number(&j, "elapsed_s", mean_of(&r->elapsed), 9);
	if (r->has_command) {
		json_number(&j, "user_s", mean_of(&r->user), 9);
		json_number(&j, "system_s", mean_of(&r->system), 9);
	}
	json_array(&j, "events", JSON_LINES);
	for (i = 0; i < r->events->nr; i++)
		json_event(r, i, &j);
	json_end(&j);
}
