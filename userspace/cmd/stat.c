// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat.c - kprof stat: count events of a command, of processes or of the system
 *
 * This uses perf_event_open(2), not the module. So the kernel counts for a command and all
 * of its descendants, in user mode, too, and users who may use perf do not need root.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/open_files.h"
#include "lib/output.h"
#include "record/command.h"
#include "record/marked.h"
#include "record/record_meta.h"
#include "record/until.h"
#include "stat/stat.h"

static struct opt_list events, pids;
static bool all, per_cpu, csv, json, marked;
static const char *cpus, *separator, *output;
static double duration;
static long repeat = 1, interval_ms;

static const struct opt opts[] = {
	{ .letter = 'e', .name = "event", .type = OPT_LIST, .value = &events,
	  .arg = "EVENT[,EVENT...]", .values = stat_event_names,
	  .help = "what to count, such as cycles,instructions:u,r11,\n"
		  "cpu/event=0x3c/, or {cycles,instructions} at the same time;\nmay be repeated" },
	OPTION_ALL(&all),
	{ .letter = 'p', .name = "pid", .type = OPT_LIST, .value = &pids, .arg = "PID",
	  .help = "only this process and what it starts from now on; may be\nrepeated" },
	OPTION_CPUS(&cpus),
	OPTION_DURATION(&duration),
	{ .name = "marked", .type = OPT_FLAG, .value = &marked,
	  .help = "only from kprof_start() to kprof_stop() of kprof.h in\n"
		  "COMMAND's program" },
	{ .letter = 'r', .name = "repeat", .type = OPT_LONG, .value = &repeat, .arg = "N",
	  .min = 1, .max = 1e6,
	  .help = "run COMMAND N times: the mean, and how far it can be trusted" },
	{ .letter = 'I', .name = "interval-print", .type = OPT_LONG, .value = &interval_ms,
	  .arg = "MS", .min = 10, .max = 1e9,
	  .help = "the counts of each interval of MS milliseconds, at its end" },
	{ .letter = 'A', .name = "per-cpu", .type = OPT_FLAG, .value = &per_cpu,
	  .help = "a row for each CPU, with --all or --cpus" },
	{ .letter = 'x', .name = "separator", .type = OPT_STRING, .value = &separator,
	  .arg = "SEP", .help = "a line of fields for each event, with SEP between them" },
	{ .name = "csv", .type = OPT_FLAG, .value = &csv,
	  .help = "the same as CSV, with a line of headings" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "all of it as JSON" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "write to FILE, not to standard error; - is standard output" },
	{ 0 }
};

struct run {
	struct until until;
	struct stat_events events;
	struct stat_counter *counter;	/* by event */
	struct stat_targets targets;
	struct stat_results results;
	struct stat_printer printer;
	struct marked marked;
	/* Of --marked: 0, or when it was switched on; how long it was, in all and until @last. */
	uint64_t on_since, on_ns, on_ns_last;
	int status;			/* exit status of the last run that failed */
};

/* --- what to count --- */

static int find_targets(struct run *r, pid_t command)
{
	struct stat_targets *t = &r->targets;
	bool system = all || (!command && !pids.nr);
	int i;

	t->nr_pids = 0;
	t->on_exec = command && !system && !marked;
	for (i = 0; i < pids.nr; i++)
		if (stat_targets_add_threads(t, pids.item[i]))
			return EXIT_ERROR;
	if (!pids.nr)
		stat_targets_add_pid(t, system ? -1 : command);
	/* All runs are counted on the same CPUs. */
	return t->nr_cpus ? EXIT_OK : stat_targets_add_cpus(t, cpus, system);
}

/* Describe what is counted, for the heading. */
static char *describe(char **command)
{
	struct buf text = { 0 };
	int i;

	if (pids.nr) {
		buf_printf(&text, "process");
		for (i = 0; i < pids.nr; i++)
			buf_printf(&text, "%s %s", i ? "," : "", pids.item[i]);
	} else if (*command && !all) {
		for (i = 0; command[i]; i++)
			buf_printf(&text, "%s%s", i ? " " : "'", command[i]);
		buf_printf(&text, "'");
	} else {
		buf_printf(&text, "the whole system");
	}
	if (cpus)
		buf_printf(&text, " on CPUs %s", cpus);
	if (marked)
		buf_printf(&text, " from kprof_start() to kprof_stop()");
	return text.data;
}

/* --- counting --- */

static void say_what(const struct run *r, const struct command *command)
{
	struct buf doing = { 0 };

	buf_printf(&doing, "counting events of %s", r->results.what);
	until_say(&r->until, command->pid, duration, doing.data);
	buf_free(&doing);
}

static int print(struct run *r);

/* The targets are known now, and with them the rows of an event. */
static void make_rows(struct run *r)
{
	struct stat_results *results = &r->results;

	if (results->result)
		return;
	results->nr_rows = per_cpu ? r->targets.nr_cpus : 1;
	results->cpu = per_cpu ? r->targets.cpu : NULL;
	results->result = mem_zalloc(r->events.nr * results->nr_rows, sizeof(*results->result));
}

static int add_counts(struct run *r)
{
	const struct stat_results *results = &r->results;
	struct stat_value value;
	size_t i, row;

	for (i = 0; i < r->events.nr; i++) {
		for (row = 0; row < results->nr_rows; row++) {
			if (stat_read(&r->counter[i], results->cpu ? results->cpu[row] : -1,
				      &value))
				return EXIT_ERROR;
			stat_result_add(stat_result_of(results, i, row), &value);
		}
	}
	return EXIT_OK;
}

/* Of --marked: for how much of an interval that ends @now it was switched on. */
static uint64_t marked_ns(struct run *r, uint64_t now)
{
	uint64_t ns;

	if (r->on_since) {
		r->on_ns += now - r->on_since;
		r->on_since = now;
	}
	ns = r->on_ns - r->on_ns_last;
	r->on_ns_last = r->on_ns;
	return ns;
}

/* Print what was counted since the last interval, which ended at @last. */
static int end_interval(struct run *r, uint64_t start, uint64_t last, uint64_t now)
{
	struct stat_results *results = &r->results;

	memset(results->result, 0, r->events.nr * results->nr_rows * sizeof(*results->result));
	results->elapsed = (struct stat_mean){ 0 };
	stat_mean_add(&results->elapsed, (marked ? marked_ns(r, now) : now - last) / 1e9);
	results->at = (now - start) / 1e9;
	return add_counts(r) ? EXIT_ERROR : print(r);
}

/* The thread that asks for it stands still meanwhile. */
static void switch_counters(void *argument, bool on)
{
	struct run *r = argument;

	if (on == !!r->on_since)
		return;
	stat_enable(r->counter, r->events.nr, on);
	if (!on)
		r->on_ns += record_now_ns() - r->on_since;
	r->on_since = on ? record_now_ns() : 0;
}

static int wait_a_while(struct run *r, uint64_t ns)
{
	return marked ? marked_sleep(&r->marked, &r->until, ns) : until_sleep(&r->until, ns);
}

static int wait_for_end(struct run *r, uint64_t start)
{
	uint64_t step = interval_ms ? interval_ms * 1000000ull : UINT64_MAX - start;
	uint64_t now = start, last = start, next = start + step;
	uint64_t end = until_deadline(start, duration);

	while (now < end && !until_is_over(&r->until)) {
		if (wait_a_while(r, (next < end ? next : end) - now))
			return EXIT_ERROR;
		now = record_now_ns();
		if (now < next || now >= end || until_is_over(&r->until))
			continue;
		if (end_interval(r, start, last, now))
			return EXIT_ERROR;
		last = now;
		next += (now - next) / step * step + step;
	}
	if (marked)
		switch_counters(r, false);
	else
		stat_enable(r->counter, r->events.nr, false);
	now = record_now_ns();
	if (interval_ms)
		return end_interval(r, start, last, now);
	/* A run that was cut short is none of those that the mean is of; alone it is a result. */
	if (r->results.elapsed.runs && until_is_interrupted(&r->until))
		return EXIT_OK;
	stat_mean_add(&r->results.elapsed, (marked ? r->on_ns : now - start) / 1e9);
	return add_counts(r);
}

/* Do one run, with the counters open. */
static int count(struct run *r, struct command *command, const char *name)
{
	uint64_t start;

	make_rows(r);
	r->on_ns = 0;
	r->on_ns_last = 0;
	if (marked && marked_begin(&r->marked, command->pid))
		return EXIT_ERROR;
	if (!r->targets.on_exec && !marked)
		stat_enable(r->counter, r->events.nr, true);
	say_what(r, command);
	start = record_now_ns();
	if (command->pid && command_go(command, name))
		return EXIT_ERROR;
	return wait_for_end(r, start);
}

static double seconds(const struct timeval *from, const struct timeval *to)
{
	return to->tv_sec - from->tv_sec + (to->tv_usec - from->tv_usec) / 1e6;
}

static int run_once(struct run *r, char **argv)
{
	struct command command = { 0 };
	struct rusage before, after;
	struct rlimit files;
	int ret = EXIT_OK, status;

	getrusage(RUSAGE_CHILDREN, &before);
	if (*argv && (command_start(&command, argv, &r->until.old_signals) ||
		      until_process(&r->until, command.pid)))
		ret = EXIT_ERROR;
	/* A file for each counter. The command, begun before, has the limit that it would have. */
	open_files_raise(&files);
	if (!ret)
		ret = find_targets(r, command.pid);
	if (!ret)
		ret = stat_open(r->counter, &r->events, &r->targets);
	if (!ret) {
		ret = count(r, &command, *argv);
		if (marked)
			marked_end(&r->marked);
		stat_close(r->counter, r->events.nr);
	}
	setrlimit(RLIMIT_NOFILE, &files);
	status = command_end(&command, *argv, &r->until);
	r->status = status ? status : r->status;
	until_forget_processes(&r->until);
	/* As wait_for_end() has it: a run that is not counted. */
	if (r->results.elapsed.runs == r->results.user.runs)
		return ret;
	getrusage(RUSAGE_CHILDREN, &after);
	stat_mean_add(&r->results.user, seconds(&before.ru_utime, &after.ru_utime));
	stat_mean_add(&r->results.system, seconds(&before.ru_stime, &after.ru_stime));
	return ret;
}

static int run_all(struct run *r, char **argv)
{
	long i;
	int ret = EXIT_OK;

	for (i = 0; i < repeat && !ret && !(i && until_is_interrupted(&r->until)); i++) {
		if (!*argv)
			ret = until_processes(&r->until, &pids);
		if (!ret)
			ret = run_once(r, argv);
	}
	return ret;
}

/* --- results --- */

/* Not before there are results: then a measurement that fails leaves the file as it was. */
static int open_output(struct stat_printer *p)
{
	if (p->out)
		return EXIT_OK;
	p->format = json ? STAT_JSON : csv || separator ? STAT_CSV : STAT_TEXT;
	p->separator = separator;
	return output_open(output, &p->out);
}

static int print(struct run *r)
{
	int ret = open_output(&r->printer);

	if (!ret)
		stat_print(&r->printer, &r->results);
	return ret;
}

static int end_output(struct stat_printer *p)
{
	if (p->out)
		stat_print_end(p);
	return output_end(p->out, output);
}

static int stat_verb(struct run *r, char **argv)
{
	int ret = until_begin(&r->until), ended;

	r->marked = (struct marked){ .tell = switch_counters, .argument = r };
	if (!ret && marked)
		ret = marked_open(&r->marked, *argv);
	r->counter = mem_zalloc(r->events.nr, sizeof(*r->counter));
	r->results = (struct stat_results){
		.events = &r->events,
		.what = describe(argv),
		.has_command = *argv && !marked,	/* whose times are of all of it */
		.intervals = interval_ms,
	};
	if (!ret)
		ret = run_all(r, argv);
	if (!ret && marked && !r->marked.starts)
		ret = msg_error("nothing called kprof_start(): there is nothing to count; without --marked "
				"'kprof stat' counts all of it");
	if (!ret && !interval_ms)
		ret = print(r);
	ended = end_output(&r->printer);
	ret = ret ? ret : ended;
	if (!ret)
		ret = stat_judge(&r->results);
	until_end(&r->until);
	if (marked)
		marked_close(&r->marked);
	free(r->results.result);
	free(r->results.what);
	free(r->counter);
	stat_targets_free(&r->targets);
	return ret;
}

/* --- the arguments --- */

static int parse_events(struct run *r, bool system)
{
	int i, ret;

	/* An event may be wrong, or what knows it may not be there. */
	for (i = 0; i < events.nr; i++) {
		ret = stat_events_parse(&r->events, events.item[i]);
		if (ret)
			return ret;
	}
	if (events.nr)
		return EXIT_OK;
	stat_events_parse(&r->events, system ? "cpu-clock" : "task-clock");
	return stat_events_parse(&r->events, "context-switches,cpu-migrations,page-faults,"
				 "cycles,instructions,branches,branch-misses");
}

static int check_options(char **command)
{
	if (until_check_pids(&pids, all) || cpus_check(cpus, "online"))
		return EXIT_USAGE;
	if (*command && pids.nr)
		return msg_contradiction("--pid", "COMMAND");
	if (marked && !*command)
		return msg_usage("--marked is what a command's program marks: give a command");
	if (csv && json)
		return msg_contradiction("--csv", "--json");
	if (separator && (csv || json))
		return msg_contradiction("--separator", csv ? "--csv" : "--json");
	if (per_cpu && !all && !cpus)
		return msg_usage("--per-cpu needs --all or --cpus: counters of a task are of no CPU");
	if (repeat > 1 && interval_ms)
		return msg_contradiction("--repeat", "--interval-print");
	if (repeat > 1 && !*command)
		return msg_usage("--repeat repeats COMMAND, and there is none");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct run r = { .events = { 0 } };
	int ret = check_options(argv);

	(void)argc;
	if (!ret)
		ret = parse_events(&r, all || (!*argv && !pids.nr));
	if (!ret)
		ret = stat_verb(&r, argv);
	stat_events_free(&r.events);
	return command_status(ret, r.status);
}

const struct verb verb_stat = {
	.name = "stat",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Count events: cycles, instructions, page faults and so on",
	.details =
		"Counts for COMMAND and its descendants until it ends; without a command for the\n"
		"whole system, or the processes of --pid, until Ctrl-C, the end of those processes,\n"
		"or --duration. Needs neither the module nor, for one's own commands, root.\n\n"
		"Events are the kernel's (page-faults), the processor's (cycles), its caches'\n"
		"(L1-dcache-load-misses, LLC-loads, dTLB-load-misses), rNNN, and those of any PMU in\n"
		"/sys/bus/event_source/devices: cpu/event=0x3c,umask=0x1/, msr/tsc/. Tracepoints are\n"
		"GROUP:NAME, as in sched:sched_switch or 'syscalls:sys_enter_*'.\n\n"
		"An event that the machine lacks is <not supported>. Where there are more events\n"
		"than counters they take turns, counts are scaled up, and the share of the time\n"
		"that each was counted is shown in parentheses. Those of a group, '{EVENT,EVENT...}',\n"
		"have their turns together, so that one can be divided by another.\n\n"
		"With --marked, COMMAND's program says by kprof_start() and kprof_stop() of kprof.h which\n"
		"part of it is counted; ptrace(2) follows it for that.\n\n"
		"The exit status is COMMAND's. 3: the counts are there, but an event never had its\n"
		"turn.\n\n"
		"Examples:\n"
		"  kprof stat -- make -j8\n"
		"  kprof stat -e instructions:u,instructions:k -r 5 -- ls\n"
		"  kprof stat --marked -- ./benchmark\n"
		"  kprof stat -I 1000 -a -A -e cpu-clock,page-faults\n"
		"  kprof stat -a -C 0-3 -d 10 --json -o -\n",
	.opts = opts,
	.hints = hints_of_stat,
	.run = run,
	.command = true,
};
