/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpftrace_json.h - parse the maps that bpftrace -f json prints, with stacks as keys, into stacks
 *
 *	{"type": "map", "data": {"@": {"\n    vfs_read+1\n    ksys_read+95\n,dd": 12}}}
 *
 * Each line is an object. What is in it is put together as bpftrace_map.h parses it.
 */
#ifndef KPROF_BPFTRACE_JSON_H
#define KPROF_BPFTRACE_JSON_H

#include "data/bpftrace_map.h"
#include "lib/input.h"

/* Is this a line as bpftrace -f json prints? */
bool bpftrace_json_begins(const char *line, size_t len);

/* Is it what follows in the input? */
bool bpftrace_json_is_next(struct input *in);

/* Parse a line. Returns false if it is not a line of such a text. */
bool bpftrace_json_line(struct bpftrace_map *m, struct folded *f, const char *line, size_t len,
			uint64_t nr);

#endif /* KPROF_BPFTRACE_JSON_H */
