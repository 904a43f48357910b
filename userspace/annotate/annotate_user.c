// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_user.c - the code and the source lines of a function of a program or library
 *
 * The file may be that of another user, who may have made it to mislead or to harm.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "user/build_id.h"
#include "user/lines.h"
#include "user/recorded.h"

/* --- code --- */

static void read_code(struct annotate *a, int fd)
{
	const struct symbol *sym = a->symbol;
	ssize_t len;

	if (!user_file_is_64(fd)) {
		snprintf(a->why, sizeof(a->why), "its file is none of 64 bits");
		return;
	}
	buf_reserve(&a->code, sym->size);
	len = pread(fd, a->code.data, sym->size, KPROF_USER_OFFSET(sym->start));
	if (len <= 0) {
		snprintf(a->why, sizeof(a->why), "its file cannot be read there");
		return;
	}
	a->code.len = len;
	a->origin = "of the file, which is the one that ran";
}

/* --- lines --- */

static bool add_line(struct annotate *a, const char *line, const char *end)
{
	uint64_t offset, number;
	struct annotate_line *to;

	if (!number_take(&line, NUMBER_HEX, &offset) || *line++ != ' ' ||
	    !number_take(&line, NUMBER_DECIMAL, &number) || *line++ != ' ' ||
	    number > UINT32_MAX || offset > KPROF_USER_MASK)
		return false;
	a->line = mem_grow(a->line, &a->line_room, a->nr_lines + 1, sizeof(*a->line));
	to = &a->line[a->nr_lines];
	to->addr = (a->symbol->start & ~KPROF_USER_MASK) + offset;
	to->line = number;
	/* Most lines are of the same file as the one before. */
	if (a->nr_lines && strlen(to[-1].file) == (size_t)(end - line) &&
	    !memcmp(to[-1].file, line, end - line))
		to->file = to[-1].file;
	else
		to->file = arena_copy(&a->texts, line, end - line);
	a->nr_lines++;
	return true;
}

/* What any other user than root and the caller has made is his, and only his files are shown. */
static void add_owner(struct annotate *a, uid_t owner)
{
	if (!owner || owner == geteuid())
		return;
	a->is_foreign = true;
	a->owner = owner;
}

static void read_lines(struct annotate *a, const struct user_recorded *file)
{
	struct buf text = { 0 };
	const char *at, *line;
	uint64_t owner;
	size_t len;

	/* A file may have its debug information in another one, whose owner names the sources. */
	if (user_lines_read(file->fd, file->path.data, KPROF_USER_OFFSET(a->symbol->start),
			    a->symbol->size, &text, a->why_no_lines))
		goto out;
	at = text.data;
	if (buf_next_line(&at, &line, &len))
		add_owner(a, number_take(&line, NUMBER_DECIMAL, &owner) ? owner : UINT32_MAX);
	while (buf_next_line(&at, &line, &len) && add_line(a, line, line + len))
		;
out:
	buf_free(&text);
}

static const struct annotate_line *find_line(const struct annotate *a, uint64_t addr)
{
	size_t low = 0, high = a->nr_lines;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (a->line[mid].addr <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &a->line[low - 1] : NULL;
}

const struct frame *annotate_frames(struct annotate *a, uint64_t addr, size_t *nr)
{
	const struct annotate_line *line;

	if (!a->is_user)
		return frames_at(a->data, addr, nr);
	line = find_line(a, addr);
	a->frame = (struct frame){
		.name = a->symbol->name, .module = a->symbol->module, .is_user = true,
		.file = line ? line->file : NULL, .line = line ? line->line : 0,
	};
	*nr = 1;
	return &a->frame;
}

/* --- */

void annotate_find_user_code(struct annotate *a)
{
	bool is_kept = annotate_find_kept_code(a);
	char why[256] = "";
	struct user_recorded file;

	if (!is_kept && a->symbol->size > ANNOTATE_CODE_MAX) {
		snprintf(a->why, sizeof(a->why), "it has more than %u bytes", ANNOTATE_CODE_MAX);
		return;
	}
	if (user_recorded_open(&file, &a->data->text[DATA_FILES],
			       KPROF_USER_FILE(a->symbol->start), why)) {
		memcpy(is_kept ? a->why_no_lines : a->why, why, sizeof(why));
		return;
	}
	add_owner(a, file.owner);
	if (!is_kept)
		read_code(a, file.fd);
	read_lines(a, &file);
	user_recorded_close(&file);
}
