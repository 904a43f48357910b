/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kmod.h - find and load the kernel module, and access its files in debugfs
 *
 * Functions that return int return 0, or EXIT_ERROR after a message.
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
 * The kprof.ko to load: @given, or $KPROF_MODULE, or the first one found beside the program and
 * in the running kernel's directories. Free the result. Returns NULL, without a
 * message, if there is none; then @tried lists the places searched.
 */
char *kmod_find(const char *given, struct buf *tried);

int kmod_load(const char *given, const char *parameters);
int kmod_unload(void);

/* Append the contents of a file of the module to @text. */
int kmod_read(const char *file, struct buf *text);

/*
 * Hold sampling still: what is read until the result is closed belongs together, and a reset
 * empties it. Returns -1 after a message.
 */
int kmod_hold(void);

/*
 * Write a control file. If the module refuses the value, show the reason that
 * its file "error" gives. @flags: O_TRUNC, O_APPEND or 0.
 */
int kmod_write(const char *file, const char *value, int flags);

/* The same without a message. Returns 0, or an errno with the reason appended to @why. */
int kmod_try_write(const char *file, const char *value, int flags, struct buf *why);

/* The same, of bytes, which are written as they are. */
int kmod_try_write_bytes(const char *file, const struct buf *bytes, struct buf *why);

#endif /* KPROF_KMOD_H */
