// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_odd.c - warn of what nobody can mean: frames without a name, names that look alike
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/text_odd.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"

const char *text_odd_skip_mark(struct input *in)
{
	char mark[3];

	if (input_begins(in, "\xff\xfe", 2) || input_begins(in, "\xfe\xff", 2))
		return "a text in UTF-16; 'iconv -f UTF-16 -t UTF-8' makes one in UTF-8 of it";
	if (input_begins(in, "\xef\xbb\xbf", sizeof(mark)) &&
	    input_read_all(in, mark, sizeof(mark)) < 0)
		return in->error;
	return NULL;
}

/* The length of "\x1b" or "\u202e", as which a tree has a character that cannot be seen; or 0. */
static size_t escaped(const char *p, const char *end)
{
	size_t digits = 0;

	if (end - p < 4 || *p != '\\' || (p[1] != 'x' && p[1] != 'u'))
		return 0;
	while (p + 2 + digits < end && digits < (p[1] == 'x' ? 2 : 6) &&
	       isxdigit((unsigned char)p[2 + digits]))
		digits++;
	return digits >= (p[1] == 'x' ? 2 : 4) ? 2 + digits : 0;
}

/* Characters that are shown, but take no room, or look like a blank. */
static bool is_invisible(uint32_t c)
{
	return c == 0xa0 || c == 0xad || c == 0x34f || c == 0x3000 || c == 0xfeff ||
	       (c >= 0x2000 && c <= 0x200f) || c == 0x202f || c == 0x205f ||
	       (c >= 0x2060 && c <= 0x2064) || (c >= 0xfe00 && c <= 0xfe0f);
}

/* What can be seen of a name. */
static char *visible(const struct strtab_entry *name)
{
	const char *p = name->text, *end = p + name->len, *begin;
	struct buf b = { 0 };
	size_t skip;

	while (p < end) {
		skip = escaped(p, end);
		if (skip) {
			p += skip;
			continue;
		}
		begin = p;
		if (!is_invisible(escape_next(&p, end)) && *begin != ' ')
			buf_add(&b, begin, p - begin);
	}
	buf_add(&b, "", 1);
	return b.data;
}

/* The name, in which invisible characters are written as numbers. */
static void reveal(struct buf *out, const struct strtab_entry *name)
{
	const char *p = name->text, *end = p + name->len, *begin;
	uint32_t c;

	while (p < end) {
		begin = p;
		c = escape_next(&p, end);
		if (is_invisible(c))
			buf_printf(out, "\\u%04" PRIx32, c);
		else
			buf_add(out, begin, p - begin);
	}
}

struct root {
	char *seen;		/* what can be seen of it */
	uint32_t name;
};

static int by_seen(const void *a, const void *b)
{
	return strcmp(((const struct root *)a)->seen, ((const struct root *)b)->seen);
}

static void tell_alike(const struct folded *f, const struct root *root, size_t nr, const char *from)
{
	struct buf a = { 0 }, b = { 0 };
	size_t i;

	for (i = 1; i < nr; i++) {
		if (root[i].name == root[i - 1].name || by_seen(&root[i - 1], &root[i]))
			continue;
		reveal(&a, &f->names.name[root[i - 1].name]);
		reveal(&b, &f->names.name[root[i].name]);
		msg_warn("%s: the roots '%s' and '%s' are two, and look alike", from, a.data,
			 b.data);
		break;
	}
	buf_free(&a);
	buf_free(&b);
}

/* Two roots that look alike are two in every picture, and nobody sees why. */
static void look_for_alike(const struct folded *f, const char *from)
{
	struct root *root = NULL;
	size_t nr = 0, room = 0, i;
	uint32_t node;

	for (node = 1; node < f->nr_nodes; node++) {
		if (f->node[node].parent)
			continue;
		root = mem_grow(root, &room, nr + 1, sizeof(*root));
		root[nr].name = f->node[node].name;
		root[nr].seen = visible(&f->names.name[f->node[node].name]);
		nr++;
	}
	if (nr)
		qsort(root, nr, sizeof(*root), by_seen);
	tell_alike(f, root, nr, from);
	for (i = 0; i < nr; i++)
		free(root[i].seen);
	free(root);
}

void text_odd_tell(const struct folded *f, const char *from)
{
	if (f->nameless.nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " frame%s without a name", from,
			 f->nameless.line, f->nameless.nr, plural(f->nameless.nr));
	if (f->stackless.nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " count%s without a stack", from,
			 f->stackless.line, f->stackless.nr, plural(f->stackless.nr));
	if (f->not_utf8.nr)
		msg_warn("%s:%" PRIu64 ": %" PRIu64 " name%s not in UTF-8, whose bytes are shown as \\xNN; 'iconv -f ENCODING -t UTF-8' makes it so",
			 from, f->not_utf8.line, f->not_utf8.nr,
			 f->not_utf8.nr == 1 ? " is" : "s are");
	if (!(f->mode & FOLDED_IN_ORDER))
		look_for_alike(f, from);
}
