// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined.c - what is inlined into a program or library, and its lines, from its debug information
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/strtab.h"
#include "symbols/inlined.h"
#include "user/apart.h"
#include "user/chains.h"
#include "user/demangle.h"
#include "user/inlined.h"

/* A place takes this much at most, which is left for the last one. */
#define PLACE_MAX	((INLINED_DEPTH + 1) * (2ul * CHAINS_TEXT_MAX + 64))

#define HEADING	64	/* its first line has less */

/* --- in the process that reads --- */

struct reading {
	struct buf text;
	size_t left_out;
};

static void add_chain(const struct inlined_frame *frame, size_t nr, void *arg)
{
	struct reading *r = arg;
	size_t i;

	if (r->text.len > USER_INLINED_BYTES - PLACE_MAX) {
		r->left_out++;
		return;
	}
	for (i = 0; i < nr; i++)
		inlined_print(&r->text, &frame[i]);
}

/* Its first line is "OWNER LEFT_OUT". */
static void read_file(const void *what, FILE *to)
{
	const struct user_inlined_of *of = what;
	struct reading r = { .left_out = 0 };
	const struct chains_wanted wanted = {
		of->offset, of->nr, of->seconds, add_chain, &r
	};
	struct debuginfo d;

	if (!debuginfo_open(&d, of->fd, of->path))
		return;
	r.left_out += chains_read(&d, &wanted);
	fprintf(to, "%u %zu\n", d.owner, r.left_out);
	if (r.text.len)
		fwrite(r.text.data, r.text.len, 1, to);
}

/* --- in the process that asks --- */

/* Names, and the same readable: many places are in few functions. */
struct names {
	struct strtab mangled;
	const char **readable;	/* by number; in @texts */
	size_t room;
	struct arena texts;
};

static const char *readable(struct names *n, const char *name)
{
	uint32_t nr = n->mangled.nr, id = strtab_add(&n->mangled, name, strlen(name));
	struct buf text = { 0 };

	if (id < nr)
		return n->readable[id];
	n->readable = mem_grow(n->readable, &n->room, id + 1, sizeof(*n->readable));
	buf_add(&text, "", 0);
	user_demangle(&text, name);
	n->readable[id] = arena_copy(&n->texts, text.data, text.len);
	buf_free(&text);
	return n->readable[id];
}

static void free_names(struct names *n)
{
	strtab_free(&n->mangled);
	arena_free(&n->texts);
	free(n->readable);
}

/* The functions at the place of @frame, of which there are @left at most. Returns how many. */
static size_t add_place(const struct inlined_frame *frame, size_t left, uint64_t base,
			struct names *names, struct buf *out)
{
	struct inlined_frame one;
	size_t i;

	for (i = 0; i < left && frame[i].place == frame->place; i++) {
		one = frame[i];
		one.place += base;
		one.name = *one.name ? readable(names, one.name) : "";
		inlined_print(out, &one);
	}
	return i;
}

static void add_places(const struct inlined *in, uint64_t base, struct user_inlined *result,
		       struct buf *out)
{
	struct names names = { .room = 0 };
	size_t i, nr;

	for (i = 0; i < in->nr; i += nr) {
		if (in->frame[i].place <= KPROF_USER_MASK &&
		    out->len <= USER_INLINED_BYTES - PLACE_MAX) {
			nr = add_place(&in->frame[i], in->nr - i, base, &names, out);
			continue;
		}
		result->left_out++;
		inlined_find(in, in->frame[i].place, &nr);
	}
	free_names(&names);
}

/* Returns false if that is not what the other process tells: the file may have taken it over. */
static bool take(struct buf *text, uint64_t base, struct user_inlined *result, struct buf *out)
{
	const char *at = text->data;
	struct inlined in = { .nr = 0 };
	struct buf lines = { 0 };
	uint64_t owner, left_out;
	bool is_good;

	if (!text->len)
		return true;
	if (!number_take(&at, NUMBER_DECIMAL, &owner) || *at++ != ' ' || owner > UINT32_MAX ||
	    !number_take(&at, NUMBER_DECIMAL, &left_out) || *at++ != '\n')
		return false;
	result->owner = owner;
	result->left_out = left_out;
	buf_add(&lines, at, text->data + text->len - at);
	is_good = !inlined_parse(&in, &lines);
	if (is_good)
		add_places(&in, base, result, out);
	inlined_free(&in);
	return is_good;
}

int user_inlined_read(const struct user_inlined_of *of, struct user_inlined *result,
		      struct buf *out, char error[256])
{
	struct buf text = { 0 };
	struct apart a;
	bool is_read;

	*result = (struct user_inlined){ .owner = DEBUGINFO_NOBODY };
	if (apart_begin(&a, of->fd, read_file, of, error))
		return -1;
	is_read = !buf_read_max(&text, fileno(a.from), USER_INLINED_BYTES + HEADING);
	is_read = apart_end(&a, is_read) && take(&text, of->base, result, out);
	buf_free(&text);
	if (is_read)
		return 0;
	snprintf(error, 256, "its debug information is damaged, or more than can be read");
	return -1;
}
