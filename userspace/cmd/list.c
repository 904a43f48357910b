// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.c - kprof list: list the functions, tracepoints and markers that can be targets
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "index/place.h"
#include "cmd/verbs.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "names/names.h"
#include "record/user_list.h"
#include "symbols/functions.h"

static bool modules, blacklisted, details, inlined, verbose;
static const char *index_file, *notes = "/sys/kernel/notes";
static const char *kallsyms = FUNCTIONS_KALLSYMS;
static const char *blacklist = FUNCTIONS_BLACKLIST;

static const struct opt opts[] = {
	{ .name = "modules", .type = OPT_FLAG, .value = &modules,
	  .help = "only functions of loaded modules" },
	{ .letter = 'b', .name = "blacklisted", .type = OPT_FLAG, .value = &blacklisted,
	  .help = "only functions that cannot be a target" },
	{ .letter = 'l', .name = "long", .type = OPT_FLAG, .value = &details,
	  .help = "what can be no target, too, and notes, as on a terminal" },
	{ .letter = 'v', .name = "verbose", .type = OPT_FLAG, .value = &verbose,
	  .help = "of one function, or of tp:TRACEPOINT: its prototype, and\n"
		  "what can be a key" },
	{ .name = "inlined", .type = OPT_FLAG, .value = &inlined,
	  .help = "places in which functions are inlined, as targets" },
	{ .name = "index", .type = OPT_STRING, .value = &index_file, .arg = "FILE",
	  .help = "of --inlined: what 'kprof index' has made; default\n"
		  "/lib/modules/RELEASE/" INDEX_NAME },
	{ .name = "notes", .type = OPT_STRING, .value = &notes, .arg = "FILE",
	  .help = "of --inlined: has the kernel's build id; default\n/sys/kernel/notes" },
	{ .name = "kallsyms", .type = OPT_STRING, .value = &kallsyms, .arg = "FILE",
	  .help = "the functions; default /proc/kallsyms" },
	{ .name = "blacklist", .type = OPT_STRING, .value = &blacklist, .arg = "FILE",
	  .help = "address ranges without probes; default\n/sys/kernel/debug/kprobes/blacklist" },
	{ 0 }
};

static void print_note(const struct symbol *sym)
{
	if (function_is_variant(sym->name))
		printf("\tthe compiler's variant of %.*s", (int)strcspn(sym->name, "."),
		       sym->name);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* For a pipe, print only names of targets, which can be used as arguments. */
static bool is_bare(void)
{
	return !details && !blacklisted && !isatty(STDOUT_FILENO);
}

/* The number of a symbol among the functions of its name, and how many there are. */
struct rank {
	size_t symbol, number, count;
};

static const struct symtab *ranked;	/* for by_name() and by_symbol() */

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

/* Does the module number it? It ignores functions of kprof, and those not in a module file. */
static bool is_counted(const struct symbol *sym)
{
	return !sym->module || (strcmp(sym->module, "kprof") && strcmp(sym->module, "bpf") &&
				!begins(sym->module, "__builtin__"));
}

/* Make a rank for each symbol. Symbols are sorted by address. */
static struct rank *rank(const struct symtab *symbols)
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

/* Print the address and the function before it, from which the source file can be guessed. */
static void print_place(const struct symtab *symbols, size_t i)
{
	printf("\t0x%" PRIx64, symbols->sym[i].start);
	while (i--) {
		if (!function_is_code(symbols->sym[i].name))
			continue;
		printf(", behind %s", symbols->sym[i].name);
		break;
	}
}

static void print(const struct symtab *symbols, const struct rank *r, const char *why_not)
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
	else if (chosen && !is_bare())
		print_place(symbols, r->symbol);
	else if (!is_bare())
		print_note(sym);
	putchar('\n');
}

/* The patterns, of which so many are done. What several match is listed once. */
static const char *const *patterns;
static int nr_done;

static bool was_listed(const struct symbol *sym, bool tracepoint)
{
	int i;

	for (i = 0; i < nr_done; i++) {
		const char *pattern = patterns[i];

		if (begins(pattern, "tp:") != tracepoint || user_list_is(pattern))
			continue;
		if (function_matches(sym, pattern + (tracepoint ? strlen("tp:") : 0)))
			return true;
	}
	return false;
}

static size_t list(const struct functions *f, const char *pattern)
{
	struct rank *ranks = rank(&f->symbols);
	size_t i, nr = 0;

	for (i = 0; i < f->symbols.nr; i++) {
		const struct symbol *sym = &f->symbols.sym[i];
		const char *why_not;

		if (!function_is_code(sym->name) || !function_matches(sym, pattern) ||
		    (modules && !sym->module))
			continue;
		why_not = function_obstacle(f, sym);
		if (why_not ? is_bare() : blacklisted)
			continue;
		nr++;
		if (!was_listed(sym, false))
			print(&f->symbols, &ranks[i], why_not);
	}
	free(ranks);
	return nr;
}

static size_t list_tracepoints(const struct functions *f, const char *pattern)
{
	size_t i, nr = 0;

	for (i = 0; i < f->symbols.nr; i++) {
		const struct symbol *sym = &f->symbols.sym[i];
		struct symbol tracepoint = { .name = function_tracepoint(sym->name) };

		if (!tracepoint.name || !function_matches(&tracepoint, pattern) ||
		    (modules && !sym->module))
			continue;
		nr++;
		if (!was_listed(&tracepoint, true))
			printf("tp:%s\n", tracepoint.name);
	}
	return nr;
}

/* --- inlined functions --- */

/* What to print for --inlined, and how many have been printed. */
struct inlined_list {
	const struct functions *functions;
	const struct rank *ranks;
	const char *pattern;
	size_t nr, at_boot;
};

static bool is_wanted(const struct place_entry *entry, const char *pattern)
{
	bool is_module = strcmp(entry->owner, "vmlinux");
	struct symbol sym = { .name = entry->name, .module = is_module ? entry->owner : NULL };
	const char *colon = strchr(pattern, ':');

	if (modules && !is_module)
		return false;
	/* Without a wildcard, the whole name must match: a part would match thousands of places. */
	if (!function_is_pattern(pattern) && strcmp(colon ? colon + 1 : pattern, entry->name))
		return false;
	return function_matches(&sym, pattern);
}

/* Print "FUNCTION+0x12", the form of a target. */
static void print_target(const struct inlined_list *l, const struct symbol *sym, uint64_t addr)
{
	const struct rank *r = &l->ranks[sym - l->functions->symbols.sym];
	bool chosen = r->number && r->count > 1;

	if (sym->module && !chosen)
		printf("%s:", sym->module);
	fputs(sym->name, stdout);
	if (chosen)
		printf("@%zu", r->number);
	if (addr != sym->start)
		printf("+0x%" PRIx64, addr - sym->start);
}

static void print_entry(const struct place_entry *entry, void *arg)
{
	struct inlined_list *l = arg;
	const struct symbol *sym;
	struct symbol place = { .start = entry->addr, .name = "" };
	const char *why_not;

	if (!is_wanted(entry, l->pattern))
		return;
	sym = symtab_find(&l->functions->symbols, entry->addr);
	l->at_boot += entry->at_boot || !sym;
	if (entry->at_boot || !sym)
		return;
	why_not = function_obstacle(l->functions, &place);
	if (why_not ? is_bare() : blacklisted)
		return;
	l->nr++;
	print_target(l, sym, entry->addr);
	if (why_not || !is_bare())
		printf("\t%s, called at %s:%" PRIu32 "%s%s", entry->name, entry->file, entry->line,
		       why_not ? "; " : "", why_not ? why_not : "");
	putchar('\n');
}

static int open_places(const struct functions *f, struct index *index, struct places *places)
{
	struct buf path = { 0 }, text = { 0 };
	struct utsname uts;
	char error[256];
	int ret = EXIT_OK;

	uname(&uts);
	if (index_file)
		buf_printf(&path, "%s", index_file);
	else
		index_default_path(&path, uts.release);
	if (index_open(index, path.data))
		ret = msg_error("%s: %s; 'kprof index' makes it", path.data, index->error);
	else if (buf_read_file(&text, notes))
		ret = msg_error("cannot read %s: %s", notes, strerror(errno));
	else if (places_make(places, index, &f->symbols, &text, error))
		ret = msg_error("%s: %s; 'kprof index' makes one of this kernel", path.data, error);
	buf_free(&path);
	buf_free(&text);
	return ret;
}

static int list_inlined(const struct functions *f, const char *pattern)
{
	struct inlined_list l = { .functions = f, .pattern = pattern };
	struct index index = { .nr = 0 };
	struct places places = { .nr = 0 };
	struct rank *ranks;
	int ret;

	if (!f->symbols.nr || !f->symbols.sym[f->symbols.nr - 1].start)
		return msg_error("%s shows no addresses: run as root", kallsyms);
	ret = open_places(f, &index, &places);
	if (!ret) {
		ranks = rank(&f->symbols);
		l.ranks = ranks;
		places_each_entry(&places, print_entry, &l);
		free(ranks);
		if (!l.nr)
			ret = msg_error("'%s' is inlined nowhere%s", pattern,
					l.at_boot ? " but in code that is gone when the kernel has "
						    "started" : "");
	}
	places_free(&places);
	index_close(&index);
	return ret;
}

static int load(struct functions *f)
{
	if (functions_load(f, kallsyms) && errno != EACCES)
		return msg_error("cannot read %s: %s", kallsyms,
				 errno == EINVAL ? "not in the form of /proc/kallsyms" :
				 strerror(errno));
	if (!functions_load_blacklist(f, blacklist))
		return EXIT_OK;
	if (blacklisted)
		return msg_error("cannot read %s: %s", blacklist, strerror(errno));
	msg_warn("cannot read %s: functions that cannot be probed are not marked "
		 "(root can, with debugfs mounted)", blacklist);
	return EXIT_OK;
}

static int none(const struct functions *f, const char *pattern)
{
	struct buf names = { 0 };
	int ret;

	if (blacklisted || modules || function_is_pattern(pattern))
		return msg_error("no such function matches '%s'", pattern);
	functions_nearest(f, pattern, &names);
	ret = msg_error("'%s' is part of no %s%s%s", pattern, begins(pattern, "tp:") ?
			"tracepoint's name: it is misspelt, or in a module that is not loaded" :
			"function's name: it is misspelt, or in a module that is not loaded, or "
			"the compiler inlined it into its callers ('kprof list --inlined' has "
			"those, by an index)",
			names.len ? "; close to it: " : "", names.len ? names.data : "");
	buf_free(&names);
	return ret;
}

/* --- what can be a key --- */

static int show(const char *place)
{
	struct names names = { .kallsyms = kallsyms };
	struct buf why = { 0 };
	int ret = EXIT_OK;

	if (names_show(&names, place, stdout, &why))
		ret = msg_error("%s", why.data);
	names_free(&names);
	buf_free(&why);
	return ret;
}

static bool is_of_program(const char *pattern)
{
	return user_list_is(pattern) && !(modules || blacklisted || inlined);
}

static int list_pattern(struct functions *f, const char *pattern)
{
	bool tracepoints = begins(pattern, "tp:") && !blacklisted;

	if (verbose) {
		if (nr_done)
			putchar('\n');
		return show(pattern);
	}
	if (is_of_program(pattern))
		return user_list(pattern, is_bare());
	if (inlined)
		return list_inlined(f, pattern);
	if (!(tracepoints ? list_tracepoints(f, pattern + strlen("tp:")) : list(f, pattern)))
		return none(f, pattern);
	return EXIT_OK;
}

static int check_pattern(const char *pattern)
{
	if (verbose && function_is_pattern(pattern))
		return msg_usage("--verbose is about functions: give their names, or "
				 "tp:TRACEPOINT");
	if (!verbose && !user_list_is(pattern) && strchr(pattern, '/') && !strchr(pattern, ':'))
		return msg_usage("'%s' is a file: give %s:* for its functions, %s:*:* for its markers",
				 pattern, pattern, pattern);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	static const char *const everything[] = { "*" };
	struct functions functions = { 0 };
	int i, nr = argc ? argc : 1, ret = EXIT_OK;
	bool of_kernel = false;

	patterns = argc ? (const char *const *)argv : everything;
	for (i = 0; i < nr; i++) {
		if (check_pattern(patterns[i]))
			return EXIT_USAGE;
		of_kernel |= !verbose && !is_of_program(patterns[i]);
	}
	if (of_kernel && load(&functions)) {
		functions_free(&functions);
		return EXIT_ERROR;
	}
	/* A pattern that nothing matches does not hide what the others do. */
	for (nr_done = 0; nr_done < nr; nr_done++)
		if (list_pattern(&functions, patterns[nr_done]))
			ret = EXIT_ERROR;
	functions_free(&functions);
	return ret;
}

const struct verb verb_list = {
	.name = "list",
	.args = "[PATTERN...]",
	.summary = "List the functions and tracepoints that can be a target",
	.details =
		"PATTERN is a shell pattern or, without a wildcard, part of a name; MODULE:PATTERN\n"
		"looks in one module, tp:PATTERN among tracepoints, FILE:PATTERN among the functions of\n"
		"a program or a library, FILE:PROVIDER:PATTERN among its markers (USDT). The first column is what to give to --target or target=:\n"
		"NAME@2 is the second of several functions of that name, of which the second column\n"
		"has the address, and the function before it. Into a pipe only names go, of what can\n"
		"be a target. With --inlined PATTERN is a whole name, and what is listed are places,\n"
		"FUNCTION+0xOFFSET, in which it is inlined. With --verbose PATTERN is a function or\n"
		"tp:TRACEPOINT, and what is listed are its arguments and their members, as keys, with\n"
		"their type and what the module takes for them. Of several patterns, each is listed;\n"
		"what two match stands once.\n"
		"Exit status 1: nothing matches.\n\n"
		"Examples:\n"
		"  kprof list '*alloc_pages*'\n"
		"  kprof list 'ext4:*'\n"
		"  kprof list 'tp:sched_*'\n"
		"  kprof list 'libc:*alloc*'\n"
		"  kprof list '/usr/sbin/mariadbd:*:*'\n"
		"  kprof list --blacklisted\n"
		"  kprof list -v vfs_read vfs_write\n"
		"  insmod kprof.ko target=$(kprof list --inlined new_slab | paste -sd,)\n",
	.opts = opts,
	.run = run,
};
