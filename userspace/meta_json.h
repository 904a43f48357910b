/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meta_json.h - what a recording is of, as the beginning of a JSON object
 */
#ifndef KPROF_META_JSON_H
#define KPROF_META_JSON_H

#include <stdio.h>

#include "data.h"

/* A line for each of when, where and of what it is, and how long it took. */
void meta_json(const struct data *data, FILE *out);

/* A line of it. */
void meta_json_one(const struct data *data, const char *name, FILE *out);

#endif /* KPROF_META_JSON_H */
