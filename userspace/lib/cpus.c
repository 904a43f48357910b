// SPDX-License-Identifier: GPL-2.0-only
/*
 * cpus.c - a set of CPUs, parsed from the kernel's list format: "0-2,5"
 */
#include <stddef.h>
#include <string.h>

#include "lib/buf.h"
#include "lib/cpus.h"
#include "lib/exit.h"
#include "lib/msg.h"
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

int cpus_option(struct cpus *set, const char *list)
{
	return cpus_parse(set, list) ? EXIT_OK :
	       msg_usage("--cpus: '%s' is not a list of CPUs such as 0-2,5", list);
}

static int check_against(const struct cpus *asked, const char *list, const char *state, char *there)
{
	struct cpus set;
	uint32_t cpu;

	if (!cpus_parse(&set, there))
		return EXIT_OK;
	there[strcspn(there, "\n")] = '\0';
	for (cpu = 0; cpu < CPUS_MAX; cpu++)
		if (cpus_has(asked, cpu) && !cpus_has(&set, cpu))
			return msg_usage("--cpus: '%s': there is no CPU %u: %s are %s", list, cpu,
					 state, there);
	return EXIT_OK;
}

int cpus_check(const char *list, const char *state)
{
	struct buf path = { 0 }, there = { 0 };
	struct cpus asked;
	int ret = EXIT_OK;

	if (!list)
		return EXIT_OK;
	if (cpus_option(&asked, list))
		return EXIT_USAGE;
	buf_printf(&path, "/sys/devices/system/cpu/%s", state);
	/* Where that is not known, the kernel is the first to tell. */
	if (!buf_read_file(&there, path.data))
		ret = check_against(&asked, list, state, there.data);
	buf_free(&path);
	buf_free(&there);
	return ret;
}
