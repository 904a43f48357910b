// SPDX-License-Identifier: GPL-2.0-only
/*
 * completion.c - kprof completion: make a shell completion script from the tables of options
 */
#include <string.h>

#include "cmd/completion.h"
#include "cmd/verbs.h"
#include "lib/msg.h"

static const char *const shells[] = { "bash", "zsh", "fish", NULL };

const char *completion_kind(const struct opt *o)
{
	static const struct { const char *arg, *kind; } kinds[] = {
		{ "FILE", "files" }, { "DIR", "files" }, { "PID", "pids" },
		{ "FUNCTION", "functions" }, { "TARGET", "functions" },
	};
	size_t i;

	if (o->type == OPT_CHOICE)
		return "words";
	if (o->values)
		return "list";
	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].arg, o->arg))
			return kinds[i].kind;
	return "none";
}

const char *completion_operands(const struct verb *verb)
{
	/* The first one is what is typed most; bash takes files if no function has that name. */
	if (!strncmp(verb->args, "[FUNCTION]", 10))
		return "functions";
	if (strstr(verb->args, "FILE") || strstr(verb->args, "MODULE") ||
	    !strncmp(verb->args, "A B", 3))
		return "files";
	if (strstr(verb->args, "TARGET") || strstr(verb->args, "FUNCTION") ||
	    strstr(verb->args, "PATTERN"))
		return "functions";
	if (verb->command)
		return "commands";
	return completion_operand_words(verb) ? "words" : "none";
}

const char *const *completion_words(const struct opt *o)
{
	return o->values ? o->values() : o->choices;
}

const char *const *completion_operand_words(const struct verb *verb)
{
	return verb == &verb_completion ? shells : NULL;
}

void completion_quote(const char *text, const char *quote)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'')
			fputs(quote, stdout);
		else
			putchar(*text == '\n' ? ' ' : *text);
	}
	putchar('\'');
}

static int run(int argc, char **argv)
{
	static void (*const print[])(void) = { completion_bash, completion_zsh, completion_fish };
	int i;

	if (argc > 1)
		return msg_usage("one shell at a time, not also '%s'", argv[1]);
	for (i = 0; argc && shells[i]; i++)
		if (!strcmp(shells[i], argv[0])) {
			print[i]();
			return EXIT_OK;
		}
	return msg_usage("'%s' is no shell that is known: give bash, zsh or fish", argc ? argv[0] : "");
}

const struct verb verb_completion = {
	.name = "completion",
	.args = "bash|zsh|fish",
	.summary = "Print a completion script for bash, zsh or fish",
	.details =
		"Use it in ~/.bashrc:\n"
		"  source <(kprof completion bash)\n"
		"in ~/.zshrc, after compinit:\n"
		"  source <(kprof completion zsh)\n"
		"or in ~/.config/fish/config.fish:\n"
		"  kprof completion fish | source\n",
	.run = run,
};
