/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * meta_json.h - print the metadata of a recording as members of a JSON object
 */
#ifndef KPROF_META_JSON_H
#define KPROF_META_JSON_H

#include "data/data.h"
#include "lib/json.h"

/* When and where it was recorded, and of what command. */
void meta_json(struct json *j, const struct data *data);

/* One line of the metadata, as a number if it is one. */
void meta_json_one(struct json *j, const struct data *data, const char *name);

#endif /* KPROF_META_JSON_H */
