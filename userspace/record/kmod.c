// SPDX-License-Identifier: GPL-2.0-only
/*
 * kmod.c - find and load the kernel module, and access its files in debugfs
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/msg.h"
#include "lib/opt.h"
#include "record/kmod.h"

#define DEBUGFS		"/sys/kernel/debug"

const char *kmod_dir(void)
{
	const char *dir = getenv("KPROF_DEBUGFS");

	return dir && *dir ? dir : DEBUGFS "/kprof";
}

char *kmod_path(const char *file)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", kmod_dir(), file);
	return path.data;
}

bool kmod_is_loaded(void)
{
	char *path = kmod_path("enable");
	bool is = !access(path, F_OK);

	free(path);
	return is;
}

/* A copy of the path if the file is readable; else add the path to @tried. */
static char *readable(const char *path, struct buf *tried)
{
	struct buf copy = { 0 };

	if (access(path, R_OK))
		buf_printf(tried, "%s%s", tried->len ? ", " : "", path);
	else
		buf_printf(&copy, "%s", path);
	return copy.data;
}

static char *find_beside_program(struct buf *tried)
{
	static const char *const places[] = { "kprof.ko", "../kprof.ko", NULL };
	char self[4096], *found = NULL;
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int i;

	if (len <= 0)
		return NULL;
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	for (i = 0; places[i] && !found; i++) {
		struct buf path = { 0 };

		buf_printf(&path, "%s/%s", self, places[i]);
		found = readable(path.data, tried);
		buf_free(&path);
	}
	return found;
}

char *kmod_find(const char *given, struct buf *tried)
{
	static const char *const places[] = { "updates", "updates/dkms", "extra", NULL };
	const char *variable = getenv("KPROF_MODULE");
	struct utsname uts;
	char *found;
	int i;

	if (!given && variable && *variable)
		given = variable;
	if (given)
		return readable(given, tried);
	found = find_beside_program(tried);
	if (uname(&uts))
		return found;
	for (i = 0; places[i] && !found; i++) {
		struct buf path = { 0 };

		buf_printf(&path, "/lib/modules/%s/%s/kprof.ko", uts.release, places[i]);
		found = readable(path.data, tried);
		buf_free(&path);
	}
	return found;
}

/*
 * The last line of the kernel log that begins with "kprof: ", after the position
 * of @kmsg; "" if there is none.
 */
static void last_log_line(int kmsg, char *line, size_t size)
{
	char record[8192];
	const char *text;
	ssize_t len;

	*line = '\0';
	while (kmsg >= 0) {
		len = read(kmsg, record, sizeof(record) - 1);
		if (len < 0 && errno == EPIPE)	/* overwritten meanwhile: continue */
			continue;
		if (len <= 0)
			break;
		record[len] = '\0';
		text = strchr(record, ';');
		if (text && !strncmp(text + 1, "kprof: ", 7))
			snprintf(line, size, "%.*s", (int)strcspn(text + 8, "\n"), text + 8);
	}
}

static const char *load_remedy(int error)
{
	switch (error) {
	case EPERM:
		return "it takes root, and a kernel that is not locked down";
	case EKEYREJECTED:
		return "this kernel takes only modules with a signature it trusts";
	case ENOEXEC:
		return "it was built for another kernel: build it against the headers of this one";
	default:
		return "see the kernel log";
	}
}

static int load_file(int fd, const char *path, const char *parameters)
{
	int kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char line[1024];
	int error, ret = EXIT_OK;

	if (kmsg >= 0)
		lseek(kmsg, 0, SEEK_END);
	if (syscall(SYS_finit_module, fd, parameters, 0)) {
		error = errno;
		last_log_line(kmsg, line, sizeof(line));
		ret = msg_error("cannot load %s: %s: %s", path, strerror(error),
				*line ? line : load_remedy(error));
	}
	if (kmsg >= 0)
		close(kmsg);
	return ret;
}

int kmod_load(const char *given, const char *parameters)
{
	struct buf tried = { 0 };
	char *path = kmod_find(given, &tried);
	int fd, ret;

	if (!path) {
		ret = msg_error("cannot find the module: tried %s; give its path with --module or KPROF_MODULE",
				tried.len ? tried.data : "nowhere");
		buf_free(&tried);
		return ret;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		ret = msg_error("cannot open %s: %s", path, strerror(errno));
	else
		ret = load_file(fd, path, parameters);
	if (!ret && !kmod_is_loaded()) {
		ret = msg_error("%s is loaded, but there is no %s: mount -t debugfs none "
				DEBUGFS, path, kmod_dir());
		kmod_unload();
	}
	if (fd >= 0)
		close(fd);
	free(path);
	buf_free(&tried);
	return ret;
}

int kmod_unload(void)
{
	if (syscall(SYS_delete_module, "kprof", O_NONBLOCK))
		return msg_error("cannot unload the module: %s", strerror(errno));
	return EXIT_OK;
}

int kmod_read(const char *file, struct buf *text)
{
	char *path = kmod_path(file);
	int ret = EXIT_OK;

	if (buf_read_file(text, path))
		ret = msg_error("cannot read %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

int kmod_hold(void)
{
	char *path = kmod_path("hold");
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		msg_error("cannot open %s, to hold sampling still: %s", path, strerror(errno));
	free(path);
	return fd;
}

/* Append the reason why a write failed, from the module's file "error" if it has one. */
static void refused(const char *path, const char *value, int error, struct buf *why)
{
	char *error_path = kmod_path("error");
	struct buf said = { 0 };

	if (!buf_read_file(&said, error_path) && said.len)
		said.data[strcspn(said.data, "\n")] = '\0';
	if (said.len && *said.data)
		buf_printf(why, "%s", said.data);
	else
		buf_printf(why, "cannot write '%s' to %s: %s", value, path, strerror(error));
	buf_free(&said);
	free(error_path);
}

/* @value: what to call @bytes in a message. */
static int write_at_once(const char *file, const char *value, const struct buf *bytes, int flags,
			 struct buf *why)
{
	char *path = kmod_path(file);
	int fd, error = 0;

	fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	if (fd < 0) {
		error = errno;
		buf_printf(why, "cannot open %s: %s", path, strerror(error));
	} else {
		if (write(fd, bytes->data, bytes->len) != (ssize_t)bytes->len) {
			error = errno;
			refused(path, value, error, why);
		}
		close(fd);
	}
	free(path);
	return error;
}

int kmod_try_write(const char *file, const char *value, int flags, struct buf *why)
{
	struct buf line = { 0 };
	int error;

	buf_printf(&line, "%s\n", value);
	error = write_at_once(file, value, &line, flags, why);
	buf_free(&line);
	return error;
}

int kmod_try_write_bytes(const char *file, const struct buf *bytes, struct buf *why)
{
	return write_at_once(file, "a table", bytes, 0, why);
}

int kmod_write(const char *file, const char *value, int flags)
{
	struct buf why = { 0 };
	int ret = EXIT_OK;

	if (kmod_try_write(file, value, flags, &why))
		ret = msg_error("%s", why.data);
	buf_free(&why);
	return ret;
}
