// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz.c - what the fuzz targets share: verbs run in this process, within limits
 *
 * A verb keeps its options in static variables: its table says where, so they
 * are put back after each run.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <sanitizer/allocator_interface.h>

#include "lib/escape.h"
#include "fuzz.h"

/* Work and memory are linear in the size of the input: so much, and so much for a byte. */
#define SECONDS_BASE		2.0	/* of the processor, with sanitizers */
#define SECONDS_EACH		100e-6
#define MEMORY_BASE		(64u << 20)
#define MEMORY_EACH		4096u	/* zlib makes 1,032 bytes of one */

#define MAX_OPTS		64
#define MAX_ARGS		16

union value {
	bool flag;
	long number;
	double real;
	const char *string;
	struct opt_list list;
	int choice;
};

static int report_fd = STDERR_FILENO;	/* where a finding is told */
static bool watching;
static size_t memory, most_memory;
static double began;

static void on_malloc(const volatile void *p, size_t size)
{
	(void)p;
	if (!watching)
		return;
	memory += size;
	if (memory > most_memory)
		most_memory = memory;
}

static void on_free(const volatile void *p)
{
	if (watching && p)
		memory -= __sanitizer_get_allocated_size(p);
}

void fuzz_fail(const char *why, const char *text, size_t len)
{
	dprintf(report_fd, "fuzz: %s\n", why);
	if (text)
		dprintf(report_fd, "fuzz: printed was:\n%.*s\n", (int)len, text);
	abort();
}

static double seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

void fuzz_begin(void)
{
	memory = 0;
	most_memory = 0;
	began = seconds();
	watching = true;
}

void fuzz_end(size_t size, size_t more)
{
	watching = false;
	if (seconds() - began > SECONDS_BASE + SECONDS_EACH * size)
		fuzz_fail("it takes too long", NULL, 0);
	if (most_memory > MEMORY_BASE + MEMORY_EACH * size + more)
		fuzz_fail("it takes too much memory", NULL, 0);
}

static size_t size_of(const struct opt *o)
{
	static const size_t sizes[] = {
		[OPT_FLAG] = sizeof(bool), [OPT_LONG] = sizeof(long),
		[OPT_DOUBLE] = sizeof(double), [OPT_STRING] = sizeof(char *),
		[OPT_LIST] = sizeof(struct opt_list), [OPT_CHOICE] = sizeof(int),
	};

	return sizes[o->type];
}

static void keep_options(const struct verb *verb, union value *value)
{
	const struct opt *o;

	for (o = verb->opts; o && o->name; o++)
		memcpy(value++, o->value, size_of(o));
}

static void put_options_back(const struct verb *verb, const union value *value)
{
	const struct opt *o;

	for (o = verb->opts; o && o->name; o++, value++) {
		if (o->type == OPT_LIST)
			free(((struct opt_list *)o->value)->item);
		memcpy(o->value, value, size_of(o));
	}
}

/* What was printed; its memory is kept, as what has to be had anew costs more than a run. */
struct printed {
	char *text;
	size_t len, room;
};

/* On standard output and standard error. */
struct captures {
	struct printed out, err;
};

/* Of the run, and of the one that reads again what it has printed. */
static struct captures captures[2];

/* Behind file descriptors, so that all is as in the program: what it prints is escaped. */
static void capture_begin(void)
{
	static bool begun;
	int fd;

	if (begun)
		return;
	begun = true;
	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (dup2(memfd_create("printed", MFD_CLOEXEC), fd) < 0)
			fuzz_fail("no memory to print to", NULL, 0);
	escape_begin();
}

static void capture_end(struct printed *p, int fd)
{
	off_t len = lseek(fd, 0, SEEK_CUR);

	if ((size_t)len >= p->room) {
		p->room = 2 * len + 1;
		p->text = realloc(p->text, p->room);
	}
	p->len = 0;
	if (!len)
		return;
	p->len = pread(fd, p->text, len, 0);
	if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
		fuzz_fail("what was printed stays", NULL, 0);
}

static void check_folded(const char *text, size_t len, size_t size);

static void check_output(enum fuzz_output output, const struct printed *out,
			 const struct printed *err, size_t size)
{
	const char *why = check_text(err->text, err->len);

	if (why)
		fuzz_fail(why, err->text, err->len);
	/* Where it failed there is nothing to look at. */
	if (!out->len)
		return;
	switch (output) {
	case FUZZ_TEXT:
	case FUZZ_CSV:
		why = check_text(out->text, out->len);
		break;
	case FUZZ_JSON:
		why = check_json(out->text, out->len);
		break;
	case FUZZ_SVG:
		why = check_svg(out->text, out->len);
		break;
	case FUZZ_FOLDED:
		check_folded(out->text, out->len, size);
		break;
	}
	if (why)
		fuzz_fail(why, out->text, out->len);
}

static int run(const struct verb *verb, const char *const *args)
{
	char *argv[MAX_ARGS + 1] = { (char *)verb->name };
	int argc = 1;

	/* getopt_long() puts them into another order. */
	while (argc < MAX_ARGS && *args)
		argv[argc++] = (char *)*args++;
	return opt_run_verb(verb, argc, argv);
}

/* Run it, with what it printed left in @c. */
static void run_captured(const struct verb *verb, size_t size, const char *const *args,
			 struct captures *c)
{
	union value value[MAX_OPTS];

	keep_options(verb, value);
	capture_begin();
	fuzz_begin();
	run(verb, args);
	fflush(stdout);
	fflush(stderr);
	watching = false;
	capture_end(&c->out, STDOUT_FILENO);
	capture_end(&c->err, STDERR_FILENO);
	put_options_back(verb, value);
	fuzz_end(size, 0);
}

void fuzz_verb(const struct verb *verb, enum fuzz_output output, size_t size,
	       const char *const *args)
{
	run_captured(verb, size, args, &captures[0]);
	check_output(output, &captures[0].out, &captures[0].err, size);
}

void fuzz_run(const struct fuzz_way *way, size_t size, const char *file, const char *other)
{
	const char *args[sizeof(way->args) / sizeof(*way->args) + 2];
	size_t nr;

	for (nr = 0; way->args[nr]; nr++)
		args[nr] = way->args[nr];
	args[nr++] = file;
	if (other)
		args[nr++] = other;
	args[nr] = NULL;
	fuzz_verb(way->verb, way->output, size, args);
}

/*
 * What fold has printed it prints likewise when it reads it. Names of frames may look like a text
 * of perf script, so what it is must be said.
 */
static void check_folded(const char *text, size_t len, size_t size)
{
	const char *args[] = {
		"--format=folded", fuzz_file(FUZZ_SLOTS - 1, text, len), NULL
	};
	struct captures *c = &captures[1];

	run_captured(&verb_fold, size + len, args, c);
	/* Counts that are good one by one may add up to more than one line may have. */
	if (c->err.len && memmem(c->err.text, c->err.len, "more than 2^63", 14))
		return;
	/* What is odd in the text is told each time. */
	if (c->out.len == len && !memcmp(c->out.text, text, len))
		return;
	if (!c->out.len)
		fuzz_fail("folded text is not read back", c->err.text, c->err.len);
	fuzz_fail("folded text is read back as something else", text, len);
}

const char *fuzz_file(int slot, const void *data, size_t size)
{
	static int fd[FUZZ_SLOTS];
	static char path[FUZZ_SLOTS][32];

	if (!fd[slot]) {
		fd[slot] = memfd_create("input", MFD_CLOEXEC);
		snprintf(path[slot], sizeof(path[slot]), "/proc/self/fd/%d", fd[slot]);
	}
	if (ftruncate(fd[slot], 0) || pwrite(fd[slot], data, size, 0) != (ssize_t)size)
		fuzz_fail("no memory for an input", NULL, 0);
	return path[slot];
}

void fuzz_split(const uint8_t *data, size_t size, struct fuzz_part *part, size_t nr)
{
	const char *at = (const char *)data, *end = at + size, *mark;
	size_t i;

	for (i = 0; i < nr; i++) {
		mark = i + 1 < nr ? memmem(at, end - at, "%%\n", 3) : NULL;
		part[i] = (struct fuzz_part){ at, (mark ? mark : end) - at };
		at = mark ? mark + 3 : end;
	}
}

/* The fuzzer itself is to print elsewhere than where the verbs do. */
static void add_option(int *argc, char ***argv)
{
	static char *args[64], option[] = "-close_fd_mask=3";

	if (*argc > 62)
		return;
	memcpy(args, *argv, *argc * sizeof(*args));
	args[(*argc)++] = option;
	*argv = args;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	add_option(argc, argv);
	report_fd = dup(STDERR_FILENO);
	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	/* Neither a terminal nor what is set here is to change a result. */
	unsetenv("PAGER");
	unsetenv("KPROF_DEBUGFS");
	return 0;
}
