// SPDX-License-Identifier: GPL-2.0-only
/*
 * hints.c - what to do instead of options that perf has, and kprof has not
 */
#include "cmd/hints.h"

#define MARKED \
	"--marked begins where the program calls kprof_start() of kprof.h, and ends at kprof_stop()"

/* Of several verbs */
#define HINT_COMM	{ "-c --comms", "it is --comm here" }
#define HINT_SYMBOL	{ "-S --symbols", "it is --symbol here" }
#define HINT_THREAD	{ "--tid", "-p takes a thread, too" }
#define HINT_KERNEL	{ "-k --vmlinux --kallsyms", "the recording has the kernel's symbols" }
#define HINT_FORCE	{ "-f --force", "it makes no difference whose file it is" }
#define HINT_VERBOSE	{ "-v --verbose", "there is nothing more to say" }

const struct opt_hint hints_of_record[] = {
	{ "--call-graph",
	  "the kernel's stacks are always taken; -g takes those of programs, too, by what their "
	  "files say of frames, as dwarf does, or by frame pointers; --unwind fp: by these alone" },
	{ "--all-cpus", "it is -a, --all" },
	{ "-m --mmap-pages", "the size of each CPU's ring is --ring-kb KB" },
	{ "-s --stat", "each sample has its thread: kprof report --sort pid" },
	{ "-D --delay --control", MARKED },
	{ "-G --cgroup",
	  "--cgroups records the cgroup of each task: report --cgroup chooses some" },
	{ "--tid", "-p takes a process with all of its threads; kprof report -p chooses one" },
	{ "-u --uid", "tasks are chosen by -p and --comm" },
	{ "-i --no-inherit", "descendants are always there; kprof report -p chooses" },
	{ "-T --timestamp -P --period", "each sample has them: kprof script" },
	{ "--all-kernel", "it is -K, the default" },
	{ "--all-user", "-U has the stacks of programs alone" },
	{ "--off-cpu", "it is --wall; kprof offcpu has a table" },
	{ "-b --branch-any -j --branch-filter",
	  "branch records of the processor are not read; kprof blocks counts blocks and branches" },
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_report[] = {
	{ "--call-graph", "-g shows who called each line, --tree down or up the stacks" },
	{ "-G --inverted", "--tree down is from who called to what was called" },
	{ "-d --dsos", "it is --module here, and the key of --sort is module" },
	{ "--tui --gtk", "the report is text, through a pager on a terminal" },
	{ "-t --field-separator", "--csv has a comma between the fields" },
	{ "-F --fields", "the columns are always these; --sort chooses what a line is" },
	{ "--hierarchy", "--tree down --sort comm,module has a tree below each line" },
	{ "--show-nr-samples --show-total-period", "both are there" },
	{ "--header --header-only", "it is always there" },
	{ "-D --dump-raw-trace", "kprof script prints each sample" },
	{ "-T --threads", "--sort pid has a line for each thread" },
	{ "--inline", "inlined functions are there; --no-inline leaves them out" },
	HINT_COMM,
	HINT_SYMBOL,
	HINT_THREAD,
	HINT_KERNEL,
	HINT_FORCE,
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_stat[] = {
	{ "-j --json-output", "it is --json" },
	{ "-t --tid", "-p takes a process with all of its threads" },
	{ "--per-thread", "the threads of -p are counted together" },
	{ "--per-core --per-socket --per-die --per-node", "-A has a row for each CPU" },
	{ "--no-aggr", "it is -A, --per-cpu" },
	{ "-i --no-inherit", "descendants are always counted" },
	{ "--timeout", "-d SECONDS ends it" },
	{ "--interval-count", "with -I, -d SECONDS ends it" },
	{ "-D --delay --control", MARKED },
	{ "--append", "-o - is standard output, which can be appended: >>FILE" },
	{ "-B --big-num --no-big-num", "numbers are without separators" },
	{ "--detailed", "caches have events: -e L1-dcache-load-misses,LLC-load-misses" },
	{ "-M --metrics --topdown",
	  "ratios are behind events that have one: -e instructions,cycles" },
	{ "--all-user", "NAME:u counts user mode alone, {NAME,NAME...}:u for several" },
	{ "--all-kernel", "NAME:k counts the kernel alone, {NAME,NAME...}:k for several" },
	{ "-G --cgroup --for-each-cgroup",
	  "a command, processes or CPUs are counted; kprof top --cgroups shows cgroups" },
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_script[] = {
	{ "-F --fields", "the fields are those that perf script has by default" },
	{ "--header", "kprof report has it" },
	{ "-G --hide-call-graph", "stacks are always there" },
	{ "--ns", "nanoseconds are there" },
	{ "-s --script -g --gen-script", "what reads the text of perf script reads this one" },
	{ "-D --dump-raw-trace", "all that a sample has is there" },
	HINT_COMM,
	HINT_SYMBOL,
	HINT_THREAD,
	HINT_KERNEL,
	HINT_FORCE,
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_annotate[] = {
	{ "-s", "the function is an operand: kprof annotate FUNCTION" },
	{ "--tui --gtk", "it is text, through a pager on a terminal" },
	{ "-k --vmlinux", "the recording has the instructions" },
	{ "-M --disassembler-style", "instructions are in the syntax of AT&T" },
	{ "-n --show-nr-samples", "samples are there" },
	HINT_THREAD,
	HINT_FORCE,
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_top[] = {
	{ "-e --event", "top samples by the timer: kprof record -e EVENT, then kprof report" },
	{ "-c --count", "-F HZ is how often samples are taken" },
	{ "-K --hide_kernel_symbols", "it is -U" },
	{ "--hide_user_symbols", "it is the default" },
	{ "-t --tid", "-p takes a process with its descendants" },
	{ "-u --uid", "tasks are chosen by -p and --comm" },
	{ "-z --zero", "each interval begins anew" },
	{ "-E --entries", "it is --rows" },
	{ "--stdio", "it is --batch" },
	{ "--call-graph", "-g has functions of programs, too; Enter shows who calls one" },
	HINT_VERBOSE,
	{ 0 }
};

const struct opt_hint hints_of_diff[] = {
	{ "-i --input", "both recordings are operands: kprof diff A B" },
	{ "-s --sort", "functions are compared; --comm and --module choose whose" },
	{ "-c --compute -o --order", "rows are in the order of their differences" },
	{ "-d --dsos", "it is --module here" },
	{ "-C --comms", "it is --comm here" },
	HINT_SYMBOL,
	HINT_FORCE,
	HINT_VERBOSE,
	{ 0 }
};
