// SPDX-License-Identifier: GPL-2.0-only
/*
 * terminal.c - a terminal whose whole screen is the program's, and which gets keys one by one
 */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "lib/exit.h"
#include "lib/msg.h"
#include "lib/terminal.h"

/* The other screen, no cursor, and no wrapping of lines that are too long; and all that back. */
#define TAKE	"\033[?1049h\033[?25l\033[?7l\033[H\033[2J"
#define RESTORE	"\033[?7h\033[?25h\033[?1049l"

static struct termios saved;
static atomic_bool is_taken;	/* a signal handler reads it */
static int signals_fd = -1;

/* Only functions that a signal handler may call. */
static void restore(void)
{
	int saved_errno = errno;

	if (is_taken) {
		is_taken = false;
		/* A failure can be shown to nobody. */
		if (write(STDOUT_FILENO, RESTORE, strlen(RESTORE)) < 0)
			saved_errno = errno;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
	}
	errno = saved_errno;
}

static void take(void)
{
	struct termios raw = saved;

	/* Ctrl-C and Ctrl-Z stay signals, and a line feed goes to the start of a line. */
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_iflag &= ~(ICRNL | IXON);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	is_taken = true;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	if (write(STDOUT_FILENO, TAKE, strlen(TAKE)) < 0)
		is_taken = false;
}

static void die(int signal)
{
	restore();
	raise(signal);	/* the handler was for one time only */
}

/* A crash leaves the terminal in order, too. */
static void catch_crashes(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGQUIT };
	struct sigaction action = { .sa_handler = die, .sa_flags = SA_RESETHAND };
	size_t i;

	for (i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

static bool is_able(int fd)
{
	const char *type = getenv("TERM");

	return isatty(fd) && type && *type && strcmp(type, "dumb") != 0;
}

bool terminal_is_there(void)
{
	return isatty(STDIN_FILENO) && is_able(STDOUT_FILENO);
}

bool terminal_is_decorated(int fd)
{
	const char *no_color = getenv("NO_COLOR");

	return is_able(fd) && (!no_color || !*no_color);
}

int terminal_begin(int *signals)
{
	sigset_t set;

	if (tcgetattr(STDIN_FILENO, &saved))
		return msg_error("cannot read the settings of the terminal: %s", strerror(errno));
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals_fd < 0)
		return msg_error("cannot wait for signals: %s", strerror(errno));
	*signals = signals_fd;
	catch_crashes();
	atexit(restore);
	take();
	return EXIT_OK;
}

void terminal_end(void)
{
	restore();
	if (signals_fd >= 0)
		close(signals_fd);
	signals_fd = -1;
}

bool terminal_take_signals(void)
{
	struct signalfd_siginfo info;
	bool stop = false;

	while (read(signals_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		stop |= info.ssi_signo == SIGTSTP;
	return stop;
}

void terminal_stop(void)
{
	restore();
	raise(SIGSTOP);
	take();
}

size_t terminal_lines(void)
{
	struct winsize size;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
}
