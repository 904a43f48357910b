// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - the kprof program: find the verb and run it
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/peers.h"
#include "cmd/verbs.h"
#include "lib/escape.h"
#include "lib/msg.h"
#include "lib/nearest.h"
#include "lib/output.h"
#include "lib/pager.h"

#define VERB(name) (&verb_##name)
const struct verb *const verbs[] = {
#include "cmd/verbs.list"
	, NULL
};

static void print_help(FILE *out)
{
	int i;

	fputs("Usage: kprof VERB [options] [arguments]\n\n"
	      "Shows where the time of a Linux kernel goes, with the module kprof.ko.\n\n"
	      "Verbs:\n", out);
	for (i = 0; verbs[i]; i++)
		fprintf(out, "  %-12s %s\n", verbs[i]->name, verbs[i]->summary);
	fputs("\nTo begin with:\n"
	      "  kprof record -- COMMAND      where the kernel's time goes; then kprof report -g\n"
	      "  kprof offcpu -- COMMAND      why its tasks wait; for which locks: kprof locks\n"
	      "  kprof lat FUNCTION by=comm,caller -a -d 5\n"
	      "                               how long calls take, and whose\n"
	      "  kprof explain FUNCTION -- COMMAND\n"
	      "                               what slow calls have in common, such as arguments\n"
	      "  kprof diff A B               what has changed between two recordings of record,\n"
	      "                               or of lat -o, before and after\n"
	      "\nOptions:\n"
	      "  -h, --help     show this text; 'kprof help VERB' for those of a verb\n"
	      "  -V, --version  show the version, and that of the module's layouts\n\n"
	      "Exit status: 0 done, 1 failed, 2 wrong usage, 3 done but data was lost; of a\n"
	      "command that was run and failed, the command's.\n", out);
}

static const struct verb *find_verb(const char *name)
{
	int i;

	for (i = 0; verbs[i]; i++)
		if (!strcmp(verbs[i]->name, name))
			return verbs[i];
	return NULL;
}

static int no_verb(const char *name)
{
	const char *names[sizeof(verbs) / sizeof(*verbs)];
	const struct peer *peer = peers_find(name);
	const char *near;
	int i;

	if (peer && !peer->command)
		return msg_usage("'%s' is no verb: %s", name, peer->note);
	if (peer)
		return msg_usage("'%s' is no verb; kprof's way: %s%s%s%s", name, peer->command,
				 peer->note ? " (" : "", peer->note ? peer->note : "",
				 peer->note ? ")" : "");
	for (i = 0; verbs[i]; i++)
		names[i] = verbs[i]->name;
	names[i] = NULL;
	near = nearest_name(names, name);
	return msg_usage("'%s' is no verb%s%s%s", name, near ? "; did you mean '" : "",
			 near ? near : "", near ? "'?" : "");
}

/* kprof help, kprof help VERB */
static int help(int argc, char **argv)
{
	const struct verb *verb;

	if (!argc) {
		print_help(stdout);
		return EXIT_OK;
	}
	verb = find_verb(argv[0]);
	if (!verb)
		return no_verb(argv[0]);
	opt_print_help(verb, stdout);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

	/* perf has it before the verb. */
	if (argc > 1 && !strcmp(argv[1], "--no-pager")) {
		pager_is_off = true;
		argc--;
		argv++;
	}
	if (argc < 2)
		return msg_usage("no verb is given");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		print_help(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		opt_print_version(stdout);
		return EXIT_OK;
	}
	if (!strcmp(argv[1], "help"))
		return help(argc - 2, argv + 2);
	verb = find_verb(argv[1]);
	if (!verb)
		return no_verb(argv[1]);
	return opt_run_verb(verb, argc - 1, argv + 1);
}

/* Check that all output was written: if the disk is full, the result is incomplete. */
static int finish(int ret)
{
	int error = escape_end();

	if (!error)
		return ret;
	/* The reader may have closed the pipe, as head does. */
	return error == EPIPE ? EXIT_ERROR :
	       msg_error("cannot write %s: %s", output_name(), strerror(error));
}

int main(int argc, char **argv)
{
	escape_begin();
	return finish(run(argc, argv));
}
