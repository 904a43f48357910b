// SPDX-License-Identifier: GPL-2.0-only
/*
 * account_user.c - how many user stacks are not whole, and what to do about it
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account_user.h"
#include "data/rooted.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/plural.h"

/* Fewer than these change no picture. */
#define FEW_PER_CENT	3

/* The most that the module's parameter "depth" can be. */
#define MAX_DEPTH	127

void account_user_take(struct account_user *user, const char *counter, uint64_t n)
{
	if (!strcmp(counter, "taken"))
		user->taken += n;
	else if (!strcmp(counter, "partial"))
		user->partial += n;
	else if (!strcmp(counter, "early"))
		user->early += n;
	else if (!strcmp(counter, "cut"))
		user->cut += n;
	else if (!strcmp(counter, "ruled"))
		user->ruled += n;
}

/* What a stack is by its names. */
enum look { LOOK_UNKNOWN, LOOK_OTHER, LOOK_ROOTED };

static enum look look_at(const struct data *d, uint32_t id)
{
	const struct kprof_stack *stack = id < d->nr_stacks ? d->stack[id] : NULL;

	if (!stack || !(stack->flags & KPROF_STACK_PARTIAL) || !data_is_rooted(d, stack))
		return LOOK_OTHER;
	return LOOK_ROOTED;
}

void account_user_look(struct account_user *user, const struct data *d)
{
	unsigned char *look = mem_zalloc(d->nr_stacks + 1ul, sizeof(*look));
	char *depth = data_meta(d, "depth");
	uint64_t rooted = 0;
	size_t chunk, i;

	for (chunk = 0; chunk < d->nr_chunks; chunk++)
		for (i = 0; i < d->chunk[chunk].nr; i++) {
			const struct kprof_record *rec = &d->chunk[chunk].rec[i];
			uint32_t id = KPROF_KEY_USTACK(rec->key);

			if (KPROF_INFO_KIND(rec->info) != KPROF_REC_SAMPLE || id >= d->nr_stacks)
				continue;
			if (look[id] == LOOK_UNKNOWN)
				look[id] = look_at(d, id);
			rooted += look[id] == LOOK_ROOTED;
		}
	user->partial -= rooted < user->partial ? rooted : user->partial;
	user->depth = number_or_0(depth);
	free(depth);
	free(look);
}

static bool is_told(const struct account_user *user, uint64_t n)
{
	return 100.0 * n > (double)FEW_PER_CENT * user->taken;
}

bool account_user_is_told(const struct account_user *user)
{
	return is_told(user, user->partial) || is_told(user, user->early) ||
	       is_told(user, user->cut);
}

/* Begin a line; nothing if there are so few that nobody needs to know. */
static bool begin_line(const struct account_user *user, uint64_t n, const char *prefix, FILE *out)
{
	if (!is_told(user, n))
		return false;
	fprintf(out, "%s%" PRIu64 " of %" PRIu64 " user stack%s (%.1f %%) ", prefix, n, user->taken,
		plural(user->taken), 100.0 * n / user->taken);
	return true;
}

void account_user_print(const struct account_user *user, const char *prefix, FILE *out)
{
	if (begin_line(user, user->partial, prefix, out))
		fprintf(out, "end%s before the root, in [unknown]: compile with "
			"-fno-omit-frame-pointer%s\n", user->partial == 1 ? "s" : "",
			user->ruled ? "" : ", or leave out --unwind fp");
	if (begin_line(user, user->early, prefix, out))
		fprintf(out, "%s before the rules of a file, and may lack callers: record for longer, or "
			"twice with the module loaded\n", user->early == 1 ? "was" : "were");
	if (!begin_line(user, user->cut, prefix, out))
		return;
	fprintf(out, "%s deeper than ", user->cut == 1 ? "was" : "were");
	if (user->depth)
		fprintf(out, "%" PRIu64 " frame%s", user->depth, plural(user->depth));
	else
		fprintf(out, "the module keeps");
	fprintf(out, ", and lack%s the callers nearest to the root: see [cut]; ",
		user->cut == 1 ? "s" : "");
	if (user->depth < MAX_DEPTH)
		fprintf(out, "--depth keeps up to %d\n", MAX_DEPTH);
	else
		fprintf(out, "no more can be kept\n");
}
