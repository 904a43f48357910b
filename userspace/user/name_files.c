// SPDX-License-Identifier: GPL-2.0-only
/*
 * name_files.c - the functions at places of user stacks
 *
 * What a file says of a place comes first. Where it says nothing, a process is asked that has
 * generated code: it may tell of the program, too.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/mem.h"
#include "user/demangle.h"
#include "user/elf.h"
#include "user/files.h"

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

static const char *base_name(const struct user_file *file)
{
	const char *slash = strrchr(file->path, '/');

	return slash && slash[1] ? slash + 1 : file->path;
}

static void print_code(struct buf *out, uint64_t start, uint64_t size, const char *module,
		       const char *name)
{
	buf_printf(out, "%" PRIx64 " %" PRIx64 "\t", start, size);
	buf_add_field(out, module);
	buf_add(out, "\t", 1);
	buf_add_field(out, name);
	buf_add(out, "\n", 1);
}

/* A sample in code that replaced other code may have been taken before or after that. */
static void add_others(struct buf *name, const struct user_function *function)
{
	struct buf other = { 0 };

	if (function->other) {
		user_demangle(&other, function->other);
		buf_printf(name, " [or %s]", other.data);
	} else if (function->nr_others) {
		buf_printf(name, " [or others]");
	}
	buf_free(&other);
}

/* A place that no function is at has a name that tells of its file only. */
static void name_unknown(const struct user_file *file, uint64_t place, struct buf *out)
{
	const char *module = base_name(file);
	struct buf name = { 0 };

	buf_printf(&name, *module == '[' ? "%s" : "[%s]", module);
	print_code(out, place, 1, module, name.data);
	buf_free(&name);
}

static void name_function(const struct user_file *file, uint64_t base,
			  const struct user_function *function, struct buf *out)
{
	uint64_t size = function->size;
	struct buf name = { 0 };

	user_demangle(&name, function->name);
	add_others(&name, function);
	if (size > KPROF_USER_MASK + 1 - function->start)
		size = KPROF_USER_MASK + 1 - function->start;
	print_code(out, base + function->start, size, base_name(file), name.data);
	buf_free(&name);
}

/*
 * Name the offsets that functions are at. file->missing are those that none is at, and from then
 * on the only ones that are not named.
 */
static void name_offsets(struct user_file *file, uint64_t id,
			 const struct user_functions *functions, struct buf *out)
{
	const struct user_function *last = NULL, *function;
	size_t i, room = 0;

	file->is_named = true;
	sort_offsets(file);
	for (i = 0; i < file->nr; i++) {
		function = user_functions_find(functions, file->offset[i]);
		if (function && function != last) {
			name_function(file, id << KPROF_USER_SHIFT, function, out);
		} else if (!function) {
			file->missing = mem_grow(file->missing, &room, file->nr_missing + 1,
						 sizeof(*file->missing));
			file->missing[file->nr_missing++] = file->offset[i];
		}
		last = function;
	}
}

/* --- what a process tells of files --- */

/*
 * A program can have code in it that was generated when it was made, and of which it tells when it
 * runs, as of what it generates then. Others run the same file, so only its owner is believed.
 */
static bool may_tell_of(const struct generated *process, const struct user_file *file)
{
	struct stat st;

	return !process->owner || process->owner == geteuid() ||
	       (!fstat(file->fd, &st) && st.st_uid == process->owner);
}

/* A function at an offset of a mapping. It may be longer than that. */
static void name_mapped(struct user_file *file, uint64_t id, const struct generated_map *map,
			const struct user_functions *functions, struct buf *out)
{
	uint64_t at = map->start - map->offset;
	const struct user_function *function, *last = NULL;
	struct user_function moved;
	size_t i, nr = 0;

	for (i = 0; i < file->nr_missing; i++) {
		uint64_t offset = file->missing[i];
		bool is_here = offset >= map->offset &&
			       offset - map->offset < map->end - map->start;

		function = is_here ? user_functions_find(functions, at + offset) : NULL;
		if (!function || function->start < map->start) {
			file->missing[nr++] = offset;
			continue;
		}
		if (function == last)
			continue;
		last = function;
		moved = *function;
		moved.start -= at;
		name_function(file, id << KPROF_USER_SHIFT, &moved, out);
	}
	file->nr_missing = nr;
}

static void name_files_of(struct user_files *files, const struct generated *process,
			  const struct user_functions *functions, struct buf *out)
{
	size_t i, id;

	for (i = 0; i < process->nr_maps && functions->nr; i++) {
		const struct generated_map *map = &process->map[i];

		for (id = 1; id < files->nr; id++) {
			struct user_file *file = &files->file[id];

			if (file->nr_missing && file->fd >= 0 && file->ino == map->ino &&
			    file->dev_major == map->dev_major &&
			    file->dev_minor == map->dev_minor && may_tell_of(process, file))
				name_mapped(file, id, map, functions, out);
		}
	}
}

/*
 * A process that writes a jitdump maps it as if it were code, so that profilers see where it is.
 * Otherwise its files are in /tmp.
 */
static void read_generated(const struct user_files *files, const struct generated *process,
			   struct user_functions *functions)
{
	size_t i;

	for (i = 1; i < files->nr; i++) {
		const struct user_file *file = &files->file[i];
		const struct generated_dump dump = {
			file->path, file->dev_major, file->dev_minor, file->ino,
		};

		if (file->path && file->tgid == process->tgid && strcmp(file->kind, "anon") &&
		    generated_is_dump(process, file->path) &&
		    generated_read_dump(functions, process, &dump))
			return;
	}
	generated_read(functions, process);
}

/* Code that a process has generated may be in many files, and it tells of all of it at once. */
static void name_generated(struct user_files *files, size_t first, struct buf *out)
{
	const struct generated *process = user_files_held(files, files->file[first].tgid);
	struct user_functions functions = { 0 };
	size_t id;

	read_generated(files, process, &functions);
	user_functions_sort(&functions);
	for (id = first; id < files->nr; id++)
		if (user_file_is_generated(&files->file[id]) &&
		    files->file[id].tgid == process->tgid)
			name_offsets(&files->file[id], id, &functions, out);
	name_files_of(files, process, &functions, out);
	user_functions_free(&functions);
}

static void name_file(struct user_file *file, uint64_t id, struct buf *out)
{
	struct user_functions functions = { 0 };

	if (file->fd >= 0)
		user_elf_read(&functions, file->fd, file->path, true);
	file->is_stripped = functions.is_stripped;
	user_functions_sort(&functions);
	name_offsets(file, id, &functions, out);
	user_functions_free(&functions);
}

void user_files_name(struct user_files *files, struct buf *out)
{
	size_t id, i;

	for (id = 1; id < files->nr; id++) {
		struct user_file *file = &files->file[id];

		file->is_named = false;
		file->nr_missing = 0;
		if (file->path && file->nr && !user_file_is_generated(file))
			name_file(file, id, out);
	}
	for (id = 1; id < files->nr; id++) {
		struct user_file *file = &files->file[id];

		if (file->nr && !file->is_named && user_file_is_generated(file))
			name_generated(files, id, out);
	}
	for (id = 1; id < files->nr; id++) {
		struct user_file *file = &files->file[id];

		for (i = 0; i < file->nr_missing; i++)
			name_unknown(file, (uint64_t)id << KPROF_USER_SHIFT | file->missing[i],
				     out);
		free(file->missing);
		file->missing = NULL;
		file->nr_missing = 0;
	}
}
