/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meta_text.h - print the metadata of a recording as lines of a heading
 *
 * Names of files, tasks and commands may have a line feed, which would begin another line: what is
 * printed here stays on its own.
 */
#ifndef KPROF_META_TEXT_H
#define KPROF_META_TEXT_H

#include <stdio.h>

#include "data/data.h"

void meta_text_line(FILE *out, const char *label, const char *value);

/* A line of the metadata, unless it is empty. */
void meta_text(FILE *out, const struct data *data, const char *label, const char *name);

/* When and where it was recorded, and of what command. */
void meta_text_recording(FILE *out, const struct data *data, const char *path);

/* For how long, if that is known. */
void meta_text_duration(FILE *out, const struct data *data);

#endif /* KPROF_META_TEXT_H */
