// SPDX-License-Identifier: GPL-2.0-only
/*
 * meta_json.c - print the metadata of a recording as members of a JSON object
 */
#include <stdlib.h>

#include "data/meta_json.h"

void meta_json_one(struct json *j, const struct data *data, const char *name)
{
	char *value = data_meta(data, name);

	json_text_or_number(j, name, value);
	free(value);
}

void meta_json(struct json *j, const struct data *data)
{
	static const char *const names[] = {
		"time", "kernel", "kernel_version", "machine", "cmdline", "command", NULL
	};
	int i;

	for (i = 0; names[i]; i++) {
		char *value = data_meta(data, names[i]);

		json_text(j, names[i], value);
		free(value);
	}
}
