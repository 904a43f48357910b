// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_hostile.c - what goes wrong in a kernel, and what others do to the functions that are watched
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

#define FTRACE		"/proc/sys/kernel/ftrace_enabled"
#define HOSTILE		"/sys/module/kprof_hostile/parameters/"
#define PATCH		"/sys/kernel/livepatch/kprof_patch"

/* Off is refused while somebody needs ftrace, and while it is off others are refused it. */
void torture_ftrace(void)
{
	int err;

	doing("ftrace off");
	err = write_text(FTRACE, "0");
	if (err && err != EBUSY)
		wrong("ftrace off: %s", strerror(err));
	random_pause(300);
	doing("ftrace on");
	err = write_text(FTRACE, "1");
	if (err)
		wrong("ftrace on: %s", strerror(err));
	random_pause(2000);
}

/* A thread ends inside of watched functions: they never return. */
void torture_oops(void)
{
	doing("an oops");
	write_text(HOSTILE "oops", "1");
	random_pause(8000);
}

/* A thread that is inside of a watched function for as long as it lives. */
void torture_thread(void)
{
	bool on = random_chance(50);

	doing("a thread %s", on ? "begins" : "ends");
	write_text(HOSTILE "thread", on ? "1" : "0");
	random_pause(2000);
}

static void wait_until_gone(const char *path)
{
	int tries;

	for (tries = 0; tries < 12000 && !access(path, F_OK); tries++)
		usleep(10000);
	if (!access(path, F_OK))
		wrong("%s does not go", path);
}

/*
 * A live patch of a function that may be watched comes, stays for a while, and goes. It is
 * refused where the kernel has none, and while ftrace is off.
 */
void torture_patch(void)
{
	int fd = open("/kprof/modules/kprof_patch.ko", O_RDONLY | O_CLOEXEC);
	bool loaded;

	doing("insmod kprof_patch.ko");
	loaded = !syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	if (!loaded && errno != EOPNOTSUPP && errno != EBUSY)
		wrong("insmod kprof_patch.ko: %s", strerror(errno));
	random_pause(2000);
	if (!loaded)
		return;
	doing("switch the live patch off");
	/* Which is refused until it has been switched on everywhere. */
	while (!access(PATCH, F_OK) && write_text(PATCH "/enabled", "0"))
		usleep(100000);
	wait_until_gone(PATCH);
	module_unload("kprof_patch");
}

/* Sleeps, reads and starts over, until it is killed. */
static void be_busy(void)
{
	char text[512];
	int fd;

	for (;;) {
		fd = open("/proc/self/stat", O_RDONLY);
		if (read(fd, text, sizeof(text)) < 0)
			_exit(1);
		close(fd);
		nanosleep(&(struct timespec) { 0, 20000000 }, NULL);
	}
}

/* Tasks are stopped wherever they are, for longer than kprof may be loaded. */
void torture_stopped(void)
{
	int turns = 1 + random_below(5), status;
	pid_t pid = fork();

	if (!pid)
		be_busy();
	while (turns--) {
		random_pause(200);
		doing("stop task %d", pid);
		kill(pid, SIGSTOP);
		random_pause(3000);
		doing("let task %d go on", pid);
		kill(pid, SIGCONT);
	}
	doing("end task %d", pid);
	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid || !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL)
		wrong("the task that was stopped ended with status %#x", status);
}
