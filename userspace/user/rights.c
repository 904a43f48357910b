// SPDX-License-Identifier: GPL-2.0-only
/*
 * rights.c - opens what a file of another user names with no more rights than that user has
 *
 * Only what the filesystem allows changes: with its user id changed, that user could end the
 * process, or stop it.
 */
#include <grp.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "user/confine.h"
#include "user/rights.h"

#define NO_GROUP	65534	/* which groups the owner is in is not known */

bool rights_take(uid_t owner)
{
	if (!owner || owner == geteuid())
		return true;
	if (owner == (uid_t)-1 || setgroups(0, NULL))
		return false;
	setfsgid(NO_GROUP);
	setfsuid(owner);
	/* They tell of no error, but of what was there before. */
	if (setfsuid(owner) == (int)owner && setfsgid(NO_GROUP) == NO_GROUP) {
		confine_to_parent();
		return true;
	}
	rights_return();
	return false;
}

void rights_return(void)
{
	setfsuid(geteuid());
	setfsgid(getegid());
	confine_to_parent();
}
