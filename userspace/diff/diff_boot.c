// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_boot.c - compare the systems of two measurements, and how the measurements were taken
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "lib/mem.h"

/* A name and its value. Lists of items are compared. */
struct item {
	const char *name, *value;
	bool done;
};

struct items {
	struct item *item;
	size_t nr, room;
};

static void add(struct diff *d, struct items *list, const char *name, size_t name_len,
		const char *value, size_t value_len)
{
	list->item = mem_grow(list->item, &list->room, list->nr + 1, sizeof(*list->item));
	list->item[list->nr++] = (struct item){
		.name = arena_copy(&d->texts, name, name_len),
		.value = arena_copy(&d->texts, value, value_len),
	};
}

/* --- where the items come from --- */

/* Add a line of DATA_META as an item with another name. */
static void add_meta(struct diff *d, enum diff_side side, const char *meta, const char *name,
		     struct items *list)
{
	char *value = data_meta(d->data[side], meta);

	if (*value)
		add(d, list, name, strlen(name), value, strlen(value));
	free(value);
}

static void kernel_items(struct diff *d, enum diff_side side, struct items *list)
{
	add_meta(d, side, "kernel", "release", list);
	add_meta(d, side, "kernel_version", "version", list);
	add_meta(d, side, "machine", "machine", list);
	add_meta(d, side, "possible_cpus", "possible CPUs", list);
}

static void setting_items(struct diff *d, enum diff_side side, struct items *list)
{
	add_meta(d, side, "latency_clock", "clock", list);
	add_meta(d, side, "comm", "comm", list);
	add_meta(d, side, "cpus", "cpus", list);
}

/* "NAME=VALUE", or "NAME" alone. */
static void add_assignment(struct diff *d, struct items *list, const char *text, size_t len)
{
	size_t name = 0;

	while (name < len && text[name] != '=')
		name++;
	if (name == len)
		add(d, list, text, len, "", 0);
	else
		add(d, list, text, name, text + name + 1, len - name - 1);
}

/* Add the parameters of the kernel command line. One with quotes may contain spaces. */
static void cmdline_items(struct diff *d, enum diff_side side, struct items *list)
{
	char *cmdline = data_meta(d->data[side], "cmdline");
	const char *word = cmdline, *end;
	bool quoted = false;

	while (*(word += strspn(word, " "))) {
		for (end = word; *end && (*end != ' ' || quoted); end++)
			quoted ^= *end == '"';
		add_assignment(d, list, word, end - word);
		word = end;
	}
	free(cmdline);
}

typedef void take_line(struct diff *d, struct items *list, const char *line, size_t len);

/* Call @take for each line of a section. */
static void each_line(struct diff *d, enum diff_side side, enum data_section_type type,
		      struct items *list, take_line *take)
{
	const char *line = d->data[side]->text[type].data, *end;

	for (; line && *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		take(d, list, line, end - line);
	}
}

/* Take "CONFIG_X=y". An option that is not set is treated like one that does not exist. */
static void take_config(struct diff *d, struct items *list, const char *line, size_t len)
{
	if (len > 7 && !memcmp(line, "CONFIG_", 7))
		add_assignment(d, list, line, len);
}

static void config_items(struct diff *d, enum diff_side side, struct items *list)
{
	each_line(d, side, DATA_CONFIG, list, take_config);
}

static void take_colon(struct diff *d, struct items *list, const char *line, size_t len)
{
	const char *colon = memmem(line, len, ": ", 2);

	if (colon)
		add(d, list, line, colon - line, colon + 2, line + len - colon - 2);
}

static void mitigation_items(struct diff *d, enum diff_side side, struct items *list)
{
	each_line(d, side, DATA_MITIGATIONS, list, take_colon);
}

/* Take the kinds of probes and their overhead. */
static void take_probe(struct diff *d, struct items *list, const char *line, size_t len)
{
	const char *colon = memmem(line, len, ": ", 2);

	if (colon && ((colon - line > 6 && !memcmp(colon - 6, ".probe", 6)) ||
		      !strncmp(line, "probe.", 6)))
		take_colon(d, list, line, len);
}

static void probe_items(struct diff *d, enum diff_side side, struct items *list)
{
	each_line(d, side, DATA_STATS, list, take_probe);
}

/* --- comparing them --- */

static int by_name(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;
	int order = strcmp(a->name, b->name);

	return order ? order : strcmp(a->value, b->value);
}

static void change(struct diff *d, const char *kind, const struct item *a, const struct item *b)
{
	struct diff_change c = {
		.kind = kind,
		.name = a ? a->name : b->name,
		.value = { a ? a->value : NULL, b ? b->value : NULL },
	};

	d->change = mem_grow(d->change, &d->change_room, d->nr_changes + 1, sizeof(*d->change));
	d->change[d->nr_changes++] = c;
}

static void mark_equal(struct items *a, struct items *b)
{
	size_t i = 0, j = 0;
	int order;

	while (i < a->nr && j < b->nr) {
		order = by_name(&a->item[i], &b->item[j]);
		if (!order) {
			a->item[i].done = true;
			b->item[j].done = true;
		}
		i += order <= 0;
		j += order >= 0;
	}
}

/* The next item that is not the same on the other side; NULL at the end. */
static const struct item *next(const struct items *list, size_t *i)
{
	while (*i < list->nr && list->item[*i].done)
		++*i;
	return *i < list->nr ? &list->item[*i] : NULL;
}

static void compare(struct diff *d, const char *kind, struct items *a, struct items *b)
{
	const struct item *x, *y;
	size_t i = 0, j = 0;
	int order;

	if (a->nr)
		qsort(a->item, a->nr, sizeof(*a->item), by_name);
	if (b->nr)
		qsort(b->item, b->nr, sizeof(*b->item), by_name);
	mark_equal(a, b);
	for (;;) {
		x = next(a, &i);
		y = next(b, &j);
		if (!x && !y)
			return;
		order = !x ? 1 : !y ? -1 : strcmp(x->name, y->name);
		change(d, kind, order <= 0 ? x : NULL, order >= 0 ? y : NULL);
		i += order <= 0;
		j += order >= 0;
	}
}

void diff_boot_make(struct diff *d)
{
	static const struct {
		const char *kind;
		void (*items)(struct diff *d, enum diff_side side, struct items *list);
		enum data_section_type type;	/* section that is needed, but may be missing */
	} kinds[] = {
		{ "kernel", kernel_items, DATA_META },
		{ "cmdline", cmdline_items, DATA_META },
		{ "mitigation", mitigation_items, DATA_MITIGATIONS },
		{ "probe", probe_items, DATA_STATS },
		{ "setting", setting_items, DATA_META },
		{ "config", config_items, DATA_CONFIG },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct item none[] = { { "whole list", "not recorded", false },
					     { "whole list", "recorded", false } };
		struct items list[DIFF_NR_SIDES] = { { 0 } };
		bool there[DIFF_NR_SIDES];
		int side;

		for (side = 0; side < DIFF_NR_SIDES; side++) {
			there[side] = d->data[side]->text[kinds[i].type].len;
			kinds[i].items(d, side, &list[side]);
		}
		if (there[DIFF_A] && there[DIFF_B])
			compare(d, kinds[i].kind, &list[DIFF_A], &list[DIFF_B]);
		else if (there[DIFF_A] != there[DIFF_B])
			change(d, kinds[i].kind, &none[there[DIFF_A]], &none[there[DIFF_B]]);
		free(list[DIFF_A].item);
		free(list[DIFF_B].item);
	}
}
