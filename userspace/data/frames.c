// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames.c - the functions at an address of a recording, including inlined ones
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/data.h"
#include "data/frames.h"
#include "index/index.h"
#include "index/place.h"
#include "lib/arena.h"
#include "lib/hash.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"

/* The functions at an address. */
struct found {
	uint64_t addr;
	uint32_t first, nr;	/* in frames->frame */
};

struct frames {
	struct index index;
	struct places places;
	bool inlined, lines;
	struct found *found;
	struct frame *frame;
	size_t nr_found, found_room, nr_frames, frame_room;
	struct hash table;
	struct arena names;
};

const char *frames_options_given(const struct frames_options *options)
{
	return options->index || options->no_inline || options->lines ?
	       "--index, --no-inline and --srcline" : NULL;
}

/* --- the index --- */

/* The default index may be missing. The release is not trusted: it must not change the path. */
static int open_default(struct frames *f, const struct data *d, struct buf *path)
{
	char *release = data_meta(d, "kernel");
	int ret = -1;

	if (*release && *release != '.' && !strchr(release, '/')) {
		index_default_path(path, release);
		ret = index_open(&f->index, path->data);
		if (ret && errno != ENOENT)
			msg_warn("%s: %s: inlined functions are not shown", path->data,
				 f->index.error);
	}
	free(release);
	return ret;
}

static int make_places(struct frames *f, const struct data *d, char error[256])
{
	return places_make(&f->places, &f->index, &d->symbols, &d->text[DATA_NOTES], error);
}

int frames_open(struct data *d, const struct frames_options *options, const char *path)
{
	struct frames *f = mem_zalloc(1, sizeof(*f));
	struct buf name = { 0 };
	char error[256];
	int ret = EXIT_OK;

	frames_close(d);
	d->frames = f;
	if (!options || options->no_inline)
		return EXIT_OK;
	f->inlined = true;
	f->lines = options->lines;
	if (options->index) {
		buf_printf(&name, "%s", options->index);
		if (index_open(&f->index, options->index))
			ret = msg_error("--index: %s: %s", name.data, f->index.error);
		else if (make_places(f, d, error))
			ret = msg_error("--index: %s: %s", name.data, error);
	} else if (!open_default(f, d, &name) && make_places(f, d, error)) {
		msg_warn("%s: %s of %s: inlined functions are not shown", name.data, error, path);
	}
	buf_free(&name);
	return ret;
}

int frames_open_recording(struct data *d, const struct frames_options *options, const char *path)
{
	if (data_open(d, path))
		return msg_error("%s: %s", path, d->error);
	return frames_open(d, options, path);
}

void frames_close(struct data *d)
{
	struct frames *f = d->frames;

	if (!f)
		return;
	places_free(&f->places);
	index_close(&f->index);
	free(f->found);
	free(f->frame);
	hash_free(&f->table);
	arena_free(&f->names);
	free(f);
	d->frames = NULL;
}

bool frames_are_inlined(const struct data *d)
{
	return d->frames->inlined;
}

/* --- an address --- */

static struct frame *add_frame(struct frames *f, const char *name, const char *module,
			       bool is_inlined)
{
	f->frame = mem_grow(f->frame, &f->frame_room, f->nr_frames + 1, sizeof(*f->frame));
	f->frame[f->nr_frames++] = (struct frame){
		.name = name, .function = name, .module = module, .is_inlined = is_inlined
	};
	return &f->frame[f->nr_frames - 1];
}

/* The name, with file and line if they are wanted and known. */
static const char *name_of(struct frames *f, const char *name, const char *file, uint32_t line)
{
	struct buf text = { 0 };

	if (!f->lines || !file || !line)
		return name;
	buf_printf(&text, "%s (%s:%" PRIu32 ")", name, file, line);
	name = arena_copy(&f->names, text.data, text.len);
	buf_free(&text);
	return name;
}

bool frames_is_place(uint64_t addr)
{
	return KPROF_USER_FILE(addr) != KPROF_USER_FILE_MAX;
}

static void add_address(struct frames *f, uint64_t addr)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	add_frame(f, arena_copy(&f->names, text, strlen(text)), NULL, false);
}

/* Unlike those of the kernel, sources of programs have paths that begin anywhere. */
static const char *last_part(const char *file)
{
	const char *slash = file ? strrchr(file, '/') : NULL;

	return slash && slash[1] ? slash + 1 : file;
}

const char *frame_file(const struct frame *frame)
{
	return frame->is_user ? last_part(frame->file) : frame->file;
}

/* Of the functions that are inlined at a place, the last one has the symbol. */
static void add_symbol(struct frames *f, const struct data *d, const struct symbol *sym,
		       uint64_t place)
{
	const struct inlined_frame *at = NULL;
	bool is_inlined = true;
	struct frame *frame;
	const char *name;
	size_t nr = 0, i;

	if (f->inlined)
		at = inlined_find(&d->inlined, place, &nr);
	for (i = 0; i < nr && is_inlined; i++) {
		is_inlined = *at[i].name;
		name = is_inlined ? at[i].name : sym->name;
		frame = add_frame(f, name_of(f, name, last_part(at[i].file), at[i].line),
				  sym->module, is_inlined);
		frame->function = name;
		frame->file = at[i].file;
		frame->line = at[i].line;
		frame->is_user = true;
	}
	if (is_inlined)
		add_frame(f, sym->name, sym->module, false)->is_user = true;
}

/* If the file has no function at a place, the recording has an entry that says so. */
static void look_up_user(struct frames *f, const struct data *d, uint64_t place)
{
	const struct symbol *sym = symtab_find(&d->code, place);

	if (sym)
		add_symbol(f, d, sym, place);
	else if (place && !KPROF_USER_FILE(place))
		add_address(f, place);
	else
		add_frame(f, place ? "[unknown]" : "[no user stack]", NULL, false);
	f->frame[f->nr_frames - 1].is_user = true;
}

static void look_up(struct frames *f, const struct data *d, uint64_t addr)
{
	const struct symbol *sym = symtab_find(&d->symbols, addr);
	struct index_frame at[KPROF_INDEX_DEPTH + 1];
	int nr, i;

	if (!sym) {
		if (frames_is_place(addr))
			look_up_user(f, d, addr);
		else
			add_address(f, addr);
		return;
	}
	nr = places_frames(&f->places, sym, addr, at);
	for (i = 0; i < nr; i++) {
		/* For the function itself, use the name in kallsyms, not that in the index. */
		const char *name = i + 1 < nr ? at[i].name : sym->name;
		struct frame *frame = add_frame(f, name_of(f, name, at[i].file, at[i].line),
						sym->module, i + 1 < nr);

		frame->function = name;
		frame->file = at[i].file;
		frame->line = at[i].line;
	}
	if (!nr)
		add_frame(f, sym->name, sym->module, false);
}

/* Two modules may have functions of the same name. A user function is shown without its file. */
static void add_label(struct frames *f, struct frame *frame)
{
	const bool with_module = frame->module && !frame->is_user;
	struct buf text = { 0 };

	frame->label = frame->name;
	if (with_module || frame->is_inlined) {
		buf_printf(&text, "%s", frame->name);
		if (with_module)
			buf_printf(&text, " [%s]", frame->module);
		if (frame->is_inlined)
			buf_add(&text, "_[i]", 4);
		frame->label = arena_copy(&f->names, text.data, text.len);
	}
	frame->label_len = (uint32_t)strlen(frame->label);
	buf_free(&text);
}

void frames_each_entry(const struct data *d, void (*entry)(const struct place_entry *e, void *arg),
		       void *arg)
{
	places_each_entry(&d->frames->places, entry, arg);
}

static uint32_t hash_of(uint64_t addr)
{
	return hash_number(addr, 0);
}

static struct found *find(struct frames *f, uint64_t addr)
{
	uint32_t i;

	if (!f->nr_found)
		return NULL;
	hash_each(i, &f->table, hash_of(addr))
		if (f->found[hash_at(&f->table, i)].addr == addr)
			return &f->found[hash_at(&f->table, i)];
	return NULL;
}

const struct frame *frames_at(const struct data *d, uint64_t addr, size_t *nr)
{
	struct frames *f = d->frames;
	struct found *found = find(f, addr);
	size_t i;

	if (!found) {
		f->found = mem_grow(f->found, &f->found_room, f->nr_found + 1, sizeof(*f->found));
		if (hash_grow(&f->table, f->nr_found + 1))
			for (i = 0; i < f->nr_found; i++)
				hash_put(&f->table, hash_of(f->found[i].addr), i);
		hash_put(&f->table, hash_of(addr), f->nr_found);
		found = &f->found[f->nr_found++];
		*found = (struct found){ .addr = addr, .first = f->nr_frames };
		look_up(f, d, addr);
		found->nr = f->nr_frames - found->first;
		for (i = found->first; i < f->nr_frames; i++)
			add_label(f, &f->frame[i]);
	}
	*nr = found->nr;
	return &f->frame[found->first];
}

const char *frame_module(const struct frame *frame)
{
	if (frame->module)
		return frame->module;
	if (frame->is_user)
		return *frame->name == '[' ? frame->name : "[unknown]";
	/* No kernel symbol begins with "0x". */
	return strncmp(frame->name, "0x", 2) ? "[kernel]" : "[unknown]";
}

void frame_print(const struct frame *frame, struct buf *out)
{
	buf_add(out, frame->name, strlen(frame->name));
	if (frame->is_inlined)
		buf_add(out, "_[i]", 4);
}
