// SPDX-License-Identifier: GPL-2.0-only
/*
 * place_name.c - a place of a user stack as text; the reader finds the function
 */
#include <linux/kernel.h>
#include <linux/slab.h>

#include "base/ids.h"
#include "uapi/kprof.h"
#include "user/user.h"

/**
 * kprof_user_place_name() - name a place, "PATH+0xOFFSET"
 * @place:	the place; 0: there was no user stack
 * @exact:	it is where the task was; else behind a call, and the text is of the byte before it
 *
 * The path is as the process has it, and may contain anything.
 *
 * Context: sleeps; kprof_mutex is held. Return: text to be freed by kfree(); NULL: no memory.
 */
char *kprof_user_place_name(u64 place, bool exact)
{
	const struct kprof_mapped *file = kprof_mapped_get(KPROF_USER_FILE(place));
	u64 offset = KPROF_USER_OFFSET(place) - !exact;
	char process[KPROF_ID_TEXT];

	if (!place)
		return kstrdup("[no user stack]", GFP_KERNEL);
	if (!file)
		return kasprintf(GFP_KERNEL, "[user]+0x%llx", offset);
	kprof_id_print(file->tgid, process);
	switch (file->kind) {
	case KPROF_MAPPED_FULL:
		return kstrdup(file->path, GFP_KERNEL);
	case KPROF_MAPPED_ANON:
		return kasprintf(GFP_KERNEL, "[anon:%s]+0x%llx", process, offset);
	case KPROF_MAPPED_DATA:
		return kasprintf(GFP_KERNEL, "[%s:%s]+0x%llx", file->path, process, offset);
	default:
		return kasprintf(GFP_KERNEL, "%s+0x%llx", file->path, offset);
	}
}
