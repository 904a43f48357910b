// SPDX-License-Identifier: GPL-2.0-only
/*
 * index.c - kprof index: make an index of inlined code from debug information
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/verbs.h"
#include "index/index.h"
#include "index/make.h"
#include "lib/buf.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "lib/plural.h"

static const char *vmlinux, *output;
static bool no_lines;

static const struct opt opts[] = {
	{ .name = "vmlinux", .type = OPT_STRING, .value = &vmlinux, .arg = "FILE",
	  .help = "the kernel with its debug information; default that of the\n"
		  "running kernel, as installed, or from DEBUGINFOD_URLS" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "default /lib/modules/RELEASE/" INDEX_NAME },
	{ .name = "no-lines", .type = OPT_FLAG, .value = &no_lines,
	  .help = "leave source lines out: about a third of the size" },
	{ 0 }
};

#ifdef KPROF_LIBDW

static void print_object(const struct make *m, size_t bytes)
{
	FILE *to = strcmp(output, "-") ? stdout : stderr;

	fprintf(to, "%s: %zu inlined instance%s of %u function%s, in %zu unit%s; %zu line%s; %.1f MB\n",
		m->owner, m->nr_inlines, plural(m->nr_inlines), m->functions.nr,
		plural(m->functions.nr), m->nr_units, plural(m->nr_units), m->nr_lines,
		plural(m->nr_lines), bytes / 1e6);
}

static int add_object(const char *path, struct buf *out)
{
	struct make m = { .nr_units = 0 };
	size_t start = out->len;
	int ret = make_read(&m, path, !no_lines);

	if (!ret && make_write(&m, out))
		ret = msg_error("%s: the index would be larger than %u MB, which nobody reads",
				path, KPROF_INDEX_MAX >> 20);
	if (!ret)
		print_object(&m, out->len - start);
	make_free(&m);
	return ret;
}

static int write_all(int fd, const struct buf *out)
{
	size_t done = 0;
	ssize_t len;

	while (done < out->len) {
		len = write(fd, out->data + done, out->len - done);
		if (len < 0 && errno != EINTR)
			return -1;
		done += len > 0 ? len : 0;
	}
	return 0;
}

static mode_t mode_of_new(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0644 & ~mask;
}

/* Returns 0, or why it could not be written, as errno has it. */
static int write_and_close(int fd, const struct buf *out)
{
	int error = fchmod(fd, mode_of_new()) || write_all(fd, out) ? errno : 0;

	return close(fd) && !error ? errno : error;
}

/*
 * Write to a temporary file and rename it, so that readers never see an incomplete index. Nobody
 * has a file of that name, which might be an input.
 */
static int write_file(const struct buf *out)
{
	struct buf temporary = { 0 };
	int fd, error, ret = EXIT_OK;

	if (!strcmp(output, "-"))
		return write_all(STDOUT_FILENO, out) ?
		       msg_error("cannot write standard output: %s", strerror(errno)) : EXIT_OK;
	buf_printf(&temporary, "%s.XXXXXX", output);
	fd = mkostemp(temporary.data, O_CLOEXEC);
	error = fd < 0 ? errno : write_and_close(fd, out);
	if (!error && rename(temporary.data, output))
		error = errno;
	if (error) {
		ret = msg_error("--output: cannot write '%s': %s", output, strerror(error));
		if (fd >= 0)
			unlink(temporary.data);
	}
	buf_free(&temporary);
	return ret;
}

static int run(int argc, char **argv)
{
	struct buf found = { 0 }, place = { 0 }, out = { 0 };
	struct utsname uts;
	int i, ret = EXIT_OK;

	uname(&uts);
	if (!vmlinux) {
		ret = make_find_kernel(uts.release, &found);
		vmlinux = found.data;
	}
	if (!output) {
		index_default_path(&place, uts.release);
		output = place.data;
	}
	if (!ret) {
		input_note(vmlinux);
		for (i = 0; i < argc; i++)
			input_note(argv[i]);
		ret = output_is_no_input("--output", output);
	}
	if (!ret)
		ret = add_object(vmlinux, &out);
	for (i = 0; i < argc && !ret; i++)
		ret = add_object(argv[i], &out);
	if (!ret)
		ret = write_file(&out);
	buf_free(&found);
	buf_free(&place);
	buf_free(&out);
	return ret;
}

#else

static int run(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return msg_error("this kprof was built without libdw, which reads debug information; an "
			 "index that another one has made can be used");
}

#endif

const struct verb verb_index = {
	.name = "index",
	.args = "[MODULE]...",
	.summary = "Read from debug information which functions are inlined where",
	.details =
		"Compilers inline functions: they are no symbols, and samples in them are charged to\n"
		"whom they were inlined into. With an index of the kernel, 'kprof report', 'kprof fold'\n"
		"and 'kprof flame' show them. It is made once for a kernel, and checked by its build id.\n"
		"MODULE is a .ko file with debug information, or whose debug information is installed.\n\n"
		"Examples:\n"
		"  apt-get install linux-image-$(uname -r)-dbg && kprof index\n"
		"  kprof index --vmlinux vmlinux -o kprof.index $(modinfo -n ext4)\n",
	.opts = opts,
	.run = run,
};
