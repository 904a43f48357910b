/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meta_json.h - what a recording is of, as members of a JSON object
 */
#ifndef KPROF_META_JSON_H
#define KPROF_META_JSON_H

#include "data/data.h"
#include "lib/json.h"

/* When, where and of what it is. */
void meta_json(struct json *j, const struct data *data);

/* One line of it, as a number where it is one. */
void meta_json_one(struct json *j, const struct data *data, const char *name);

#endif /* KPROF_META_JSON_H */
