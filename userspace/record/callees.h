/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callees.h - the functions that a function of the running kernel calls, as targets
 */
#ifndef KPROF_CALLEES_H
#define KPROF_CALLEES_H

#define CALLEES_MAX	24

/* The names, "MODULE:NAME" of a module's; those that can be watched, by address. */
struct callees {
	char *name[CALLEES_MAX];
	int nr;
};

/*
 * Read the code of @function, a target by name. Where that is not possible (no such function or
 * several, no permission, an inlined function) there are none. Calls through pointers are not
 * seen. Call callees_free() afterwards.
 */
void callees_find(struct callees *c, const char *function);
void callees_free(struct callees *c);

#endif /* KPROF_CALLEES_H */
