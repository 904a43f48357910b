/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.h - a function whose calls are of known lengths, and what explain finds in it
 */
#ifndef TESTS_EXPLAIN_TABLE_H
#define TESTS_EXPLAIN_TABLE_H

#include "latencies.h"

struct table {
	struct latencies l;
	struct explain_group g;
	struct explain e;
};

/* So many calls of the same length. */
static void add(struct table *t, const char *context, int calls, int ns)
{
	latencies_begin(&t->l);
	buf_printf(&t->l.latency, "f\t%s\t%d\t0\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", context, calls,
		   calls * ns, calls * ns, ns, ns, ns, ns, ns);
	buf_printf(&t->l.buckets, "f\t%s\t%d\t%d\t%d\n", context, ns, ns + 1, calls);
}

static void make(struct table *t)
{
	char error[256] = "";

	latencies_parse(&t->l);
	CHECK_INT(explain_group_make(&t->g, &t->l.t, "f", error), 0);
	explain_add(&t->e, &t->g);
	explain_finish(&t->e);
}

static void end(struct table *t)
{
	explain_free(&t->e);
	explain_group_free(&t->g);
	latencies_free(&t->l);
}

#endif /* TESTS_EXPLAIN_TABLE_H */
