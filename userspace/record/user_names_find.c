// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_names_find.c - a process that looks for names of functions of programs, and tells them
 *
 * It tells a line "PATH START SIZE NAME" for each function, where PATH is the number of the path,
 * and the others but NAME are hexadecimal. Files may be made to exhaust who reads them: it has
 * limits, and each file of another user is read by one more process.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kprof.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "lib/pid.h"
#include "record/user_names.h"
#include "user/confine.h"
#include "user/files.h"

#define NAMES_MEMORY	(4ul << 30)	/* bytes */
#define NAMES_CPU	20		/* seconds of processor time, also of each file */
#define PIPE_SIZE	(1 << 20)

/* What a path is in the module's text. */
static void add_fit(struct buf *text, const struct user_file *file)
{
	char *at, pid[PID_TEXT];

	text->len = 0;
	if (!strcmp(file->kind, "anon"))
		buf_printf(text, "[anon:%s]", pid_text(file->tgid, pid));
	else if (!strcmp(file->kind, "data"))
		buf_printf(text, "[%s:%s]", file->path, pid_text(file->tgid, pid));
	else
		buf_printf(text, "%s", file->path);
	for (at = text->data; *at; at++)
		if (*at == ';')
			*at = ':';
		else if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '?';
}

/* What file_table has for a path. */
struct match {
	size_t nr;	/* lines with this path: of several, nobody knows which is meant */
	uint64_t id;	/* of the last one */
};

static struct match *find_matches(const struct user_names *u)
{
	struct match *match = mem_zalloc(u->paths.nr, sizeof(*match));
	struct buf copy = { 0 }, path = { 0 };
	const char *at = u->table.data, *line;
	struct user_file file;
	uint32_t number;
	uint64_t id;
	size_t len;

	while (buf_next_line(&at, &line, &len)) {
		copy.len = 0;
		buf_add(&copy, line, len);
		if (!user_file_parse(&file, copy.data, &id))
			continue;
		add_fit(&path, &file);
		number = strtab_find(&u->paths, path.data, path.len);
		if (number == STRTAB_NONE)
			continue;
		match[number].nr++;
		match[number].id = id;
	}
	buf_free(&copy);
	buf_free(&path);
	return match;
}

/* Those lines of the table whose files are asked about, and jitdumps, which tell of others. */
static void pick_lines(const struct user_names *u, const struct match *match, struct buf *picked)
{
	const char *at = u->table.data, *line;
	bool *is_asked = mem_zalloc(u->paths.nr, sizeof(*is_asked));
	size_t len, i;
	uint64_t id;

	for (i = 0; i < u->nr_asked; i++)
		is_asked[u->asked[i].path] = match[u->asked[i].path].nr == 1;
	while (buf_next_line(&at, &line, &len)) {
		id = number_or_0(line);
		for (i = 0; i < u->paths.nr && !(is_asked[i] && match[i].id == id); i++)
			;
		if (i < u->paths.nr || memmem(line, len, "/jit-", 5)) {
			buf_add(picked, line, len);
			buf_add(picked, "\n", 1);
		}
	}
	free(is_asked);
}

/* A line of DATA_CODE: "START SIZE<tab>FILE<tab>NAME". A place without a name needs not be told. */
static void tell_line(const struct user_names *u, const struct match *match, const char *line,
		      size_t len, FILE *to)
{
	const char *at = line, *tab = memchr(line, '\t', len), *name;
	uint64_t place, size;
	uint32_t path;

	name = tab ? memchr(tab + 1, '\t', line + len - tab - 1) : NULL;
	if (!name++ || !number_take(&at, NUMBER_HEX, &place) || *at++ != ' ' ||
	    !number_take(&at, NUMBER_HEX, &size) || (size == 1 && *name == '['))
		return;
	for (path = 0; path < u->paths.nr; path++)
		if (match[path].nr == 1 && match[path].id == KPROF_USER_FILE(place))
			fprintf(to, "%" PRIx32 " %" PRIx64 " %" PRIx64 " %.*s\n", path,
				(uint64_t)KPROF_USER_OFFSET(place), size,
				(int)(line + len - name), name);
}

static void tell(const struct user_names *u, FILE *to)
{
	struct buf picked = { 0 }, code = { 0 };
	struct user_files files = { 0 };
	const char *at, *line;
	struct match *match;
	size_t i, len;

	match = find_matches(u);
	buf_add(&picked, "", 0);
	pick_lines(u, match, &picked);
	if (user_files_update(&files, &picked))
		return;
	for (i = 0; i < u->nr_asked; i++) {
		const struct user_name_place *place = &u->asked[i];

		if (match[place->path].nr == 1)
			user_files_want(&files, match[place->path].id << KPROF_USER_SHIFT |
						place->offset);
	}
	user_files_name(&files, &code);
	at = code.data;
	while (buf_next_line(&at, &line, &len))
		tell_line(u, match, line, len, to);
}

__attribute__((noreturn))
static void be_teller(const struct user_names *u, int fd)
{
	FILE *to = fdopen(fd, "w");
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t none;

	confine(NAMES_MEMORY);
	confine_to(RLIMIT_CPU, NAMES_CPU);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	/* The screen is not its own. */
	if (!to || null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(1);
	tell(u, to);
	_exit(ferror(to) || fclose(to));
}

bool user_names_begin(struct user_names *u)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return false;
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);	/* else it waits more often */
	signal(SIGCHLD, SIG_DFL);
	u->child = fork();
	if (!u->child)
		be_teller(u, ends[1]);
	close(ends[1]);
	u->from = ends[0];
	if (u->child > 0 && !fcntl(u->from, F_SETFL, O_NONBLOCK))
		return true;
	close(u->from);
	u->child = 0;
	return false;
}
