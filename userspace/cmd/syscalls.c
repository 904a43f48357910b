// SPDX-License-Identifier: GPL-2.0-only
/*
 * syscalls.c - kprof syscalls: which system calls, how long, and how many fail
 */
#include <stdlib.h>
#include <string.h>

#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/mem.h"
#include "lib/strtab.h"
#include "span/span.h"

enum { BY_TIME, BY_CALLS, BY_ERRORS, BY_NAME };

static const char *const sort_names[] = { "time", "calls", "errors", "name", NULL };

static struct span_options common;
static bool by_process, errors;
static int sort = BY_TIME;

static const struct opt opts[] = {
	{ .name = "by-process", .type = OPT_FLAG, .value = &by_process,
	  .help = "a row for each system call of each thread" },
	{ .name = "errors", .type = OPT_FLAG, .value = &errors,
	  .help = "a row for each error of a system call, by its name" },
	{ .letter = 's', .name = "sort", .type = OPT_CHOICE, .value = &sort, .arg = "COLUMN",
	  .choices = sort_names,
	  .help = "order of rows: time (the default), calls, errors or name" },
	OPTION_ALL(&common.all),
	OPTION_PID(&common.pids),
	OPTION_COMM(&common.comm),
	OPTION_CPUS(&common.cpus),
	OPTION_DURATION(&common.duration),
	SPAN_INTERVAL(&common),
	SPAN_INTERVAL_COUNT(&common),
	SPAN_LINES(&common),
	SPAN_CSV(&common),
	SPAN_MAX_ROWS(&common),
	OPTION_MODULE(&common.module),
	{ 0 }
};

/* Rows of the module that are one of ours: those of a call, whatever its errors were. */
struct call {
	const char *syscall, *error, *comm, *pid;
	uint64_t calls, errors, total;
	const char *id;
};

struct calls {
	struct call *call;
	struct strtab ids, words;
	struct call all;
};

static const char *keep(struct calls *c, const char *text)
{
	uint32_t id = strtab_add(&c->words, text, strlen(text));

	return c->words.name[id].text;
}

static const char *key(struct calls *c, const struct lat_row *row, int nr)
{
	struct buf text = { 0 };
	const char *kept;

	buf_add(&text, "", 0);
	span_key(row, nr, &text);
	kept = keep(c, text.data);
	buf_free(&text);
	return kept;
}

static void add(struct calls *c, const struct lat_row *row)
{
	struct call one = { .syscall = key(c, row, 0), .error = key(c, row, 1) };
	bool failed = strcmp(one.error, "0") && *one.error;
	struct buf id = { 0 };
	struct call *call;
	uint32_t i;

	if (!failed)
		one.error = "-";
	one.comm = by_process ? key(c, row, 2) : "";
	one.pid = by_process ? key(c, row, 3) : "";
	buf_printf(&id, "%s\t%s\t%s\t%s", one.syscall, errors ? one.error : "", one.comm, one.pid);
	i = strtab_add(&c->ids, id.data, id.len);
	buf_free(&id);
	call = &c->call[i];
	if (!call->syscall) {
		*call = one;
		call->id = c->ids.name[i].text;
	}
	call->calls += row->calls;
	call->errors += failed ? row->calls : 0;
	call->total += row->total;
	c->all.calls += row->calls;
	c->all.errors += failed ? row->calls : 0;
	c->all.total += row->total;
}

static uint64_t sort_value(const struct call *call)
{
	switch (sort) {
	case BY_CALLS:
		return call->calls;
	case BY_ERRORS:
		return call->errors;
	case BY_NAME:
		return 0;
	}
	return call->total;
}

static int compare(const void *va, const void *vb)
{
	const struct call *a = va, *b = vb;
	uint64_t x = sort_value(a), y = sort_value(b);

	if (x != y)
		return x > y ? -1 : 1;
	return strcmp(a->id, b->id);
}

static void print_call(struct span_sheet *s, const struct calls *c, const struct call *call)
{
	span_sheet_number(s, c->all.total ? 100.0 * call->total / c->all.total : 0, 2);
	span_sheet_number(s, call->total / 1e9, 6);
	span_sheet_number(s, call->calls ? call->total / 1e3 / call->calls : 0, 1);
	span_sheet_number(s, call->calls, 0);
	span_sheet_number(s, call->errors, 0);
	span_sheet_text(s, call->syscall);
	if (errors)
		span_sheet_text(s, call->error);
	if (by_process) {
		span_sheet_text(s, call->comm);
		span_sheet_text(s, call->pid);
	}
}

static void print_calls(struct calls *c)
{
	const char *name[9] = { "% time", "seconds", "usecs/call", "calls", "errors", "syscall" };
	size_t i, nr = 6, shown = common.lines && common.lines < c->ids.nr ?
		(size_t)common.lines : c->ids.nr;
	struct span_sheet sheet;

	if (errors)
		name[nr++] = "error";
	if (by_process) {
		name[nr++] = "comm";
		name[nr++] = "pid";
	}
	span_sheet_begin(&sheet, common.csv, name, nr, nr - 5);
	for (i = 0; i < shown; i++)
		print_call(&sheet, c, &c->call[i]);
	c->all.syscall = "total";
	c->all.error = "";
	c->all.comm = "";
	c->all.pid = "";
	if (!common.csv)
		print_call(&sheet, c, &c->all);
	span_sheet_end(&sheet);
	if (shown < c->ids.nr && !common.csv)
		printf("# %zu more rows\n", c->ids.nr - shown);
}

static void print(struct span *s, const struct data *view, struct lat_table *t)
{
	struct calls c = { .call = mem_zalloc(t->nr + 1, sizeof(*c.call)) };
	size_t i;

	(void)s;
	(void)view;
	for (i = 0; i < t->nr; i++)
		add(&c, &t->row[i]);
	if (c.ids.nr)
		qsort(c.call, c.ids.nr, sizeof(*c.call), compare);
	print_calls(&c);
	strtab_free(&c.ids);
	strtab_free(&c.words);
	free(c.call);
}

static int run(int argc, char **argv)
{
	static const char *const by_call = "@syscalls by=syscall,end(errno($arg2))";
	static const char *const by_both = "@syscalls by=syscall,end(errno($arg2)),comm,pid";
	struct span s = { .options = &common, .print = print };

	(void)argc;
	return span_run(&s, by_process ? &by_both : &by_call, 1, argv);
}

const struct verb verb_syscalls = {
	.name = "syscalls",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Count system calls, their time and their errors",
	.details =
		"Prints a row for each system call: its share of the time, the time itself (as it\n"
		"passes, also while the call waits), how many there were and how many failed. It\n"
		"ends with COMMAND, with Ctrl-C, or after --duration. Calls that never return, such\n"
		"as exit_group, are not among them. Of a program of 32 bits names are of its own\n"
		"table where the program was built with it; else numbers are shown, 32:NUMBER.\n\n"
		"The exit status is COMMAND's. 3: the table is there, but calls were lost.\n\n"
		"Examples:\n"
		"  kprof syscalls -- ls -l\n"
		"  kprof syscalls --errors -p 4711 -d 10    who fails, and how\n"
		"  kprof syscalls -a --by-process -i 1\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
