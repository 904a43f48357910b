// SPDX-License-Identifier: GPL-2.0-only
/*
 * demangle.c - demangles names in a process of its own, which ends where one takes too long
 *
 * Names come from untrusted files. The process is started with the first name, and serves until
 * this one ends: a name is a message to it, and the answer another.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/msg.h"
#include "user/confine.h"
#include "user/demangle.h"
#include "user/readable.h"

#define MANGLED_MAX	8192
#define PLAIN_MAX	65536		/* bytes of a name that is shown as it is written */
#define NAME_US		250000		/* of processor time for a name, which takes some */
#define MEMORY		(256ul << 20)
#define FILES_MAX	1024		/* that are closed, where the kernel closes no range */

#ifdef KPROF_DEMANGLE
/* --- in the process that demangles --- */

static void allow(suseconds_t us)
{
	setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_usec = us }, NULL);
}

/* The terminal's signals are for the one that asks, and so is what is open: a pipe has to end. */
static void leave_what_is_others(int socket)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	sigset_t none;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	signal(SIGPROF, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(socket, STDIN_FILENO);
	fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(fd, STDOUT_FILENO);
	dup2(fd, STDERR_FILENO);
	if (syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0))
		for (fd = STDERR_FILENO + 1; fd < FILES_MAX; fd++)
			close(fd);
}

__attribute__((noreturn))
static void serve(int socket)
{
	char name[MANGLED_MAX + 1];
	struct buf text = { 0 };
	ssize_t len;

	leave_what_is_others(socket);
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
	pid_t child;		/* 0: none */
	int socket;
	unsigned int failures;
} server;

static bool start(void)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return false;
	server.child = fork();
	if (!server.child)
		serve(ends[1]);
	close(ends[1]);
	server.socket = ends[0];
	if (server.child > 0)
		return true;
	close(ends[0]);
	server.child = 0;
	return false;
}

static void stop(void)
{
	close(server.socket);
	kill(server.child, SIGKILL);
	while (waitpid(server.child, NULL, 0) < 0 && errno == EINTR)
		;
	server.child = 0;
	if (++server.failures == DEMANGLE_FAILURES)
		msg_warn("%d names of functions took too long to demangle: they are shown as they are written from here on",
			 DEMANGLE_FAILURES);
}

/* Returns the length of the answer; 0: there is none. */
static size_t ask(const char *name, size_t len, char *text, size_t size)
{
	ssize_t got = -1;

	if (server.failures == DEMANGLE_FAILURES || (!server.child && !start()))
		return 0;
	if (send(server.socket, name, len, MSG_NOSIGNAL) >= 0)
		do
			got = recv(server.socket, text, size, 0);
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
