// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_take.c - take the profile of an interval from the module
 *
 * The module has added up its samples already, with names. Reading that text is cheaper than
 * reading each sample from the rings, and needs no table of all symbols here.
 */
#include <string.h>
#include <unistd.h>

#include "data/account.h"
#include "lib/clock.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "record/kmod.h"
#include "top/top.h"

/* While it samples, the module keeps all files of programs that it met, and has room for 8192. */
#define FILES_MAX	6144

/* The profile is only complete, and the same in all files, while nothing is sampled. */
static int read_files(struct buf *stacks, struct buf *stats, struct user_names *user)
{
	int hold = kmod_hold(), ret;

	if (hold < 0)
		return EXIT_ERROR;
	ret = kmod_read("folded_ns", stacks);
	if (!ret)
		ret = kmod_read("stats", stats);
	if (!ret && user)
		ret = kmod_read("file_table", &user->table);
	if (!ret)
		ret = kmod_write("reset", "1", 0);
	close(hold);
	return ret;
}

/* The module forgets files that nobody maps any more. */
static int begin_anew(void)
{
	return kmod_write("enable", "0", 0) || kmod_write("reset", "1", 0) ||
	       kmod_write("enable", "1", 0) ? EXIT_ERROR : EXIT_OK;
}

void top_clock_begin(struct top_clock *clock, bool has_cgroups)
{
	clock->has_cgroups = has_cgroups;
	clock->began_anew = false;
	clock->wall = clock_ns(CLOCK_MONOTONIC);
	clock->cpu = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

void top_clock_skip(struct top_clock *clock, uint64_t ns)
{
	clock->wall += ns;
}

static void step_clock(struct top_interval *t, struct top_clock *clock)
{
	struct top_clock now;

	top_clock_begin(&now, clock->has_cgroups);
	t->has_cgroups = clock->has_cgroups;
	t->seconds = (now.wall - clock->wall) / 1e9;
	t->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	t->own_cpu = now.wall > clock->wall ?
		     (double)(now.cpu - clock->cpu) / (now.wall - clock->wall) : 0;
	*clock = now;
}

int top_take(struct top_interval *t, struct top_clock *clock, struct user_names *user)
{
	struct buf stacks = { 0 }, stats = { 0 }, none = { 0 };
	int ret;

	if (user)
		user->table.len = 0;
	ret = read_files(&stacks, &stats, user);

	*t = (struct top_interval){ 0 };
	folded_init(&t->stacks, FOLDED_MERGE);
	/* What others do for it is its own work, too. */
	if (user)
		clock->cpu -= user_names_cpu(user);
	step_clock(t, clock);
	if (!ret) {
		buf_add(&none, "", 0);
		if (user)
			user_names_fold(user, &stacks, 1 + clock->has_cgroups, &t->stacks);
		else
			folded_parse(&t->stacks, stacks.data, stacks.len, "folded_ns");
		t->fired = account_growth(&none, &stats, "fired");
		t->recorded = account_growth(&none, &stats, "recorded");
		t->idle = account_growth(&none, &stats, "dropped_idle");
		t->own = account_growth(&none, &stats, "dropped_own");
		t->lost = account_dropped(&none, &stats, &t->causes);
		clock->began_anew = user &&
				    account_growth(&none, &stats, "user.files") > FILES_MAX;
		if (clock->began_anew)
			ret = begin_anew();
	}
	buf_free(&none);
	buf_free(&stacks);
	buf_free(&stats);
	return ret;
}

void top_interval_free(struct top_interval *t)
{
	folded_free(&t->stacks);
	buf_free(&t->causes);
}
