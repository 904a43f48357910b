// SPDX-License-Identifier: GPL-2.0-only
/*
 * pager.c - show output through $PAGER if standard output is a terminal
 *
 * Output goes to memory first, because only running the pager shows whether it exists.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/pager.h"

FILE *pager_begin(struct pager *p)
{
	const char *command = getenv("PAGER");

	*p = (struct pager){ 0 };
	if (!isatty(STDOUT_FILENO) || !command || !*command || !strcmp(command, "cat"))
		return stdout;
	p->memory = open_memstream(&p->text, &p->len);
	if (!p->memory)
		return stdout;
	p->command = command;
	return p->memory;
}

/* Returns false if the pager does not exist or cannot be executed. */
static bool run(const struct pager *p)
{
	sighandler_t old = signal(SIGPIPE, SIG_IGN);
	struct buf escaped = { 0 };
	int status = -1;
	FILE *pipe;

	fflush(stdout);
	pipe = popen(p->command, "we");
	escape_add_lines(&escaped, p->text, p->len);
	if (pipe) {
		/* The user may quit before the end. */
		fwrite(escaped.data, 1, escaped.len, pipe);
		status = pclose(pipe);
	}
	buf_free(&escaped);
	signal(SIGPIPE, old);
	return status >= 0 && (!WIFEXITED(status) || (WEXITSTATUS(status) != 126 &&
						      WEXITSTATUS(status) != 127));
}

void pager_end(struct pager *p)
{
	if (!p->command)
		return;
	fclose(p->memory);
	if (!run(p)) {
		msg_warn("PAGER: '%s' cannot be run, so it is shown without", p->command);
		fwrite(p->text, 1, p->len, stdout);
	}
	free(p->text);
}

bool pager_color(const struct pager *p)
{
	const char *no_color = getenv("NO_COLOR");

	return !p->command && isatty(STDOUT_FILENO) && (!no_color || !*no_color);
}
