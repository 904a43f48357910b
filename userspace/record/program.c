// SPDX-License-Identifier: GPL-2.0-only
/*
 * program.c - the program that a command runs
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "record/program.h"

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

char *program_find(const char *name)
{
	const char *list = getenv("PATH");
	struct buf path = { 0 };

	if (strchr(name, '/'))
		return mem_strdup(name);
	for (list = list ? list : "/bin:/usr/bin"; *list; list += !!*list) {
		size_t len = strcspn(list, ":");

		buf_free(&path);
		buf_printf(&path, "%.*s/%s", len ? (int)len : 1, len ? list : ".", name);
		if (is_program(path.data))
			return path.data;
		list += len;
	}
	buf_free(&path);
	return NULL;
}
