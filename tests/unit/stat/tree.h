/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.h - files like those that the kernel describes its events in, below a directory of the test
 */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/buf.h"

static char root[32];

static inline void tree_begin(void)
{
	snprintf(root, sizeof(root), "/tmp/kprof-stat-XXXXXX");
	if (!mkdtemp(root))
		exit(1);
}

/* Returns whether all of it is gone. */
static inline bool tree_end(void)
{
	struct buf command = { 0 };
	bool good;

	buf_printf(&command, "rm -r %s", root);
	good = !system(command.data);
	buf_free(&command);
	return good;
}

/* It may be there already. */
static inline void directory(const char *name)
{
	struct buf path = { 0 };

	buf_printf(&path, "%s/%s", root, name);
	mkdir(path.data, 0700);
	buf_free(&path);
}

static inline void file(const char *name, const char *content)
{
	struct buf path = { 0 };
	FILE *out;

	buf_printf(&path, "%s/%s", root, name);
	out = fopen(path.data, "w");
	fputs(content, out);
	fclose(out);
	buf_free(&path);
}

#endif /* TESTS_TREE_H */
