// SPDX-License-Identifier: GPL-2.0-only
/*
 * record.c - kprof record: write samples from the module to a recording
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "data/empty.h"
#include "data/marks.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "lib/plural.h"
#include "lib/terminal.h"
#include "record/collect.h"
#include "record/expect.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/rules.h"
#include "record/targets.h"
#include "record/user_regions.h"
#include "user/rules.h"
#include "wall/wall.h"

static long freq, period, ring_kb, max_stacks, depth;
static double duration;
static bool all, idle, own, quiet, skip_missing, user_only, kernel_only, callers, wall,
	    of_regions, of_cgroups, marked;
static struct opt_list pids, targets;
static const char *events, *cpus, *comm, *module, *unwind;
static const char *output = "kprof.data";

static const char *const *event_names(void)
{
	static const char *const names[] = {
		"timer", "cpu-clock", "cycles", "instructions", "cache-misses", "branch-misses",
		NULL
	};

	return names;
}

static const char *const *unwind_names(void)
{
	static const char *const names[] = { "auto", "fp", NULL };

	return names;
}

static const struct opt opts[] = {
	{ .letter = 'e', .name = "event", .type = OPT_STRING, .value = &events,
	  .arg = "EVENT[,EVENT...]", .values = event_names,
	  .help = "what samples are driven by: timer (the default),\n"
		  "cpu-clock, cycles, instructions, cache-misses,\n"
		  "branch-misses or rNNN; the others are read along;\n"
		  "or several that each take samples: timer+cycles" },
	{ .letter = 'c', .name = "count", .type = OPT_LONG, .value = &period, .arg = "PERIOD",
	  .min = 1, .max = 1000000000,
	  .help = "a sample for each PERIOD events of a counter" },
	{ .letter = 'F', .name = "freq", .type = OPT_LONG, .value = &freq, .arg = "HZ",
	  .min = 1, .max = 20000,
	  .help = "samples per second and CPU; default 99, none with --target" },
	{ .letter = 't', .name = "target", .type = OPT_LIST, .value = &targets,
	  .arg = "FUNCTION", .of_target = true,
	  .help = "watch a kernel function, or those that match a\npattern: their calls, stacks\n"
		  "and latency; may be repeated" },
	{ .name = "wall", .type = OPT_FLAG, .value = &wall,
	  .help = "all the time of tasks: when they run, wait for a CPU, or are\n"
		  "blocked, and who wakes them; for fold and flame --wall and\n"
		  "report --states" },
	{ .name = "regions", .type = OPT_FLAG, .value = &of_regions,
	  .help = "the regions that COMMAND's program marks by kprof.h, too; for\n"
		  "report, fold and flame --regions" },
	{ .name = "marked", .type = OPT_FLAG, .value = &marked,
	  .help = "only what is done between kprof_start() and kprof_stop() of\n"
		  "kprof.h in COMMAND's program" },
	{ .name = "cgroups", .type = OPT_FLAG, .value = &of_cgroups,
	  .help = "the cgroup of each task, too; for report --sort cgroup, and\n"
		  "fold and flame --cgroups" },
	OPTION_SKIP_MISSING(&skip_missing),
	OPTION_ALL(&all),
	OPTION_PID(&pids),
	OPTION_COMM(&comm),
	OPTION_CPUS(&cpus),
	{ .name = "idle", .type = OPT_FLAG, .value = &idle,
	  .help = "record the idle task, too" },
	OPTION_DURATION(&duration),
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "the recording; default kprof.data; - is standard output" },
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &callers,
	  .help = "the stacks of programs, too" },
	{ .letter = 'U', .name = "user-stacks-only", .type = OPT_FLAG, .value = &user_only,
	  .help = "these alone" },
	{ .name = "unwind", .type = OPT_STRING, .value = &unwind, .arg = "HOW",
	  .values = unwind_names,
	  .help = "how programs' stacks are followed: auto (the default), by what\n"
		  "each file says of its frames (.eh_frame), else by frame\n"
		  "pointers; fp, by frame pointers only" },
	{ .letter = 'K', .name = "kernel-stacks-only", .type = OPT_FLAG, .value = &kernel_only,
	  .help = "the kernel's stacks alone (the default)" },
	{ .name = "ring-kb", .type = OPT_LONG, .value = &ring_kb, .arg = "KB",
	  .min = 4, .max = 65536, .help = "size of each CPU's ring" },
	{ .name = "max-stacks", .type = OPT_LONG, .value = &max_stacks, .arg = "N",
	  .min = 16, .max = 524288, .help = "different stacks there is room for" },
	{ .name = "depth", .type = OPT_LONG, .value = &depth, .arg = "N",
	  .min = 1, .max = 127, .help = "frames of a stack that are kept" },
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ .letter = 'q', .name = "quiet", .type = OPT_FLAG, .value = &quiet,
	  .help = "neither progress nor account, only errors and losses" },
	{ 0 }
};

/* The state while a recording is made. */
struct recorder {
	struct measurement measurement;
	struct collect collect;
	struct rules rules;
	struct buf regions;	/* target: those of the command's program */
	struct buf start, stop;	/* targets: its marks */
	int out;
};

/* If there are targets, do not sample unless an event or a rate is given. */
static int set_event(struct setup *c)
{
	bool samples = events || freq || !targets.nr || wall || of_regions || marked;

	if (setup_set(c, "event", events ? events : samples ? "timer" : "none") ||
	    setup_set_number(c, "period", period))
		return EXIT_ERROR;
	return samples && !period ? setup_set_number(c, "freq", freq ? freq : 99) : EXIT_OK;
}

/* Every context switch and wakeup is recorded, and they come in bursts. */
#define WALL_RING_KB	4096

/* Set the targets that were asked for, and those that --wall, --regions and --marked need. */
static int set_targets(struct recorder *r)
{
	const struct buf *const marks[] = { &r->regions, &r->start, &r->stop };
	const char **list = mem_zalloc(WALL_TARGETS + 3 + targets.nr, sizeof(*list));
	int i, nr = 0, ret;

	while (wall && wall_targets[nr]) {
		list[nr] = wall_targets[nr];
		nr++;
	}
	for (i = 0; i < 3; i++)
		if (marks[i]->len)
			list[nr++] = marks[i]->data;
	for (i = 0; i < targets.nr; i++)
		list[nr++] = targets.item[i];
	ret = setup_set_targets(&r->measurement.setup, list, nr, skip_missing);
	free(list);
	return ret;
}

static int configure(struct recorder *r)
{
	struct measurement *s = &r->measurement;
	struct setup *c = &s->setup;

	if (wall && !ring_kb)
		ring_kb = WALL_RING_KB;
	if ((ring_kb && setup_set_number(c, "ring_kb", ring_kb)) ||
	    (max_stacks && setup_set_number(c, "max_stacks", max_stacks)) ||
	    (depth && setup_set_number(c, "depth", depth)))
		return EXIT_ERROR;
	if (of_cgroups && setup_set(c, "cgroups", "1"))
		return EXIT_ERROR;
	if (setup_set(c, "record", "1") || set_targets(r) || set_event(c))
		return EXIT_ERROR;
	if (measurement_filter(s, &pids, all, comm, cpus, own))
		return EXIT_ERROR;
	if (unwind && !strcmp(unwind, "fp") && setup_set(c, "rules_kb", "0"))
		return EXIT_ERROR;
	return setup_set(c, "stacks", user_only ? "user" : callers ? "both" : "kernel") ||
	       setup_set(c, "idle", idle ? "1" : "0");
}

static void show_progress(const struct recorder *r, uint64_t since)
{
	if (quiet || !terminal_is_decorated(STDERR_FILENO))
		return;
	escape_paint("\r", stderr);
	fprintf(stderr, "%" PRIu64 " s: %" PRIu64 " sample%s, %" PRIu64 " return%s, %" PRIu64 " kB",
		(record_now_ns() - since) / 1000000000, r->collect.counts.samples,
		plural(r->collect.counts.samples), r->collect.counts.calls,
		plural(r->collect.counts.calls), r->collect.out.bytes / 1024);
	escape_paint("\033[K", stderr);
}

static bool goes_by_rules(void)
{
	return (callers || user_only) && (!unwind || !strcmp(unwind, "auto")) &&
	       user_rules_are_possible();
}

static int loop(struct recorder *r)
{
	uint64_t start = record_now_ns(), tick = start + 1000000000, now, next;
	uint64_t end = until_deadline(start, duration);
	struct until *until = &r->measurement.until;
	bool by_rules = goes_by_rules();
	int wait_ms = INT_MAX;

	for (;;) {
		now = record_now_ns();
		if (now >= end || until_is_over(until))
			break;
		if (r->collect.stopped) {
			msg_warn("sampling was stopped by someone else: recording ends");
			break;
		}
		if (now >= tick) {
			if (collect_flush(&r->collect))
				return EXIT_ERROR;
			show_progress(r, start);
			tick = now + 1000000000;
		}
		if (collect_met_files(&r->collect))
			rules_hurry(&r->rules);
		if (by_rules && rules_work(&r->rules, &r->collect.user, now, &wait_ms))
			return EXIT_ERROR;
		next = tick < end ? tick : end;
		if ((next - now) / 1000000 + 1 < (uint64_t)wait_ms)
			wait_ms = (next - now) / 1000000 + 1;
		if (collect_wait(&r->collect, until->wake, until->nr_wake, wait_ms) ||
		    collect_drain(&r->collect))
			return EXIT_ERROR;
	}
	if (!quiet && terminal_is_decorated(STDERR_FILENO))
		escape_paint("\r\033[K", stderr);
	return EXIT_OK;
}

static void write_meta(struct recorder *r, struct buf *meta)
{
	data_write(&r->collect.out, DATA_META, 0, meta->data, meta->len, true);
	buf_add(&r->collect.meta.text[DATA_META], meta->data, meta->len);
	buf_free(meta);
}

/* Let the module sample from here until the end. */
static int sample(struct recorder *r, char **argv)
{
	struct buf meta = { 0 };
	uint64_t end;
	int ret;

	record_meta_begin(&meta, r->collect.nr_rings, argv);
	write_meta(r, &meta);
	if ((marked && collect_write_sources(&r->collect)) ||
	    (goes_by_rules() && expect_files(&r->rules, r->collect.pins, &r->collect.user, *argv,
					     &pids, &r->measurement.until)))
		return EXIT_ERROR;
	ret = measurement_start(&r->measurement, duration);
	record_meta_started(&meta);
	if (!ret)
		ret = loop(r);
	end = record_now_ns();
	if (setup_set(&r->measurement.setup, "enable", "0"))
		ret = EXIT_ERROR;
	if (ret) {
		buf_free(&meta);
		return ret;
	}
	record_meta_end(&meta, end);
	write_meta(r, &meta);
	return collect_finish(&r->collect);
}

/* The commands that show what the recording is for. */
static void show_next(void)
{
	if (wall)
		fprintf(stderr, "  next: kprof report --states %s; who waited for whom: kprof report "
			"--waits %s\n", output, output);
	else if (of_regions)
		fprintf(stderr, "  next: kprof report --regions %s\n", output);
	else if (of_cgroups)
		fprintf(stderr, "  next: kprof report --sort cgroup %s\n", output);
	else
		fprintf(stderr, "  next: kprof report -g %s\n", output);
}

/*
 * Make the account. Of --marked only the recording, read whole, tells what is left of it; @kept is
 * that. It also tells which user stacks are whole, if there seem to be many that are not. Standard
 * output cannot be read again: there it is the account of all that was written.
 */
static int make_account(struct recorder *r, struct account *a, struct data *kept)
{
	struct account_counts *counts = &r->collect.counts;
	size_t i;

	if (!marked || !strcmp(output, "-")) {
		account_make(a, &r->collect.meta, counts);
		if (quiet || !strcmp(output, "-") || !account_user_is_told(&a->user))
			return EXIT_OK;
		if (data_open(kept, output))
			return msg_error("%s: %s", output, kept->error);
		account_user_look(&a->user, kept);
		return EXIT_OK;
	}
	if (data_open(kept, output))
		return msg_error("%s: %s", output, kept->error);
	*counts = (struct account_counts){ 0 };
	for (i = 0; i < kept->nr_chunks; i++)
		account_count(counts, kept->chunk[i].rec, kept->chunk[i].nr);
	account_make(a, kept, counts);
	return EXIT_OK;
}

/* Say it if what the program asked for has nothing in it. */
static void tell_unmarked(const struct recorder *r, const struct data *kept)
{
	struct empty empty = { .path = output, .context = TALLY_ANY };

	if (marks_are_there(kept) && !r->collect.counts.samples && !r->collect.counts.calls)
		empty_tell_of(&empty, kept);
}

static int show_account(struct recorder *r)
{
	struct data kept = { .whole = false };
	struct account a;
	int ret = make_account(r, &a, &kept);

	if (ret) {
		data_close(&kept);
		return ret;
	}
	if (!quiet) {
		fprintf(stderr, "%s: %" PRIu64 " sample%s, %" PRIu64 " return%s, %" PRIu64 " kB\n",
			output, r->collect.counts.samples, plural(r->collect.counts.samples),
			r->collect.counts.calls, plural(r->collect.counts.calls),
			(r->collect.out.bytes + 1023) / 1024);
		account_print(&a, "  ", stderr);
		if (strcmp(output, "-"))
			show_next();
	}
	if (a.ring_dropped) {
		msg_warn("the rings were full: %" PRIu64 " record%s %s lost; a larger --ring-kb "
			 "makes room", a.ring_dropped, plural(a.ring_dropped),
			 plural_are(a.ring_dropped));
		ret = EXIT_LOST;
	} else if (a.total.lost) {
		msg_warn("%" PRIu64 " sample%s %s lost: %s", a.total.lost, plural(a.total.lost),
			 plural_are(a.total.lost), a.causes.data);
		ret = EXIT_LOST;
	}
	tell_unmarked(r, &kept);
	account_free(&a);
	data_close(&kept);
	return ret;
}

/* The targets of what the command's program marks. */
static int find_marks(struct recorder *r, const char *command)
{
	if (of_regions && user_regions_target(command, &r->regions))
		return EXIT_ERROR;
	return marked ? user_marks_targets(command, &r->start, &r->stop) : EXIT_OK;
}

static int record(struct recorder *r, char **argv)
{
	int ret;

	if (find_marks(r, *argv) ||
	    measurement_begin(&r->measurement, module, argv, &pids) ||
	    configure(r))
		return EXIT_ERROR;
	r->out = output_create(output);
	if (r->out < 0)
		return EXIT_ERROR;
	ret = collect_open(&r->collect, r->out);
	r->collect.of_cgroups = of_cgroups;
	if (!ret && (callers || user_only))
		collect_pin_files(&r->collect);
	if (!ret)
		ret = sample(r, argv);
	if (!ret)
		ret = show_account(r);
	else if (!r->collect.counts.samples && strcmp(output, "-"))
		unlink(output);		/* it has no usable contents */
	rules_end(&r->rules);
	collect_close(&r->collect);
	return ret;
}

/* As perf has events: GROUP:NAME is a tracepoint, NAME:u an event in one mode. */
static int check_event(void)
{
	const char *colon = events ? strchr(events, ':') : NULL;
	size_t len = colon ? strcspn(colon + 1, ",+") : 0;

	if (!colon)
		return EXIT_OK;
	if (strspn(colon + 1, "ukpPhGHSDeWI") >= len)
		return msg_usage("--event: '%s': give it without ':%.*s': samples are of user mode and of the kernel",
				 events, (int)len, colon + 1);
	return msg_usage("--event: '%s': a tracepoint is watched by --target tp:%.*s", events,
			 (int)len, colon + 1);
}

static int check_options(void)
{
	if (callers + user_only + kernel_only > 1)
		return msg_usage("give one of --callers, --user-stacks-only and "
				 "--kernel-stacks-only");
	if (measurement_check(&pids, all, cpus) || targets_check(targets.item, targets.nr))
		return EXIT_USAGE;
	if (check_event())
		return EXIT_USAGE;
	if (freq && period)
		return msg_contradiction("--freq", "--count");
	if (wall && events && strcmp(events, "timer"))
		return msg_usage("--wall: time is what the timer samples, not '%s'", events);
	if (wall && cpus)
		return msg_usage("--wall: tasks move between CPUs, and --cpus shows only a part of what "
				 "they do");
	if (marked && wall)
		return msg_usage("--marked is a part of the time of tasks, and --wall is all of it");
	if (unwind && strcmp(unwind, "auto") && strcmp(unwind, "fp"))
		return msg_usage("--unwind: '%s' is neither auto nor fp", unwind);
	if (unwind && !callers && !user_only)
		return msg_usage("--unwind is about programs' stacks: give --callers, too");
	if (period && (!events || !strcmp(events, "timer")))
		return msg_usage("--count counts events of a counter: give --event, such as cycles");
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	struct recorder r = { .out = -1 };
	int ret;

	if (check_options())
		return EXIT_USAGE;
	if (of_regions && !argc)
		return msg_usage("--regions are those of a command's program: give a command");
	if (marked && !argc)
		return msg_usage("--marked is what a command's program marks: give a command");
	ret = record(&r, argv);
	if (measurement_end(&r.measurement))
		ret = EXIT_ERROR;
	ret = output_close(r.out, output, ret);
	buf_free(&r.regions);
	buf_free(&r.start);
	buf_free(&r.stop);
	return command_status(ret, r.measurement.status);
}

const struct verb verb_record = {
	.name = "record",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Sample the kernel or watch functions, into a recording",
	.details =
		"Records COMMAND and its descendants until it ends; without a command the whole\n"
		"system, or the processes of --pid, until Ctrl-C, the end of those processes, or\n"
		"--duration. Loads the module where it is not loaded and unloads it afterwards;\n"
		"a module that was there gets its settings back. An older FILE becomes FILE.old.\n\n"
		"The exit status is COMMAND's. 3: the recording is there, but samples were lost on\n"
		"the way.\n\n"
		"Examples:\n"
		"  kprof record -- make -j8            where a build spends its kernel time\n"
		"  kprof record -a -F 999 -d 10        the whole system, ten seconds\n"
		"  kprof record -e cycles,instructions -c 1000000 -- make   where cycles are spent,\n"
		"                                      and what each of them does\n"
		"  kprof record -g -- ./program        with the program's own functions\n"
		"  kprof record --marked -- ./program   what it does from kprof_start() on\n"
		"  kprof record --wall -- make         where all of its time goes: kprof flame --wall\n"
		"  kprof record -t vfs_write -a -d 5   each call of vfs_write\n",
	.opts = opts,
	.hints = hints_of_record,
	.run = run,
	.command = true,
};
