/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmod.h - the module from outside: find it, load it, its files in debugfs
 *
 * Functions that return int give 0, or EXIT_ERROR after a message.
 */
#ifndef KPROF_KMOD_H
#define KPROF_KMOD_H

#include <stdbool.h>

#include "lib/buf.h"

/* The module's directory; KPROF_DEBUGFS in the environment replaces it. */
const char *kmod_dir(void);
/* "DIR/FILE"; free it. */
char *kmod_path(const char *file);
bool kmod_is_loaded(void);

/*
 * The kprof.ko to load: @given, or the first there is beside the program and
 * in the running kernel's directories. NULL, without a message: there is none,
 * and @tried lists where it was looked for. Free it.
 */
char *kmod_find(const char *given, struct buf *tried);

int kmod_load(const char *given, const char *parameters);
int kmod_unload(void);

/* A file of the module, appended to @text. */
int kmod_read(const char *file, struct buf *text);

/*
 * Write a control file; what the module says in "error" is shown where it
 * refuses. @flags: O_TRUNC, O_APPEND or 0.
 */
int kmod_write(const char *file, const char *value, int flags);
/* The same without a message: 0, or an errno with the reason added to @why. */
int kmod_try_write(const char *file, const char *value, int flags, struct buf *why);

#endif /* KPROF_KMOD_H */
