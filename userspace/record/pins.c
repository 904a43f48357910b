// SPDX-License-Identifier: GPL-2.0-only
/*
 * pins.c - take over the files that the module holds, as samples were taken in them
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "record/kmod.h"
#include "record/pins.h"

int pins_open(void)
{
	char *path = kmod_path("pins");
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	free(path);
	return fd;
}

/* Take those of a text. *some: there were any. */
static int take_listed(int fd, const char *at, struct user_files *files, bool *some)
{
	const char *line;
	uint64_t id;
	size_t len;

	while (buf_next_line(&at, &line, &len)) {
		if (!number_take(&line, NUMBER_DECIMAL, &id) || id > KPROF_USER_FILE_MAX)
			return msg_error("the module's file pins is not what this kprof reads");
		/* The module lets go of it even if it cannot be opened. */
		user_files_hold(files, id, ioctl(fd, KPROF_PINS_TAKE, id));
		*some = true;
	}
	return EXIT_OK;
}

int pins_take(int fd, struct user_files *files, bool *some)
{
	char text[4096];
	bool more = true;
	ssize_t len;
	int ret = EXIT_OK;

	*some = false;
	while (fd >= 0 && more && !ret) {
		more = false;
		len = pread(fd, text, sizeof(text) - 1, 0);
		if (len < 0 && errno != EINTR)
			return msg_error("cannot read pins: %s", strerror(errno));
		text[len > 0 ? len : 0] = '\0';
		ret = take_listed(fd, text, files, &more);
		*some |= more;
	}
	return ret;
}

int pins_expect(int fd, int file)
{
	return ioctl(fd, KPROF_PINS_EXPECT, file);
}
