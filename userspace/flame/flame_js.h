/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame_js.h - flame*.js, the script of a flame graph, as a string
 *
 * The Makefile generates flame_js.c.
 */
#ifndef KPROF_FLAME_JS_H
#define KPROF_FLAME_JS_H

extern const char flame_js[];

#endif /* KPROF_FLAME_JS_H */
