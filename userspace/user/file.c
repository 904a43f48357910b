// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - a file that user stacks refer to: its line in file_table, and opening it
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/number.h"
#include "lib/pid.h"
#include "lib/process.h"
#include "user/build_id.h"
#include "user/fetch.h"
#include "user/file.h"

/* --- the table --- */

/* Split the next word off a line; "" at the end of the line. */
static char *next_word(char **line)
{
	char *word = *line, *end = word + strcspn(word, " ");

	*line = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

bool user_file_parse(struct user_file *file, char *line, uint64_t *id)
{
	char *word = next_word(&line);
	const char *at;
	uint32_t pid;

	*file = (struct user_file) { .fd = -1 };
	if (!number_parse(word, NUMBER_DECIMAL, id))
		return false;
	file->kind = next_word(&line);
	at = next_word(&line);
	if (!number_take(&at, NUMBER_DECIMAL, &file->dev_major) || *at++ != ':' ||
	    !number_parse(at, NUMBER_DECIMAL, &file->dev_minor) ||
	    !number_parse(next_word(&line), NUMBER_DECIMAL, &file->ino) ||
	    !number_parse(next_word(&line), NUMBER_DECIMAL, &file->size) ||
	    !number_within(next_word(&line), INT64_MIN, INT64_MAX, &file->mtime_ns) ||
	    !pid_parse(next_word(&line), &pid))
		return false;
	file->tgid = pid;
	file->build_id = next_word(&line);
	escape_undo_octal(line);
	file->path = line;
	return true;
}

bool user_file_is_file(const struct user_file *file)
{
	return !strcmp(file->kind, "file") || !strcmp(file->kind, "far");
}

bool user_file_is_generated(const struct user_file *file)
{
	return file->path && (!strcmp(file->kind, "anon") || !strcmp(file->kind, "data"));
}

const char *user_file_why(const struct user_file *file)
{
	return file->is_silent ? "its file system does not answer in time" : file->why;
}

/* --- opening --- */

bool user_file_is_inode(const struct stat *st, const struct user_file *file)
{
	return st->st_ino == file->ino && major(st->st_dev) == file->dev_major &&
	       minor(st->st_dev) == file->dev_minor;
}

static bool is_unchanged(const struct stat *st, const struct user_file *file)
{
	return S_ISREG(st->st_mode) && (uint64_t)st->st_size == file->size &&
	       st->st_mtim.tv_sec * 1000000000LL + st->st_mtim.tv_nsec == file->mtime_ns;
}

bool user_file_matches(const struct stat *st, const struct user_file *file)
{
	return is_unchanged(st, file) && user_file_is_inode(st, file);
}

/* There is no process with that number any more, or something else is at the file's path. */
static bool is_gone(int error)
{
	return error == ENOENT || error == ESRCH || error == ENOTDIR || error == ESTALE ||
	       error == EINVAL;
}

/*
 * Open only the very file that was mapped: another one may have taken its path. Since Linux 6.7,
 * what is mapped of an overlay, as in containers, is the file below it: it has another device, and
 * may have another number than its path leads to, but the same build id. The reason for which that
 * failed is kept, unless another path has led to a file whose server does not answer.
 */
static int open_same(const char *path, struct user_file *file)
{
	struct fetch fetch = {
		.path = path, .is_known = true, .is_near = !strcmp(file->kind, "file"),
		.dev_major = file->dev_major, .dev_minor = file->dev_minor, .ino = file->ino,
		.size = file->size, .mtime_ns = file->mtime_ns,
	};
	int fd = fetch_open(&fetch);

	if (fd >= 0 && !user_file_is_inode(&fetch.st, file) &&
	    !user_file_has_id(fd, file->build_id)) {
		close(fd);
		fd = -1;
		errno = ESTALE;
	}
	if (fd < 0 && !file->is_silent) {
		file->is_silent = fetch.is_silent;
		if (!is_gone(errno))
			file->why = fetch.why;
	}
	return fd;
}

bool user_file_is_in_proc(const struct user_file *file)
{
	return !(file->tgid & KPROF_PID_OUTSIDE) && process_proc_is_ours();
}

/* The path is valid in the root directory of the process, which may differ from ours. */
static int open_file(struct user_file *file)
{
	bool has_process = user_file_is_in_proc(file);
	struct buf path = { 0 };
	int fd = -1;

	buf_printf(&path, "/proc/%" PRIu64 "/root%s", file->tgid, file->path);
	if (has_process)
		fd = open_same(path.data, file);
	if (fd < 0 && !file->is_silent)
		fd = open_same(file->path, file);
	/* The program file was deleted while it runs. */
	if (fd < 0 && !file->is_silent && has_process) {
		path.len = 0;
		buf_printf(&path, "/proc/%" PRIu64 "/exe", file->tgid);
		fd = open_same(path.data, file);
	}
	buf_free(&path);
	return fd;
}

/* The vDSO is the same in all processes, so copy the one of this process. */
static int open_vdso(void)
{
	const char *from = (const char *)getauxval(AT_SYSINFO_EHDR);
	int fd = from ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	long page = sysconf(_SC_PAGESIZE);

	/* Its size is not known. Reading past the end fails. */
	while (fd >= 0 && write(fd, from, page) == page && lseek(fd, 0, SEEK_CUR) < 16 * page)
		from += page;
	return fd;
}

int user_file_open(struct user_file *file)
{
	if (user_file_is_file(file))
		return open_file(file);
	return strcmp(file->kind, "vdso") ? -1 : open_vdso();
}
