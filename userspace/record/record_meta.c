// SPDX-License-Identifier: GPL-2.0-only
/*
 * record_meta.c - the metadata of a recording: machine, settings and command
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/own_time.h"
#include "record/kmod.h"
#include "record/record_meta.h"

uint64_t record_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Add the first line of a file, if there is one. */
static void add_line(struct buf *meta, const char *name, const char *path)
{
	struct buf text = { 0 };

	if (!buf_read_file(&text, path) && text.len) {
		text.data[strcspn(text.data, "\n")] = '\0';
		buf_printf(meta, "%s: %s\n", name, text.data);
	}
	buf_free(&text);
}

static void add_setting(struct buf *meta, const char *name, const char *file)
{
	char *path = kmod_path(file);

	add_line(meta, name, path);
	free(path);
}

/* The PID namespace that ids of threads are of: that of whoever starts sampling. */
static void add_namespace(struct buf *meta)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st))
		buf_printf(meta, "pid_namespace: %" PRIu64 "\n", (uint64_t)st.st_ino);
}

static void add_settings(struct buf *meta)
{
	static const char *const files[] = {
		"event", "freq", "period", "pid", "comm", "cpus", "idle", "stacks", "depth", "ring_kb",
		"max_stacks", "maxactive", "record", NULL
	};
	int i;

	for (i = 0; files[i]; i++)
		add_setting(meta, files[i], files[i]);
	/* Not "clock": that is the clock of the records. */
	add_setting(meta, "latency_clock", "clock");
}

/* Add the command on one line, whatever characters it has. */
static void add_command(struct buf *meta, char **command)
{
	size_t start;

	if (!*command)
		return;
	buf_printf(meta, "command:");
	for (start = meta->len; *command; command++)
		buf_printf(meta, " %s", *command);
	for (; start < meta->len; start++)
		if (meta->data[start] == '\n')
			meta->data[start] = ' ';
	buf_printf(meta, "\n");
}

static uint64_t own_began;	/* own_time_ns() when the recording began */

/* The last line of a name counts: this may be added again. */
void record_meta_started(struct buf *meta)
{
	own_began = own_time_ns();
	buf_printf(meta, "start_ns: %" PRIu64 "\n", record_now_ns());
}

/* The host name is left out, because recordings are shared with others. */
void record_meta_begin(struct buf *meta, int possible_cpus, char **command)
{
	struct utsname uts;
	char when[64];
	time_t now = time(NULL);

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	buf_printf(meta, "kprof: %s\ntime: %s\nclock: CLOCK_MONOTONIC\n", KPROF_VERSION, when);
	record_meta_started(meta);
	if (!uname(&uts))
		buf_printf(meta, "kernel: %s\nkernel_version: %s\nmachine: %s\n", uts.release,
			   uts.version, uts.machine);
	add_line(meta, "cmdline", "/proc/cmdline");
	buf_printf(meta, "possible_cpus: %d\n", possible_cpus);
	add_namespace(meta);
	add_settings(meta);
	add_command(meta, command);
}

void record_meta_end(struct buf *meta, uint64_t end)
{
	buf_printf(meta, "end_ns: %" PRIu64 "\nown_cpu_ns: %" PRIu64 "\n", end,
		   own_time_ns() - own_began);
}
