// SPDX-License-Identifier: GPL-2.0-only
/*
 * targets.c - check the targets to watch, and expand patterns to functions
 *
 * The module takes only names: it cannot walk the kernel's symbol table.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "record/targets.h"
#include "symbols/functions.h"
#include "symbols/named.h"

static void add(struct target_list *list, const char *line, const char *pattern, bool optional)
{
	size_t i;

	for (i = 0; pattern && i < list->nr; i++)
		if (!strcmp(list->item[i].line, line))
			return;
	list->item = mem_grow(list->item, &list->room, list->nr + 1, sizeof(*list->item));
	list->item[list->nr++] = (struct target_item){
		.line = arena_copy(&list->texts, line, strlen(line)), .optional = optional,
		.pattern = pattern ? arena_copy(&list->texts, pattern, strlen(pattern)) : NULL,
	};
}

/*
 * Is a part of a key missing because of the shell? It expands $arg2 without single quotes, and
 * takes the ">" of "next->pid" as a redirection.
 */
static bool is_cut_by_shell(const char *options)
{
	static const char *const holes[] = {
		"by= ", "by=,", "by=:", "if= ", "if==", "if=>", "if=<", "if=!", "if=&", ",,", ",:",
		"()", "(,", ",>", ",=", ",<", ",!", NULL
	};
	size_t len = strlen(options);
	const char *last = options + len;
	int i;

	while (last > options && last[-1] != ' ')
		last--;
	/* A value that a condition compares with may end with "-", and so may a name. */
	if (len && options[len - 1] == '-' &&
	    (!strncmp(last, "by=", 3) || (!strncmp(last, "if=", 3) && !strpbrk(last + 3, "=<>!&"))))
		return true;
	for (i = 0; holes[i]; i++)
		if (strstr(options, holes[i]))
			return true;
	return len && (options[len - 1] == ',' ||
		       (len >= 3 && (!strcmp(options + len - 3, "by=") ||
				     !strcmp(options + len - 3, "if="))));
}

static int check(const char *given)
{
	const char *options = strpbrk(given, " \t");

	if (options && is_cut_by_shell(options))
		return msg_usage("'%s': a key is missing: did the shell expand $arg2 or the like, or "
				 "redirect by ->? Put it in single quotes: 'by=$arg2'", given);
	return EXIT_OK;
}

/* What is given, and what of its patterns cannot be watched. */
struct expansion {
	const char *const *given;
	int nr_given;
	size_t obstacles;
	struct buf patterns;	/* "'vfs_*', 'ext4:*'" */
};

/* Is the function given by its name, too? With a name of its own (as=) it can be there twice. */
static bool is_given(const struct expansion *e, const struct symbol *sym)
{
	int i;

	for (i = 0; i < e->nr_given; i++) {
		size_t len = strcspn(e->given[i], " \t");
		char name[256];

		snprintf(name, sizeof(name), "%.*s", (int)len, e->given[i]);
		if (!strstr(e->given[i] + len, " as=") && named_is(sym, name))
			return true;
	}
	return false;
}

/* If several names of one address match, take the first one. Returns how many match. */
static size_t add_matches(struct target_list *list, const struct functions *f,
			  const struct expansion *e, const char *pattern, const char *options,
			  size_t *obstacles)
{
	const struct symbol *last = NULL;
	size_t i, nr = 0;

	*obstacles = 0;
	for (i = 0; i < f->symbols.nr; i++) {
		const struct symbol *sym = &f->symbols.sym[i];
		struct buf line = { 0 };

		if (!function_is_code(sym->name) || !function_matches(sym, pattern) ||
		    (last && last->start == sym->start))
			continue;
		/* Do not profile kprof itself. */
		if (function_obstacle(f, sym) || (sym->module && !strcmp(sym->module, "kprof"))) {
			++*obstacles;
			continue;
		}
		last = sym;
		if (++nr <= TARGETS_MAX && !is_given(e, sym)) {
			buf_printf(&line, "%s%s%s%s", sym->module ? sym->module : "",
				   sym->module ? ":" : "", sym->name, options);
			add(list, line.data, pattern, true);
			buf_free(&line);
		}
	}
	return nr;
}

static int expand(struct target_list *list, const struct functions *f, const char *given,
		  struct expansion *all)
{
	size_t len = strcspn(given, " \t"), nr, obstacles;
	struct buf pattern = { 0 };
	int ret = EXIT_OK;

	buf_printf(&pattern, "%.*s", (int)len, given);
	nr = add_matches(list, f, all, pattern.data, given + len, &obstacles);
	if (!nr && obstacles)
		ret = msg_error("'%s' matches %zu function%s, none of which can be watched; 'kprof "
				"list --long' says why", pattern.data, obstacles,
				plural(obstacles));
	else if (!nr)
		ret = msg_error("no function matches '%s'", pattern.data);
	else if (nr > TARGETS_MAX)
		ret = msg_error("'%s' matches %zu functions, and at most %d can be watched by one "
				"pattern: give a narrower one", pattern.data, nr, TARGETS_MAX);
	else if (obstacles)
		buf_printf(&all->patterns, "%s'%s'", all->obstacles ? ", " : "", pattern.data);
	all->obstacles += obstacles;
	buf_free(&pattern);
	return ret;
}

static void add_user(void *list, const char *line, bool is_match)
{
	add(list, line, is_match ? line : NULL, is_match);
}

int targets_check(const char *const *given, int nr)
{
	int i, ret = EXIT_OK;

	for (i = 0; i < nr && !ret; i++)
		ret = check(given[i]);
	return ret;
}

static bool is_pattern(const char *given)
{
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(given, " \t"), given);
	return function_is_pattern(name);
}

static int load(struct functions *f)
{
	if (functions_load(f, FUNCTIONS_KALLSYMS))
		return msg_error("cannot read " FUNCTIONS_KALLSYMS ", to find what patterns match: %s",
				 strerror(errno));
	/* If this fails, the module refuses the functions that cannot be probed, one by one. */
	functions_load_blacklist(f, FUNCTIONS_BLACKLIST);
	return EXIT_OK;
}

int targets_expand(struct target_list *list, const char *const *given, int nr,
		   bool skip_missing)
{
	struct expansion all = { .given = given, .nr_given = nr };
	struct functions f = { 0 };
	int i, ret = EXIT_OK;

	*list = (struct target_list){ 0 };
	for (i = 0; i < nr && !ret; i++) {
		if (user_target_is(given[i])) {
			ret = user_target_translate(given[i], add_user, list);
			continue;
		}
		if (is_pattern(given[i]) && !f.symbols.nr)
			ret = load(&f);
		if (ret)
			break;
		if (is_pattern(given[i]))
			ret = expand(list, &f, given[i], &all);
		else
			add(list, given[i], NULL, skip_missing);
	}
	if (!ret && all.obstacles)
		msg_warn("%s: %zu function%s left out that cannot be watched; 'kprof list --long' "
			 "says why", all.patterns.data, all.obstacles, plural(all.obstacles));
	buf_free(&all.patterns);
	functions_free(&f);
	return ret;
}

void targets_free(struct target_list *list)
{
	free(list->item);
	arena_free(&list->texts);
	*list = (struct target_list){ 0 };
}

void targets_suggest(const char *line)
{
	struct functions f = { 0 };
	struct buf names = { 0 };
	char name[256];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " \t+"), line);
	if (!functions_load(&f, FUNCTIONS_KALLSYMS))
		functions_nearest(&f, name, &names);
	if (names.len)
		msg_warn("close to '%s': %s", name, names.data);
	buf_free(&names);
	functions_free(&f);
}
