// SPDX-License-Identifier: GPL-2.0-only
/*
 * files.c - the files that user stacks refer to, and the functions in them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/open_files.h"
#include "user/demangle.h"
#include "user/elf.h"
#include "user/files.h"
#include "user/jitdump.h"

/* Descriptors that files leave for what else is opened. */
#define FILES_LEFT	64

/* --- opening --- */

static bool is_open_here(int fd, const struct user_file *file)
{
	struct stat st;

	return !fstat(fd, &st) && user_file_matches(&st, file);
}

static void allow_files(struct user_files *files)
{
	int most;

	if (files->max_fd)
		return;
	most = open_files_raise(NULL);
	files->max_fd = most > FILES_LEFT ? most - FILES_LEFT : 1;
}

/* Who maps files without end is not to end the recording, which opens some of its own. */
static int leave_some(struct user_files *files, int fd)
{
	if (fd < files->max_fd)
		return fd;
	if (!files->is_full)
		msg_warn("too many files are mapped: the functions of some have no names; a larger "
			 "hard limit (ulimit -Hn) makes room");
	files->is_full = true;
	close(fd);
	return -1;
}

/* The descriptor under which a file is held, which is not held any longer; else -1. */
static int let_go(struct user_files *files, uint64_t id)
{
	int fd = id < files->nr_held ? files->held[id] : -1;

	if (fd >= 0)
		files->held[id] = -1;
	return fd;
}

void user_files_hold(struct user_files *files, uint32_t id, int fd)
{
	int old = let_go(files, id);

	allow_files(files);
	if (old >= 0)
		close(old);
	fd = fd < 0 ? fd : leave_some(files, fd);
	if (fd < 0)
		return;
	if (id >= files->nr) {
		files->held = mem_grow(files->held, &files->held_room, id + 1ul,
				       sizeof(*files->held));
		while (files->nr_held <= id)
			files->held[files->nr_held++] = -1;
		files->held[id] = fd;
		return;
	}
	files->file[id].is_held = true;
	if (files->file[id].fd < 0 && is_open_here(fd, &files->file[id]))
		files->file[id].fd = fd;
	else
		close(fd);
}

/* Has the file system of a file not answered before? */
static bool is_silent(const struct user_files *files, const struct user_file *file)
{
	size_t i;

	for (i = 0; i < files->nr; i++)
		if (files->file[i].is_silent && files->file[i].dev_major == file->dev_major &&
		    files->file[i].dev_minor == file->dev_minor)
			return true;
	return false;
}

static void try_to_open(struct user_files *files, struct user_file *file)
{
	int fd = -1;

	file->is_tried = true;
	if (user_file_is_file(file) && is_silent(files, file))
		file->is_silent = true;
	else
		fd = user_file_open(file);
	file->fd = leave_some(files, fd);
	file->has_no_room = file->fd != fd;
}

int user_files_open(struct user_files *files, uint32_t id)
{
	struct user_file *file = &files->file[id];

	if (file->fd < 0 && file->path && !file->is_tried)
		try_to_open(files, file);
	return file->fd;
}

void user_files_close(struct user_files *files, uint32_t id)
{
	struct user_file *file = &files->file[id];

	if (file->fd < 0 || file->nr || file->is_held || !files->are_held)
		return;
	close(file->fd);
	file->fd = -1;
	file->is_tried = false;
}

static int take_line(struct user_files *files, char *line)
{
	struct user_file file;
	uint64_t id;
	int fd;

	if (!user_file_parse(&file, line, &id) || id > KPROF_USER_FILE_MAX)
		return -1;
	if (id < files->nr)
		return 0;
	file.kind = arena_copy(&files->names, file.kind, strlen(file.kind));
	file.path = arena_copy(&files->names, file.path, strlen(file.path));
	file.build_id = arena_copy(&files->names, file.build_id, strlen(file.build_id));
	/* Later its number may be another process's. */
	file.owner = user_functions_owner(file.tgid);
	files->file = mem_grow(files->file, &files->room, id + 1, sizeof(*files->file));
	while (files->nr < id)
		files->file[files->nr++] = (struct user_file) { .fd = -1 };
	files->file[files->nr++] = file;
	fd = let_go(files, id);
	if (fd >= 0)
		user_files_hold(files, id, fd);
	if (!files->are_held)
		user_files_open(files, id);
	return 0;
}

int user_files_update(struct user_files *files, const struct buf *text)
{
	const char *at = text->data, *line;
	struct buf copy = { 0 };
	size_t len;
	int ret = 0;

	allow_files(files);
	files->text.len = 0;
	buf_add(&files->text, text->data ? text->data : "", text->len);
	while (!ret && buf_next_line(&at, &line, &len)) {
		copy.len = 0;
		buf_add(&copy, line, len);
		ret = take_line(files, copy.data);
	}
	buf_free(&copy);
	return ret;
}

bool user_files_want(struct user_files *files, uint64_t place)
{
	uint32_t id = KPROF_USER_FILE(place);
	struct user_file *file;

	if (!id)
		return true;
	if (id >= files->nr)
		return false;
	user_files_open(files, id);
	file = &files->file[id];
	file->offset = mem_grow(file->offset, &file->room, file->nr + 1, sizeof(*file->offset));
	file->offset[file->nr++] = KPROF_USER_OFFSET(place);
	return true;
}

/* --- naming --- */

static int by_offset(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* Sort them, and drop those that are there twice. */
static void sort_offsets(struct user_file *file)
{
	size_t i, nr = 0;

	qsort(file->offset, file->nr, sizeof(*file->offset), by_offset);
	for (i = 0; i < file->nr; i++)
		if (!nr || file->offset[nr - 1] != file->offset[i])
			file->offset[nr++] = file->offset[i];
	file->nr = nr;
}

/* Add a field of a line; replace characters that would end it. */
static void add_field(struct buf *out, const char *text)
{
	size_t start = out->len;

	buf_add(out, text, strlen(text));
	for (; start < out->len; start++)
		if (out->data[start] == '\n' || out->data[start] == '\t')
			out->data[start] = '?';
}

static const char *base_name(const struct user_file *file)
{
	const char *slash = strrchr(file->path, '/');

	return slash && slash[1] ? slash + 1 : file->path;
}

static void print_code(struct buf *out, uint64_t start, uint64_t size, const char *module,
		       const char *name)
{
	buf_printf(out, "%" PRIx64 " %" PRIx64 "\t", start, size);
	add_field(out, module);
	buf_add(out, "\t", 1);
	add_field(out, name);
	buf_add(out, "\n", 1);
}

static void name_offset(const struct user_file *file, uint64_t base,
			const struct user_functions *functions, uint64_t offset,
			const struct user_function **last, struct buf *out)
{
	const struct user_function *function = user_functions_find(functions, offset);
	const char *module = base_name(file);
	uint64_t size = function ? function->size : 0;
	struct buf name = { 0 };

	if (function && function == *last)
		return;
	*last = function;
	if (function) {
		user_demangle(&name, function->name);
		if (size > KPROF_USER_MASK + 1 - function->start)
			size = KPROF_USER_MASK + 1 - function->start;
		print_code(out, base + function->start, size, module, name.data);
	} else {
		buf_printf(&name, *module == '[' ? "%s" : "[%s]", module);
		print_code(out, base + offset, 1, module, name.data);
	}
	buf_free(&name);
}

static bool read_jitdump(struct user_functions *functions, const char *path, uid_t owner,
			 const struct user_file *mapped)
{
	struct stat st;
	int fd = user_functions_open(path, owner, &st);
	FILE *in;

	if (fd < 0)
		return false;
	/* It has grown since it was mapped. */
	if (mapped && !user_file_is_inode(&st, mapped)) {
		close(fd);
		return false;
	}
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return false;
	}
	user_jitdump_read(functions, in);
	fclose(in);
	return functions->nr;
}

/*
 * A process that writes a jitdump maps it as if it were code, so that profilers see where it is.
 * Otherwise it may be where perf-PID.map is.
 */
static bool find_jitdump(const struct user_files *files, uint64_t tgid, uid_t owner,
			 struct user_functions *functions)
{
	struct buf path = { 0 };
	char name[64];
	bool found = false;
	size_t i;

	snprintf(name, sizeof(name), "jit-%" PRIu64 ".dump", tgid);
	for (i = 1; i < files->nr && !found; i++) {
		const struct user_file *file = &files->file[i];

		if (file->tgid != tgid || !file->path || !user_file_is_file(file) ||
		    strcmp(base_name(file), name))
			continue;
		path.len = 0;
		buf_printf(&path, "/proc/%" PRIu64 "/root%s", tgid, file->path);
		found = read_jitdump(functions, path.data, owner, file) ||
			read_jitdump(functions, file->path, owner, file);
	}
	path.len = 0;
	buf_printf(&path, "/tmp/%s", name);
	found = found || read_jitdump(functions, path.data, owner, NULL);
	buf_free(&path);
	return found;
}

static void name_file(const struct user_files *files, uint64_t id, struct buf *out)
{
	struct user_file *file = &files->file[id];
	struct user_functions functions = { 0 };
	const struct user_function *last = NULL;
	uint64_t base = id << KPROF_USER_SHIFT;
	size_t i;

	if (!file->nr)
		return;
	if (file->fd >= 0)
		user_elf_read(&functions, file->fd, file->path, true);
	if (!strcmp(file->kind, "anon") &&
	    !find_jitdump(files, file->tgid, file->owner, &functions))
		user_functions_read_map(&functions, file->tgid, file->owner);
	file->is_stripped = functions.is_stripped;
	user_functions_sort(&functions);
	sort_offsets(file);
	for (i = 0; i < file->nr; i++)
		name_offset(file, base, &functions, file->offset[i], &last, out);
	user_functions_free(&functions);
}

void user_files_name(struct user_files *files, struct buf *out)
{
	size_t id;

	for (id = 1; id < files->nr; id++)
		if (files->file[id].path)
			name_file(files, id, out);
}

bool user_files_is_gone(const struct user_files *files, uint32_t id)
{
	const struct user_file *file = id < files->nr ? &files->file[id] : NULL;

	return file && file->path && user_file_is_file(file) && file->fd < 0 &&
	       !file->has_no_room;
}

void user_files_free(struct user_files *files)
{
	size_t i;

	for (i = 0; i < files->nr; i++) {
		if (files->file[i].fd >= 0)
			close(files->file[i].fd);
		free(files->file[i].offset);
	}
	for (i = 0; i < files->nr_held; i++)
		if (files->held[i] >= 0)
			close(files->held[i]);
	free(files->held);
	free(files->file);
	arena_free(&files->names);
	buf_free(&files->text);
}
