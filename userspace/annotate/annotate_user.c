// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_user.c - the code of a function, what is inlined and the lines, of a program or library
 *
 * The file may be that of another user, who may have made it to mislead or to harm.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "lib/mem.h"
#include "user/build_id.h"
#include "user/inlined.h"
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

void annotate_find_user_code(struct annotate *a)
{
	struct user_recorded file;

	if (annotate_find_kept_code(a))
		return;
	if (a->symbol->size > ANNOTATE_CODE_MAX) {
		snprintf(a->why, sizeof(a->why), "it has more than %u bytes", ANNOTATE_CODE_MAX);
		return;
	}
	if (user_recorded_open(&file, &a->data->text[DATA_FILES],
			       KPROF_USER_FILE(a->symbol->start), a->why))
		return;
	read_code(a, file.fd);
	user_recorded_close(&file);
}

/* --- lines --- */

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
	uint64_t *offset = mem_zalloc(a->nr + 1, sizeof(*offset));
	const struct user_inlined_of of = {
		.fd = file->fd, .path = file->path.data, .offset = offset, .nr = a->nr,
		.base = a->symbol->start & ~KPROF_USER_MASK, .seconds = USER_INLINED_SECONDS,
	};
	struct user_inlined result;
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < a->nr; i++)
		offset[i] = KPROF_USER_OFFSET(a->insn[i].addr);
	/* A file may have its debug information in another one, whose owner names the sources. */
	if (!user_inlined_read(&of, &result, &text, a->why_no_lines)) {
		if (text.len)
			add_owner(a, result.owner);
		if (result.left_out)
			snprintf(a->why_no_lines, sizeof(a->why_no_lines),
				 "some are left out, as there are too many");
	}
	if (inlined_parse(&a->inlined, &text))
		a->inlined.nr = 0;
	free(offset);
}

/* The recording may be of anybody, so it names no file whose text is shown. */
static void use_recorded(struct annotate *a)
{
	const struct inlined *in = &a->data->inlined;
	char why[sizeof(a->why_no_lines)];
	size_t i = 0;

	while (i < in->nr && in->frame[i].place - a->symbol->start >= a->symbol->size)
		i++;
	if (i == in->nr)
		return;
	a->is_foreign = true;
	a->owner = (uid_t)-1;
	memcpy(why, a->why_no_lines, sizeof(why));
	if (*why)
		snprintf(a->why_no_lines, sizeof(a->why_no_lines),
			 "elsewhere than where samples are: %.200s", why);
}

void annotate_find_user_lines(struct annotate *a)
{
	struct user_recorded file;

	if (!user_recorded_open(&file, &a->data->text[DATA_FILES],
				KPROF_USER_FILE(a->symbol->start), a->why_no_lines)) {
		add_owner(a, file.owner);
		read_lines(a, &file);
		user_recorded_close(&file);
	} else if (!strcmp(a->why, a->why_no_lines)) {
		*a->why_no_lines = '\0';	/* that is said */
	}
	if (!a->inlined.nr)
		use_recorded(a);
}

const struct frame *annotate_frames(struct annotate *a, uint64_t addr, size_t *nr)
{
	const struct inlined_frame *at;
	size_t i;

	at = a->is_user ? inlined_find(&a->inlined, addr, nr) : NULL;
	if (!at)
		return frames_at(a->data, addr, nr);
	for (i = 0; i < *nr; i++)
		a->frame[i] = (struct frame){
			.name = *at[i].name ? at[i].name : a->symbol->name,
			.module = a->symbol->module, .is_inlined = *at[i].name, .is_user = true,
			.file = at[i].file, .line = at[i].line,
		};
	return a->frame;
}
