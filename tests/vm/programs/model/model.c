// SPDX-License-Identifier: GPL-2.0-only
/*
 * model.c - do to kprof what comes, and ask after each step whether it says what a model says
 *
 * usage: model SEED STEPS [-v]
 *
 * kprof is loaded, stopped, without a target and with event=none; so are kprof_known and
 * kprof_odd, which nobody else may use. What is done follows from the seed. Ends with
 * status 1 if anything is wrong, with the steps that led there.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"

#define MAX_WRONG	10
#define TOLD		12	/* steps before the one that went wrong */

static char done[TOLD][120];
static unsigned long step, seed, nr_wrong, ever_held;
static bool verbose;
static int cpu;

unsigned long below(unsigned long n)
{
	return random() % n;
}

void wrong(const char *format, ...)
{
	unsigned long i = step < TOLD ? 0 : step - TOLD + 1;
	va_list args;

	if (!nr_wrong)
		for (; i <= step; i++)
			printf("step %lu: %s\n", i, done[i % TOLD]);
	va_start(args, format);
	printf("wrong at step %lu: ", step);
	vprintf(format, args);
	puts("");
	va_end(args);
	if (++nr_wrong >= MAX_WRONG)
		exit(1);
}

/* A step may be several things. */
__attribute__((format(printf, 1, 2)))
static void doing(const char *format, ...)
{
	char *text = done[step % TOLD];
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	used += snprintf(text + used, sizeof(done[0]) - used, "%s", used ? ", " : "");
	if (used < sizeof(done[0]))
		vsnprintf(text + used, sizeof(done[0]) - used, format, args);
	va_end(args);
}

static void expect_errno(int err, int expected)
{
	if (err != expected)
		wrong("it says '%s' instead of '%s'", strerror(err), strerror(expected));
}

/* --- calls --- */

struct work {
	const char *module;
	const char *parameter;
	char text[32];
	int err;
};

static void *do_work(void *argument)
{
	struct work *work = argument;

	work->err = trigger(work->module, work->parameter, work->text);
	return NULL;
}

/* By the process, or by a thread of it, which is no other as far as pid= goes. */
static void have_done(struct work *work)
{
	bool by_thread = below(2);
	pthread_t thread;

	doing("%s.%s=%s%s", work->module, work->parameter, work->text,
	      by_thread ? " by a thread" : "");
	if (by_thread && !pthread_create(&thread, NULL, do_work, work))
		pthread_join(thread, NULL);
	else
		do_work(work);
	if (work->err)
		wrong("the module refused it: %s", strerror(work->err));
}

static void call_loop(void)
{
	static const unsigned long turns[] = { 1, 2, 4, 13, 40 };
	struct call call = { .who = OURS, .cpu = cpu, .number = PICK(turns) };
	struct work work = { .module = "kprof_known", .parameter = "loop" };
	unsigned long n = 1 + below(30);

	snprintf(work.text, sizeof(work.text), "%lu,%lu", call.number, n);
	have_done(&work);
	if (running && targets[TURN].state == WATCHED)
		call.hits = call.number;
	state_calls(LOOP, &call, n);
	state_calls(TURN, &call, n * call.number);
}

static void call_odd(void)
{
	struct call call = { .who = OURS, .cpu = cpu };
	struct work work = { .module = "kprof_odd", .parameter = "call" };
	unsigned long n = 1 + below(20);

	snprintf(work.text, sizeof(work.text), "%lu", n);
	have_done(&work);
	for (; call.number < n; call.number++)
		state_calls(CALLED, &call, 1);
}

static void call_each(void)
{
	struct work work = { .module = "kprof_known", .parameter = "call" };
	struct call call = { .who = OF_EACH };
	unsigned long n = 1 + below(50);

	snprintf(work.text, sizeof(work.text), "%lu", n);
	have_done(&work);
	for (; call.cpu < (int)nr_cpus; call.cpu++)
		state_calls(EACH, &call, n);
}

static void recurse(void)
{
	struct call call = { .who = OURS, .cpu = cpu };
	struct work work = { .module = "kprof_known", .parameter = "recurse" };
	unsigned long n = 1 + below(10);

	snprintf(work.text, sizeof(work.text), "%lu", n);
	have_done(&work);
	state_calls(RECURSIVE, &call, n);
	state_calls(TURN, &call, 1);	/* by the innermost */
}

static void hold(void)
{
	struct call call = { .who = OF_HELD, .cpu = cpu };
	struct work work = { .module = "kprof_odd", .parameter = "hold", .text = "1" };

	if (nr_held == MAX_HELD)
		return;
	call.number = ++ever_held;
	have_done(&work);
	state_hold(&call);
}

static void release(unsigned long n)
{
	struct work work = { .module = "kprof_odd", .parameter = "release" };

	snprintf(work.text, sizeof(work.text), "%lu", n);
	have_done(&work);
	while (n--)
		state_release();
}

static void release_some(void)
{
	if (nr_held)
		release(1 + below(nr_held));
}

/* --- control --- */

static void switch_to(bool on)
{
	doing("enable=%d", on);
	expect_errno(write_file("enable", on ? "1" : "0", false), 0);
	running = on;
	if (on && !strcmp(settings[EVENT], "timer"))
		timer_was_used = true;
}

static void enable(void)
{
	switch_to(running ? !below(3) : below(4));
}

static void reset(void)
{
	doing("reset");
	expect_errno(write_file("reset", "1", false), 0);
	state_clear();
	if (!timer_was_used)
		check_cleared();
}

static const char *choose(enum setting setting)
{
	static const char * const choices[NR_SETTINGS][5] = {
		[RECORD] = { "0", "1" }, [STACKS] = { "none", "kernel" },
		[PROBE] = { "auto", "kretprobe" }, [COMM] = { "", "model", "odd-*,known-*" },
		[EVENT] = { "none", "none", "timer" }, [UNWIND] = { "cache", "kernel", "check" },
		[CLOCK] = { "auto", "mono" }, [CPUS] = { "all", "0" },
		[DEPTH] = { "1", "3", "64" }, [MAX_STACKS] = { "16", "64", "1024" },
		[MAX_ROWS_OF] = { "1", "3", "8", "64" }, [RING_KB] = { "4", "8", "64" },
	};
	static char us[16];
	size_t nr = 0;

	if (setting == PID) {
		snprintf(us, sizeof(us), "%d", getpid());
		return below(2) ? "" : below(2) ? us : "1000000";
	}
	while (nr < COUNT(choices[0]) && choices[setting][nr])
		nr++;
	return choices[setting][below(nr)];
}

static void check_setting(enum setting setting)
{
	char *text = read_file(setting_name(setting));
	const char *expected = settings[setting];
	char cpus[16];

	text[strcspn(text, "\n")] = '\0';
	if (setting == CPUS && !strcmp(expected, "all")) {
		snprintf(cpus, sizeof(cpus), nr_cpus > 1 ? "0-%u" : "0", nr_cpus - 1);
		expected = cpus;
	}
	if (strcmp(text, expected))
		wrong("%s is '%s', not '%s'", setting_name(setting), text, expected);
	free(text);
}

static void set(enum setting setting)
{
	const char *value = choose(setting);
	int err;

	/* A time that began by one clock and ended by another is none. */
	if (setting == CLOCK && nr_held)
		return;
	doing("%s=%s", setting_name(setting), value);
	err = write_file(setting_name(setting), *value ? value : "\n", false);
	expect_errno(err, running ? EBUSY : 0);
	if (!running) {
		settings[setting] = value;
		if (setting >= DEPTH)
			state_clear();
		if (setting >= DEPTH && !timer_was_used)
			check_cleared();
	}
	check_setting(setting);
}

/* As a rule it has to be stopped for that; it is started again before long. */
static void set_something(void)
{
	unsigned long n = 1 + below(3);

	if (running && below(5))
		switch_to(false);
	while (n--)
		set(below(DEPTH));
}

static void set_size(void)
{
	if (running && below(5))
		switch_to(false);
	set(DEPTH + below(NR_SETTINGS - DEPTH));
}

/* --- targets --- */

/* How it is watched, which is for kprof to say. */
static void watched(enum function f)
{
	struct target *target = &targets[f];
	char name[64], *stats = read_file("stats");
	const char *probe;

	snprintf(name, sizeof(name), "%s.probe", function_names[f]);
	probe = stat_text(stats, name);
	target->state = WATCHED;
	target->forgotten = false;
	target->direct = probe && (!strncmp(probe, "direct\n", 7) ||
				   !strncmp(probe, "direct_long\n", 12));
	target->probe++;
	if (!target->direct && (!probe || strncmp(probe, "kretprobe\n", 10)))
		wrong("%s is watched by neither trampoline nor kretprobe", name);
	if (target->direct && !strcmp(settings[PROBE], "kretprobe"))
		wrong("%s is watched by the trampoline", name);
	free(stats);
}

static int add_error(const struct target *target, const struct option *option)
{
	if (target->state == WATCHED)
		return -EEXIST;
	if (target->state == REMOVED && !target->forgotten &&
	    strcmp(target->option->text, option->text))
		return -EBUSY;
	return 0;
}

static void add(void)
{
	enum function f = below(NR_FUNCTIONS);
	struct target *target = &targets[f];
	const struct option *option;
	char line[96];
	size_t nr;
	int err;

	option = options_of(f, &nr);
	option += below(nr);
	/* Half of the time those that it had, which are the ones it may come back with. */
	if (target->state == REMOVED && below(2))
		option = target->option;
	err = add_error(target, option);
	snprintf(line, sizeof(line), "%s %s", function_names[f], option->text);
	doing("add %s", line);
	expect_errno(write_file("targets", line, false), -err);
	if (err)
		return;
	target->option = option;
	watched(f);
	/* What hits() names is watched, too, from now on or again. */
	if (strstr(option->text, "hits(") && targets[TURN].state != WATCHED) {
		if (targets[TURN].state == ABSENT)
			targets[TURN].option = options_of(TURN, &nr);
		watched(TURN);
	}
}

/* Whether hits() goes on to count a target that went and came back is not asked here. */
static bool is_counted(enum function f)
{
	return f == TURN && targets[LOOP].state != ABSENT && strstr(targets[LOOP].option->text, "hits(");
}

static void remove_one(void)
{
	enum function f = below(NR_FUNCTIONS);
	char line[64];

	if (is_counted(f))
		return;
	snprintf(line, sizeof(line), "-%s", function_names[f]);
	doing("remove %s", function_names[f]);
	expect_errno(write_file("targets", line, false), targets[f].state == WATCHED ? 0 : ENOENT);
	if (targets[f].state == WATCHED)
		targets[f].state = REMOVED;
}

static void remove_all(void)
{
	enum function f;

	doing("remove all targets");
	expect_errno(write_file("targets", "", true), 0);
	for (f = 0; f < NR_FUNCTIONS; f++)
		if (targets[f].state == WATCHED)
			targets[f].state = REMOVED;
}

/* --- rings --- */

static void read_some(void)
{
	static const size_t sizes[] = { 1, 31, 32, 33, 63, 64, 1000, 4096, 100000 };
	struct ring *ring = &rings[below(nr_cpus)];
	size_t size = PICK(sizes), records = size / 32;
	int expected, got;

	doing("read %zu bytes of ring %d", size, (int)(ring - rings));
	got = read_ring(ring - rings, size, size);
	if (size < 32)
		expect_errno(-got, EINVAL);
	else if (got > (int)size || (got > 0 && got % 32))
		wrong("%d bytes are no whole records, or too many", got);
	if (size < 32 || timer_was_used)
		return;
	if (records > ring->unread)
		records = ring->unread;
	ring->unread -= records;
	expected = records || !running ? (int)records * 32 : -EAGAIN;
	if (got != expected)
		wrong("it returns %d instead of %d", got, expected);
}

/* Into memory of which only the first part is there: what was not copied is not lost. */
static void read_into_little(void)
{
	struct ring *ring = &rings[below(nr_cpus)];
	size_t size = 32 * (1 + below(300)), valid = below(size);
	uint64_t most = ring->unread < valid / 32 ? ring->unread : valid / 32;
	int got;

	doing("read %zu bytes of ring %d into %zu", size, (int)(ring - rings), valid);
	got = read_ring(ring - rings, size, valid);
	if (timer_was_used)
		return;
	if (!ring->unread && got != (running ? -EAGAIN : 0))
		wrong("it returns %d of an empty ring", got);
	if (got > 0 && (got % 32 || got / 32 > (int)most))
		wrong("%d bytes are no whole records, or too many", got);
	if (ring->unread && got <= 0 && got != -EFAULT)
		wrong("it returns %d", got);
	if (got > 0)
		ring->unread -= got / 32;
}

static void move(void)
{
	cpu_set_t cpus;

	cpu = below(nr_cpus);
	doing("go to CPU %d", cpu);
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		wrong("cannot run on CPU %d: %s", cpu, strerror(errno));
}

typedef void (*action_fn)(void);

static void turn(void)
{
	static const action_fn actions[] = {
		call_loop, call_loop, call_loop, call_odd, call_odd, call_each, recurse,
		hold, hold, release_some, enable, enable, reset, set_something, set_something,
		set_size, add, add, add, remove_one, remove_all, read_some, read_some,
		read_into_little, move,
	};

	action_fn action = PICK(actions);

	/* Steps that leave the most to see come most often. */
	if (!running && !below(4))
		action = enable;
	if (action == remove_all && below(3))
		action = add;
	*done[step % TOLD] = '\0';
	action();
	if (verbose)
		printf("%lu: %s\n", step, done[step % TOLD]);
	check_all();
}

int main(int argc, char **argv)
{
	unsigned long steps;

	if (argc < 3) {
		fputs("usage: model SEED STEPS [-v]\n", stderr);
		return 2;
	}
	seed = strtoul(argv[1], NULL, 0);
	steps = strtoul(argv[2], NULL, 0);
	verbose = argc > 3;
	setvbuf(stdout, NULL, _IOLBF, 0);
	srandom(seed);
	state_begin();
	if (nr_cpus > MAX_CPUS) {
		fputs("model: too many CPUs\n", stderr);
		return 2;
	}
	move();
	for (step = 1; step <= steps; step++)
		turn();
	if (nr_held)
		release(nr_held);
	check_all();
	return !!nr_wrong;
}
