// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff_function.c - find out why a function has calls in only one measurement
 *
 * This is decided from the lists of function names of both kernels. A global
 * function (T, W) keeps its symbol even if calls are inlined; so without a
 * symbol, the kernel does not have it. A static function (t) without a symbol
 * was inlined if the source is of the same version.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/diff.h"
#include "lib/mem.h"
#include "lib/scan.h"
#include "lib/strtab.h"

const char *const diff_reason_names[] = {
	[DIFF_NOT_CALLED] = "not called", [DIFF_NOT_WATCHED] = "not watched",
	[DIFF_RENAMED] = "renamed", [DIFF_PARTLY_INLINED] = "inlined in part",
	[DIFF_INLINED] = "inlined", [DIFF_INLINED_OR_MISSING] = "inlined or missing",
	[DIFF_MISSING] = "missing", [DIFF_NO_MODULE] = "missing with its module",
	[DIFF_UNKNOWN] = "unknown",
};

/* The function name in a target: "name" in "module:name+0x12". */
static const char *function_of(const char *target, size_t *len)
{
	const char *colon = strchr(target, ':'), *name = colon ? colon + 1 : target;

	*len = strcspn(name, "+");
	return name;
}

/* A parsed line of DATA_FUNCTIONS. */
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

/* Does @name consist of the first @len bytes of @base and this compiler suffix? */
static bool has_suffix(const char *name, size_t name_len, const char *base, size_t len,
		       const char *suffix)
{
	return name_len > len && !memcmp(name, base, len) &&
	       scan_begins(name + len, name_len - len, suffix);
}

static bool is_clone(const char *name, size_t name_len, const char *base, size_t len)
{
	return has_suffix(name, name_len, base, len, ".isra.") ||
	       has_suffix(name, name_len, base, len, ".constprop.");
}

/* Maps texts to numbers. If a text is added twice, the first or the last number is kept. */
struct index {
	struct strtab names;
	uint32_t *value;
	size_t room;
};

static void index_add(struct index *x, const char *text, size_t len, uint32_t value, bool last)
{
	uint32_t nr = x->names.nr, i = strtab_add(&x->names, text, len);

	x->value = mem_grow(x->value, &x->room, i + 1ul, sizeof(*x->value));
	if (i == nr || last)
		x->value[i] = value;
}

/* Returns STRTAB_NONE if the text is not in the index. */
static uint32_t index_find(const struct index *x, const char *text, size_t len)
{
	uint32_t i = strtab_find(&x->names, text, len);

	return i == STRTAB_NONE ? i : x->value[i];
}

static void index_free(struct index *x)
{
	strtab_free(&x->names);
	free(x->value);
}

/* Indexes of one side, so that no list has to be searched for each function. */
struct side {
	struct function *function;	/* lines of DATA_FUNCTIONS */
	size_t nr, room;
	struct index by_name, clones, parts, modules;	/* clones and parts by base name */
	struct index watched, called, known;
	struct index plain_called, clone_called;	/* by base name: the first row */
};

static void index_functions(struct side *x, const struct data *d)
{
	const char *line = d->text[DATA_FUNCTIONS].data, *dot, *part;
	struct function f;
	size_t len;

	for (; next_function(&line, &f); x->nr++) {
		x->function = mem_grow(x->function, &x->room, x->nr + 1, sizeof(*x->function));
		x->function[x->nr] = f;
		index_add(&x->by_name, f.name, f.name_len, x->nr, true);
		dot = memchr(f.name, '.', f.name_len);
		len = dot ? (size_t)(dot - f.name) : f.name_len;
		if (is_clone(f.name, f.name_len, f.name, len))
			index_add(&x->clones, f.name, len, x->nr, true);
		part = memmem(f.name, f.name_len, ".part.", 6);
		if (part)
			index_add(&x->parts, f.name, part - f.name, x->nr, true);
		if (f.module)
			index_add(&x->modules, f.module, f.module_len, x->nr, true);
	}
}

static void index_side(struct side *x, const struct data *d, const struct lat_table *t)
{
	const char *at = d->text[DATA_TARGETS].data, *line;
	size_t len, i;

	index_functions(x, d);
	while (buf_next_line(&at, &line, &len)) {
		for (i = 0; i < len && line[i] != ' ' && line[i] != '\t'; i++)
			;
		index_add(&x->watched, line, i, 0, true);
	}
	for (i = 0; i < t->nr; i++) {
		const char *target = t->row[i].target;

		if (!t->row[i].calls)
			continue;
		len = strcspn(target, ".");
		index_add(&x->called, target, strlen(target), i, false);
		if (!target[len])
			index_add(&x->plain_called, target, len, i, false);
		else if (is_clone(target, strlen(target), target, len))
			index_add(&x->clone_called, target, len, i, false);
	}
}

static void side_free(struct side *x)
{
	struct index *const all[] = {
		&x->by_name, &x->clones, &x->parts, &x->modules, &x->watched, &x->called,
		&x->known, &x->plain_called, &x->clone_called,
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		index_free(all[i]);
	free(x->function);
}

/* What a list of functions has for one name; NULL: not in the list. */
struct finding {
	const struct function *itself, *clone, *part;
};

static const struct function *function_at(const struct side *x, uint32_t i)
{
	return i == STRTAB_NONE ? NULL : &x->function[i];
}

static struct finding look_up(const struct side *x, const char *target)
{
	size_t len;
	const char *name = function_of(target, &len);

	return (struct finding){
		.itself = function_at(x, index_find(&x->by_name, name, len)),
		.clone = function_at(x, index_find(&x->clones, name, strcspn(name, ".+"))),
		.part = function_at(x, index_find(&x->parts, name, len)),
	};
}

/* Are the first two numbers of both releases equal? Then the sources are nearly the same. */
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

static bool has(const struct index *x, const char *text)
{
	return index_find(x, text, strlen(text)) != STRTAB_NONE;
}

static enum diff_reason reason_of(const struct diff *d, const struct side sides[DIFF_NR_SIDES],
				  const char *target, enum diff_side side,
				  const struct finding *here)
{
	const struct function *there = look_up(&sides[!side], target).itself;

	if (has(&sides[side].watched, target))
		return DIFF_NOT_CALLED;
	if (!d->data[side]->text[DATA_FUNCTIONS].len)
		return DIFF_UNKNOWN;
	if (here->itself)
		return DIFF_NOT_WATCHED;
	if (here->clone)
		return DIFF_RENAMED;
	if (here->part)
		return DIFF_PARTLY_INLINED;
	if (there && there->module &&
	    index_find(&sides[side].modules, there->module, there->module_len) == STRTAB_NONE)
		return DIFF_NO_MODULE;
	if (there && (there->type == 'T' || there->type == 'W'))
		return DIFF_MISSING;
	return there && same_source(d) ? DIFF_INLINED : DIFF_INLINED_OR_MISSING;
}

/* A target of the other side that is the same function under another name, or NULL. */
static const char *measured_twin(const struct lat_table *t, const struct side *x,
				 const char *target)
{
	size_t len = strcspn(target, ".");
	bool clone = is_clone(target, strlen(target), target, len);
	uint32_t row = STRTAB_NONE, other;

	if (clone)
		row = index_find(&x->plain_called, target, len);
	if (clone || !target[len]) {
		other = index_find(&x->clone_called, target, len);
		row = other < row ? other : row;
	}
	return row == STRTAB_NONE ? NULL : t->row[row].target;
}

static void add(struct diff *d, struct side sides[DIFF_NR_SIDES], const char *target,
		enum diff_side side)
{
	struct finding here = look_up(&sides[side], target);
	struct diff_absence a = { .target = target, .side = side };

	a.twin = measured_twin(&d->table[side], &sides[side], target);
	a.reason = a.twin ? DIFF_RENAMED : reason_of(d, sides, target, side, &here);
	if (!a.twin && a.reason == DIFF_RENAMED)
		a.twin = arena_copy(&d->texts, here.clone->name, here.clone->name_len);
	if (a.reason == DIFF_PARTLY_INLINED)
		a.twin = arena_copy(&d->texts, here.part->name, here.part->name_len);
	d->absence = mem_grow(d->absence, &d->absence_room, d->nr_absences + 1,
			      sizeof(*d->absence));
	d->absence[d->nr_absences++] = a;
	/* Already reported, for this side or as the twin of a function of the other side. */
	index_add(&sides[side].known, target, strlen(target), 0, true);
	if (a.twin)
		index_add(&sides[!side].known, a.twin, strlen(a.twin), 0, true);
}

void diff_absences_make(struct diff *d)
{
	struct side sides[DIFF_NR_SIDES] = { { .nr = 0 } };
	int side;
	size_t i;

	for (side = 0; side < DIFF_NR_SIDES; side++)
		index_side(&sides[side], d->data[side], &d->table[side]);
	for (side = DIFF_NR_SIDES - 1; side >= 0; side--) {
		const struct lat_table *other = &d->table[!side];

		for (i = 0; i < other->nr; i++) {
			const char *target = other->row[i].target;

			if (other->row[i].calls && !has(&sides[side].known, target) &&
			    !has(&sides[side].called, target))
				add(d, sides, target, side);
		}
	}
	for (side = 0; side < DIFF_NR_SIDES; side++)
		side_free(&sides[side]);
}
