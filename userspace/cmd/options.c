// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - options that several verbs have: what their tables cannot check
 */
#include "cmd/options.h"
#include "lib/msg.h"

int option_query_cpus(struct tally_query *query, const char *list)
{
	static struct cpus cpus;

	if (!list)
		return EXIT_OK;
	if (!cpus_parse(&cpus, list))
		return msg_usage("--cpus: '%s' is not a list of CPUs such as 0-2,5", list);
	query->cpus = &cpus;
	return EXIT_OK;
}
