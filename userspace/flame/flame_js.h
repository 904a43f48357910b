/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * flame_js.h - flame.js as a string, in flame_js.c, which the Makefile generates
 */
#ifndef KPROF_FLAME_JS_H
#define KPROF_FLAME_JS_H

extern const char flame_js[];

#endif /* KPROF_FLAME_JS_H */
