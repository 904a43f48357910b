// SPDX-License-Identifier: GPL-2.0-only
/*
 * recorded.c - a file of user code that a recording names, if it is still here
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/build_id.h"
#include "user/fetch.h"
#include "user/files.h"
#include "user/recorded.h"

/* Find the line of a file; @line has the texts of @file. */
static bool find_line(const struct buf *table, uint32_t id, struct buf *line,
		      struct user_file *file)
{
	const char *at = table->data, *from;
	uint64_t number;
	size_t len;

	while (buf_next_line(&at, &from, &len)) {
		line->len = 0;
		buf_add(line, from, len);
		if (user_file_parse(file, line->data, &number) && number == id)
			return true;
	}
	return false;
}

/* A file without a build id, or whose header has changed, may still be the one that was mapped. */
static bool is_recorded(int fd, const struct stat *st, const struct user_file *file)
{
	return user_file_has_id(fd, file->build_id) || user_file_matches(st, file);
}

int user_recorded_open(struct user_recorded *r, const struct buf *table, uint32_t id,
		       char why[256])
{
	struct buf line = { 0 };
	struct user_file file;
	struct fetch fetch = { 0 };
	int ret = -1;

	*r = (struct user_recorded){ .fd = -1 };
	if (!find_line(table, id, &line, &file) || !user_file_is_file(&file)) {
		snprintf(why, 256, "it is in no file");
		goto out;
	}
	fetch.path = file.path;
	r->fd = fetch_open(&fetch);
	if (r->fd < 0) {
		snprintf(why, 256, "%.200s: %s", file.path, fetch.why);
	} else if (!is_recorded(r->fd, &fetch.st, &file)) {
		snprintf(why, 256, "%.200s is another file than the one that ran", file.path);
	} else {
		buf_printf(&r->path, "%s", file.path);
		r->owner = fetch.st.st_uid;
		ret = 0;
	}
	if (ret)
		user_recorded_close(r);
out:
	buf_free(&line);
	return ret;
}

void user_recorded_close(struct user_recorded *r)
{
	if (r->fd >= 0)
		close(r->fd);
	buf_free(&r->path);
	r->fd = -1;
}
