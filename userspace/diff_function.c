// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_function.c - why a function has calls in one measurement only
 *
 * The lists of names of both kernels tell. A function that other files can call
 * (T, W) keeps its symbol whatever is inlined, so without it, it is missing. One
 * of its file alone (t) that is in the same version's source was inlined.
 */
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "mem.h"

const char *const diff_reason_names[] = {
	[DIFF_NOT_CALLED] = "not called", [DIFF_NOT_WATCHED] = "not watched",
	[DIFF_RENAMED] = "renamed", [DIFF_PARTLY_INLINED] = "inlined in part",
	[DIFF_INLINED] = "inlined", [DIFF_INLINED_OR_MISSING] = "inlined or missing",
	[DIFF_MISSING] = "missing", [DIFF_NO_MODULE] = "missing with its module",
	[DIFF_UNKNOWN] = "unknown",
};

/* "module:name+0x12" names the function "name". */
static const char *function_of(const char *target, size_t *len)
{
	const char *colon = strchr(target, ':'), *name = colon ? colon + 1 : target;

	*len = strcspn(name, "+");
	return name;
}

/* A line of DATA_FUNCTIONS, in its parts. */
struct function {
	char type;
	const char *name, *module;	/* the module with brackets, or NULL */
	size_t name_len, module_len;
};

static bool next_function(const char **line, struct function *f)
{
	const char *end, *space;

	for (; *line && **line; *line = *end ? end + 1 : end) {
		end = *line + strcspn(*line, "\n");
		if (end - *line < 3 || (*line)[1] != ' ')
			continue;
		*f = (struct function){ .type = **line, .name = *line + 2 };
		space = memchr(f->name, ' ', end - f->name);
		f->name_len = (space ? space : end) - f->name;
		if (space) {
			f->module = space + 1;
			f->module_len = end - f->module;
		}
		*line = *end ? end + 1 : end;
		return true;
	}
	return false;
}

static bool begins(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

/* Has @name this suffix of the compiler's behind @len bytes that are the same? */
static bool has_suffix(const char *name, size_t name_len, const char *base, size_t len,
		       const char *suffix)
{
	return name_len > len && !memcmp(name, base, len) &&
	       begins(name + len, name_len - len, suffix);
}

static bool is_clone(const char *name, size_t name_len, const char *base, size_t len)
{
	return has_suffix(name, name_len, base, len, ".isra.") ||
	       has_suffix(name, name_len, base, len, ".constprop.");
}

bool diff_is_twin(const char *a, const char *b)
{
	size_t base = strcspn(a, ".");

	if (strlen(b) < base || memcmp(a, b, base))
		return false;
	if (!b[base])
		return is_clone(a, strlen(a), b, base);
	return is_clone(b, strlen(b), a, base) && (!a[base] || is_clone(a, strlen(a), b, base));
}

/* What a list of functions says about one name. */
struct finding {
	bool there;
	char type;
	const char *module, *clone, *part;	/* in the list; NULL: there is none */
	size_t module_len, clone_len, part_len;
};

static struct finding look_up(const struct data *d, const char *target)
{
	const char *line = d->text[DATA_FUNCTIONS].data, *name;
	struct finding found = { 0 };
	struct function f;
	size_t len;

	name = function_of(target, &len);
	while (next_function(&line, &f)) {
		if (f.name_len == len && !memcmp(f.name, name, len)) {
			found.there = true;
			found.type = f.type;
			found.module = f.module;
			found.module_len = f.module_len;
		} else if (is_clone(f.name, f.name_len, name, strcspn(name, ".+"))) {
			found.clone = f.name;
			found.clone_len = f.name_len;
		} else if (has_suffix(f.name, f.name_len, name, len, ".part.")) {
			found.part = f.name;
			found.part_len = f.name_len;
		}
	}
	return found;
}

static bool has_module(const struct data *d, const char *module, size_t len)
{
	const char *line = d->text[DATA_FUNCTIONS].data;
	struct function f;

	while (next_function(&line, &f))
		if (f.module && f.module_len == len && !memcmp(f.module, module, len))
			return true;
	return false;
}

/* The first two numbers of both releases are the same: so are, nearly, the sources. */
static bool same_source(const struct diff *d)
{
	char *a = data_meta(d->data[DIFF_A], "kernel"), *b = data_meta(d->data[DIFF_B], "kernel");
	size_t len = strcspn(a, ".");
	bool same;

	len += a[len] ? 1 + strspn(a + len + 1, "0123456789") : 0;
	same = len && !strncmp(a, b, len) && !strchr("0123456789", b[len] ? b[len] : '-');
	free(a);
	free(b);
	return same;
}

static bool is_watched(const struct data *d, const char *target)
{
	const char *line = d->text[DATA_TARGETS].data, *end;
	size_t len = strlen(target);

	for (; line && *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (!strncmp(line, target, len) && strchr(" \t\n", line[len]))
			return true;
	}
	return false;
}

static enum diff_reason reason_of(const struct diff *d, const char *target, enum diff_side side,
				  const struct finding *here)
{
	const struct data *data = d->data[side];
	struct finding there = look_up(d->data[!side], target);

	if (is_watched(data, target))
		return DIFF_NOT_CALLED;
	if (!data->text[DATA_FUNCTIONS].len)
		return DIFF_UNKNOWN;
	if (here->there)
		return DIFF_NOT_WATCHED;
	if (here->clone)
		return DIFF_RENAMED;
	if (here->part)
		return DIFF_PARTLY_INLINED;
	if (there.module && !has_module(data, there.module, there.module_len))
		return DIFF_NO_MODULE;
	if (there.type == 'T' || there.type == 'W')
		return DIFF_MISSING;
	return there.type && same_source(d) ? DIFF_INLINED : DIFF_INLINED_OR_MISSING;
}

/* A target of that side that is this function under another name, or NULL. */
static const char *measured_twin(const struct lat_table *t, const char *target)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->row[i].calls && diff_is_twin(target, t->row[i].target))
			return t->row[i].target;
	return NULL;
}

static void add(struct diff *d, const char *target, enum diff_side side)
{
	struct finding here = look_up(d->data[side], target);
	struct diff_absence a = { .target = target, .side = side };

	a.twin = measured_twin(&d->table[side], target);
	a.reason = a.twin ? DIFF_RENAMED : reason_of(d, target, side, &here);
	if (!a.twin && a.reason == DIFF_RENAMED)
		a.twin = arena_copy(&d->texts, here.clone, here.clone_len);
	if (a.reason == DIFF_PARTLY_INLINED)
		a.twin = arena_copy(&d->texts, here.part, here.part_len);
	d->absence = mem_grow(d->absence, &d->absence_room, d->nr_absences + 1,
			      sizeof(*d->absence));
	d->absence[d->nr_absences++] = a;
}

static bool has_calls(const struct lat_table *t, const char *target)
{
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (t->row[i].calls && !strcmp(t->row[i].target, target))
			return true;
	return false;
}

/* Told already, of this side or as the twin of one of the other side. */
static bool is_known(const struct diff *d, const char *target, enum diff_side side)
{
	size_t i;

	for (i = 0; i < d->nr_absences; i++) {
		const struct diff_absence *a = &d->absence[i];
		const char *name = a->side == side ? a->target : a->twin;

		if (name && !strcmp(name, target))
			return true;
	}
	return false;
}

void diff_absences_make(struct diff *d)
{
	int side;
	size_t i;

	for (side = DIFF_NR_SIDES - 1; side >= 0; side--) {
		const struct lat_table *other = &d->table[!side];

		for (i = 0; i < other->nr; i++) {
			const char *target = other->row[i].target;

			if (other->row[i].calls && !is_known(d, target, side) &&
			    !has_calls(&d->table[side], target))
				add(d, target, side);
		}
	}
}
