// SPDX-License-Identifier: GPL-2.0-only
/*
 * expect.c - announce to the module the files that will run, before samples are taken in them
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/number.h"
#include "record/expect.h"
#include "record/pins.h"
#include "record/program.h"
#include "user/fetch.h"
#include "user/imports.h"

#define SCRIPTS_MAX	4	/* a script may name a script; the kernel follows as many */
#define FILES_MAX	512	/* of a process */

/* Returns false if there is no point in going on. */
static bool expect_path(int pins, struct user_files *files, const char *path)
{
	struct fetch fetch = { .path = path };
	int fd = fetch_open(&fetch);
	struct stat st;

	if (fd < 0)
		return !fetch.is_silent;
	/* A copy of a file that may not answer is another file, in which nothing runs. */
	if (!fstat(fd, &st) && st.st_dev == fetch.st.st_dev && st.st_ino == fetch.st.st_ino)
		return pins_expect(pins, files, fd);
	close(fd);
	return true;
}

/* --- a command --- */

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
	struct fetch fetch = { .path = path };
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

void expect_command(int pins, struct user_files *files, const char *command)
{
	char *path = program_find(command), *next;
	struct user_imports imports = { 0 };
	bool goes_on = pins >= 0;
	size_t i;

	for (i = 0; path && i < SCRIPTS_MAX; i++) {
		next = program_of_script(path);
		if (!next)
			break;
		free(path);
		path = next;
	}
	if (goes_on && path && user_imports_files(&imports, path)) {
		for (i = 0; i < imports.nr_files && goes_on; i++)
			goes_on = expect_path(pins, files, imports.file[i]);
		if (goes_on)
			pins_expect(pins, files, -1);
	}
	user_imports_free(&imports);
	free(path);
}

/* --- a process --- */

/* A line of /proc/PID/maps, "START-END MODE ... /PATH". False if it is no code of a file. */
static bool parse_code(const char *at, uint64_t *start, uint64_t *end)
{
	return number_take(&at, NUMBER_HEX, start) && *at++ == '-' &&
	       number_take(&at, NUMBER_HEX, end) && *at++ == ' ' && strnlen(at, 4) == 4 &&
	       at[2] == 'x' && strchr(at, '/');
}

static void expect_process(int pins, struct user_files *files, const char *pid)
{
	uint64_t start, end;
	struct buf maps = { 0 };
	const char *at, *line;
	char path[128], copy[256];
	bool goes_on = pins >= 0;
	size_t len, nr = 0;

	snprintf(path, sizeof(path), "/proc/%s/maps", pid);
	if (goes_on)
		buf_read_file(&maps, path);
	for (at = maps.data; goes_on && nr < FILES_MAX && buf_next_line(&at, &line, &len);) {
		snprintf(copy, sizeof(copy), "%.*s", (int)len, line);
		if (!parse_code(copy, &start, &end))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/map_files/%" PRIx64 "-%" PRIx64, pid,
			 start, end);
		goes_on = expect_path(pins, files, path);
		nr++;
	}
	if (goes_on && nr)
		pins_expect(pins, files, -1);
	buf_free(&maps);
}

void expect_processes(int pins, struct user_files *files, const struct opt_list *pids)
{
	int i;

	for (i = 0; i < pids->nr; i++)
		expect_process(pins, files, pids->item[i]);
}
