// SPDX-License-Identifier: GPL-2.0-only
/*
 * account_maps.c - what the module did not know of the mappings of processes
 *
 * Each line says what that did to user stacks, and what to do about it.
 */
#include <inttypes.h>
#include <string.h>

#include "data/account.h"
#include "lib/plural.h"

bool account_maps_take(struct account_maps *maps, const char *counter, uint64_t n)
{
	const struct {
		const char *name;
		uint64_t *sum;
	} counters[] = {
		{ "not_taken_stale", &maps->stale },
		{ "spaces_missed", &maps->missed },
		{ "spaces_limited", &maps->limited },
		{ "unwatched", &maps->unwatched },
		{ "maps_left_out", &maps->left_out },
		{ "files_full", &maps->full },
	};
	size_t i;

	for (i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (!strcmp(counter, counters[i].name)) {
			*counters[i].sum += n;
			return true;
		}
	return false;
}

void account_maps_print(const struct account_maps *maps, const char *prefix, FILE *out)
{
	if (maps->full)
		fprintf(out, "%s%" PRIu64 " time%s a file of a user stack got no number, as its "
			"user's share of the module's table of files was used up: see [file table "
			"full]; unloading the module empties it\n", prefix, maps->full,
			plural(maps->full));
	if (maps->unwatched)
		fprintf(out, "%sfor %" PRIu64 " second%s, kprobes were switched off "
			"(kprobes/enabled in debugfs): libraries that were replaced meanwhile may "
			"have the names of those before\n", prefix, maps->unwatched,
			plural(maps->unwatched));
	if (maps->missed)
		fprintf(out, "%s%" PRIu64 " change%s of what a process had mapped %s missed: see "
			"user.missed_* in the module's stats\n", prefix, maps->missed,
			plural(maps->missed), maps->missed == 1 ? "was" : "were");
	if (maps->stale)
		fprintf(out, "%s%" PRIu64 " sample%s %s no user stack, as what the process had "
			"mapped there had just changed%s\n", prefix, maps->stale,
			plural(maps->stale),
			maps->stale == 1 ? "has" : "have",
			maps->limited ? ": it maps code all the time" : "");
	if (maps->left_out)
		fprintf(out, "%s%" PRIu64 " executable mapping%s %s left out, as a process has "
			"more than are kept: code there is an address\n", prefix, maps->left_out,
			plural(maps->left_out), maps->left_out == 1 ? "was" : "were");
}
