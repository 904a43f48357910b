/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch_user.h - what a table of calls needs if the stacks of programs are a key of its rows
 */
#ifndef KPROF_WATCH_USER_H
#define KPROF_WATCH_USER_H

#include "record/rules.h"
#include "record/until.h"
#include "record/user_names.h"
#include "user/files.h"

/* Zero-initialise. @names: for whoever shows the rows. */
struct watch_user {
	struct rules rules;
	struct user_files files;	/* whose rules are being made */
	struct user_names names;
};

/*
 * Have the rules of the files of @command (NULL: none) and of @pids before samples are taken.
 * Returns 0, or EXIT_ERROR after a message.
 */
int watch_user_prepare(struct watch_user *u, const char *command, const struct opt_list *pids,
		       struct until *until);

/* Make rules for some milliseconds. *wait_ns: call this again after that. Returns as above. */
int watch_user_work(struct watch_user *u, uint64_t now_ns, uint64_t *wait_ns);
void watch_user_end(struct watch_user *u);

#endif /* KPROF_WATCH_USER_H */
