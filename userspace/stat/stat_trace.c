// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_trace.c - events that are tracepoints, as perf names them: GROUP:NAME
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "stat/stat.h"

/* What is sought: NAME may be a pattern. */
struct sought {
	const char *text, *root, *group, *name;
};

/* The number of a tracepoint. Returns false if there is none of that name. */
static bool read_id(const struct sought *s, const char *name, uint64_t *id)
{
	struct buf path = { 0 }, text = { 0 };
	bool found;

	buf_printf(&path, "%s/%s/%s/id", s->root, s->group, name);
	found = !buf_read_file(&text, path.data) && text.len &&
		text.data[text.len - 1] == '\n';
	if (found) {
		text.data[text.len - 1] = '\0';
		found = number_parse(text.data, NUMBER_DECIMAL, id);
	}
	buf_free(&path);
	buf_free(&text);
	return found;
}

static void add(struct stat_events *events, const struct sought *s, const char *name)
{
	struct stat_event event = { .type = PERF_TYPE_TRACEPOINT, .scale = 1, .kind = "" };
	int len = snprintf(event.name, sizeof(event.name), "%s:%s", s->group, name);

	/* Names in tracefs are the kernel's, and shorter. */
	if (len > 0 && (size_t)len < sizeof(event.name) && read_id(s, name, &event.config[0]))
		stat_events_add(events, &event);
}

static int refuse(const struct sought *s)
{
	struct buf path = { 0 };
	int ret;

	buf_printf(&path, "%s/sched", s->root);
	if (!access(path.data, R_OK | X_OK))
		ret = msg_usage("--event: this kernel has no tracepoint '%s'; %s has a folder for each GROUP:NAME",
				s->text, s->root);
	else if (errno == EACCES)
		ret = msg_error("--event: %s: only root can read %s, which has the tracepoints",
				s->text, s->root);
	else
		ret = msg_error("--event: %s: there are no tracepoints in %s: mount -t tracefs none /sys/kernel/tracing",
				s->text, s->root);
	buf_free(&path);
	return ret;
}

static void add_matching(struct stat_events *events, const struct sought *s)
{
	struct buf path = { 0 };
	struct dirent **entry;
	int nr, i;

	buf_printf(&path, "%s/%s", s->root, s->group);
	nr = scandir(path.data, &entry, NULL, alphasort);
	for (i = 0; i < nr; i++) {
		if (*entry[i]->d_name != '.' && !fnmatch(s->name, entry[i]->d_name, 0))
			add(events, s, entry[i]->d_name);
		free(entry[i]);
	}
	if (nr >= 0)
		free(entry);
	buf_free(&path);
}

static bool is_name(const char *text)
{
	return *text && *text != '.' && !strchr(text, '/');
}

int stat_tracepoints(struct stat_events *events, const char *root, const char *text)
{
	char *group = mem_strdup(text), *name = strchr(group, ':');
	struct sought s = { .text = text, .root = root, .group = group };
	size_t before = events->nr;
	int ret;

	if (name)
		*name++ = '\0';
	s.name = name ? name : "";
	if (is_name(group) && is_name(s.name)) {
		if (strpbrk(s.name, "*?["))
			add_matching(events, &s);
		else
			add(events, &s, s.name);
	}
	ret = events->nr > before ? EXIT_OK : refuse(&s);
	free(group);
	return ret;
}
