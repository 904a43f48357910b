/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peers.h - map the commands of perf, bcc and FlameGraph to those of kprof
 */
#ifndef KPROF_PEERS_H
#define KPROF_PEERS_H

/* What does the same, or nothing, and a note or nothing, but not both. */
struct peer {
	const char *tools;	/* with spaces between */
	const char *command;	/* of kprof; several with semicolons */
	const char *note;
};

/* NULL if the tool is not known. Suffixes such as those of flamegraph.pl are ignored. */
const struct peer *peers_find(const char *tool);

#endif /* KPROF_PEERS_H */
