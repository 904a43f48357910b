/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peers.h - what people type who come from perf, bcc or FlameGraph
 */
#ifndef KPROF_PEERS_H
#define KPROF_PEERS_H

/* The command that does what a tool of that name does, or what is to be said; NULL: unknown. */
const char *peers_find(const char *tool);

#endif /* KPROF_PEERS_H */
