// SPDX-License-Identifier: GPL-2.0-only
/*
 * setup.c - change settings of the module, and restore them
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "names/names.h"
#include "record/kmod.h"
#include "record/setup.h"
#include "record/targets.h"

/* Save the contents of a file before it is changed for the first time. */
static int save(struct setup *c, const char *file)
{
	struct buf text = { 0 };
	int i;

	for (i = 0; i < c->nr_saved; i++)
		if (!strcmp(c->saved[i].file, file))
			return EXIT_OK;
	if (c->loaded || c->nr_saved == (int)(sizeof(c->saved) / sizeof(*c->saved)))
		return EXIT_OK;
	if (kmod_read(file, &text)) {
		buf_free(&text);
		return EXIT_ERROR;
	}
	c->saved[c->nr_saved++] = (struct setup_saved){ file, text.data };
	return EXIT_OK;
}

int setup_set(struct setup *c, const char *file, const char *value)
{
	return save(c, file) ? EXIT_ERROR : kmod_write(file, value, 0);
}

int setup_set_number(struct setup *c, const char *file, long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%ld", value);
	return setup_set(c, file, text);
}

int setup_begin(struct setup *c, const char *module, const char *parameters)
{
	*c = (struct setup){ 0 };
	if (!kmod_is_loaded()) {
		if (kmod_load(module, parameters))
			return EXIT_ERROR;
		c->loaded = true;
	}
	return setup_set(c, "enable", "0");
}

/*
 * Write the line of a target. The module that was loaded before may have rows of a target of that
 * name with other keys, which do not mix. Then its profile is emptied, and the user is told.
 */
static int write_line(const char *line, struct buf *why)
{
	int error = kmod_try_write("targets", line, O_APPEND, why);
	static bool is_told;

	if (error != EBUSY || !strstr(why->data, "write to reset first") ||
	    kmod_write("reset", "1", 0))
		return error;
	if (!is_told)
		msg_warn("the profile of the module, which was loaded before, is emptied: it had calls of '%s' with other options",
			 line);
	is_told = true;
	why->len = 0;
	return kmod_try_write("targets", line, O_APPEND, why);
}

/* Write each line separately, so that the module's "error" is about that line. */
static int write_each(char *lines)
{
	char *line, *rest = NULL;
	struct buf why = { 0 };
	int ret = kmod_write("targets", "", O_TRUNC);

	for (line = strtok_r(lines, "\n", &rest); line && !ret; line = strtok_r(NULL, "\n", &rest))
		if (write_line(line, &why))
			ret = msg_error("%s", why.data);
	buf_free(&why);
	return ret;
}

/* Write all lines at once, if the module takes them all. */
static int write_targets(char *lines)
{
	struct buf why = { 0 };
	int ret = kmod_write("targets", "", O_TRUNC);

	if (!ret && *lines && kmod_try_write("targets", lines, O_APPEND, &why))
		ret = write_each(lines);
	buf_free(&why);
	return ret;
}

/* The targets that were left out, with the reason for the first one. */
struct left_out {
	size_t nr;
	struct buf first;
};

static int write_target(const struct target_item *item, struct names *names,
			struct left_out *out)
{
	struct buf why = { 0 }, line = { 0 };
	int error = -names_translate(names, item->line, &line, &why);
	int ret = EXIT_OK;

	if (!error)
		error = write_line(line.data, &why);
	buf_free(&line);
	if (error && item->optional) {
		if (!out->nr++)
			buf_printf(&out->first, "%s", why.data);
	} else if (error) {
		ret = msg_error("%s", why.data);
		if (error == ENOENT)
			targets_suggest(item->line);
	}
	buf_free(&why);
	return ret;
}

/* How many targets the module has. */
static size_t count_targets(void)
{
	struct buf text = { 0 };
	size_t nr = 0, i;

	if (!kmod_read("targets", &text))
		for (i = 0; i < text.len; i++)
			nr += text.data[i] == '\n';
	buf_free(&text);
	return nr;
}

/* The lines of the items from the first one on that can be translated and fit into one write. */
static size_t join_lines(const struct target_item *item, size_t nr, struct names *names,
			 struct buf *lines)
{
	size_t joined;

	for (joined = 0; joined < nr; joined++) {
		struct buf line = { 0 }, why = { 0 };
		bool fits = !names_translate(names, item[joined].line, &line, &why) &&
			    lines->len + line.len + 2 <= KPROF_MAX_WRITE;

		if (fits)
			buf_printf(lines, "%s%s", joined ? "\n" : "", line.data);
		buf_free(&line);
		buf_free(&why);
		if (!fits)
			break;
	}
	return joined;
}

/*
 * Write many lines at once, since the module reads all symbols of the kernel for each write. It
 * takes the lines in front of the first one that it refuses. Returns how many lines it has taken.
 * The caller writes the next one alone, and so learns why the module refuses it.
 */
static size_t write_many(const struct target_item *item, size_t nr, struct names *names)
{
	struct buf lines = { 0 }, why = { 0 };
	size_t joined = join_lines(item, nr, names, &lines), before, taken;

	if (joined < 2) {
		joined = 0;
	} else {
		before = count_targets();
		if (kmod_try_write("targets", lines.data, O_APPEND, &why)) {
			taken = count_targets() - before;
			joined = taken < joined ? taken : joined - 1;
		}
	}
	buf_free(&lines);
	buf_free(&why);
	return joined;
}

static int write_list(const struct target_list *list)
{
	struct left_out out = { 0 };
	struct names names = { 0 };
	int ret = kmod_write("targets", "", O_TRUNC);
	size_t i;

	for (i = 0; i < list->nr && !ret; i++) {
		i += write_many(&list->item[i], list->nr - i, &names);
		if (i < list->nr)
			ret = write_target(&list->item[i], &names, &out);
	}
	names_free(&names);
	if (!ret && out.nr && out.nr == list->nr)
		ret = msg_error("none of %zu function%s can be watched; the first: %s", out.nr,
				plural(out.nr), out.first.data);
	else if (!ret && out.nr)
		msg_warn("left out: %zu of %zu functions, which cannot be watched; the first: %s",
			 out.nr, list->nr, out.first.data);
	buf_free(&out.first);
	return ret;
}

/* Has a target the key "ustack", for which the module has to take user stacks? */
static bool wants_user_stacks(const struct target_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (strstr(list->item[i].line, "ustack"))
			return true;
	return false;
}

int setup_set_targets(struct setup *c, const char *const *target, int nr,
		      bool skip_missing)
{
	struct target_list list;
	int ret = targets_expand(&list, target, nr, skip_missing);

	if (!ret && wants_user_stacks(&list))
		ret = setup_set(c, "stacks", "both");
	if (!ret)
		ret = save(c, "targets");
	if (!ret)
		ret = write_list(&list);
	targets_free(&list);
	return ret;
}

static int restore(const struct setup_saved *saved)
{
	size_t len = strlen(saved->value);

	if (len && saved->value[len - 1] == '\n')
		saved->value[len - 1] = '\0';
	if (!strcmp(saved->file, "targets"))
		return write_targets(saved->value);
	return kmod_write(saved->file, saved->value, 0);
}

int setup_end(struct setup *c)
{
	int ret = EXIT_OK;

	if (c->loaded)
		return kmod_unload();
	/* Restore in reverse order, so that "enable", which was changed first, comes last. */
	if (c->nr_saved && kmod_write("enable", "0", 0))
		ret = EXIT_ERROR;
	while (c->nr_saved) {
		struct setup_saved *saved = &c->saved[--c->nr_saved];

		if (restore(saved))
			ret = EXIT_ERROR;
		free(saved->value);
	}
	return ret;
}
