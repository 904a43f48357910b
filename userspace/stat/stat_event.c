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
#include "lib/number.h"
#include "stat/stat.h"

#define HARDWARE(name, id)	{ name, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id }
#define SOFTWARE(name, id)	{ name, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id }

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
	return known[i].type == event->type && known[i].config == event->config;
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
	return name[0] == 'r' && number_parse(name + 1, NUMBER_HEX, &event->config);
}

static bool parse_name(struct stat_event *event, const char *name)
{
	size_t i;

	for (i = 0; i < NR_KNOWN; i++) {
		if (strcmp(known[i].name, name))
			continue;
		event->type = known[i].type;
		event->config = known[i].config;
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
	struct buf names = { 0 };
	size_t i;

	for (i = 0; i < NR_KNOWN; i++)
		buf_printf(&names, "%s, ", known[i].name);
	msg_usage("--event: '%s' is no event; give %sor rNNN, with :u (user mode) or :k (kernel)",
		  name, names.data);
	buf_free(&names);
	return EXIT_USAGE;
}

static int parse_event(struct stat_events *events, char *text)
{
	struct stat_event event = { 0 };
	char *modes = strchr(text, ':');
	bool good;

	snprintf(event.name, sizeof(event.name), "%s", text);
	if (modes)
		*modes++ = '\0';
	good = strlen(event.name) < sizeof(event.name) - 1 && parse_name(&event, text) &&
	       (!modes || parse_modes(&event, modes));
	if (!good)
		return refuse(event.name);
	name_kind(&event);
	events->event = mem_realloc(events->event, events->nr + 1, sizeof(*events->event));
	events->event[events->nr++] = event;
	return EXIT_OK;
}

int stat_events_parse(struct stat_events *events, const char *text)
{
	char *copy = strdup(text), *rest = copy, *item;
	int ret = EXIT_OK;

	while (!ret && (item = strsep(&rest, ",")))
		ret = parse_event(events, item);
	free(copy);
	return ret;
}

void stat_events_free(struct stat_events *events)
{
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
		one = (struct stat_events){ &all.event[all.nr - 1], 1 };
		if (strcmp(one.event->kind, known[i].name) || stat_open(&counter, &one, &self))
			continue;
		if (counter.nr)
			buf_printf(&names, "%s%s", names.len ? ", " : "", known[i].name);
		stat_close(&counter, 1);
	}
	stat_events_free(&all);
	return names.data;
}
