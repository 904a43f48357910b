// SPDX-License-Identifier: GPL-2.0-only
/*
 * output.c - create and close the file of --output, of a recording or of text; refuse to write to
 * an input; redirect standard output
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/output.h"

static void keep_older(const char *path)
{
	struct buf old = { 0 };
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return;
	buf_printf(&old, "%s.old", path);
	if (rename(path, old.data))
		msg_warn("cannot keep the older recording as %s: %s", old.data, strerror(errno));
	buf_free(&old);
}

int output_create(const char *path)
{
	int fd;

	if (!strcmp(path, "-"))
		return dup(STDOUT_FILENO);
	keep_older(path);
	/* Mode 0600, because a recording has kernel addresses. */
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		msg_error("--output: cannot create '%s': %s", path, strerror(errno));
	return fd;
}

int output_close(int fd, const char *path, int ret)
{
	if (fd >= 0 && close(fd) && !ret)
		ret = msg_error("--output: cannot write '%s': %s", path, strerror(errno));
	return ret;
}

int output_is_no_input(const char *option, const char *path)
{
	if (!input_was_read(path))
		return EXIT_OK;
	return msg_usage("%s: '%s' is what is read, and would be lost: give another file", option,
			 path);
}

int output_open(const char *path, FILE **out)
{
	int ret = path && strcmp(path, "-") ? output_is_no_input("--output", path) : EXIT_OK;

	if (ret)
		return ret;
	*out = !path ? stderr : strcmp(path, "-") ? fopen(path, "we") : stdout;
	return *out ? EXIT_OK :
		      msg_error("--output: cannot write '%s': %s", path, strerror(errno));
}

int output_end(FILE *out, const char *path)
{
	bool is_bad;

	/* main() checks standard output. */
	if (!out || out == stderr || out == stdout)
		return EXIT_OK;
	is_bad = ferror(out);
	if (fclose(out) || is_bad)
		return msg_error("--output: cannot write '%s': %s", path, strerror(errno));
	return EXIT_OK;
}

static const char *redirected;

const char *output_name(void)
{
	return redirected ? redirected : "standard output";
}

int output_redirect(const char *path)
{
	int fd, ret;

	if (!strcmp(path, "-"))
		return EXIT_OK;
	ret = output_is_no_input("--output", path);
	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		ret = msg_error("--output: cannot write '%s': %s", path, strerror(errno));
	else
		redirected = path;
	if (fd >= 0)
		close(fd);
	return ret;
}
