// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject.c - kprof inject: system calls of a command that fail, wait or raise a signal
 */
#include <inttypes.h>

#include "cmd/verbs.h"
#include "inject/inject.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/output.h"
#include "lib/process.h"
#include "record/command.h"

static struct opt_list expressions;
static bool each, json;
static const char *output;
static FILE *out;

static const struct opt opts[] = {
	{ .letter = 'e', .name = "expression", .type = OPT_LIST, .value = &expressions,
	  .arg = "EXPRESSION",
	  .help = "inject=SET[:error=E|:retval=N][:signal=S][:delay_enter=US]\n"
		  "[:delay_exit=US][:when=FIRST[..LAST][+[STEP]]], or fault=SET...;\n"
		  "may be repeated" },
	{ .name = "each", .type = OPT_FLAG, .value = &each,
	  .help = "a line for each injection, when it is made" },
	{ .name = "json", .type = OPT_FLAG, .value = &json, .help = "the account as JSON" },
	{ .letter = 'o', .name = "output", .type = OPT_STRING, .value = &output, .arg = "FILE",
	  .help = "write to FILE, not to standard error; - is standard output" },
	{ 0 }
};

static struct inject_plan plan;

static void tell(pid_t tid, const struct inject_slot *slot, uint32_t call)
{
	struct buf path = { 0 }, comm = { 0 }, name = { 0 }, effect = { 0 };

	buf_printf(&path, "/proc/%d/comm", tid);
	if (!process_proc_is_ours() || buf_read_file(&comm, path.data) || !comm.len)
		buf_printf(&comm, "?\n");
	comm.data[comm.len - 1] = '\0';
	inject_name(&name, slot);
	inject_effect(&effect, &plan.rule[slot->rule]);
	fprintf(out, "%d ", tid);
	escape_print(comm.data, out);
	fprintf(out, " %s call %" PRIu32 ": %s\n", name.data, call, effect.data);
	fflush(out);
	buf_free(&path);
	buf_free(&comm);
	buf_free(&name);
	buf_free(&effect);
}

static int inject(char **argv, int *status)
{
	int ret = output_open(output, &out), ended;

	if (ret)
		return ret;
	ret = inject_run(&plan, argv, each ? tell : NULL, status);
	if (!ret && json)
		inject_print_json(&plan, out);
	else if (!ret)
		inject_print_text(&plan, out);
	ended = output_end(out, output);
	return ret ? ret : ended;
}

static int run(int argc, char **argv)
{
	int i, status = 0, ret = EXIT_OK;

	if (!argc)
		ret = msg_usage("expected a COMMAND");
	else if (!expressions.nr)
		ret = msg_usage("expected -e EXPRESSION, such as -e fault=read:error=EIO:when=3");
	else if (each && json)
		ret = msg_contradiction("--each", "--json");
	for (i = 0; !ret && i < expressions.nr; i++)
		ret = inject_parse(&plan, expressions.item[i]);
	if (!ret)
		ret = inject(argv, &status);
	inject_free(&plan);
	return command_status(ret, status);
}

const struct verb verb_inject = {
	.name = "inject",
	.args = "-e EXPRESSION [--] COMMAND [ARGUMENT]...",
	.summary = "Have system calls of a command fail, wait or raise a signal",
	.details =
		"What strace -f -e inject=... does, in the same syntax: the calls of SET (names or\n"
		"numbers with commas, all, or ! and those that are left out) by COMMAND and its\n"
		"descendants return an error or a value without being made, wait before or after\n"
		"it, or are made with a signal pending. \"when\" counts the calls of each system call\n"
		"by each thread. fault=SET is inject=SET:error=ENOSYS where no other is given.\n\n"
		"When all of them have ended it prints an account: calls, how many were injected,\n"
		"and how many not because the thread was killed meanwhile. Needs neither the module\n"
		"nor root.\n\n"
		"The exit status is COMMAND's.\n\n"
		"Examples:\n"
		"  kprof inject -e fault=pread64:error=EINTR:when=20+10 -- ./copy\n"
		"  kprof inject -e inject=fsync:delay_exit=100ms -- sqlite3 base .tables\n"
		"  kprof inject --each -e fault=openat:error=EMFILE:when=5+ -- ls\n",
	.opts = opts,
	.run = run,
	.command = true,
};
