// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_check.c - the files of a system, as kprof check reads them
 *
 * Lines "%%" keep the files apart, in the order below. They are links in a folder, to what is
 * not on a disk.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static const char *const files[] = {
	"proc/config.gz", "proc/mounts", "proc/kallsyms", "sys/kernel/security/lockdown",
	"sys/module/module/parameters/sig_enforce", "sys/kernel/debug/kprobes/enabled",
	"kprof.ko",
};

#define NR_FILES	(sizeof(files) / sizeof(*files))

static void make_link(const char *root, const char *name, const char *to)
{
	char path[PATH_MAX], *at;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (at = path + strlen(root) + 1; (at = strchr(at, '/')); *at++ = '/') {
		*at = '\0';
		mkdir(path, 0700);
	}
	unlink(path);
	if (symlink(to, path))
		fuzz_fail("no link to a file can be made", path, strlen(path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char root[] = "root", option[] = "--root=root", module[] = "--module=root/kprof.ko";
	static const char *const args[] = { option, module, NULL };
	static bool linked;
	struct fuzz_part part[NR_FILES];
	size_t i;

	mkdir(root, 0700);
	fuzz_split(data, size, part, NR_FILES);
	for (i = 0; i < NR_FILES; i++) {
		const char *path = fuzz_file(i, part[i].data, part[i].size);

		if (!linked)
			make_link(root, files[i], path);
	}
	linked = true;
	fuzz_verb(&verb_check, FUZZ_TEXT, size, args);
	return 0;
}
