// SPDX-License-Identifier: GPL-2.0-only
/*
 * until.c - wait until a signal arrives or processes have exited
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/process.h"
#include "record/until.h"

/* A signal that is blocked arrives even if it is ignored: nohup ignores SIGHUP, for it not to. */
static bool is_ignored(int sig)
{
	struct sigaction action;

	return !sigaction(sig, NULL, &action) && action.sa_handler == SIG_IGN;
}

int until_begin(struct until *u)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (!is_ignored(SIGHUP))
		sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &u->old_signals);
	signal(SIGPIPE, SIG_IGN);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return msg_error("cannot wait for signals: %s", strerror(errno));
	u->wake = mem_zalloc(1, sizeof(*u->wake));
	u->wake[u->nr_wake++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return EXIT_OK;
}

int until_check_pids(const struct opt_list *pids, bool all)
{
	int i;

	for (i = 0; i < pids->nr; i++)
		if (number_up_to(pids->item[i], INT_MAX) <= 0)
			return msg_usage("--pid: '%s' is no process id", pids->item[i]);
	if (all && pids->nr)
		return msg_contradiction("--all", "--pid");
	return EXIT_OK;
}

/* The kernel says ESRCH where there is no such id, and EINVAL where it is that of a thread. */
static int refuse(pid_t pid, int error)
{
	pid_t process = error == EINVAL ? process_of_thread(pid) : 0;

	if (process && process != pid)
		return msg_error("--pid: %d is a thread, and its process is %d: give --pid %d, and "
				 "choose the thread afterwards, by kprof report --pid %d", pid,
				 process, process, pid);
	if (error == ESRCH)
		return msg_error("--pid: no process %d in this PID namespace", pid);
	return msg_error("--pid: cannot watch process %d: %s", pid,
			 error == EINVAL ? "it is no process, but a thread of one" :
					   strerror(error));
}

int until_process(struct until *u, pid_t pid)
{
	int fd = syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0)
		return refuse(pid, errno);
	u->wake = mem_realloc(u->wake, u->nr_wake + 1, sizeof(*u->wake));
	u->wake[u->nr_wake++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	return EXIT_OK;
}

int until_processes(struct until *u, const struct opt_list *pids)
{
	int i;

	for (i = 0; i < pids->nr; i++)
		if (until_process(u, number_up_to(pids->item[i], INT_MAX)))
			return EXIT_ERROR;
	return EXIT_OK;
}

/* Close a descriptor and set it to -1, so that poll() ignores it. */
static void close_wake(struct until *u, int i)
{
	close(u->wake[i].fd < 0 ? ~u->wake[i].fd : u->wake[i].fd);
}

void until_forget_processes(struct until *u)
{
	while (u->nr_wake > 1)
		close_wake(u, --u->nr_wake);
}

void until_say(const struct until *u, bool has_command, double seconds, const char *doing)
{
	if (has_command || seconds > 0 || !isatty(STDERR_FILENO))
		return;
	msg_warn("%s; Ctrl-C ends it%s", doing,
		 u->nr_wake > 1 ? ", and so does the end of the processes of --pid" : "");
}

/* Sleep for a day at most: longer is not needed, and a day fits the timeout of poll(). */
int until_sleep(struct until *u, uint64_t ns)
{
	const uint64_t day_ms = 24 * 3600 * 1000;
	uint64_t ms = ns / 1000000 + 1;

	if (poll(u->wake, u->nr_wake, ms < day_ms ? ms : day_ms) < 0 && errno != EINTR)
		return msg_error("cannot wait: %s", strerror(errno));
	return EXIT_OK;
}

bool until_is_interrupted(const struct until *u)
{
	return u->interrupted || u->wake[0].revents;
}

bool until_take_signal(struct until *u)
{
	struct signalfd_siginfo info;

	if (read(u->wake[0].fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return false;
	u->wake[0].revents = 0;
	u->interrupted = true;
	return true;
}

bool until_is_over(struct until *u)
{
	int i, ended = 0;

	if (until_is_interrupted(u))
		return true;
	for (i = 1; i < u->nr_wake; i++) {
		/* It may be asked again before the next poll(). */
		if (u->wake[i].revents && u->wake[i].fd >= 0)
			u->wake[i].fd = ~u->wake[i].fd;
		ended += u->wake[i].fd < 0;
	}
	return ended && ended == u->nr_wake - 1;
}

void until_end(struct until *u)
{
	while (u->nr_wake)
		close_wake(u, --u->nr_wake);
	free(u->wake);
	u->wake = NULL;
}
