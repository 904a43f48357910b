// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_source.c - lines of source files
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "lib/mem.h"
#include "user/fetch.h"

#define FILE_MAX	(16ul << 20)	/* bytes; no source file comes near it */
#define FILES_MAX	4096		/* of all names, which any user may choose */
#define BYTES_MAX	(64ul << 20)	/* of all files, with the places of their lines */

struct annotate_file {
	struct buf text;	/* each line ends with a NUL */
	uint32_t *line;		/* where it begins in the text */
	size_t nr;
};

/*
 * Only regular files: opening or reading others may never end, or change something. The name may be
 * of another user's choice, who must not have files shown that are not his.
 */
static bool read_text(struct annotate_source *s, struct buf *text, const char *path)
{
	size_t left = BYTES_MAX - s->bytes, max = left < FILE_MAX ? left : FILE_MAX;
	struct fetch fetch = { .path = path };
	int fd = fetch_open(&fetch);
	bool good = fd >= 0 && (!s->is_foreign || fetch.st.st_uid == s->owner) &&
		    (size_t)fetch.st.st_size <= max &&
		    !buf_read_max(text, fd, max);

	if (fd >= 0)
		close(fd);
	/* What was read in vain took its time, too. */
	s->bytes += text->len < left ? text->len : left;
	return good;
}

static size_t count_lines(const struct buf *text)
{
	size_t i, nr = 0;

	for (i = 0; i < text->len; i++)
		nr += text->data[i] == '\n';
	return nr;
}

/* Returns false if the places of so many lines are too much. */
static bool split(struct annotate_source *s, struct annotate_file *f)
{
	size_t nr = count_lines(&f->text), i, at = 0;

	if (nr * sizeof(*f->line) > BYTES_MAX - s->bytes)
		return false;
	s->bytes += nr * sizeof(*f->line);
	f->line = mem_zalloc(nr, sizeof(*f->line));
	for (i = 0; i < f->text.len; i++) {
		if (f->text.data[i] != '\n')
			continue;
		f->text.data[i] = '\0';
		f->line[f->nr++] = at;
		at = i + 1;
	}
	return true;
}

/* NULL: there were too many. */
static struct annotate_file *get_file(struct annotate_source *s, const char *name)
{
	size_t len = strlen(name);
	uint32_t nr = strtab_find(&s->names, name, len);
	struct annotate_file *f;
	struct buf path = { 0 };

	if (nr != STRTAB_NONE)
		return &s->file[nr];
	if (s->names.nr == FILES_MAX)
		return NULL;
	nr = strtab_add(&s->names, name, len);
	s->file = mem_grow(s->file, &s->room, nr + 1, sizeof(*s->file));
	f = &s->file[nr];
	*f = (struct annotate_file){ .nr = 0 };
	buf_printf(&path, "%s%s%s", s->folder && *name != '/' ? s->folder : "",
		   s->folder && *name != '/' ? "/" : "", name);
	if (!read_text(s, &f->text, path.data) || !split(s, f))
		buf_free(&f->text);
	buf_free(&path);
	return f;
}

const char *annotate_source_line(struct annotate_source *s, const char *name, uint32_t line)
{
	const struct annotate_file *f;
	char *text, *end;

	if (!name || !line)
		return NULL;
	f = get_file(s, name);
	if (!f || line > f->nr)
		return NULL;
	text = f->text.data + f->line[line - 1];
	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

void annotate_source_free(struct annotate_source *s)
{
	size_t i;

	for (i = 0; i < s->names.nr; i++) {
		free(s->file[i].line);
		buf_free(&s->file[i].text);
	}
	free(s->file);
	strtab_free(&s->names);
	*s = (struct annotate_source){ .folder = NULL };
}
