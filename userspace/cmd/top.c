// SPDX-License-Identifier: GPL-2.0-only
/*
 * top.c - kprof top: which functions of the kernel take the time just now
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/hints.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/clock.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/terminal.h"
#include "record/kmod.h"
#include "record/measurement.h"
#include "record/record_meta.h"
#include "record/rules.h"
#include "top/top.h"
#include "user/rules.h"

static struct opt_list pids;
static double delay = 2;
static long freq = 499, iterations, max_rows = 40;
static int sort;
static bool batch, own, by_cgroup, with_user, user_only;
static const char *comm, *cgroup, *cpus, *text, *module;

/* The letters are those of top(1) and perf top. */
static const struct opt opts[] = {
	{ .letter = 'd', .name = "delay", .type = OPT_DOUBLE, .value = &delay, .arg = "SECONDS",
	  .min = 0.01, .max = 1e5, .help = "how long an interval is; default 2" },
	{ .letter = 'b', .name = "batch", .type = OPT_FLAG, .value = &batch,
	  .help = "print a table for each interval, also on a terminal" },
	{ .letter = 'n', .name = "iterations", .type = OPT_LONG, .value = &iterations,
	  .arg = "N", .min = 1, .max = 1e9, .help = "end after N intervals" },
	{ .name = "rows", .type = OPT_LONG, .value = &max_rows, .arg = "N", .min = 1,
	  .max = 1e6, .help = "rows in a table of --batch; default 40" },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &sort, .arg = "COLUMN",
	  .choices = top_sort_names,
	  .help = "order of rows: self (the default), total or name" },
	{ .letter = 'F', .name = "freq", .type = OPT_LONG, .value = &freq, .arg = "HZ",
	  .min = 1, .max = 20000, .help = "samples per second and CPU; default 499" },
	{ .letter = 'g', .name = "callers", .type = OPT_FLAG, .value = &with_user,
	  .help = "functions of programs, too" },
	{ .letter = 'U', .name = "user-stacks-only", .type = OPT_FLAG, .value = &user_only,
	  .help = "functions of programs alone" },
	OPTION_PID(&pids),
	OPTION_COMM(&comm),
	{ .name = "cgroups", .type = OPT_FLAG, .value = &by_cgroup,
	  .help = "cgroups, not functions: the time of the tasks in each, and\n"
		  "with those in the cgroups below it" },
	{ .name = "cgroup", .type = OPT_STRING, .value = &cgroup, .arg = "LIST",
	  .help = "only tasks in these cgroups; shell patterns, with commas" },
	{ .name = "symbol", .type = OPT_STRING, .value = &text, .arg = "TEXT",
	  .help = "only functions, or cgroups, whose names contain this" },
	OPTION_CPUS(&cpus),
	OPTION_OWN(&own),
	OPTION_MODULE(&module),
	{ 0 }
};

struct top {
	struct measurement measurement;
	struct top_clock clock;
	struct top_interval interval;
	struct user_names user;
	struct rules rules;
	struct user_files files;	/* whose rules the module wants */
	struct top_rows rows;
	struct top_state state;
	struct pollfd *wake;	/* what until waits for, then keys and signals of the terminal */
	int nr_wake;
	bool on_screen, is_lossy;
	long done;
};

/* --- the module --- */

static int configure(struct measurement *m)
{
	const char *stacks = user_only ? "user" : with_user ? "both" : "kernel";
	struct setup *c = &m->setup;

	if (setup_set_targets(c, NULL, 0, false) || setup_set(c, "event", "timer") ||
	    setup_set(c, "period", "0") || setup_set_number(c, "freq", freq) ||
	    setup_set(c, "stacks", stacks) || setup_set(c, "idle", "0") ||
	    setup_set(c, "record", "1") || setup_set_number(c, "cgroups", by_cgroup || cgroup))
		return EXIT_ERROR;
	if (measurement_filter(m, &pids, false, NULL, cpus, own))
		return EXIT_ERROR;
	return kmod_write("reset", "1", 0);
}

/* The answer to the question for processes; the module says what is wrong with it. */
static void set_pid(struct top_state *s)
{
	struct buf why = { 0 };

	s->pid_changed = false;
	if (kmod_try_write("pid", s->pid, 0, &why))
		snprintf(s->message, sizeof(s->message), "%s", why.data ? why.data : "no such process");
	buf_free(&why);
}

/* Files have other numbers from now on. */
static void forget_files(struct top *t)
{
	rules_restart(&t->rules);
	user_files_free(&t->files);
	t->files = (struct user_files){ .are_held = true };
}

/* The module begins anew, as what it has is of tasks without their cgroups. */
static int set_cgroups(struct top *t)
{
	struct top_state *s = &t->state;
	struct buf why = { 0 };
	int ret = kmod_write("enable", "0", 0);

	s->wants_cgroups = false;
	if (!ret && kmod_try_write("cgroups", "1", 0, &why)) {
		snprintf(s->message, sizeof(s->message), "%s", why.data ? why.data : "no cgroups");
	} else if (!ret) {
		ret = kmod_write("reset", "1", 0);
		forget_files(t);
		top_clock_begin(&t->clock, true);
		snprintf(s->message, sizeof(s->message),
			 "cgroups are known from the next interval on");
	}
	buf_free(&why);
	return ret ? ret : kmod_write("enable", "1", 0);
}

/* --- showing --- */

static void make_rows(struct top *t)
{
	top_rows_free(&t->rows);
	top_rows(&t->rows, &t->interval, &t->state.view);
}

static void draw(struct top *t)
{
	struct buf screen = { 0 };

	top_screen(&screen, &t->state, &t->interval, &t->rows, terminal_lines());
	escape_paint(screen.data, stdout);
	buf_free(&screen);
}

static void print(const struct top *t)
{
	struct buf out = { 0 };
	size_t i;

	top_heading(&out, &t->interval, &t->state.view, t->state.pid);
	top_columns(&out, &t->state.view);
	for (i = 0; i < t->rows.nr && i < (size_t)max_rows; i++) {
		buf_printf(&out, "\n");
		top_line(&out, &t->rows.row[i], &t->rows);
	}
	printf("%s%s\n", t->done > 1 ? "\n" : "", out.data);
	fflush(stdout);
	buf_free(&out);
}

static int end_interval(struct top *t)
{
	struct top_interval next;

	if (top_take(&next, &t->clock, with_user || user_only ? &t->user : NULL)) {
		top_interval_free(&next);
		return EXIT_ERROR;
	}
	if (t->clock.began_anew)
		forget_files(t);
	t->done++;
	t->is_lossy |= next.lost != 0;
	/* What is on the screen stays as long as the user wants to look at it. */
	if (t->state.paused) {
		top_interval_free(&next);
		return EXIT_OK;
	}
	top_interval_free(&t->interval);
	t->interval = next;
	make_rows(t);
	if (t->on_screen)
		draw(t);
	else
		print(t);
	return EXIT_OK;
}

/* --- keys --- */

/* Rows belong to a view, so they are made again after each key. */
static int take_keys(struct top *t)
{
	char keys[64];
	ssize_t len = read(STDIN_FILENO, keys, sizeof(keys)), at;
	int ret = EXIT_OK;

	if (!len || (len < 0 && errno != EINTR && errno != EAGAIN))
		t->state.quit = true;	/* the terminal is gone */
	for (at = 0; at < len && !t->state.quit;) {
		at += top_key(&t->state, keys + at, len - at, &t->rows);
		make_rows(t);
	}
	if (t->state.pid_changed)
		set_pid(&t->state);
	if (t->state.wants_cgroups && !t->clock.has_cgroups)
		ret = set_cgroups(t);
	draw(t);
	return ret;
}

static int take_signals(struct top *t)
{
	uint64_t from;
	int ret = EXIT_OK;

	if (terminal_take_signals()) {
		/* Nobody looks, so nothing is sampled, and the time is not counted. */
		ret = kmod_write("enable", "0", 0);
		from = clock_ns(CLOCK_MONOTONIC);
		terminal_stop();
		top_clock_skip(&t->clock, clock_ns(CLOCK_MONOTONIC) - from);
		if (!ret)
			ret = kmod_write("enable", "1", 0);
	}
	draw(t);
	return ret;
}

/* --- waiting --- */

static void make_wake(struct top *t, int signals)
{
	const struct until *until = &t->measurement.until;

	t->nr_wake = until->nr_wake + 2 * t->on_screen;
	t->wake = mem_zalloc(t->nr_wake, sizeof(*t->wake));
	memcpy(t->wake, until->wake, until->nr_wake * sizeof(*t->wake));
	if (!t->on_screen)
		return;
	t->wake[until->nr_wake] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
	t->wake[until->nr_wake + 1] = (struct pollfd){ .fd = signals, .events = POLLIN };
}

/* Wait until @end, or for whatever else there is to do, and do that. */
static int wait_until(struct top *t, uint64_t end)
{
	struct until *until = &t->measurement.until;
	uint64_t now = record_now_ns();
	int i, timeout = now < end ? (end - now) / 1000000 + 1 : 0, wait_ms = timeout;

	if ((with_user || user_only) && user_rules_are_possible() &&
	    rules_work(&t->rules, &t->files, now, &wait_ms))
		return EXIT_ERROR;
	if (wait_ms < timeout)
		timeout = wait_ms;
	if (poll(t->wake, t->nr_wake, timeout) < 0 && errno != EINTR)
		return msg_error("cannot wait: %s", strerror(errno));
	/* until_is_over() closes what has ended. */
	for (i = 0; i < until->nr_wake; i++)
		until->wake[i].revents = t->wake[i].revents;
	if (!t->on_screen)
		return EXIT_OK;
	if (t->wake[i + 1].revents && take_signals(t))
		return EXIT_ERROR;
	return t->wake[i].revents ? take_keys(t) : EXIT_OK;
}

static bool is_over(struct top *t)
{
	struct until *until = &t->measurement.until;
	bool over = until_is_over(until);
	int i;

	for (i = 0; i < until->nr_wake; i++)
		t->wake[i].fd = until->wake[i].fd;
	return over || t->state.quit || (iterations && t->done == iterations);
}

static int loop(struct top *t)
{
	uint64_t step = delay * 1e9, next = record_now_ns() + step, now;

	top_clock_begin(&t->clock, by_cgroup || cgroup);
	while (!is_over(t)) {
		if (wait_until(t, next))
			return EXIT_ERROR;
		now = record_now_ns();
		if (now < next)
			continue;
		if (end_interval(t))
			return EXIT_ERROR;
		next += (now - next) / step * step + step;
	}
	return EXIT_OK;
}

/* --- the verb --- */

static int begin(struct top *t)
{
	struct top_state *s = &t->state;
	int signals = -1, i;

	for (i = 0; i < pids.nr && strlen(s->pid) + 16 < sizeof(s->pid); i++)
		snprintf(s->pid + strlen(s->pid), sizeof(s->pid) - strlen(s->pid), "%s%s",
			 i ? "," : "", pids.item[i]);
	s->view.sort = sort;
	snprintf(s->view.comm, sizeof(s->view.comm), "%s", comm ? comm : "");
	snprintf(s->view.cgroup, sizeof(s->view.cgroup), "%s", cgroup ? cgroup : "");
	s->view.by_cgroup = by_cgroup;
	snprintf(s->view.text, sizeof(s->view.text), "%s", text ? text : "");
	folded_init(&t->interval.stacks, FOLDED_MERGE);
	t->on_screen = !batch && terminal_is_there();
	t->user.patient = !t->on_screen;
	t->files.are_held = true;	/* open only those whose rules are being made */
	t->rules.is_shown = t->on_screen;
	t->user.with_own = own;
	if (t->on_screen && terminal_begin(&signals))
		return EXIT_ERROR;
	make_wake(t, signals);
	if (t->on_screen) {
		make_rows(t);
		draw(t);
	}
	return EXIT_OK;
}

static void end(struct top *t)
{
	terminal_end();
	while (top_view_leave(&t->state.view))
		;
	top_rows_free(&t->rows);
	top_interval_free(&t->interval);
	user_names_free(&t->user);
	rules_end(&t->rules);
	user_files_free(&t->files);
	free(t->wake);
}

/* What is asked for can be changed by keys, and has as much room as there. */
static int check_length(const char *what, const char *value, size_t room)
{
	if (!value || strlen(value) < room)
		return EXIT_OK;
	return msg_usage("%s is too long: %zu bytes of at most %zu", what, strlen(value), room - 1);
}

static int run(int argc, char **argv)
{
	struct top t = { .done = 0 };
	int ret = EXIT_ERROR;

	(void)argc;
	if (*argv)
		return msg_usage("'%s': top takes no operands; give --pid for a process", *argv);
	if (with_user && user_only)
		return msg_contradiction("--callers", "--user-stacks-only");
	if (measurement_check(&pids, false, cpus) ||
	    check_length("the list of --cgroup", cgroup, sizeof(t.state.view.cgroup)) ||
	    check_length("the list of --comm", comm, sizeof(t.state.view.comm)) ||
	    check_length("the text of --symbol", text, sizeof(t.state.view.text)))
		return EXIT_USAGE;
	if (!measurement_begin(&t.measurement, module, argv, &pids) && !configure(&t.measurement) &&
	    !begin(&t)) {
		/* The screen says how it ends. */
		ret = measurement_start(&t.measurement, t.on_screen || iterations ? delay : 0);
		if (!ret)
			ret = loop(&t);
	}
	end(&t);
	if (measurement_end(&t.measurement))
		ret = EXIT_ERROR;
	return !ret && t.is_lossy ? EXIT_LOST : ret;
}

const struct verb verb_top = {
	.name = "top",
	.args = "",
	.summary = "Show which functions of the kernel take the time just now",
	.details =
		"Shows the functions of the kernel by the time that they took in the last interval, of\n"
		"the whole system or of the processes of --pid, until q, Ctrl-C or the end of those\n"
		"processes. Keys sort, filter, and show the callers of a function, or cgroups and the\n"
		"functions of one; h lists them.\n"
		"Without a terminal, or with --batch, it prints a table for each interval.\n\n"
		"Each interval empties the module's profile. Time in user mode is [user], or with -g and\n"
		"-U functions of programs, whose names may come an interval later; and what kprof\n"
		"itself does is left out; the heading says how much of a CPU it takes, and what was\n"
		"lost. 3: it ended well, but samples were lost.\n\n"
		"Examples:\n"
		"  kprof top\n"
		"  kprof top -d 1 -C 0-3 --comm 'nginx*'\n"
		"  kprof top -g -p 1234\n"
		"  kprof top --cgroups\n"
		"  kprof top --cgroup '/system.slice/*'\n"
		"  kprof top -b -n 3 -d 10 > tables.txt\n",
	.opts = opts,
	.hints = hints_of_top,
	.run = run,
};
