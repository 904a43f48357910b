// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_judge.c - tell of events that were asked for and not counted
 */
#include <stdlib.h>

#include "lib/msg.h"
#include "lib/plural.h"
#include "stat/stat.h"

/* What became of an event in all of its rows. */
static void sum_rows(const struct stat_results *r, size_t event, struct stat_value *sum)
{
	size_t row;

	*sum = (struct stat_value){ 0 };
	for (row = 0; row < r->nr_rows; row++) {
		const struct stat_value *value = &stat_result_of(r, event, row)->sum;

		sum->supported |= value->supported;
		sum->silent += value->silent;
	}
}

int stat_judge(const struct stat_results *r)
{
	size_t i, supported = 0;
	struct stat_value sum;
	int ret = EXIT_OK;
	char *available;

	for (i = 0; i < r->events->nr; i++) {
		sum_rows(r, i, &sum);
		supported += sum.supported;
		if (!sum.silent)
			continue;
		msg_warn("%s: %zu counter%s of it never had a turn, because others hold the hardware's: what would have been counted there is missing; give fewer events",
			 r->events->event[i].name, sum.silent, plural(sum.silent));
		ret = EXIT_LOST;
	}
	if (supported)
		return ret;
	available = stat_events_available();
	ret = msg_error("this machine can count none of these events; it has: %s", available);
	free(available);
	return ret;
}
