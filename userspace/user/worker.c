// SPDX-License-Identifier: GPL-2.0-only
/*
 * worker.c - a process that answers messages of this one, and may be killed at any moment
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "user/worker.h"

#define FILES_MAX	4096	/* descriptors to close, where the kernel closes no range */

/*
 * The terminal's signals are for the process that asks. An open file of that process, such as the
 * end of a pipe, must not stay open here.
 */
static void leave_what_is_others(int socket)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	sigset_t none;
	size_t i;
	int fd;

	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
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

bool worker_start(struct worker *worker, void (*serve)(void))
{
	int ends[2];

	*worker = (struct worker){ 0 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return false;
	worker->pid = fork();
	if (!worker->pid) {
		leave_what_is_others(ends[1]);
		serve();
		_exit(1);
	}
	close(ends[1]);
	worker->socket = ends[0];
	if (worker->pid > 0)
		return true;
	close(ends[0]);
	worker->pid = 0;
	return false;
}
