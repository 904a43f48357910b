// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions.c - the functions of the running kernel: which of them can be targets?
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/input.h"
#include "lib/mem.h"
#include "lib/nearest.h"
#include "lib/number.h"
#include "symbols/functions.h"

#define NEAREST_SHOWN	3

static int by_start(const void *va, const void *vb)
{
	const struct function_range *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Parse "0xSTART-0xEND<TAB>NAME"; END is the first address after the range. */
static bool parse_range(const char *line, struct function_range *range)
{
	const char *p = line + 2;

	if (strncmp(line, "0x", 2) || !number_take(&p, NUMBER_HEX, &range->start) ||
	    strncmp(p, "-0x", 3))
		return false;
	p += 3;
	return number_take(&p, NUMBER_HEX, &range->end);
}

int functions_load_blacklist(struct functions *f, const char *blacklist)
{
	struct buf text = { 0 };
	char *line, *rest = NULL;
	struct function_range range;
	char error[256];

	errno = EINVAL;
	if (input_load(blacklist, &text, error)) {
		buf_free(&text);
		return -1;
	}
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!parse_range(line, &range))
			continue;
		f->range = mem_grow(f->range, &f->range_room, f->nr_ranges + 1, sizeof(*f->range));
		f->range[f->nr_ranges++] = range;
	}
	buf_free(&text);
	if (f->nr_ranges)
		qsort(f->range, f->nr_ranges, sizeof(*f->range), by_start);
	return 0;
}

static bool in_ranges(const struct functions *f, uint64_t addr)
{
	size_t low = 0, high = f->nr_ranges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (f->range[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < f->range[low - 1].end;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* kallsyms also has symbols for padding before functions and for type checksums. */
bool function_is_code(const char *name)
{
	return !begins(name, "__pfx_") && !begins(name, "__cfi_");
}

bool function_is_cold_part(const char *name)
{
	const char *dot = strstr(name, ".cold");

	return dot && (!dot[5] || dot[5] == '.');
}

bool function_matches(const struct symbol *sym, const char *pattern)
{
	const char *colon = strchr(pattern, ':');

	if (colon) {
		if (!sym->module || strlen(sym->module) != (size_t)(colon - pattern) ||
		    strncmp(sym->module, pattern, colon - pattern))
			return false;
		pattern = colon + 1;
	}
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, sym->name, 0);
	return strstr(sym->name, pattern);
}

const char *function_obstacle(const struct functions *f, const struct symbol *sym)
{
	if (function_is_cold_part(sym->name))
		return "no target: the unlikely part of a function, which is not called";
	if (in_ranges(f, sym->start))
		return "no target: the kernel allows no probes there";
	return NULL;
}

bool function_is_variant(const char *name)
{
	return strstr(name, ".isra.") || strstr(name, ".constprop.") || strstr(name, ".part.");
}

const char *function_tracepoint(const char *name)
{
	static const char prefix[] = "__traceiter_";

	return strncmp(name, prefix, sizeof(prefix) - 1) ? NULL : name + sizeof(prefix) - 1;
}

bool function_is_pattern(const char *name)
{
	return strpbrk(name, "*?[");
}

int functions_load(struct functions *f, const char *kallsyms)
{
	return symtab_load_kallsyms(&f->symbols, kallsyms);
}

void functions_free(struct functions *f)
{
	symtab_free(&f->symbols);
	free(f->range);
	*f = (struct functions){ 0 };
}

/* Edit distance of a symbol and a name; INT_MAX: too far. A compiler suffix is ignored. */
static int distance(const struct symbol *sym, const char *name, bool is_tracepoint)
{
	char base[128];

	const char *tracepoint = function_tracepoint(sym->name);

	if (is_tracepoint)
		return tracepoint ? nearest_distance(tracepoint, name) : INT_MAX;
	if (!function_is_code(sym->name) || function_is_cold_part(sym->name) ||
	    (sym->module && !strcmp(sym->module, "kprof")))
		return INT_MAX;
	snprintf(base, sizeof(base), "%.*s", (int)strcspn(sym->name, "."), sym->name);
	return nearest_distance(base, name);
}

static bool is_listed(const struct symbol *const *best, int nr, const struct symbol *sym)
{
	while (nr--)
		if (!strcmp(best[nr]->name, sym->name))
			return true;
	return false;
}

void functions_nearest(const struct functions *f, const char *name, struct buf *names)
{
	const struct symbol *best[NEAREST_SHOWN];
	int far[NEAREST_SHOWN], nr = 0, at, d, i;
	bool is_tracepoint = !strncmp(name, "tp:", 3);
	const char *colon = strchr(name, ':');
	size_t s;

	name = colon ? colon + 1 : name;
	buf_add(names, "", 0);
	for (s = 0; s < f->symbols.nr; s++) {
		const struct symbol *sym = &f->symbols.sym[s];

		d = distance(sym, name, is_tracepoint);
		if (d == INT_MAX || is_listed(best, nr, sym) ||
		    (nr == NEAREST_SHOWN && far[nr - 1] <= d))
			continue;
		nr += nr < NEAREST_SHOWN;
		for (at = nr - 1; at > 0 && far[at - 1] > d; at--) {
			best[at] = best[at - 1];
			far[at] = far[at - 1];
		}
		best[at] = sym;
		far[at] = d;
	}
	/* Only the nearest: one that takes more to get to would lead astray. */
	for (i = 0; i < nr && far[i] == far[0] && is_tracepoint; i++)
		buf_printf(names, "%stp:%s", i ? ", " : "", function_tracepoint(best[i]->name));
	for (i = 0; i < nr && far[i] == far[0] && !is_tracepoint; i++)
		buf_printf(names, "%s%s%s%s", i ? ", " : "", best[i]->module ? best[i]->module : "",
			   best[i]->module ? ":" : "", best[i]->name);
}

bool function_begins_call(const char *name)
{
	static const char *const begins[] = {
		"__x64_sys_", "__ia32_sys_", "__arm64_sys_",
		"__se_sys_", "__do_sys_", "ksys_", "do_sys_", NULL
	};
	int i;

	for (i = 0; begins[i]; i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return false;
}
