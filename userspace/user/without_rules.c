// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_rules.c - stands in for rules.c in a build without libdw: no file has rules
 */
#include <stddef.h>

#include "user/rules.h"

bool user_rules_are_possible(void)
{
	return false;
}

struct user_rules *user_rules_begin(int fd)
{
	(void)fd;
	return NULL;
}

bool user_rules_step(struct user_rules *r)
{
	(void)r;
	return false;
}

bool user_rules_finish(struct user_rules *r, uint32_t id, const struct user_file *file,
		       struct buf *out)
{
	(void)r;
	(void)id;
	(void)file;
	(void)out;
	return true;
}

void user_rules_free(struct user_rules *r)
{
	(void)r;
}
