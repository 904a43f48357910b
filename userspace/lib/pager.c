// SPDX-License-Identifier: GPL-2.0-only
/*
 * pager.c - show output through a pager if standard output is a terminal
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/pager.h"
#include "lib/terminal.h"

bool pager_is_off;

/*
 * What less is told where $LESS does not: to leave at once if all fits, show colours and leave the
 * text on the screen. As with git, and not as with perf, long lines are not cut: that hides text,
 * and then less does not leave.
 */
#define LESS_OPTIONS	"FRX"

static bool can_run(const char *path)
{
	return *path && !access(path, X_OK);
}

/* The file of a program, into @path. */
static bool find(const char *name, size_t len, struct buf *path)
{
	const char *dir = getenv("PATH");
	size_t dir_len;

	if (memchr(name, '/', len)) {
		buf_add(path, name, len);
		return can_run(path->data);
	}
	for (; dir; dir = dir[dir_len] ? dir + dir_len + 1 : NULL) {
		dir_len = strcspn(dir, ":");
		path->len = 0;
		buf_printf(path, "%.*s/%.*s", dir_len ? (int)dir_len : 1, dir_len ? dir : ".",
			   (int)len, name);
		if (can_run(path->data))
			return true;
	}
	return false;
}

/* Does it show colours? Less is known to, if told; Debian's "pager" mostly is a link to it. */
static bool shows_colors(const char *path)
{
	char *real = realpath(path, NULL);
	const char *name = real ? strrchr(real, '/') : NULL, *less = getenv("LESS");
	bool shows = name && !strcmp(name, "/less") && (!less || strchr(less, 'R'));

	free(real);
	return shows;
}

/* The pager of the user. What does not begin with the name of a program is left to the shell. */
static void take_command(struct pager *p, const char *command)
{
	size_t len = strspn(command, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "/._+-");
	bool is_program = len && (!command[len] || command[len] == ' ');
	struct buf path = { 0 };

	if (is_program && !find(command, len, &path)) {
		msg_warn("PAGER: '%s' cannot be run, so it is shown without", command);
	} else {
		p->command = command;
		p->has_colors = is_program && shows_colors(path.data);
	}
	buf_free(&path);
}

static void choose(struct pager *p)
{
	static const char *const known[] = { "pager", "less" };
	const char *command = getenv("PAGER"), *type = getenv("TERM");
	struct buf path = { 0 };
	size_t i;

	if (command) {
		if (*command && strcmp(command, "cat") != 0)
			take_command(p, command);
		return;
	}
	/* A terminal that cannot move its cursor is no place for one that was not asked for. */
	if (!type || !*type || !strcmp(type, "dumb"))
		return;
	for (i = 0; i < sizeof(known) / sizeof(*known) && !p->command; i++) {
		path.len = 0;
		if (!find(known[i], strlen(known[i]), &path))
			continue;
		p->command = known[i];
		p->has_colors = shows_colors(path.data);
	}
	buf_free(&path);
}

/* Put the pager behind standard output: then what is printed is escaped there, as it always is. */
static void start(struct pager *p)
{
	fflush(stdout);
	setenv("LESS", LESS_OPTIONS, 0);
	p->terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	p->pipe = p->terminal >= 0 ? popen(p->command, "we") : NULL;
	if (!p->pipe || dup2(fileno(p->pipe), STDOUT_FILENO) < 0) {
		msg_warn("PAGER: '%s' cannot be run, so it is shown without", p->command);
		if (p->pipe)
			pclose(p->pipe);
		if (p->terminal >= 0)
			close(p->terminal);
		p->command = NULL;
		return;
	}
	setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
	/* The user may leave before the end; and what he interrupts is the pager, which stays. */
	p->old_pipe = signal(SIGPIPE, SIG_IGN);
	p->old_int = signal(SIGINT, SIG_IGN);
	p->old_quit = signal(SIGQUIT, SIG_IGN);
}

FILE *pager_begin(struct pager *p)
{
	*p = (struct pager){ .command = NULL };
	if (!pager_is_off && isatty(STDOUT_FILENO))
		choose(p);
	if (p->command)
		start(p);
	return stdout;
}

void pager_end(struct pager *p)
{
	int status;

	if (!p->command)
		return;
	fflush(stdout);
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	/* This closes the pipe here, and pclose() the other end of it that is left. */
	dup2(p->terminal, STDOUT_FILENO);
	close(p->terminal);
	status = pclose(p->pipe);
	signal(SIGPIPE, p->old_pipe);
	signal(SIGINT, p->old_int);
	signal(SIGQUIT, p->old_quit);
	escape_forget_reader();
	if (WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127))
		msg_warn("PAGER: '%s' cannot be run: --no-pager shows it without", p->command);
}

bool pager_color(const struct pager *p)
{
	return terminal_is_decorated(p->command ? p->terminal : STDOUT_FILENO) &&
	       (!p->command || p->has_colors);
}
