// SPDX-License-Identifier: GPL-2.0-only
/*
 * bpftrace_json.c - parse the maps that bpftrace -f json prints, with stacks as keys, into stacks
 */
#include <string.h>

#include "data/bpftrace_json.h"
#include "lib/json_read.h"

static const char begin[] = "{\"type\": \"";

bool bpftrace_json_begins(const char *line, size_t len)
{
	return len > strlen(begin) && !memcmp(line, begin, strlen(begin));
}

bool bpftrace_json_is_next(struct input *in)
{
	return input_begins(in, begin, strlen(begin));
}

/* "\n    vfs_read+1\n    ksys_read+95\n,dd" */
static void add_entry(struct bpftrace_map *m, struct folded *f, const char *map,
		      const struct json_value *value, uint64_t nr)
{
	const char *key = value->name, *end = key + strlen(key), *newline;

	bpftrace_map_begin(m, map, strlen(map), ",", nr);
	m->is_list = end - key > 1 && *key == '[' && end[-1] == ']';
	if (m->is_list) {
		key++;
		end--;
	}
	for (; key <= end; key = newline + 1) {
		newline = memchr(key, '\n', end - key);
		if (!newline)
			newline = end;
		/* The first line has no function; it is empty if the stack is the first key. */
		bpftrace_map_part(m, key, newline - key, key <= value->name + m->is_list);
	}
	bpftrace_map_end(m, f, value->type == JSON_NUMBER ? value->text : "");
}

/* A map; or a single value, or one with other values than counts. */
static void add_map(struct bpftrace_map *m, struct folded *f, const struct json_value *map,
		    uint64_t nr)
{
	const struct json_value *value = NULL;

	if (map->type != JSON_OBJECT) {
		folded_note_odd(&m->no_stack, nr);
		return;
	}
	while ((value = json_next(map, value)))
		add_entry(m, f, map->name, value, nr);
}

static void add_all(struct bpftrace_map *m, struct folded *f, const struct json_value *line,
		    uint64_t nr)
{
	const char *type = json_get_text(line, "type");
	const struct json_value *data = json_get(line, "data"), *map = NULL;
	uint64_t lost;

	if (!data || data->type != JSON_OBJECT)
		return;
	if (!strcmp(type, "map")) {
		while ((map = json_next(data, map)))
			add_map(m, f, map, nr);
	} else if (!strcmp(type, "hist") || !strcmp(type, "lhist") || !strcmp(type, "stats")) {
		folded_note_odd(&m->no_count, nr);
	} else if (!strcmp(type, "lost_events")) {
		if (json_get_u64(data, "events", &lost))
			bpftrace_map_lose(m, lost);
	}
}

bool bpftrace_json_line(struct bpftrace_map *m, struct folded *f, const char *line, size_t len,
			uint64_t nr)
{
	struct json_tree tree = { 0 };
	struct buf text = { 0 };
	char error[256];
	bool is_good;

	buf_add(&text, line, len);
	buf_add(&text, "", 1);
	is_good = !json_tree_read(&tree, text.data, error) && json_get_text(tree.value, "type");
	if (is_good)
		add_all(m, f, tree.value, nr);
	json_tree_free(&tree);
	buf_free(&text);
	return is_good;
}
