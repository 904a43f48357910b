// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_event.c - the names of events that can be counted
 */
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/nearest.h"
#include "lib/number.h"
#include "stat/stat.h"

#define HARDWARE(name, id)	{ name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id }
#define SOFTWARE(name, id)	{ name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id }
/* @op: what a cache was asked for; @result: ACCESS, or MISS if it did not have it */
#define CACHE(name, id, op, result)						\
	{ name, PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##id |			\
	  PERF_COUNT_HW_CACHE_OP_##op << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16 }

/* The names of perf. If an event has several names, the first is the canonical one. */
static const struct {
	const char *name;
	uint32_t type;
	uint64_t config;
} known[] = {
	SOFTWARE("task-clock", TASK_CLOCK),
	SOFTWARE("cpu-clock", CPU_CLOCK),
	SOFTWARE("context-switches", CONTEXT_SWITCHES),
	SOFTWARE("cs", CONTEXT_SWITCHES),
	SOFTWARE("cpu-migrations", CPU_MIGRATIONS),
	SOFTWARE("migrations", CPU_MIGRATIONS),
	SOFTWARE("page-faults", PAGE_FAULTS),
	SOFTWARE("faults", PAGE_FAULTS),
	SOFTWARE("minor-faults", PAGE_FAULTS_MIN),
	SOFTWARE("major-faults", PAGE_FAULTS_MAJ),
	HARDWARE("cycles", CPU_CYCLES),
	HARDWARE("cpu-cycles", CPU_CYCLES),
	HARDWARE("instructions", INSTRUCTIONS),
	HARDWARE("branches", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-instructions", BRANCH_INSTRUCTIONS),
	HARDWARE("branch-misses", BRANCH_MISSES),
	HARDWARE("cache-references", CACHE_REFERENCES),
	HARDWARE("cache-misses", CACHE_MISSES),
	HARDWARE("bus-cycles", BUS_CYCLES),
	HARDWARE("ref-cycles", REF_CPU_CYCLES),
	HARDWARE("stalled-cycles-frontend", STALLED_CYCLES_FRONTEND),
	HARDWARE("stalled-cycles-backend", STALLED_CYCLES_BACKEND),
	CACHE("L1-dcache-loads", L1D, READ, ACCESS),
	CACHE("L1-dcache-load-misses", L1D, READ, MISS),
	CACHE("L1-dcache-stores", L1D, WRITE, ACCESS),
	CACHE("L1-dcache-store-misses", L1D, WRITE, MISS),
	CACHE("L1-dcache-prefetches", L1D, PREFETCH, ACCESS),
	CACHE("L1-dcache-prefetch-misses", L1D, PREFETCH, MISS),
	CACHE("L1-icache-loads", L1I, READ, ACCESS),
	CACHE("L1-icache-load-misses", L1I, READ, MISS),
	CACHE("L1-icache-prefetches", L1I, PREFETCH, ACCESS),
	CACHE("L1-icache-prefetch-misses", L1I, PREFETCH, MISS),
	CACHE("LLC-loads", LL, READ, ACCESS),
	CACHE("LLC-load-misses", LL, READ, MISS),
	CACHE("LLC-stores", LL, WRITE, ACCESS),
	CACHE("LLC-store-misses", LL, WRITE, MISS),
	CACHE("LLC-prefetches", LL, PREFETCH, ACCESS),
	CACHE("LLC-prefetch-misses", LL, PREFETCH, MISS),
	CACHE("dTLB-loads", DTLB, READ, ACCESS),
	CACHE("dTLB-load-misses", DTLB, READ, MISS),
	CACHE("dTLB-stores", DTLB, WRITE, ACCESS),
	CACHE("dTLB-store-misses", DTLB, WRITE, MISS),
	CACHE("dTLB-prefetches", DTLB, PREFETCH, ACCESS),
	CACHE("dTLB-prefetch-misses", DTLB, PREFETCH, MISS),
	CACHE("iTLB-loads", ITLB, READ, ACCESS),
	CACHE("iTLB-load-misses", ITLB, READ, MISS),
	CACHE("branch-loads", BPU, READ, ACCESS),
	CACHE("branch-load-misses", BPU, READ, MISS),
	CACHE("node-loads", NODE, READ, ACCESS),
	CACHE("node-load-misses", NODE, READ, MISS),
	CACHE("node-stores", NODE, WRITE, ACCESS),
	CACHE("node-store-misses", NODE, WRITE, MISS),
	CACHE("node-prefetches", NODE, PREFETCH, ACCESS),
	CACHE("node-prefetch-misses", NODE, PREFETCH, MISS),
};

#define NR_KNOWN	(sizeof(known) / sizeof(*known))

const char *const *stat_event_names(void)
{
	static const char *names[NR_KNOWN + 1];
	size_t i;

	for (i = 0; i < NR_KNOWN; i++)
		names[i] = known[i].name;
	return names;
}

static bool same_event(size_t i, const struct stat_event *event)
{
	return known[i].type == event->type && known[i].config == event->config[0];
}

static void name_kind(struct stat_event *event)
{
	size_t i;

	event->kind = "";
	for (i = 0; i < NR_KNOWN && !*event->kind; i++)
		if (same_event(i, event))
			event->kind = known[i].name;
	event->is_time = !strcmp(event->kind, "task-clock") || !strcmp(event->kind, "cpu-clock");
}

static bool parse_raw(struct stat_event *event, const char *name)
{
	event->type = PERF_TYPE_RAW;
	return name[0] == 'r' && number_parse(name + 1, NUMBER_HEX, &event->config[0]);
}

static bool parse_name(struct stat_event *event, const char *name)
{
	size_t i;

	for (i = 0; i < NR_KNOWN; i++) {
		if (strcmp(known[i].name, name))
			continue;
		event->type = known[i].type;
		event->config[0] = known[i].config;
		return true;
	}
	return parse_raw(event, name);
}

/* Parse "u", "k" or "uk"; both is the default. */
static bool parse_modes(struct stat_event *event, const char *modes)
{
	bool user = strchr(modes, 'u'), kernel = strchr(modes, 'k');

	event->no_user = kernel && !user;
	event->no_kernel = user && !kernel;
	return *modes && modes[strspn(modes, "uk")] == '\0';
}

static int refuse(const char *name)
{
	const char *near = nearest_name(stat_event_names(), name);
	struct buf names = { 0 };
	size_t i;

	for (i = 0; i < NR_KNOWN && known[i].type != PERF_TYPE_HW_CACHE; i++)
		buf_printf(&names, "%s, ", known[i].name);
	msg_usage("--event: '%s' is no event%s%s%s; give %scaches such as L1-dcache-load-misses, LLC-loads, dTLB-load-misses, an event of a PMU such as cpu/event=0x3c/, a tracepoint such as sched:sched_switch, or rNNN, with :u (user mode) or :k (kernel)",
		  name, near ? ", '" : "", near ? near : "", near ? "' is" : "", names.data);
	buf_free(&names);
	return EXIT_USAGE;
}

/* Parse "PMU/TERMS/MODES", where perf has no colon before MODES. */
static int parse_pmu(struct stat_event *event, char *text)
{
	char *terms = strchr(text, '/'), *modes = strrchr(text, '/');

	if (terms == modes)
		return refuse(event->name);
	*terms++ = '\0';
	*modes++ = '\0';
	modes += *modes == ':';
	if (*modes && !parse_modes(event, modes))
		return refuse(event->name);
	event->kind = "";
	return stat_pmu_event(event, STAT_PMUS, text, terms);
}

/* "GROUP:NAME", which is not an event with modes that are wrong */
static bool is_tracepoint(const char *text)
{
	struct stat_event event;
	const char *colon = strchr(text, ':');
	struct buf group = { 0 };
	bool is_one;

	if (!colon || colon == text || !colon[1] || strchr(text, '/') ||
	    parse_modes(&event, colon + 1))
		return false;
	buf_add(&group, text, colon - text);
	is_one = !parse_name(&event, group.data);
	buf_free(&group);
	return is_one;
}

static int parse_named(struct stat_event *event, char *text)
{
	char *modes = strchr(text, ':');

	if (modes)
		*modes++ = '\0';
	if (!parse_name(event, text) || (modes && !parse_modes(event, modes)))
		return refuse(event->name);
	name_kind(event);
	return EXIT_OK;
}

void stat_events_add(struct stat_events *events, const struct stat_event *event)
{
	events->event = mem_realloc(events->event, events->nr + 1, sizeof(*events->event));
	events->event[events->nr++] = *event;
}

static int parse_event(struct stat_events *events, char *text)
{
	struct stat_event event = { .scale = 1 };
	int ret;

	if (strlen(text) >= sizeof(event.name))
		return msg_usage("--event: '%s' is too long; give at most %zu characters", text,
				 sizeof(event.name) - 1);
	if (is_tracepoint(text))
		return stat_tracepoints(events, STAT_TRACEPOINTS, text);
	snprintf(event.name, sizeof(event.name), "%s", text);
	ret = strchr(text, '/') ? parse_pmu(&event, text) : parse_named(&event, text);
	if (!ret)
		stat_events_add(events, &event);
	return ret;
}

/*
 * Cut off the event or group at the start of a list; there are commas between the braces of a
 * group, and the two slashes of terms, too.
 */
static char *next_event(char **rest)
{
	char *start = *rest, *at;
	bool in_terms = false, in_group = false;

	if (!start)
		return NULL;
	for (at = start; *at && (*at != ',' || in_terms || in_group); at++) {
		in_terms ^= *at == '/';
		in_group = *at == '{' || (in_group && *at != '}');
	}
	*rest = *at ? at + 1 : NULL;
	*at = '\0';
	return start;
}

static int refuse_group(const char *text)
{
	return msg_usage("--event: '%s' is no group; give {EVENT,EVENT...}, with :u (user mode) or :k (kernel) behind it for all of them",
			 text);
}

/* Parse "{EVENT,...}:MODES"; the modes are those of each event. */
static int parse_group(struct stat_events *events, const char *text)
{
	char *copy = mem_strdup(text + 1), *end = strchr(copy, '}'), *rest = copy, *item;
	size_t i, before = events->nr;
	struct buf each = { 0 };
	int ret = EXIT_OK;

	if (!end || end == copy || (end[1] && (end[1] != ':' || !end[2])))
		ret = refuse_group(text);
	else
		*end = '\0';
	while (!ret && (item = next_event(&rest))) {
		each.len = 0;
		buf_printf(&each, "%s%s", item, end + 1);
		ret = parse_event(events, each.data);
	}
	events->groups++;
	for (i = before; i < events->nr; i++)
		events->event[i].group = events->groups;
	buf_free(&each);
	free(copy);
	return ret;
}

int stat_events_parse(struct stat_events *events, const char *text)
{
	char *copy = mem_strdup(text), *rest = copy, *item;
	int ret = EXIT_OK;

	while (!ret && (item = next_event(&rest)))
		ret = *item == '{' ? parse_group(events, item) : parse_event(events, item);
	free(copy);
	return ret;
}

void stat_events_free(struct stat_events *events)
{
	size_t i;

	for (i = 0; i < events->nr; i++)
		free(events->event[i].cpus);
	free(events->event);
	*events = (struct stat_events){ 0 };
}

char *stat_events_available(void)
{
	struct stat_targets self = { .pid = (pid_t[]){ 0 }, .nr_pids = 1, .cpu = (int[]){ -1 },
				     .nr_cpus = 1 };
	struct stat_events all = { 0 };
	struct stat_counter counter;
	struct buf names = { 0 };
	size_t i;

	buf_add(&names, "", 0);
	for (i = 0; i < NR_KNOWN; i++) {
		struct stat_events one;

		if (stat_events_parse(&all, known[i].name))
			continue;
		one = (struct stat_events){ .event = &all.event[all.nr - 1], .nr = 1 };
		if (strcmp(one.event->kind, known[i].name) || stat_open(&counter, &one, &self))
			continue;
		if (counter.nr)
			buf_printf(&names, "%s%s", names.len ? ", " : "", known[i].name);
		stat_close(&counter, 1);
	}
	stat_events_free(&all);
	return names.data;
}
