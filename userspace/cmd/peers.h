/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peers.h - map the commands of perf, bcc and FlameGraph to those of kprof
 */
#ifndef KPROF_PEERS_H
#define KPROF_PEERS_H

/* The kprof command that does what @tool does, or a hint; NULL if the tool is not known. */
const char *peers_find(const char *tool);

#endif /* KPROF_PEERS_H */
