// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - a set of CPUs, parsed from the kernel's list format: "0-2,5"
 */
#include "lib/cpus.h"
#include "lib/number.h"

bool cpus_parse(struct cpus *set, const char *list)
{
	uint64_t first, last;

	*set = (struct cpus){ 0 };
	for (;; list++) {
		if (!number_take(&list, NUMBER_DECIMAL, &first))
			return false;
		last = first;
		if (*list == '-' && (list++, !number_take(&list, NUMBER_DECIMAL, &last)))
			return false;
		if (last < first || last >= CPUS_MAX)
			return false;
		for (; first <= last; first++)
			set->word[first / 64] |= 1ull << first % 64;
		if (*list != ',')
			return !*list || (*list == '\n' && !list[1]);
	}
}
