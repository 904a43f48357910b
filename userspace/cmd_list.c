// SPDX-License-Identifier: GPL-2.0-only
/*
 * cmd_list.c - kprof list: what can be a target
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "msg.h"
#include "symbols.h"
#include "verbs.h"

static bool modules, blacklisted;
static const char *kallsyms = "/proc/kallsyms";
static const char *blacklist = "/sys/kernel/debug/kprobes/blacklist";

static const struct opt opts[] = {
	{ .letter = 'm', .name = "modules", .type = OPT_FLAG, .value = &modules,
	  .help = "only functions of loaded modules" },
	{ .letter = 'b', .name = "blacklisted", .type = OPT_FLAG, .value = &blacklisted,
	  .help = "only functions that cannot be a target" },
	{ .name = "kallsyms", .type = OPT_STRING, .value = &kallsyms, .arg = "FILE",
	  .help = "the functions; default /proc/kallsyms" },
	{ .name = "blacklist", .type = OPT_STRING, .value = &blacklist, .arg = "FILE",
	  .help = "address ranges without probes; default\n/sys/kernel/debug/kprobes/blacklist" },
	{ 0 }
};

struct range {
	uint64_t start, end;
};

struct ranges {
	struct range *range;
	size_t nr, room;
};

static int by_start(const void *va, const void *vb)
{
	const struct range *a = va, *b = vb;

	return a->start < b->start ? -1 : a->start > b->start;
}

/* Lines "0xSTART-0xEND<TAB>NAME"; the end is the first address beyond. */
static int load_ranges(struct ranges *r, const char *path)
{
	struct buf text = { 0 };
	char *line, *rest = NULL;
	struct range range;

	if (buf_read_file(&text, path)) {
		buf_free(&text);
		return -1;
	}
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &range.start, &range.end) != 2)
			continue;
		r->range = mem_grow(r->range, &r->room, r->nr + 1, sizeof(*r->range));
		r->range[r->nr++] = range;
	}
	buf_free(&text);
	if (r->nr)
		qsort(r->range, r->nr, sizeof(*r->range), by_start);
	return 0;
}

static bool in_ranges(const struct ranges *r, uint64_t addr)
{
	size_t low = 0, high = r->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->range[mid].start <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low && addr < r->range[low - 1].end;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Padding before functions and checksums of types are symbols, but no code. */
static bool is_function(const char *name)
{
	return !begins(name, "__pfx_") && !begins(name, "__cfi_");
}

static bool is_cold_part(const char *name)
{
	const char *dot = strstr(name, ".cold");

	return dot && (!dot[5] || dot[5] == '.');
}

static bool matches(const struct symbol *sym, const char *pattern)
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

/* Why it cannot be a target, or NULL. */
static const char *obstacle(const struct symbol *sym, const struct ranges *ranges)
{
	if (is_cold_part(sym->name))
		return "no target: the unlikely part of a function, which is not called";
	if (in_ranges(ranges, sym->start))
		return "no target: the kernel allows no probes there";
	return NULL;
}

static void print_note(const struct symbol *sym)
{
	static const char *const renamed[] = { ".isra.", ".constprop.", ".part.", NULL };
	int i;

	for (i = 0; renamed[i]; i++) {
		const char *dot = strstr(sym->name, renamed[i]);

		if (!dot)
			continue;
		printf("\tthe compiler's variant of %.*s", (int)strcspn(sym->name, "."),
		       sym->name);
		break;
	}
}

/* Which of the functions of its name a symbol is, and how many there are. */
struct rank {
	size_t symbol, number, count;
};

static const struct symbols *ranked;	/* for by_name() and by_symbol() */

static int by_name(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;
	int order = strcmp(ranked->sym[a->symbol].name, ranked->sym[b->symbol].name);

	return order ? order : (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

static int by_symbol(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;

	return (a->symbol > b->symbol) - (a->symbol < b->symbol);
}

/* As the module numbers them: those of kprof, and those that have no file, are none. */
static bool is_counted(const struct symbol *sym)
{
	return !sym->module || (strcmp(sym->module, "kprof") && strcmp(sym->module, "bpf") &&
				!begins(sym->module, "__builtin__"));
}

/* One for each symbol; symbols are in the order of their addresses. */
static struct rank *rank(const struct symbols *symbols)
{
	struct rank *r = mem_zalloc(symbols->nr, sizeof(*r));
	size_t i, begin, count;

	for (i = 0; i < symbols->nr; i++)
		r[i].symbol = i;
	ranked = symbols;
	qsort(r, symbols->nr, sizeof(*r), by_name);
	for (begin = 0; begin < symbols->nr; begin = i) {
		const char *name = symbols->sym[r[begin].symbol].name;

		count = 0;
		for (i = begin; i < symbols->nr; i++) {
			const struct symbol *sym = &symbols->sym[r[i].symbol];

			if (strcmp(sym->name, name))
				break;
			r[i].number = is_counted(sym) ? ++count : 0;
		}
		while (begin < i)
			r[begin++].count = count;
	}
	qsort(r, symbols->nr, sizeof(*r), by_symbol);
	return r;
}

/* Where it is, by which file it is can be guessed. */
static void print_place(const struct symbols *symbols, size_t i)
{
	printf("\t0x%" PRIx64, symbols->sym[i].start);
	while (i--) {
		if (!is_function(symbols->sym[i].name))
			continue;
		printf(", behind %s", symbols->sym[i].name);
		break;
	}
}

static void print(const struct symbols *symbols, const struct rank *r, const char *why_not)
{
	const struct symbol *sym = &symbols->sym[r->symbol];
	bool chosen = r->number && r->count > 1 && sym->start;

	if (sym->module && !chosen)
		printf("%s:", sym->module);
	fputs(sym->name, stdout);
	if (chosen)
		printf("@%zu", r->number);
	if (why_not)
		printf("\t%s", why_not);
	else if (chosen)
		print_place(symbols, r->symbol);
	else
		print_note(sym);
	putchar('\n');
}

static size_t list(const struct symbols *symbols, const struct ranges *ranges,
		   const char *pattern)
{
	struct rank *ranks = rank(symbols);
	size_t i, nr = 0;

	for (i = 0; i < symbols->nr; i++) {
		const struct symbol *sym = &symbols->sym[i];
		const char *why_not;

		if (!is_function(sym->name) || !matches(sym, pattern) ||
		    (modules && !sym->module))
			continue;
		why_not = obstacle(sym, ranges);
		if (blacklisted && !why_not)
			continue;
		print(symbols, &ranks[i], why_not);
		nr++;
	}
	free(ranks);
	return nr;
}

static int load(struct symbols *symbols, struct ranges *ranges)
{
	if (symbols_load_kallsyms(symbols, kallsyms) && errno != EACCES)
		return msg_error("cannot read %s: %s", kallsyms,
				 errno == EINVAL ? "not in the form of /proc/kallsyms" :
				 strerror(errno));
	if (!load_ranges(ranges, blacklist))
		return EXIT_OK;
	if (blacklisted)
		return msg_error("cannot read %s: %s", blacklist, strerror(errno));
	msg_warn("cannot read %s: functions that cannot be probed are not marked "
		 "(root can, with debugfs mounted)", blacklist);
	return EXIT_OK;
}

static int none(const char *pattern)
{
	if (blacklisted || modules || strpbrk(pattern, "*?["))
		return msg_error("no such function matches '%s'", pattern);
	return msg_error("'%s' is part of no function's name: it is misspelt, or in a module that "
			 "is not loaded, or the compiler inlined it into its callers", pattern);
}

static int run(int argc, char **argv)
{
	const char *pattern = argc ? argv[0] : "*";
	struct symbols symbols = { 0 };
	struct ranges ranges = { 0 };
	int ret;

	if (argc > 1)
		return msg_usage("one pattern at a time, not also '%s'", argv[1]);
	ret = load(&symbols, &ranges);
	if (!ret && !list(&symbols, &ranges, pattern))
		ret = none(pattern);
	symbols_free(&symbols);
	free(ranges.range);
	return ret;
}

const struct verb verb_list = {
	.name = "list",
	.args = "[PATTERN]",
	.summary = "List the functions that can be a target",
	.details =
		"PATTERN is a shell pattern or, without a wildcard, part of a name; MODULE:PATTERN\n"
		"looks in one module. The first column is what to give to --target or target=:\n"
		"NAME@2 is the second of several functions of that name, of which the second column\n"
		"has the address, and the function before it.\n"
		"Exit status 1: nothing matches.\n\n"
		"Examples:\n"
		"  kprof list '*alloc_pages*'\n"
		"  kprof list 'ext4:*'\n"
		"  kprof list --blacklisted\n",
	.opts = opts,
	.run = run,
};
