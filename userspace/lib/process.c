// SPDX-License-Identifier: GPL-2.0-only
/*
 * process.c - what /proc tells of a process, by its id in the PID namespace of this program
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/process.h"

bool process_proc_is_ours(void)
{
	char link[32], own[32];
	ssize_t len = readlink("/proc/self", link, sizeof(link) - 1);

	if (len <= 0)
		return false;
	link[len] = '\0';
	snprintf(own, sizeof(own), "%d", getpid());
	return !strcmp(link, own);
}

int process_check_proc(void)
{
	if (process_proc_is_ours())
		return EXIT_OK;
	return msg_error("/proc is not that of this PID namespace, and has processes of another one by these ids; 'mount -t proc none /proc' mounts the right one");
}

/* A line "NAME:\tVALUE..." of /proc/PID/status, without its name. */
static bool read_status(uint64_t pid, const char *name, struct buf *value)
{
	struct buf text = { 0 };
	const char *at, *line;
	char path[48];
	size_t len, skip = strlen(name);
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/status", pid);
	if (process_proc_is_ours() && !buf_read_file(&text, path))
		for (at = text.data; !found && buf_next_line(&at, &line, &len);)
			if (len > skip + 1 && !strncmp(line, name, skip) && line[skip] == ':') {
				buf_add(value, line + skip + 1, len - skip - 1);
				found = true;
			}
	buf_free(&text);
	return found;
}

/* The last number of a text of numbers; 0 if there is none. */
static uint64_t last_number(const char *text)
{
	const char *last = strrchr(text, '\t');

	return number_or_0(last ? last + 1 : text);
}

static uint64_t status_number(uint64_t pid, const char *name)
{
	struct buf value = { 0 };
	uint64_t number = read_status(pid, name, &value) ? last_number(value.data) : 0;

	buf_free(&value);
	return number;
}

pid_t process_of_thread(pid_t tid)
{
	return status_number(tid, "Tgid");
}

uint64_t process_own_id(uint64_t pid)
{
	return status_number(pid, "NSpid");
}

const char *process_read_stat(struct buf *text, uint64_t pid)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/stat", pid);
	text->len = 0;
	if (buf_read_file(text, path) || !text->len)
		return NULL;
	return process_skip_fields(strrchr(text->data, ')'), 1);
}

const char *process_skip_fields(const char *at, int nr)
{
	for (; at && nr; nr--) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at;
}
