// SPDX-License-Identifier: GPL-2.0-only
/*
 * meta_json.c - what a recording is of, as the beginning of a JSON object
 */
#include <inttypes.h>
#include <stdlib.h>

#include "meta_json.h"
#include "quote.h"

void meta_json_one(const struct data *data, const char *name, FILE *out)
{
	char *value = data_meta(data, name);

	fprintf(out, "  \"%s\": ", name);
	quote_json(value, out);
	fputs(",\n", out);
	free(value);
}

void meta_json(const struct data *data, FILE *out)
{
	static const char *const names[] = {
		"time", "kernel", "kernel_version", "machine", "cmdline", "command", NULL
	};
	int i;

	for (i = 0; names[i]; i++)
		meta_json_one(data, names[i], out);
	fprintf(out, "  \"duration_ns\": %" PRIu64 ",\n", data_duration_ns(data));
}
