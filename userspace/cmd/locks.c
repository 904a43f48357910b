// SPDX-License-Identifier: GPL-2.0-only
/*
 * locks.c - kprof locks: which locks tasks wait for, where, and who had them
 */
#include <inttypes.h>
#include <string.h>

#include "cmd/locks.h"
#include "cmd/options.h"
#include "cmd/verbs.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "span/span.h"
#include "symbols/functions.h"
#include "symbols/symtab.h"

static bool holders, by_lock;

/* The variables of the kernel, loaded when the first address is printed. */
static struct symtab variables;
static bool has_variables;

static const struct opt opts[] = {
	{ .name = "holders", .type = OPT_FLAG, .value = &holders,
	  .help = "who had the lock, and where it was let go" },
	{ .name = "by-lock", .type = OPT_FLAG, .value = &by_lock,
	  .help = "a row for each lock, told by its variable's name or its address" },
	OPTION_SPAN_BY_PROCESS("thread"),
	OPTION_SPAN_STACKS("the"),
	OPTION_SPAN_CALLERS("stacks also with the functions"),
	OPTION_SPAN_SORT,
#include "cmd/span_options.list"
	{ 0 }
};

enum { TYPE, CALLER, COMM, PID, HOLDER, RELEASE, LOCK };

static const struct span_column columns[] = {
	{ "% time", NULL, SPAN_SHARE, 0, NULL },
	{ "seconds", NULL, SPAN_SECONDS, 0, NULL },
	{ "contended", NULL, SPAN_COUNT, 0, NULL },
	{ "usecs/each", NULL, SPAN_AVG, 0, NULL },
	{ "usecs max", NULL, SPAN_MAX, 0, NULL },
	{ "type", "type", SPAN_TEXT, TYPE, NULL },
	{ "lock", "lock", SPAN_TEXT, LOCK, &by_lock },
	{ "comm", "comm", SPAN_TEXT, COMM, &span_options.by_process },
	{ "pid", "pid", SPAN_TEXT, PID, &span_options.by_process },
	{ "held by", "held_by", SPAN_TEXT, HOLDER, &holders },
	{ "released in", "released_in", SPAN_TEXT, RELEASE, &holders },
	{ "caller", "caller", SPAN_TEXT, CALLER, NULL },
	{ 0 }
};

/* The kernel's LCB_F_*: how the task waits, and for what kind of lock. */
static const char *type_name(int64_t flags)
{
	static const struct {
		int64_t flags;
		const char *name;
	} types[] = {
		{ 0x00, "semaphore" }, { 0x01, "spinlock" }, { 0x03, "rwlock:R" },
		{ 0x05, "rwlock:W" }, { 0x02, "rwsem:R" }, { 0x04, "rwsem:W" },
		{ 0x08, "rtmutex" }, { 0x0a, "rwlock-rt:R" }, { 0x0c, "rwlock-rt:W" },
		{ 0x10, "pcpu-sem" }, { 0x12, "pcpu-sem:R" }, { 0x14, "pcpu-sem:W" },
		{ 0x20, "mutex" }, { 0x21, "mutex" },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].flags == flags)
			return types[i].name;
	return NULL;
}

static void add_type(const struct lat_row *row, struct buf *out)
{
	struct buf flags = { 0 };
	const char *name = NULL;
	int64_t nr;

	if (span_key(row, "$arg2:x32", &flags) && number_key(flags.data, &nr))
		name = type_name(nr);
	buf_printf(out, "%s", name ? name : flags.data ? flags.data : "");
	buf_free(&flags);
}

static void add_holder(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf all = { 0 };
	size_t len;

	if (span_key(row, "end(stack)", &all) && locks_release(all.data, &text[RELEASE], &len)) {
		span_key(row, "end(current)", &text[HOLDER]);
		if (span_has_stacks())
			buf_add(stack, all.data, len);
	} else {
		buf_printf(&text[HOLDER], "-");
		buf_printf(&text[RELEASE], "-");
	}
	buf_free(&all);
}

/* The lock's name where it is in a variable, such as "ext4:locks+0x8"; else its address. */
static void add_lock(const struct lat_row *row, struct buf *out)
{
	struct buf addr = { 0 };
	const struct symbol *sym;
	int64_t start = 0;

	if (!span_key(row, "$arg1:x64", &addr)) {
		buf_free(&addr);
		return;
	}
	/* Without names, which only root can see, the addresses do. */
	if (!has_variables && symtab_load_kallsyms_data(&variables, FUNCTIONS_KALLSYMS))
		symtab_free(&variables);
	has_variables = true;
	sym = number_key(addr.data, &start) ? symtab_find(&variables, start) : NULL;
	if (sym)
		buf_printf(out, "%s%s%s", sym->module ? sym->module : "", sym->module ? ":" : "",
			   sym->name);
	else
		buf_add(out, addr.data, addr.len);
	if (sym && (uint64_t)start > sym->start)
		buf_printf(out, "+0x%" PRIx64, start - sym->start);
	buf_free(&addr);
}

static bool texts(const struct lat_row *row, struct buf text[SPAN_TEXTS], struct buf *stack)
{
	struct buf all = { 0 };

	add_type(row, &text[TYPE]);
	if (span_key(row, "stack", &all))
		locks_caller(all.data, &text[CALLER]);
	if (holders)
		add_holder(row, text, stack);
	else if (span_has_stacks())
		buf_add(stack, all.data, all.len);
	if (by_lock)
		add_lock(row, &text[LOCK]);
	span_key(row, "comm", &text[COMM]);
	span_key(row, "pid", &text[PID]);
	buf_free(&all);
	return false;
}

#define HOLDERS_NOTE \
	"seconds: until the holder woke the waiter; without locks that spin, which tell nothing of " \
	"who has them\n" \
	"# held by -: nobody was seen to let it go while it was waited for: a signal or another " \
	"reader woke the waiter,\n" \
	"# or it got the lock before it slept\n" \
	"# released in: the innermost function of that stack that is none of the locks' own. One " \
	"whose last\n" \
	"# act is to unlock, by a jump, is in no stack: then its caller stands there\n" \
	"# held by: who let it go last before the waiter got it. A queue of waiters passes a lock " \
	"on: that one\n" \
	"# need not have had it all the time"

static int run(int argc, char **argv)
{
	static const char *const locks[][2] = {
		{ "@locks by=$arg2:x32,stack" }, { "@locks by=$arg2:x32,stack,$arg1:x64" }
	};
	static const char *const released[][2] = {
		{ "@holders by=$arg2:x32,stack,end(current),end(stack)" },
		{ "@holders by=$arg2:x32,stack,end(current),end(stack),$arg1:x64" }
	};
	struct span_verb verb = {
		.target = locks[by_lock], .column = columns, .texts = texts,
		.unbegun = "that had begun to wait before", .hint_longest = true,
		.next = SPAN_NEXT_WAITS, .sums = by_lock ? LOCK : 0,
		.process_keys = ",comm,pid",
		.note = "of each wait, which lock, who had it and where it was let go: kprof locks "
			"--holders --by-lock",
	};

	int ret;

	(void)argc;
	/* A row has six keys, and that would be seven. */
	if (holders && by_lock && span_options.by_process)
		return msg_usage("--holders, --by-lock and --by-process: any two of them go together");
	if (holders && span_options.callers && span_options.by_process)
		return msg_usage("--holders, --callers and --by-process: any two of them go together");
	if (holders) {
		verb.target = released[by_lock];
		verb.user_key = "end(ustack)";
		verb.note = by_lock ? HOLDERS_NOTE : HOLDERS_NOTE "\n"
			    "# which lock that is, a row for each: kprof locks --holders --by-lock";
	}
	ret = span_run(&verb, argv);
	symtab_free(&variables);
	return ret;
}

const struct verb verb_locks = {
	.name = "locks",
	.args = "[-- COMMAND [ARGUMENT]...]",
	.summary = "Show for which locks tasks wait, where, and who has them",
	.details =
		"Prints a row for each kind of lock and the function that wanted one which another had: how\n"
		"often, and how long it waited. What is not contended costs nothing and is not seen. Needs a\n"
		"kernel of 5.19 or later.\n"
		"With --holders, who had the lock: the task that let go of it and so woke the one that\n"
		"waited, and the function in which it did. Waits count until then. Where several wait, each\n"
		"lets the next one have it, so the last holder need not be the one that had it long.\n"
		"Of --holders, --by-lock and --by-process any two go together.\n"
		"It ends with COMMAND, with Ctrl-C, or after --duration. The exit status is COMMAND's. 3: the\n"
		"table is there, but some were lost.\n"
		"\n"
		"Examples:\n"
		"  kprof locks -d 10\n"
		"  kprof locks --holders --by-lock -a -d 10    which, who had them, and where it let go\n"
		"  kprof locks --stacks -- make -j8\n",
	.opts = opts,
	.run = run,
	.dashes = true,
};
