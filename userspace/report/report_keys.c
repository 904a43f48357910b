// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_keys.c - the keys that the lines of a report are grouped by
 */
#include <inttypes.h>
#include <string.h>

#include "data/cgroups.h"
#include "data/data_fold.h"
#include "data/regions.h"
#include "lib/msg.h"
#include "lib/pid.h"
#include "report/report_keys.h"

const char *const report_key_names[] = {
	"sym", "comm", "pid", "cpu", "source", "context", "module", "region", "cgroup",
	"srcline", NULL
};

/* What perf report calls them. */
static const struct {
	const char *name;
	enum report_key key;
} perf_names[] = {
	{ "symbol", REPORT_SYM }, { "dso", REPORT_MODULE }, { "tid", REPORT_PID },
};

static bool is_name(const char *name, const char *word, size_t len)
{
	return strlen(name) == len && !memcmp(name, word, len);
}

static int find(const char *word, size_t len)
{
	size_t i;

	for (i = 0; report_key_names[i]; i++)
		if (is_name(report_key_names[i], word, len))
			return i;
	for (i = 0; i < sizeof(perf_names) / sizeof(*perf_names); i++)
		if (is_name(perf_names[i].name, word, len))
			return perf_names[i].key;
	return -1;
}

int report_keys_parse(struct report_keys *keys, const char *list, const char *path)
{
	const char *word = list;
	size_t len;
	int key;

	*keys = (struct report_keys){ .nr = 0 };
	for (;; word += len + 1) {
		len = strcspn(word, ",");
		key = find(word, len);
		if (key < 0)
			return msg_usage("--sort: '%.*s' is no key of %s, a recording of stacks: "
					 "give sym, comm, pid, cpu, source, context, module, "
					 "region, cgroup or srcline, or several with commas",
					 (int)len, word, path);
		if (report_keys_have(keys, key))
			return msg_usage("--sort: '%s' has %s twice", list, report_key_names[key]);
		keys->key[keys->nr++] = key;
		if (!word[len])
			return EXIT_OK;
	}
}

void report_keys_add(const struct report_keys *keys, struct buf *out)
{
	size_t i;

	for (i = 0; i < keys->nr; i++)
		buf_printf(out, "%s%s", i ? "," : "", report_key_names[keys->key[i]]);
}

bool report_keys_have(const struct report_keys *keys, enum report_key key)
{
	size_t i;

	for (i = 0; i < keys->nr; i++)
		if (keys->key[i] == key)
			return true;
	return false;
}

bool report_keys_are(const struct report_keys *keys, enum report_key key)
{
	return keys->nr == 1 && keys->key[0] == key;
}

bool report_key_is_of_frames(enum report_key key)
{
	return key == REPORT_SYM || key == REPORT_MODULE || key == REPORT_SRCLINE;
}

bool report_keys_have_frames(const struct report_keys *keys)
{
	size_t i;

	for (i = 0; i < keys->nr; i++)
		if (report_key_is_of_frames(keys->key[i]))
			return true;
	return false;
}

bool report_key_has_module(const struct report_keys *keys, enum report_key key)
{
	return key == (report_keys_have(keys, REPORT_SYM) ? REPORT_SYM : REPORT_SRCLINE);
}

void report_query(struct tally_query *query, const struct report_keys *keys)
{
	query->by_pid = report_keys_have(keys, REPORT_PID);
	query->by_cpu = report_keys_have(keys, REPORT_CPU);
	query->by_context = report_keys_have(keys, REPORT_CONTEXT);
	query->by_region = report_keys_have(keys, REPORT_REGION);
}

const char *report_key_text(const struct data *d, const struct tally_row *row,
			    enum report_key key, struct buf *name)
{
	const char *comm = data_task_name(d, KPROF_KEY_TASK(row->key));
	char pid[PID_TEXT];

	name->len = 0;
	switch (key) {
	case REPORT_COMM:
		return comm;
	case REPORT_SOURCE:
		return data_source_name(d, KPROF_KEY_SOURCE(row->key));
	case REPORT_CONTEXT:
		return tally_contexts[KPROF_INFO_CTX(row->info)];
	case REPORT_REGION:
		return regions_name(d, row->region);
	case REPORT_CGROUP:
		return cgroups_name(d, KPROF_KEY_TASK(row->key));
	case REPORT_PID:
		buf_printf(name, "%s %s", pid_text(row->pid, pid), comm);
		return name->data;
	default:
		buf_printf(name, "CPU %" PRIu32, KPROF_INFO_CPU(row->info));
		return name->data;
	}
}
