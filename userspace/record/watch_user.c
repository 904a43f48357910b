// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch_user.c - have the unwind rules of programs whose stacks are a key of the rows of a table
 */
#include <limits.h>
#include <unistd.h>

#include "record/expect.h"
#include "record/pins.h"
#include "record/watch_user.h"
#include "user/rules.h"

int watch_user_prepare(struct watch_user *u, const char *command, const struct opt_list *pids,
		       struct until *until)
{
	int pins, ret;

	u->files.are_held = true;	/* open only those whose rules are being made */
	if (!user_rules_are_possible())
		return EXIT_OK;
	pins = pins_open();
	ret = expect_files(&u->rules, pins, &u->files, command, pids, until);
	if (pins >= 0)
		close(pins);
	return ret;
}

int watch_user_work(struct watch_user *u, uint64_t now_ns, uint64_t *wait_ns)
{
	int wait_ms = INT_MAX, ret;

	ret = user_rules_are_possible() ? rules_work(&u->rules, &u->files, now_ns, &wait_ms) :
					  EXIT_OK;
	*wait_ns = wait_ms * 1000000ull;
	return ret;
}

void watch_user_end(struct watch_user *u)
{
	rules_end(&u->rules);
	user_files_free(&u->files);
	user_names_free(&u->names);
}
