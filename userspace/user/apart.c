// SPDX-License-Identifier: GPL-2.0-only
/*
 * apart.c - reads the file of another user in a process of its own, which has limits
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/own_time.h"
#include "lib/process.h"
#include "user/apart.h"
#include "user/confine.h"

#define BEFORE_TIMES	11	/* fields between the name of a process and its times */

/* --- in the process that reads --- */

__attribute__((noreturn))
static void be_reader(void (*read)(const void *what, FILE *to), const void *what, int fd)
{
	FILE *to = fdopen(fd, "w");
	sigset_t alone;

	confine(APART_MEMORY);
	confine_to(RLIMIT_CPU, APART_SECONDS);
	sigemptyset(&alone);
	sigaddset(&alone, SIGALRM);
	signal(SIGALRM, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &alone, NULL);
	alarm(3 * APART_SECONDS);
	if (!to)
		_exit(1);
	read(what, to);
	_exit(ferror(to) || fclose(to));
}

/* --- in a process between the two, as the reader may wait where no signal ends that --- */

/*
 * The processor time that a process has taken, if it waits for something that no signal ends; 0: it
 * does not, or nobody knows.
 */
static uint64_t time_of_stuck(pid_t pid)
{
	uint64_t user = 0, system = 0;
	struct buf text = { 0 };
	const char *at = process_read_stat(&text, pid);
	bool is_stuck = at && *at == 'D';

	at = process_skip_fields(at, BEFORE_TIMES);
	is_stuck = is_stuck && at && number_take(&at, NUMBER_DECIMAL, &user) && *at++ == ' ' &&
		   number_take(&at, NUMBER_DECIMAL, &system);
	buf_free(&text);
	return is_stuck ? user + system + 1 : 0;
}

static bool pass_on(int from, int to)
{
	static char text[65536];
	ssize_t got = read(from, text, sizeof(text)), put, done = 0;

	for (; got > 0 && done < got; done += put) {
		put = write(to, text + done, got - done);
		if (put < 0)
			_exit(1);
	}
	return got > 0;
}

/* Pass on what the reader writes, until it ends, or has not got on for too long. */
__attribute__((noreturn))
static void be_relay(pid_t reader, int from, int to)
{
	struct pollfd wake = { .fd = from, .events = POLLIN };
	unsigned int seconds = 0, stuck = 0;
	uint64_t before = 0, now;
	int status = 1;

	while (stuck < APART_STUCK && seconds < 3 * APART_SECONDS + APART_STUCK) {
		if (poll(&wake, 1, 1000)) {
			if (!pass_on(from, to))
				break;
			stuck = 0;
			continue;
		}
		seconds++;
		now = time_of_stuck(reader);
		stuck = now && now == before ? stuck + 1 : 0;
		before = now;
	}
	if (stuck < APART_STUCK && seconds < 3 * APART_SECONDS + APART_STUCK)
		waitpid(reader, &status, 0);
	else
		kill(reader, SIGKILL);
	_exit(!!status);
}

__attribute__((noreturn))
static void be_child(void (*read)(const void *what, FILE *to), const void *what, int to)
{
	pid_t reader;
	int ends[2];

	confine(APART_MEMORY);
	if (pipe2(ends, O_CLOEXEC))
		_exit(1);
	reader = fork();
	if (reader < 0)
		_exit(1);
	if (!reader) {
		close(to);
		close(ends[0]);
		be_reader(read, what, ends[1]);
	}
	close(ends[1]);
	be_relay(reader, ends[0], to);
}

/* --- whose files are read --- */

/* Who has made files to keep others waiting has more of them: each alone is within its limits. */
static uid_t failed[APART_ALL];
static unsigned int nr_failed;

static unsigned int failures_of(uid_t owner)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_failed; i++)
		nr += failed[i] == owner;
	return nr;
}

static bool is_trusted(uid_t owner)
{
	return !owner || owner == geteuid();
}

static void note_failure(uid_t owner)
{
	if (is_trusted(owner) || nr_failed == APART_ALL)
		return;
	failed[nr_failed++] = owner;
	if (nr_failed == APART_ALL)
		msg_warn("%d files of users could not be read to the end: no more are read",
			 APART_ALL);
	else if (failures_of(owner) == APART_FAILURES)
		msg_warn("%d files of user %u could not be read to the end: no more of theirs are read",
			 APART_FAILURES, owner);
}

static bool may_read(uid_t owner)
{
	return is_trusted(owner) ||
	       (nr_failed < APART_ALL && failures_of(owner) < APART_FAILURES);
}

/* --- in the process that asks --- */

int apart_begin(struct apart *a, int fd, void (*read)(const void *what, FILE *to),
		const void *what, char error[256])
{
	struct stat st;
	int ends[2];

	if (fstat(fd, &st)) {
		snprintf(error, 256, "%s", strerror(errno));
		return -1;
	}
	a->owner = st.st_uid;
	if (!may_read(a->owner)) {
		snprintf(error, 256, "too many files of users could not be read to the end");
		return -1;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		snprintf(error, 256, "cannot create a pipe: %s", strerror(errno));
		return -1;
	}
	signal(SIGCHLD, SIG_DFL);	/* who ignores it is not told how a process ended */
	a->from = fdopen(ends[0], "r");
	a->child = a->from ? fork() : -1;
	if (!a->child)
		be_child(read, what, ends[1]);
	if (a->child < 0)
		snprintf(error, 256, "cannot %s: %s",
			 a->from ? "start a process" : "read from a process", strerror(errno));
	close(ends[1]);
	if (a->child > 0)
		return 0;
	if (a->from)
		fclose(a->from);
	else
		close(ends[0]);
	return -1;
}

bool apart_end(struct apart *a, bool wanted)
{
	int status = -1;

	if (!wanted)
		kill(a->child, SIGKILL);
	fclose(a->from);
	own_time_wait(a->child, &status);
	if (wanted && !status)
		return true;
	note_failure(a->owner);
	return false;
}
