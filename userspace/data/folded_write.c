// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded_write.c - write the tree as folded text
 */
#include <inttypes.h>
#include <stdlib.h>

#include "data/folded.h"
#include "data/folded_parse.h"
#include "lib/buf.h"
#include "lib/mem.h"

#define WHOLE_MAX	0x1p63L

static void write_count(folded_count count, FILE *out)
{
	/* The maximum, 2^63 for each of 2^64 lines, has 39 digits. */
	char text[64], *end = text;
	int len;

	/* Fast path: nearly all counts are whole numbers. */
	if (count >= 0 && count < WHOLE_MAX && count == (folded_count)(uint64_t)count) {
		fprintf(out, " %" PRIu64, (uint64_t)count);
		return;
	}
	len = snprintf(text, sizeof(text), " %.6Lf", count);
	if (len > 0 && (size_t)len < sizeof(text))
		end += len;
	while (end > text && end[-1] == '0')
		end--;
	if (end > text && end[-1] == '.')
		end--;
	fwrite(text, 1, (size_t)(end - text), out);
}

static void write_stack(const struct folded *f, uint32_t node, const struct buf *path, FILE *out)
{
	const struct folded_self *self = &f->self[node];

	if (!folded_has_count(self))
		return;
	fwrite(path->data, 1, path->len, out);
	/* What reads it ignores an empty frame at the end. */
	if ((path->len && folded_is_comment(path->data, path->len)) ||
	    (!f->differential && folded_ends_in_count(path->data, path->len)))
		fputc(';', out);
	if (f->differential)
		write_count(self->before, out);
	write_count(self->after, out);
	fputc('\n', out);
}

bool folded_is_empty(const struct folded *f)
{
	uint32_t i;

	for (i = 0; i < f->nr_nodes; i++)
		if (folded_has_count(&f->self[i]))
			return false;
	return true;
}

int folded_write(const struct folded *f, FILE *out)
{
	uint32_t *walk = folded_walk(f);
	size_t *end = mem_zalloc(f->nr_nodes, sizeof(*end));	/* of each node's path */
	struct buf path = { 0 };
	uint32_t i;

	buf_reserve(&path, 1);
	write_stack(f, 0, &path, out);
	for (i = 1; i < f->nr_nodes; i++) {
		const struct folded_node *node = &f->node[walk[i]];
		const struct strtab_entry *name = &f->names.name[node->name];

		path.len = end[node->parent];
		if (node->parent)
			buf_add(&path, ";", 1);
		buf_add(&path, name->text, name->len);
		end[walk[i]] = path.len;
		write_stack(f, walk[i], &path, out);
	}
	buf_free(&path);
	free(end);
	free(walk);
	return fflush(out) || ferror(out) ? -1 : 0;
}
