// SPDX-License-Identifier: GPL-2.0-only
/*
 * demangle.c - demangles names in a process of its own, which ends where one takes too long
 *
 * Names come from untrusted files. The process is started with the first name, and serves until
 * this one ends: a name is a message to it, and the answer another.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/msg.h"
#include "lib/own_time.h"
#include "user/confine.h"
#include "user/demangle.h"
#include "user/readable.h"
#include "user/worker.h"

#define MANGLED_MAX	8192
#define PLAIN_MAX	65536		/* bytes of a name that is shown as it is written */
#define NAME_US		250000		/* of processor time for a name, which takes some */
#define MEMORY		(256ul << 20)

#ifdef KPROF_DEMANGLE
/* --- in the process that demangles --- */

static void allow(suseconds_t us)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_usec = us }, NULL);
}

__attribute__((noreturn))
static void serve(void)
{
	char name[MANGLED_MAX + 1];
	struct buf text = { 0 };
	ssize_t len;

	signal(SIGPROF, SIG_DFL);
	confine(MEMORY);
	while ((len = recv(STDIN_FILENO, name, MANGLED_MAX, 0)) > 0) {
		name[len] = '\0';
		text.len = 0;
		allow(NAME_US);
		readable_name(&text, name);
		allow(0);
		if (send(STDIN_FILENO, text.data, text.len, 0) < 0)
			break;
	}
	_exit(0);
}

/* --- in the process that asks --- */

static struct {
	struct worker worker;
	unsigned int failures;
} server;

static void stop(void)
{
	close(server.worker.socket);
	kill(server.worker.pid, SIGKILL);
	own_time_wait(server.worker.pid, NULL);
	server.worker.pid = 0;
	if (++server.failures == DEMANGLE_FAILURES)
		msg_warn("%d names of functions took too long to demangle: they are shown as they are written from here on",
			 DEMANGLE_FAILURES);
}

/* Returns the length of the answer; 0: there is none. */
static size_t ask(const char *name, size_t len, char *text, size_t size)
{
	ssize_t got = -1;

	if (server.failures == DEMANGLE_FAILURES ||
	    (!server.worker.pid && !worker_start(&server.worker, serve)))
		return 0;
	if (send(server.worker.socket, name, len, MSG_NOSIGNAL) >= 0)
		do
			got = recv(server.worker.socket, text, size, 0);
		while (got < 0 && errno == EINTR);
	if (got <= 0)
		stop();
	return got > 0 ? got : 0;
}
#endif

bool user_is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R' || name[1] == 'D');
}

/* FNV-1a: the same on all machines. */
static uint64_t checksum(const char *text, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325;

	while (len--)
		sum = (sum ^ (unsigned char)*text++) * 0x100000001b3;
	return sum;
}

void user_demangle(struct buf *out, const char *name)
{
	size_t len = strlen(name);
#ifdef KPROF_DEMANGLE
	char text[READABLE_MAX];
	bool is_asked = user_is_mangled(name) && len < MANGLED_MAX;
	size_t got = is_asked ? ask(name, len, text, sizeof(text)) : 0;

	if (got) {
		buf_add(out, text, got);
		return;
	}
#endif
	if (len <= PLAIN_MAX) {
		buf_add(out, name, len);
		return;
	}
	/* Two names that differ behind that must stay two. */
	buf_add(out, name, PLAIN_MAX);
	buf_printf(out, "...%016" PRIx64, checksum(name, len));
}
