// SPDX-License-Identifier: GPL-2.0-only
/*
 * apart.c - reads the file of another user in a process of its own, which has limits
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/msg.h"
#include "user/apart.h"
#include "user/confine.h"

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
		be_reader(read, what, ends[1]);
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
	while (waitpid(a->child, &status, 0) < 0 && errno == EINTR)
		;
	if (wanted && !status)
		return true;
	note_failure(a->owner);
	return false;
}
