// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_find.c - finds the debug information of the kernel that runs
 */
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "index/make.h"
#include "index/notes.h"
#include "lib/msg.h"
#include "lib/opt.h"

#define NOTES	"/sys/kernel/notes"

/* Where packages and builds leave it; * is the release. */
static bool find_installed(const char *release, struct buf *path)
{
	static const char *const places[] = {
		"/usr/lib/debug/boot/vmlinux-*", "/usr/lib/debug/lib/modules/*/vmlinux",
		"/lib/modules/*/build/vmlinux", "/boot/vmlinux-*",
	};
	size_t i, before;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		before = strcspn(places[i], "*");
		path->len = 0;
		buf_add(path, places[i], before);
		buf_printf(path, "%s%s", release, places[i] + before + 1);
		if (!access(path->data, R_OK))
			return true;
	}
	return false;
}

/*
 * By its build id: below /usr/lib/debug/.build-id, or from the servers of DEBUGINFOD_URLS. Returns
 * a descriptor, or -1.
 */
static int find_by_build_id(void)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);
	struct buf notes = { 0 };
	const unsigned char *id;
	char *found = NULL;
	Dwfl_Module *kernel;
	size_t size;
	int fd = -1;

	if (!dwfl || buf_read_file(&notes, NOTES))
		goto out;
	id = notes_build_id(&notes, &size);
	dwfl_report_begin(dwfl);
	kernel = dwfl_report_module(dwfl, "kernel", 0, 1);
	if (id && kernel && !dwfl_module_report_build_id(kernel, id, size, 0))
		fd = dwfl_standard_find_debuginfo(kernel, NULL, "kernel", 0, NULL, NULL, 0, &found);
	dwfl_report_end(dwfl, NULL, NULL);
	free(found);
out:
	buf_free(&notes);
	dwfl_end(dwfl);
	return fd;
}

int make_find_kernel(const char *release, struct buf *path)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	bool asks = urls && *urls;
	int fd;

	if (find_installed(release, path))
		return EXIT_OK;
	path->len = 0;
	if (asks)
		msg_warn("debug information of the kernel that runs is not installed: asking the "
			 "servers of DEBUGINFOD_URLS for it, which may take minutes");
	fd = find_by_build_id();
	if (fd >= 0) {
		/* It stays open, as that is its name now. */
		buf_printf(path, "/proc/self/fd/%d", fd);
		return EXIT_OK;
	}
	return msg_error("no vmlinux of %s with debug information is here%s: install "
			 "linux-image-%s-dbg, %sor give --vmlinux FILE", release,
			 asks ? ", nor was it to be had from DEBUGINFOD_URLS by libdebuginfod" : "",
			 release,
			 asks ? "" : "set DEBUGINFOD_URLS, ");
}
