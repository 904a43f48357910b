// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_until.c - that processes have ended is known however often it is asked for, and a terminal
 * that is closed ends nothing that nohup has started
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/until.h"
#include "unit.h"

static pid_t child(void)
{
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	return pid;
}

static void end(pid_t pid)
{
	siginfo_t info;

	kill(pid, SIGKILL);
	/* It is a zombie then. */
	CHECK(!waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
}

static void test_asked_twice(void)
{
	struct until until = { 0 };
	pid_t one = child(), two = child();

	CHECK(!until_begin(&until));
	CHECK(!until_process(&until, one));
	CHECK(!until_process(&until, two));
	CHECK(!until_is_over(&until));
	end(one);
	CHECK(!until_sleep(&until, 60000000000ull));
	CHECK(!until_is_over(&until));
	CHECK(!until_is_over(&until));
	end(two);
	CHECK(!until_sleep(&until, 60000000000ull));
	CHECK(until_is_over(&until));
	CHECK(until_is_over(&until));
	CHECK(!until_is_interrupted(&until));
	until_end(&until);
	waitpid(one, NULL, 0);
	waitpid(two, NULL, 0);
}

/* Does SIGHUP end it? */
static bool is_ended_by_hangup(void)
{
	struct until until = { 0 };
	bool ended;

	CHECK(!until_begin(&until));
	raise(SIGHUP);
	CHECK(!until_sleep(&until, 1000000));
	ended = until_is_over(&until);
	until_take_signal(&until);
	sigprocmask(SIG_SETMASK, &until.old_signals, NULL);
	until_end(&until);
	return ended;
}

static void test_hangup(void)
{
	/* Who runs this may ignore it, as nohup does. */
	signal(SIGHUP, SIG_DFL);
	CHECK(is_ended_by_hangup());
	signal(SIGHUP, SIG_IGN);
	CHECK(!is_ended_by_hangup());
	signal(SIGHUP, SIG_DFL);
}

static const struct unit_test tests[] = {
	{ "asked twice, processes have ended twice", test_asked_twice },
	{ "a closed terminal, with and without nohup", test_hangup },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
