// SPDX-License-Identifier: GPL-2.0-only
/*
 * expect.c - have the unwind rules of the files that will run before samples are taken in them
 *
 * To look for libraries, and to open them, may take as long as their file systems like. So a
 * process of its own looks for them, others open them (user/fetch.h), and all of it has an end.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/clock.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/open_files.h"
#include "lib/strtab.h"
#include "record/expect.h"
#include "record/kmod.h"
#include "record/pins.h"
#include "record/program.h"
#include "user/confine.h"
#include "user/fetch.h"
#include "user/imports.h"
#include "user/worker.h"

/* For how long a command waits for the rules of its files, which may be large. */
#define PREPARE_NS	10000000000ull

#define SCRIPTS_MAX	4	/* a script may name a script; the kernel follows as many */
#define MEMORY		(256ul << 20)	/* bytes that the process may take for itself */
#define MAPS_TEXT_MAX	(4u << 20)	/* bytes of a process's mappings that are looked at */
#define FILES_MAX	1000		/* that are announced: one more process may map anything */

struct announced {
	uint32_t id;
	int fd;
};

/* What is being announced. */
struct expect {
	int pins;
	struct until *until;
	uint64_t end_ns;
	bool is_over;		/* there is no point in going on */
	struct announced *item;
	size_t nr, room;
	struct strtab seen;	/* "DEVICE INODE PATH" of the lines of mappings so far */
};

static bool goes_on(struct expect *e)
{
	if (clock_ns(CLOCK_MONOTONIC) >= e->end_ns || until_is_over(e->until) ||
	    e->nr == FILES_MAX)
		e->is_over = true;
	return !e->is_over;
}

static void add(struct expect *e, int id, int fd)
{
	e->item = mem_grow(e->item, &e->room, e->nr + 1, sizeof(*e->item));
	e->item[e->nr++] = (struct announced){ .id = id, .fd = fd };
}

static bool is_announced(const struct expect *e, uint32_t id)
{
	size_t i;

	for (i = 0; i < e->nr; i++)
		if (e->item[i].id == id)
			return true;
	return false;
}

static void announce(struct expect *e, const char *path)
{
	struct fetch fetch = { .path = path, .no_copy = true };
	int fd = fetch_open(&fetch), id;

	e->is_over = e->is_over || fetch.is_silent;
	if (fd < 0)
		return;
	id = pins_expect(e->pins, fd);
	/* A module that knows nothing of this says ENOTTY. */
	if (id < 0 && errno != EINVAL)
		e->is_over = true;
	if (id > 0 && !is_announced(e, id))
		add(e, id, fd);
	else
		close(fd);
}

/* --- in the process that looks for the files of a command --- */

static const char *looked_for;

/* The next word of a line, or NULL. */
static char *next_word(char **at)
{
	char *word = *at + strspn(*at, " \t");

	*at = word + strcspn(word, " \t");
	if (**at)
		*(*at)++ = '\0';
	return *word ? word : NULL;
}

/*
 * The program of a "#!" line, which the kernel runs instead; of "env NAME", that of the name. NULL
 * if there is no such line.
 */
static char *program_of_script(const char *path)
{
	struct fetch fetch = { .path = path, .no_copy = true };
	char line[256] = { 0 }, *at = line + 2, *word;
	int fd = fetch_open(&fetch);
	ssize_t len = fd < 0 ? -1 : pread(fd, line, sizeof(line) - 1, 0);

	if (fd >= 0)
		close(fd);
	if (len < 2 || strncmp(line, "#!", 2))
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	word = next_word(&at);
	if (word && strlen(word) >= 4 && !strcmp(word + strlen(word) - 4, "/env"))
		do {
			word = next_word(&at);
		} while (word && (*word == '-' || strchr(word, '=')));
	return word ? program_find(word) : NULL;
}

__attribute__((noreturn))
static void look(void)
{
	struct user_imports imports = { 0 };
	char *path, *next;
	size_t i;

	confine(MEMORY);
	path = program_find(looked_for);
	for (i = 0; path && i < SCRIPTS_MAX; i++) {
		next = program_of_script(path);
		if (!next)
			break;
		free(path);
		path = next;
	}
	if (path && user_imports_files(&imports, path))
		for (i = 0; i < imports.nr_files; i++)
			if (send(STDIN_FILENO, imports.file[i], strlen(imports.file[i]),
				 MSG_NOSIGNAL) < 0)
				break;
	_exit(0);
}

/* --- in the process that announces --- */

/* The next path that was found; false if there is none. */
static bool next_path(struct expect *e, int socket, char path[PATH_MAX])
{
	struct pollfd wake = { .fd = socket, .events = POLLIN };
	ssize_t len;

	while (goes_on(e) && !until_sleep(e->until, 0)) {
		if (poll(&wake, 1, 50) <= 0)
			continue;
		len = recv(socket, path, PATH_MAX - 1, 0);
		path[len > 0 ? len : 0] = '\0';
		return len > 0;
	}
	return false;
}

static void announce_command(struct expect *e, const char *command)
{
	struct worker worker;
	char path[PATH_MAX];
	bool some = false;

	looked_for = command;
	if (!goes_on(e) || !worker_start(&worker, look))
		return;
	while (next_path(e, worker.socket, path)) {
		announce(e, path);
		some = true;
	}
	if (some && goes_on(e) && pins_expect(e->pins, -1) < 0)
		e->is_over = true;
	close(worker.socket);
	kill(worker.pid, SIGKILL);
	/* It is not waited for: a signal may not even end it. */
	waitpid(worker.pid, NULL, WNOHANG);
}

/* A line of /proc/PID/maps, "START-END MODE ... /PATH". False if it is no code of a file. */
static bool parse_code(const char *at, uint64_t *start, uint64_t *end)
{
	return number_take(&at, NUMBER_HEX, start) && *at++ == '-' &&
	       number_take(&at, NUMBER_HEX, end) && *at++ == ' ' && strnlen(at, 4) == 4 &&
	       at[2] == 'x' && strchr(at, '/');
}

/* Has a line of mappings a file that no line before it had? */
static bool is_first_of_file(struct expect *e, const char *line)
{
	const uint32_t nr = e->seen.nr;
	int fields;

	for (fields = 0; fields < 3 && line; fields++) {
		line = strchr(line, ' ');
		line += line ? 1 : 0;
	}
	return line && strtab_add(&e->seen, line, strlen(line)) == nr;
}

/* The kernel waits for a lock of the process, so this process must not read that. */
static void announce_process(struct expect *e, const char *pid)
{
	struct buf maps = { 0 };
	const char *at, *line, *why;
	char path[128], copy[256];
	uint64_t start, end;
	bool some = false;
	size_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	fd = goes_on(e) ? fetch_path(path, &why) : -1;
	if (fd < 0)
		return;
	if (buf_read_max(&maps, fd, MAPS_TEXT_MAX))
		maps.len = 0;
	close(fd);
	for (at = maps.len ? maps.data : NULL; goes_on(e) && buf_next_line(&at, &line, &len);) {
		snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
		if (!parse_code(copy, &start, &end) || !is_first_of_file(e, copy))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/map_files/%" PRIx64 "-%" PRIx64, pid,
			 start, end);
		announce(e, path);
		some = true;
	}
	if (some && goes_on(e) && pins_expect(e->pins, -1) < 0)
		e->is_over = true;
	buf_free(&maps);
}

/* The files stay open until their rules are made: a path may lead to another one by then. */
static int lend_all(struct expect *e, struct user_files *files)
{
	struct buf text = { 0 };
	int ret = e->nr ? kmod_read("file_table", &text) : EXIT_OK;
	size_t i;

	if (e->nr && !ret && user_files_update(files, &text))
		ret = msg_error("the module's file_table is not what this kprof reads");
	for (i = 0; i < e->nr; i++)
		user_files_lend(files, e->item[i].id, e->item[i].fd);
	free(e->item);
	strtab_free(&e->seen);
	buf_free(&text);
	return ret;
}

int expect_files(struct rules *rules, int pins, struct user_files *files, const char *command,
		 const struct opt_list *pids, struct until *until)
{
	struct expect e = {
		.pins = pins, .until = until, .is_over = pins < 0,
		.end_ns = clock_ns(CLOCK_MONOTONIC) + PREPARE_NS,
	};
	int i;

	open_files_raise(NULL);
	if (command)
		announce_command(&e, command);
	for (i = 0; i < pids->nr; i++)
		announce_process(&e, pids->item[i]);
	if (lend_all(&e, files) || rules_prepare(rules, files, until, e.end_ns))
		return EXIT_ERROR;
	return command && until_is_interrupted(until) ?
	       msg_error("interrupted before %s was started", command) : EXIT_OK;
}
