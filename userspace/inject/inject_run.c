// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject_run.c - traces a command and its descendants, and injects at the entry of their calls
 *
 * Who is traced is stopped at each system call of the filter; this decides what becomes of it, and
 * lets it run on, at once or after a delay, during which others are served. If the reader dies,
 * the kernel kills all that it traces: their filter cannot be taken away, and a call that it stops
 * for a tracer that is gone fails.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject/inject.h"
#include "lib/clock.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "record/command.h"

#define BUCKETS		1024
#define OPTIONS		(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | \
			 PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | \
			 PTRACE_O_EXITKILL)
#define SYSCALL_STOP	(SIGTRAP | 0x80)
#define REPEAT_NS	1000000000	/* a signal that follows sooner is the same one */

/* A thread that is traced. */
struct tracee {
	struct tracee *next;		/* in its bucket */
	struct tracee *later;		/* the next one that waits */
	pid_t tid;
	uint64_t wakes_ns;		/* 0: it does not wait */
	int signal;			/* to be sent when it runs on */
	const struct inject_rule *leaving;	/* it is to wait when its call has ended */
	uint32_t call[];		/* of each slot */
};

struct tracer {
	struct inject_plan *plan;
	inject_tell *tell;
	struct tracee *bucket[BUCKETS];
	struct tracee *waiting;
	pid_t command;			/* 0: it has ended */
	bool began;			/* the command has been executed */
	int wait_status;		/* of the command, once it has ended */
	sigset_t signals;
	uint64_t interrupted_ns;	/* when the first signal came; 0: none has */
	bool killed;			/* all are to end */
};

/* --- the threads --- */

static struct tracee *find(struct tracer *t, pid_t tid)
{
	struct tracee **bucket = &t->bucket[tid % BUCKETS], *one;

	for (one = *bucket; one; one = one->next)
		if (one->tid == tid)
			return one;
	one = mem_zalloc(1, sizeof(*one) + t->plan->nr_slots * sizeof(*one->call));
	one->tid = tid;
	one->next = *bucket;
	*bucket = one;
	return one;
}

static struct tracee *unlink_tracee(struct tracer *t, pid_t tid)
{
	struct tracee **at = &t->bucket[tid % BUCKETS], **wait = &t->waiting, *one;

	while (*at && (*at)->tid != tid)
		at = &(*at)->next;
	one = *at;
	if (!one)
		return NULL;
	*at = one->next;
	while (one->wakes_ns && *wait != one)
		wait = &(*wait)->later;
	if (one->wakes_ns)
		*wait = one->later;
	one->wakes_ns = 0;
	return one;
}

/* A thread that has executed a program gets the number of its process; its own is no more. */
static void rename_tracee(struct tracer *t, pid_t from, pid_t to)
{
	struct tracee *one;

	if (from == to || from <= 0)
		return;
	free(unlink_tracee(t, to));
	one = unlink_tracee(t, from);
	if (!one)
		return;
	one->tid = to;
	one->next = t->bucket[to % BUCKETS];
	t->bucket[to % BUCKETS] = one;
}

/* --- running on --- */

/* That it fails means that the thread was killed meanwhile, which waitpid() will say. */
static void run_on(struct tracee *one, int signal)
{
	ptrace(one->leaving ? PTRACE_SYSCALL : PTRACE_CONT, one->tid, 0, signal);
}

/* A signal is sent when the call begins, and may end it. */
static void begin_call(struct tracee *one)
{
	if (one->signal)
		syscall(SYS_tkill, one->tid, one->signal);
	one->signal = 0;
	run_on(one, 0);
}

/* Run on after @ns; ordered by when that is. */
static void wait_for(struct tracer *t, struct tracee *one, uint64_t ns)
{
	struct tracee **at = &t->waiting;

	one->wakes_ns = clock_ns(CLOCK_MONOTONIC) + ns;
	while (*at && (*at)->wakes_ns <= one->wakes_ns)
		at = &(*at)->later;
	one->later = *at;
	*at = one;
}

static void wake(struct tracer *t)
{
	struct tracee *one;

	while (t->waiting && t->waiting->wakes_ns <= clock_ns(CLOCK_MONOTONIC)) {
		one = t->waiting;
		t->waiting = one->later;
		one->wakes_ns = 0;
		begin_call(one);
	}
}

/* --- what a thread has stopped for --- */

static void inject(struct tracer *t, struct tracee *one, struct inject_slot *slot)
{
	const struct inject_rule *rule = &t->plan->rule[slot->rule];
	uint32_t call = one->call[slot - t->plan->slot];

	if (rule->skips && inject_call_skip(one->tid, rule->value)) {
		slot->lost++;
		run_on(one, 0);
		return;
	}
	slot->injected++;
	if (t->tell)
		t->tell(one->tid, slot, call);
	one->signal = rule->signal;
	one->leaving = rule->delay_exit_ns ? rule : NULL;
	if (rule->delay_enter_ns)
		wait_for(t, one, rule->delay_enter_ns);
	else
		begin_call(one);
}

static void on_call(struct tracer *t, struct tracee *one)
{
	struct inject_call call;
	struct inject_slot *slot = NULL;
	uint32_t *nr;

	/* What comes before the command is executed is the reader's own. */
	if (t->began && inject_call_read(one->tid, &call) && t->plan->map[call.abi][call.nr])
		slot = &t->plan->slot[t->plan->map[call.abi][call.nr] - 1];
	if (!slot) {
		run_on(one, 0);
		return;
	}
	nr = &one->call[slot - t->plan->slot];
	slot->calls++;
	slot->threads += !*nr;
	*nr += *nr < UINT32_MAX;
	if (inject_is_due(&t->plan->rule[slot->rule], *nr))
		inject(t, one, slot);
	else
		run_on(one, 0);
}

static void on_leave(struct tracer *t, struct tracee *one)
{
	const struct inject_rule *rule = one->leaving;

	one->leaving = NULL;
	if (rule)
		wait_for(t, one, rule->delay_exit_ns);
	else
		run_on(one, 0);
}

static void on_exec(struct tracer *t, pid_t tid)
{
	unsigned long former = 0;

	ptrace(PTRACE_GETEVENTMSG, tid, 0, &former);
	rename_tracee(t, former, tid);
	t->began |= tid == t->command;
	run_on(find(t, tid), 0);
}

static bool stops_a_process(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void on_stop(struct tracer *t, pid_t tid, int status)
{
	int signal = WSTOPSIG(status);
	struct tracee *one;

	/* It may be a new one, which was not there yet when all were killed. */
	if (t->killed) {
		kill(tid, SIGKILL);
		return;
	}
	one = find(t, tid);
	switch (status >> 16) {
	case PTRACE_EVENT_SECCOMP:
		on_call(t, one);
		break;
	case PTRACE_EVENT_EXEC:
		on_exec(t, tid);
		break;
	case PTRACE_EVENT_STOP:
		if (stops_a_process(signal))
			ptrace(PTRACE_LISTEN, tid, 0, 0);
		else
			run_on(one, 0);
		break;
	case 0:
		if (signal == SYSCALL_STOP)
			on_leave(t, one);
		else
			run_on(one, signal);
		break;
	default:	/* fork and the like: the new one stops by itself */
		run_on(one, 0);
	}
}

static void on_end(struct tracer *t, pid_t tid, int status)
{
	free(unlink_tracee(t, tid));
	if (tid != t->command)
		return;
	t->command = 0;
	t->wait_status = status;
}

/* --- the reader itself --- */

static void kill_all(struct tracer *t)
{
	struct tracee *one;
	int i;

	t->killed = true;
	for (i = 0; i < BUCKETS; i++)
		for (one = t->bucket[i]; one; one = one->next)
			kill(one->tid, SIGKILL);
}

static bool leads_its_process(pid_t tid)
{
	return !syscall(SYS_tgkill, tid, tid, 0);
}

/* To the command, or, once that has ended, to each process that it has left behind. */
static void pass_on(struct tracer *t, int signal)
{
	struct tracee *one;
	int i;

	if (t->command) {
		kill(t->command, signal);
		return;
	}
	for (i = 0; i < BUCKETS; i++)
		for (one = t->bucket[i]; one; one = one->next)
			if (leads_its_process(one->tid))
				kill(one->tid, signal);
}

/*
 * The first signal is passed on, unless the terminal has sent it to all; a later one ends all.
 * timeout(1) sends its signal to us and then to all of our group, so one that follows at once is no
 * later one. SIGQUIT is for the command alone, which may not even end by it.
 */
static void on_signal(struct tracer *t, const siginfo_t *info)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	if (info->si_signo == SIGCHLD)
		return;
	if (t->interrupted_ns && info->si_signo != SIGQUIT) {
		if (now - t->interrupted_ns >= REPEAT_NS)
			kill_all(t);
		return;
	}
	if (info->si_code != SI_KERNEL)
		pass_on(t, info->si_signo);
	if (info->si_signo != SIGQUIT)
		t->interrupted_ns = now;
}

/* Until a thread stops, a delay ends, or a signal arrives. */
static void sleep_on(struct tracer *t)
{
	struct timespec timeout = { .tv_sec = 3600 };
	uint64_t now = clock_ns(CLOCK_MONOTONIC), ns;
	siginfo_t info;

	if (t->waiting) {
		ns = t->waiting->wakes_ns > now ? t->waiting->wakes_ns - now : 0;
		if (ns < 3600000000000)
			timeout = (struct timespec){ ns / 1000000000, ns % 1000000000 };
	}
	if (sigtimedwait(&t->signals, &info, &timeout) > 0)
		on_signal(t, &info);
}

static void trace(struct tracer *t)
{
	int status;
	pid_t tid;

	for (;;) {
		tid = waitpid(-1, &status, __WALL | WNOHANG);
		if (tid < 0 && errno != EINTR)
			return;		/* none is left */
		if (tid > 0 && WIFSTOPPED(status))
			on_stop(t, tid, status);
		else if (tid > 0)
			on_end(t, tid, status);
		else if (!tid)
			sleep_on(t);
		wake(t);
	}
}

static int before_exec(void *filter)
{
	return inject_filter_apply(filter) ? errno : 0;
}

static int start(struct command *command, const char *name)
{
	if (ptrace(PTRACE_SEIZE, command->pid, 0, OPTIONS)) {
		const char *why = errno != EPERM ? strerror(errno) : "it is traced already, or "
				  "/proc/sys/kernel/yama/ptrace_scope forbids it";

		kill(command->pid, SIGKILL);
		return msg_error("cannot trace %s: %s", name, why);
	}
	return command_release(command, name);
}

/* Those that we handle; what was ignored when we began, as under nohup(1), stays so. */
static void choose_signals(sigset_t *signals)
{
	static const int handled[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction now;
	size_t i;

	sigemptyset(signals);
	sigaddset(signals, SIGCHLD);
	for (i = 0; i < sizeof(handled) / sizeof(*handled); i++)
		if (!sigaction(handled[i], NULL, &now) && now.sa_handler != SIG_IGN)
			sigaddset(signals, handled[i]);
}

int inject_run(struct inject_plan *plan, char **argv, inject_tell *tell, int *status)
{
	struct tracer t = { .plan = plan, .tell = tell };
	struct sock_fprog filter = inject_filter(plan);
	struct command command = { .before_exec = before_exec, .argument = &filter };
	sigset_t old;
	int ret;

	choose_signals(&t.signals);
	signal(SIGCHLD, SIG_DFL);	/* who ignores it is told of nothing */
	signal(SIGPIPE, SIG_IGN);	/* the command goes on if nobody reads our output */
	sigprocmask(SIG_BLOCK, &t.signals, &old);
	ret = command_start(&command, argv, &old);
	if (!ret) {
		t.command = command.pid;
		ret = start(&command, *argv);
		trace(&t);
		if (!ret)
			ret = command_ran(&command, *argv);
		*status = command_ended(&command, *argv, t.wait_status);
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	free(filter.filter);
	return ret;
}
