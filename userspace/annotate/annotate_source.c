// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_source.c - lines of source files
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate/annotate.h"
#include "lib/mem.h"

#define FILE_MAX	(16ul << 20)	/* bytes; no source file comes near it */

struct annotate_file {
	char *name;
	struct buf text;	/* each line ends with a NUL */
	size_t *line;		/* where it begins in the text */
	size_t nr, room;
};

/*
 * Only regular files: reading others may never end, or change something. The name may be of another
 * user's choice, who must not have files shown that are not his.
 */
static bool read_text(const struct annotate_source *s, struct buf *text, const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	bool good = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
		    (!s->is_foreign || st.st_uid == s->owner) && !buf_read_max(text, fd, FILE_MAX);

	if (fd >= 0)
		close(fd);
	return good;
}

static void split(struct annotate_file *f)
{
	size_t i, at = 0;

	for (i = 0; i < f->text.len; i++) {
		if (f->text.data[i] != '\n')
			continue;
		f->text.data[i] = '\0';
		f->line = mem_grow(f->line, &f->room, f->nr + 1, sizeof(*f->line));
		f->line[f->nr++] = at;
		at = i + 1;
	}
}

static struct annotate_file *get_file(struct annotate_source *s, const char *name)
{
	struct annotate_file *f;
	struct buf path = { 0 };
	size_t i;

	for (i = 0; i < s->nr; i++)
		if (!strcmp(s->file[i].name, name))
			return &s->file[i];
	s->file = mem_grow(s->file, &s->room, s->nr + 1, sizeof(*s->file));
	f = &s->file[s->nr++];
	*f = (struct annotate_file){ .name = mem_realloc(NULL, 1, strlen(name) + 1) };
	strcpy(f->name, name);
	buf_printf(&path, "%s%s%s", s->folder && *name != '/' ? s->folder : "",
		   s->folder && *name != '/' ? "/" : "", name);
	if (read_text(s, &f->text, path.data))
		split(f);
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
	if (line > f->nr)
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

	for (i = 0; i < s->nr; i++) {
		free(s->file[i].name);
		free(s->file[i].line);
		buf_free(&s->file[i].text);
	}
	free(s->file);
	*s = (struct annotate_source){ .nr = 0 };
}
