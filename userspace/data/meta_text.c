// SPDX-License-Identifier: GPL-2.0-only
/*
 * meta_text.c - print the metadata of a recording as lines of a heading
 */
#include <stdlib.h>

#include "data/meta_text.h"
#include "lib/escape.h"

void meta_text_line(FILE *out, const char *label, const char *value)
{
	fprintf(out, "# %-10s ", label);
	escape_print(value, out);
	fputc('\n', out);
}

void meta_text(FILE *out, const struct data *data, const char *label, const char *name)
{
	char *value = data_meta(data, name);

	if (*value)
		meta_text_line(out, label, value);
	free(value);
}

void meta_text_recording(FILE *out, const struct data *data, const char *path)
{
	meta_text_line(out, "recording:", path);
	meta_text(out, data, "time:", "time");
	meta_text(out, data, "kernel:", "kernel");
	meta_text(out, data, "machine:", "machine");
	meta_text(out, data, "command:", "command");
}

void meta_text_duration(FILE *out, const struct data *data)
{
	if (data_duration_ns(data))
		fprintf(out, "# %-10s %.3f s\n", "duration:", data_duration_ns(data) / 1e9);
}
