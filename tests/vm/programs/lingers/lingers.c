// SPDX-License-Identifier: GPL-2.0-only
/*
 * lingers.c - a process that sleeps in the kernel on its way to user mode
 *
 * usage: lingers
 *
 * Closes a socket that is to be closed only when its data has arrived, which nobody reads. The
 * close itself is a task work. The process sleeps in it until the connection ends, that is, until
 * this process gets a signal.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	_exit(1);
}

int main(void)
{
	int listening = socket(AF_INET, SOCK_STREAM, 0), to = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in address = { .sin_family = AF_INET };
	const struct linger linger = { .l_onoff = 1, .l_linger = 10000 };
	socklen_t len = sizeof(address);
	char text[65536];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(listening, (void *)&address, sizeof(address)) || listen(listening, 1) ||
	    getsockname(listening, (void *)&address, &len) ||
	    connect(to, (void *)&address, sizeof(address)))
		fail("connect");
	memset(text, 'x', sizeof(text));
	fcntl(to, F_SETFL, O_NONBLOCK);
	while (write(to, text, sizeof(text)) > 0)
		;
	/* A socket that does not block does not linger either. */
	fcntl(to, F_SETFL, 0);
	if (setsockopt(to, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)))
		fail("setsockopt");
	puts("closes");
	fflush(stdout);
	close(to);
	puts("closed");
	return 0;
}
