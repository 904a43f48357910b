// SPDX-License-Identifier: GPL-2.0-only
/*
 * files.c - the files that user stacks refer to
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
#include "user/file.h"
#include "user/files.h"

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

/* Keep a descriptor of a file whose line is known, unless there is one. */
static void keep_open(struct user_file *file, int fd)
{
	if (file->fd < 0 && is_open_here(fd, file))
		file->fd = fd;
	else
		close(fd);
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
	keep_open(&files->file[id], fd);
}

void user_files_lend(struct user_files *files, uint32_t id, int fd)
{
	fd = leave_some(files, fd);
	if (fd < 0)
		return;
	if (id < files->nr)
		keep_open(&files->file[id], fd);
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
	if (user_file_is_generated(&file))
		generated_note(&file.process, file.tgid, user_file_is_in_proc(&file));
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

const struct generated *user_files_held(const struct user_files *files, uint64_t tgid)
{
	size_t id;

	for (id = 1; id < files->nr; id++)
		if (files->file[id].tgid == tgid && files->file[id].process.is_held)
			return &files->file[id].process;
	return NULL;
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
	if (!file->nr && user_file_is_generated(file) && !user_files_held(files, file->tgid))
		generated_hold(&file->process);
	file->offset = mem_grow(file->offset, &file->room, file->nr + 1, sizeof(*file->offset));
	file->offset[file->nr++] = KPROF_USER_OFFSET(place);
	return true;
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
		if (user_file_is_generated(&files->file[i]))
			generated_free(&files->file[i].process);
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
