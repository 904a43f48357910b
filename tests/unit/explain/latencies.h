/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * latencies.h - tables of latencies as the module prints them, for tests of explain
 */
#ifndef TESTS_LATENCIES_H
#define TESTS_LATENCIES_H

#include "explain/explain.h"
#include "unit.h"

struct latencies {
	struct buf latency, buckets;
	struct lat_table t;
};

/* Begin with the headings. */
static void latencies_begin(struct latencies *l)
{
	if (l->latency.len)
		return;
	buf_printf(&l->latency, "target\tcontext\tcalls\tmissed\ttotal_ns\tself_ns\tmin_ns\tp50_ns\t"
		   "p90_ns\tp99_ns\tmax_ns\n");
	buf_printf(&l->buckets, "target\tcontext\tlow_ns\thigh_ns\tcalls\n");
}

static void latencies_parse(struct latencies *l)
{
	char error[256] = "";

	CHECK_INT(lat_parse(&l->t, &l->latency, &l->buckets, error), 0);
	CHECK_STR(error, "");
}

static void latencies_free(struct latencies *l)
{
	lat_free(&l->t);
	buf_free(&l->latency);
	buf_free(&l->buckets);
}

#endif /* TESTS_LATENCIES_H */
