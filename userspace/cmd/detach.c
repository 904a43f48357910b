// SPDX-License-Identifier: GPL-2.0-only
/*
 * detach.c - kprof detach: remove all targets, and wait for the calls under way
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/verbs.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/plural.h"
#include "record/kmod.h"
#include "record/until.h"

#define NS_PER_SEC	1000000000ULL

/* Poll interval. */
#define LOOK_NS		(NS_PER_SEC / 5)

static long timeout = -1;	/* not given */

static const struct opt opts[] = {
	{ .name = "timeout", .type = OPT_LONG, .value = &timeout, .arg = "SECONDS",
	  .min = 0, .max = 1e6,
	  .help = "wait no longer than that; 0: not at all; default as long as it takes" },
	{ 0 }
};

/* List lines "NAME.inside: N" with N > 0 as "NAME N, NAME N". Returns the sum. */
static uint64_t who_is_inside(const char *stats, struct buf *who)
{
	const char *line, *end, *colon, what[] = ".inside";
	uint64_t sum = 0, calls;

	for (line = stats; *line; line = end + (*end == '\n')) {
		end = line + strcspn(line, "\n");
		for (colon = end; colon > line && *colon != ':'; colon--)
			;
		if (colon - line < (long)strlen(what) ||
		    strncmp(colon - strlen(what), what, strlen(what)))
			continue;
		calls = number_or_0(colon + 1 + strspn(colon + 1, " "));
		sum += calls;
		if (calls)
			buf_printf(who, "%s%.*s %" PRIu64, who->len ? ", " : "",
				   (int)(colon - line - strlen(what)), line, calls);
	}
	return sum;
}

/* Poll once. Print the functions with calls under way if that differs from the last message. */
static int look(struct buf *said, uint64_t *calls)
{
	struct buf stats = { 0 }, who = { 0 };
	int ret = kmod_read("stats", &stats);

	if (ret) {
		buf_free(&stats);
		return ret;
	}
	*calls = who_is_inside(stats.data, &who);
	if (*calls && (!said->len || strcmp(said->data, who.data)))
		msg_warn("calls under way: %s", who.data);
	buf_free(&stats);
	buf_free(said);
	*said = who;
	return EXIT_OK;
}

static int give_up(uint64_t calls)
{
	return msg_error("%" PRIu64 " call%s %s not returned; rmmod kprof need not wait for that, "
			 "what returns later is unwatched", calls, plural(calls),
			 plural_have(calls));
}

static int wait_for_calls(struct until *u, bool forever)
{
	uint64_t left = timeout * NS_PER_SEC, calls = 0;
	struct buf said = { 0 };
	int ret;

	for (;;) {
		ret = look(&said, &calls);
		if (ret || !calls)
			break;
		if ((!forever && !left) || until_is_interrupted(u)) {
			ret = give_up(calls);
			break;
		}
		ret = until_sleep(u, LOOK_NS);
		if (ret)
			break;
		left -= left < LOOK_NS ? left : LOOK_NS;
	}
	buf_free(&said);
	return ret;
}

static int run(int argc, char **argv)
{
	const bool forever = timeout < 0;
	struct until u = { 0 };
	int ret;

	if (argc)
		return msg_usage("takes no argument, not '%s'", argv[0]);
	if (!kmod_is_loaded())
		return msg_error("the module is not loaded: nothing is watched");
	ret = until_begin(&u);
	if (!ret)
		ret = kmod_write("targets", "\n", O_TRUNC);
	if (!ret)
		ret = wait_for_calls(&u, forever);
	until_end(&u);
	return ret;
}

const struct verb verb_detach = {
	.name = "detach",
	.args = "",
	.summary = "Watch no function any more, and wait for calls under way",
	.details =
		"What was seen stays. Calls under way are waited for, so that they are seen to their\n"
		"end; whose they are is told as it changes. The module can be unloaded without: they\n"
		"return unwatched then.\n"
		"Exit status 1: some have not returned when the time was over, or a signal came.\n\n"
		"Examples:\n"
		"  kprof detach && rmmod kprof\n"
		"  kprof detach --timeout 10\n",
	.opts = opts,
	.run = run,
};
