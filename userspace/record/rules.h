/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rules.h - give the module what it needs to follow user stacks without frame pointers
 *
 * The module names the files whose code it has met in samples, and which it has no rules of.
 */
#ifndef KPROF_RECORD_RULES_H
#define KPROF_RECORD_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/until.h"
#include "user/files.h"

struct user_rules;

/* Zero-initialise. */
struct rules {
	struct user_rules *making;	/* those of the file @id */
	uint32_t id;
	uint32_t *wanted;		/* to be made next */
	size_t nr_wanted, wanted_room;
	bool *done;			/* by number of file: never make them again */
	size_t nr_done, done_room;
	uint64_t poll_ns, found_ns;	/* when to ask the module again; when it last wanted some */
	bool is_shown;			/* on a screen: nothing may take long, or be printed */
	size_t refused;			/* no room in the module */
	size_t cut;			/* they describe more than was made */
};

/*
 * Do a small part of the work, at most some milliseconds. *wait_ms: after how long to call this
 * again. Returns 0, or EXIT_ERROR after a message.
 */
int rules_work(struct rules *r, struct user_files *files, uint64_t now_ns, int *wait_ms);

/*
 * Make those that are wanted now, before sampling starts, until @end_ns at most, or until @until is
 * over. Returns as rules_work().
 */
int rules_prepare(struct rules *r, struct user_files *files, struct until *until,
		  uint64_t end_ns);

/* A sample was the first one in a file: ask the module now. */
void rules_hurry(struct rules *r);

/* Files have other numbers from now on. */
void rules_restart(struct rules *r);

/* Warn if there was no room for some rules, or some were not made. */
void rules_end(struct rules *r);

#endif /* KPROF_RECORD_RULES_H */
