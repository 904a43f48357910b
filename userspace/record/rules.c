// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules.c - give the module what it needs to follow user stacks without frame pointers
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/clock.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "record/kmod.h"
#include "record/rules.h"
#include "user/rules.h"

/* While files are new, the next ones come soon, and samples wait for their rules. */
#define SOON_MS		20
#define LATER_MS	200
#define NEW_NS		2000000000ull

static bool is_done(const struct rules *r, uint32_t id)
{
	return id < r->nr_done && r->done[id];
}

static void set_done(struct rules *r, uint32_t id)
{
	r->done = mem_grow(r->done, &r->done_room, (size_t)id + 1, sizeof(*r->done));
	while (r->nr_done <= id)
		r->done[r->nr_done++] = false;
	r->done[id] = true;
}

static int update_files(struct user_files *files)
{
	struct buf text = { 0 };
	int ret = kmod_read("file_table", &text);

	if (!ret && user_files_update(files, &text))
		ret = msg_error("the module's file_table is not what this kprof reads");
	buf_free(&text);
	return ret;
}

/* Ask the module what it wants. */
static int ask(struct rules *r, struct user_files *files)
{
	struct buf text = { 0 };
	const char *at, *line;
	uint64_t id, last = 0;
	int ret = kmod_read("rules", &text);
	size_t len;

	for (at = text.data; !ret && buf_next_line(&at, &line, &len);) {
		if (!number_take(&line, NUMBER_DECIMAL, &id) || id > KPROF_USER_FILE_MAX)
			ret = msg_error("the module's file rules is not what this kprof reads");
		if (ret || is_done(r, id))
			continue;
		set_done(r, id);
		r->wanted = mem_grow(r->wanted, &r->wanted_room, r->nr_wanted + 1,
				     sizeof(*r->wanted));
		r->wanted[r->nr_wanted++] = id;
		last = id;
	}
	buf_free(&text);
	return !ret && last >= files->nr ? update_files(files) : ret;
}

static void begin(struct rules *r, struct user_files *files)
{
	uint32_t id = r->wanted[--r->nr_wanted];

	if (id >= files->nr)	/* the profile was reset meanwhile */
		return;
	if (r->is_shown && !strcmp(files->file[id].kind, "far"))
		return;
	r->id = id;
	r->making = user_rules_begin(user_files_open(files, id));
}

static int finish(struct rules *r, struct user_files *files)
{
	struct buf table = { 0 }, why = { 0 };
	int error, ret = EXIT_OK;

	if (!user_rules_finish(r->making, r->id, &files->file[r->id], &table))
		r->cut++;
	user_rules_free(r->making);
	r->making = NULL;
	user_files_close(files, r->id);
	error = kmod_try_write_bytes("rules", &table, &why);
	if (error == ENOSPC || error == ENOMEM)
		r->refused++;
	else if (error == EINVAL && !r->is_shown)
		msg_warn("the module refuses the unwind rules of %s, whose frames may be missing: %s",
			 files->file[r->id].path, why.data);
	else if (error && error != EINVAL && error != EEXIST && error != ENOENT && error != ESTALE)
		ret = msg_error("%s", why.data);
	buf_free(&why);
	buf_free(&table);
	return ret;
}

int rules_work(struct rules *r, struct user_files *files, uint64_t now_ns, int *wait_ms)
{
	int ret = EXIT_OK;

	*wait_ms = 0;
	if (!r->found_ns)
		r->found_ns = now_ns;
	if (r->making)
		return user_rules_step(r->making) ? EXIT_OK : finish(r, files);
	if (!r->nr_wanted && now_ns >= r->poll_ns) {
		ret = ask(r, files);
		if (r->nr_wanted)
			r->found_ns = now_ns;
		r->poll_ns = now_ns + 1000000ull *
			     (now_ns - r->found_ns < NEW_NS ? SOON_MS : LATER_MS);
	}
	if (r->nr_wanted)
		begin(r, files);
	else
		*wait_ms = (r->poll_ns - now_ns) / 1000000 + 1;
	return ret;
}

int rules_prepare(struct rules *r, struct user_files *files, struct until *until,
		  uint64_t end_ns)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	int wait_ms = 0, ret = EXIT_OK;

	while (!ret && !wait_ms && now < end_ns && !until_sleep(until, 0) &&
	       !until_is_over(until)) {
		ret = rules_work(r, files, now, &wait_ms);
		now = clock_ns(CLOCK_MONOTONIC);
	}
	return ret;
}

void rules_hurry(struct rules *r)
{
	r->poll_ns = 0;
}

void rules_restart(struct rules *r)
{
	if (r->making)
		user_rules_free(r->making);
	free(r->wanted);
	free(r->done);
	*r = (struct rules) {
		.is_shown = r->is_shown, .refused = r->refused, .cut = r->cut,
	};
}

void rules_end(struct rules *r)
{
	if (r->refused)
		msg_warn("the module had no room for the unwind rules of %zu file%s, whose frames "
			 "may be missing; more of its parameter rules_kb makes room", r->refused,
			 plural(r->refused));
	if (r->cut)
		msg_warn("more frames than kprof makes unwind rules of are described by %zu file%s; the "
			 "others may be missing", r->cut, plural(r->cut));
	rules_restart(r);
	*r = (struct rules) { 0 };
}
