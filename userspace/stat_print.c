// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_print.c - what was counted, for people and for programs
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "quote.h"
#include "stat.h"

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

/* The standard error of the mean, in per cent of it; 0 where there is nothing to compare. */
static double error_of(const struct stat_mean *m)
{
	double mean = mean_of(m), variance;

	if (m->runs < 2 || !mean)
		return 0;
	variance = (m->squares - m->sum * mean) / (m->runs - 1);
	return variance > 0 ? 100 * sqrt(variance / m->runs) / mean : 0;
}

/* --- what a count means beside the others --- */

struct metric {
	double value;
	const char *unit;	/* NULL: there is none */
};

/* The count of another event, of the same modes; 0 where it is not known. */
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

/* Nanoseconds of processor time, whatever the modes of their event. */
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

/* Why there is no value; NULL: there is one. */
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

/* --- for people, as perf stat has it --- */

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
	/* It had its counter for a part of the time only: the count is an estimate. */
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

/* --- for programs --- */

static void csv_event(const struct stat_results *r, size_t i, const char *separator, FILE *out)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = &r->result[i];
	const char *reason = excuse(&result->sum);
	struct metric metric = reason ? (struct metric){ 0 } : metric_of(r, i);

	if (reason)
		fputs(reason, out);
	else if (event->is_time)
		fprintf(out, "%.2f", mean_of(&result->mean) / 1e6);
	else
		fprintf(out, "%.0f", mean_of(&result->mean));
	fprintf(out, "%s%s%s%s%s%" PRIu64 "%s%.2f%s", separator, event->is_time ? "msec" : "",
		separator, event->name, separator, result->sum.running, separator,
		share(&result->sum), separator);
	if (metric.unit)
		fprintf(out, "%.4f%s%s%s", metric.value, separator, metric.unit, separator);
	else
		fprintf(out, "%s%s", separator, separator);
	if (result->mean.runs > 1 && !reason)
		fprintf(out, "%.2f", error_of(&result->mean));
	fputc('\n', out);
}

void stat_print_csv(const struct stat_results *r, const char *separator, FILE *out)
{
	size_t i;

	if (!separator)
		fputs("value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent\n",
		      out);
	for (i = 0; i < r->events->nr; i++)
		csv_event(r, i, separator ? separator : ",", out);
}

static void json_event(const struct stat_results *r, size_t i, FILE *out)
{
	const struct stat_event *event = &r->events->event[i];
	const struct stat_result *result = &r->result[i];
	bool known = !excuse(&result->sum);
	struct metric metric = known ? metric_of(r, i) : (struct metric){ 0 };

	fputs("{\"event\": ", out);
	quote_json(event->name, out);
	fprintf(out, ", \"supported\": %s, \"value\": ",
		result->sum.supported ? "true" : "false");
	if (known)
		fprintf(out, "%.15g", mean_of(&result->mean));
	else
		fputs("null", out);
	fprintf(out, ", \"unit\": \"%s\", \"enabled_ns\": %" PRIu64 ", \"running_ns\": %" PRIu64,
		event->is_time ? "ns" : "", result->sum.enabled, result->sum.running);
	if (metric.unit)
		fprintf(out, ", \"metric\": %.6g, \"metric_unit\": \"%s\"", metric.value,
			metric.unit);
	if (result->mean.runs > 1 && known)
		fprintf(out, ", \"error_percent\": %.4g", error_of(&result->mean));
	fputc('}', out);
}

void stat_print_json(const struct stat_results *r, FILE *out)
{
	size_t i;

	fputs("{\n  \"of\": ", out);
	quote_json(r->what, out);
	fprintf(out, ",\n  \"runs\": %d,\n  \"elapsed_s\": %.9f,\n", r->elapsed.runs,
		mean_of(&r->elapsed));
	if (r->has_command)
		fprintf(out, "  \"user_s\": %.9f,\n  \"system_s\": %.9f,\n", mean_of(&r->user),
			mean_of(&r->system));
	fputs("  \"events\": [", out);
	for (i = 0; i < r->events->nr; i++) {
		fprintf(out, "%s\n    ", i ? "," : "");
		json_event(r, i, out);
	}
	fputs("\n  ]\n}\n", out);
}
