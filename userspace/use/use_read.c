// SPDX-License-Identifier: GPL-2.0-only
/*
 * use_read.c - read the system's counters from files in /proc and /sys, and open waits
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/input.h"
#include "lib/number.h"
#include "use/use.h"

/* Field @nr of a line, from 1 on; NULL if the line has fewer fields. */
static const char *find_field(const char *line, const char *end, int nr, size_t *len)
{
	for (;;) {
		while (line < end && (*line == ' ' || *line == '\t'))
			line++;
		for (*len = 0; line + *len < end && line[*len] != ' ' && line[*len] != '\t'; ++*len)
			;
		if (!*len)
			return NULL;
		if (!--nr)
			return line;
		line += *len;
	}
}

bool use_name(const char *line, size_t len, int nr, char name[USE_NAME])
{
	const char *field = find_field(line, line + len, nr, &len);

	if (!field || len >= USE_NAME)
		return false;
	memcpy(name, field, len);
	name[len] = '\0';
	return true;
}

/* If the file cannot be read, the text is empty, so that nothing is found in it. */
static void read_file(struct buf *text, const char *root, const char *path)
{
	struct buf full = { 0 };
	char error[256];

	buf_printf(&full, "%s%s", root, path);
	if (input_load_regular(full.data, text, error))
		buf_free(text);
	buf_printf(text, "%s", "");
	buf_free(&full);
}

/* Paths below /sys have "!" for the "/" in names such as "cciss/c0d0". */
static void disk_path(struct buf *path, const char *root, const char *name, const char *file)
{
	size_t at;

	buf_printf(path, "%s/sys/block/", root);
	at = path->len;
	buf_printf(path, "%s", name);
	for (; at < path->len; at++)
		if (path->data[at] == '/')
			path->data[at] = '!';
	buf_printf(path, "%s%s", *file ? "/" : "", file);
}

bool use_is_disk(const char *root, const char *name)
{
	struct buf path = { 0 };
	bool is;

	disk_path(&path, root, name, "");
	is = !access(path.data, F_OK);
	buf_free(&path);
	return is;
}

/* SCSI disks, including SATA and USB, count errors. The numbers are hexadecimal. */
static void read_disk_errors(struct use_counts *c, const char *root)
{
	const char *at = c->text[USE_DISKSTATS].data, *line;
	struct buf path = { 0 }, text = { 0 };
	char name[USE_NAME], error[256];
	uint64_t errors;
	size_t len;

	buf_printf(&c->disk_errors, "%s", "");
	while (buf_next_line(&at, &line, &len)) {
		if (!use_name(line, len, 3, name))
			continue;
		disk_path(&path, root, name, "device/ioerr_cnt");
		if (!input_load_regular(path.data, &text, error) && text.len > 2) {
			const char *hex = text.data + 2;	/* after "0x" */

			if (number_take(&hex, NUMBER_HEX, &errors))
				buf_printf(&c->disk_errors, "%s %llu\n", name,
					   (unsigned long long)errors);
		}
		buf_free(&path);
		buf_free(&text);
	}
}

void use_read(struct use_counts *c, const char *root)
{
	static const char *const paths[USE_FILES] = {
		[USE_STAT] = "/proc/stat",
		[USE_SCHEDSTAT] = "/proc/schedstat",
		[USE_INTERRUPTS] = "/proc/interrupts",
		[USE_MEMINFO] = "/proc/meminfo",
		[USE_VMSTAT] = "/proc/vmstat",
		[USE_DISKSTATS] = "/proc/diskstats",
	};
	struct timespec now;
	int i;

	*c = (struct use_counts){ 0 };
	for (i = 0; i < USE_FILES; i++)
		read_file(&c->text[i], root, paths[i]);
	read_disk_errors(c, root);
	clock_gettime(CLOCK_MONOTONIC, &now);
	c->ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
}

void use_counts_free(struct use_counts *c)
{
	int i;

	for (i = 0; i < USE_FILES; i++)
		buf_free(&c->text[i]);
	buf_free(&c->disk_errors);
}

bool use_field(const struct buf *text, int key, const char *name, int nr, uint64_t *value)
{
	const char *at = text->data, *line, *field;
	size_t len, field_len;

	while (buf_next_line(&at, &line, &len)) {
		field = find_field(line, line + len, key, &field_len);
		if (!field || field_len != strlen(name) || memcmp(field, name, field_len))
			continue;
		field = find_field(line, line + len, nr, &field_len);
		return field && number_take(&field, NUMBER_DECIMAL, value);
	}
	return false;
}

uint64_t use_open_ns(const struct buf *open)
{
	const char *at = open->data, *line, *field;
	uint64_t value, sum = 0;
	char name[USE_NAME];
	size_t len, field_len;
	int nr = 1;

	if (!buf_next_line(&at, &line, &len))
		return 0;
	while (use_name(line, len, nr, name) && strcmp(name, "total_ns"))
		nr++;
	/* Contexts, in the second field, are numbers: there are no blanks in them. */
	while (buf_next_line(&at, &line, &len)) {
		field = find_field(line, line + len, nr, &field_len);
		if (field && use_name(line, len, 1, name) && !strcmp(name, "@locks") &&
		    number_take(&field, NUMBER_DECIMAL, &value))
			sum += value;
	}
	return sum;
}
