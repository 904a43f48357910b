// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_boot.c - record the configuration of the running system, to compare measurements
 *
 * The kernel's name and command line are in DATA_META already.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "lat/lat.h"
#include "lib/mem.h"

#define VULNERABILITIES	"/sys/devices/system/cpu/vulnerabilities"

static void read_config(struct buf *text)
{
	struct buf path = { 0 };
	struct utsname uts;
	char error[256];

	if (!input_load_regular("/proc/config.gz", text, error) || uname(&uts))
		return;
	buf_printf(&path, "/boot/config-%s", uts.release);
	text->len = 0;
	if (input_load_regular(path.data, text, error))
		buf_free(text);
	buf_free(&path);
}

static int no_dots(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void read_mitigations(struct buf *text)
{
	struct dirent **entry;
	int i, nr = scandir(VULNERABILITIES, &entry, no_dots, alphasort);

	if (nr < 0)
		return;
	for (i = 0; i < nr; i++) {
		struct buf path = { 0 }, state = { 0 };

		buf_printf(&path, VULNERABILITIES "/%s", entry[i]->d_name);
		if (!buf_read_file(&state, path.data))
			buf_printf(text, "%s: %.*s\n", entry[i]->d_name,
				   (int)strcspn(state.data, "\n"), state.data);
		buf_free(&path);
		buf_free(&state);
		free(entry[i]);
	}
	free(entry);
}

static int by_text(const void *va, const void *vb)
{
	return strcmp(*(char *const *)va, *(char *const *)vb);
}

/* "ADDRESS TYPE NAME [MODULE]" from TYPE on; NULL if it is not a function that is called. */
static char *function_of(char *line)
{
	char *type = strchr(line, ' ');

	if (!type || !type[1] || !strchr("tTwW", type[1]) || type[2] != ' ')
		return NULL;
	if (!strncmp(type + 3, "__pfx_", 6) || !strncmp(type + 3, "__cfi_", 6) ||
	    strstr(type + 3, ".cold"))
		return NULL;
	return type + 1;
}

/* Only names: a recording should not disclose kernel addresses unnecessarily. */
static void read_functions(struct buf *text)
{
	struct buf all = { 0 };
	char **function = NULL, *line, *rest = NULL, *tab;
	size_t i, nr = 0, room = 0;

	if (buf_read_file(&all, "/proc/kallsyms")) {
		buf_free(&all);
		return;
	}
	for (line = strtok_r(all.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		line = function_of(line);
		if (!line)
			continue;
		tab = strchr(line, '\t');
		if (tab)
			*tab = ' ';
		function = mem_grow(function, &room, nr + 1, sizeof(*function));
		function[nr++] = line;
	}
	if (nr)
		qsort(function, nr, sizeof(*function), by_text);
	for (i = 0; i < nr; i++)
		if (!i || strcmp(function[i], function[i - 1]))
			buf_printf(text, "%s\n", function[i]);
	free(function);
	buf_free(&all);
}

void lat_boot_read(struct data *d)
{
	read_config(&d->text[DATA_CONFIG]);
	read_mitigations(&d->text[DATA_MITIGATIONS]);
	read_functions(&d->text[DATA_FUNCTIONS]);
	if (buf_read_file(&d->text[DATA_MODULES], "/proc/modules"))
		buf_free(&d->text[DATA_MODULES]);
	if (buf_read_file(&d->text[DATA_NOTES], "/sys/kernel/notes"))
		buf_free(&d->text[DATA_NOTES]);
}
