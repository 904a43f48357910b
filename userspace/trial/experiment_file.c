// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_file.c - read the file that describes an experiment
 *
 * Lines are KEY = VALUE; "[a]" and "[b]" begin what is of one side only; a line that begins with
 * white space continues the value before it; "#" at the start of a line begins a comment.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trial/experiment.h"
#include "lib/msg.h"
#include "lib/number.h"

/* Where the parser is. */
struct place {
	const char *path;
	int line;
	int side;		/* -1: of both */
};

/* A key: whole numbers go to @number, numbers to @real, texts to @text. */
struct key {
	const char *name;
	const char **text;
	struct experiment *machines;	/* these go there */
	long *number;
	double *real;
	double min, max;
};

static int bad(const struct place *at, const char *what, const char *value, const char *right)
{
	return msg_error("%s:%d: %s '%s': %s", at->path, at->line, what, value, right);
}

static int set(const struct place *at, const struct key *key, const char *value)
{
	const char *name, *why;
	char right[96];
	int64_t whole;
	double real;

	if (key->machines) {
		name = experiment_machines(key->machines, value, &why);
		return name ? bad(at, key->name, name, why) : EXIT_OK;
	}
	if (key->text) {
		*key->text = value;
		return EXIT_OK;
	}
	snprintf(right, sizeof(right), "not %s from %.15g to %.15g",
		 key->number ? "a whole number" : "a number", key->min, key->max);
	if (key->number) {
		if (!number_within(value, (int64_t)key->min, (int64_t)key->max, &whole))
			return bad(at, key->name, value, right);
		*key->number = whole;
		return EXIT_OK;
	}
	if (!number_real(value, &real) || real < key->min || real > key->max)
		return bad(at, key->name, value, right);
	*key->real = real;
	return EXIT_OK;
}

static int set_of(const struct place *at, const struct key *keys, const char *name,
		  const char *value)
{
	struct buf names = { 0 };
	int i, ret;

	for (i = 0; keys[i].name; i++)
		if (!strcmp(keys[i].name, name))
			return set(at, &keys[i], value);
	for (i = 0; keys[i].name; i++)
		buf_printf(&names, " %s", keys[i].name);
	buf_printf(&names, at->side < 0 ? "" : " (of a side)");
	ret = bad(at, "unknown key", name, names.data);
	buf_free(&names);
	return ret;
}

static int set_value(struct experiment *e, struct experiment_commands *both, long *seed,
		     const struct place *at, const char *name, const char *value)
{
	const struct key keys[] = {
		{ .name = "title", .text = &e->title },
		{ .name = "runs", .number = &e->runs, .min = DIFF_RUNS_MIN,
		  .max = EXPERIMENT_RUNS_MAX },
		{ .name = "machines", .machines = e },
		{ .name = "seed", .number = seed, .min = 0, .max = 1e9 },
		{ .name = "fdr", .real = &e->rate, .min = 0.000001, .max = 0.5 },
		{ .name = "threshold", .real = &e->threshold, .min = 0, .max = 1000 },
		{ .name = "setup", .text = &both->setup }, { .name = "run", .text = &both->run },
		{ .name = "teardown", .text = &both->teardown },
		{ .name = "blocks", .text = &both->blocks }, { .name = NULL }
	};
	struct experiment_side *side = &e->side[at->side < 0 ? 0 : at->side];
	const struct key of_side[] = {
		{ .name = "name", .text = &side->name }, { .name = "args", .text = &side->args },
		{ .name = "setup", .text = &side->commands.setup },
		{ .name = "run", .text = &side->commands.run },
		{ .name = "teardown", .text = &side->commands.teardown },
		{ .name = "blocks", .text = &side->commands.blocks }, { .name = NULL }
	};

	return set_of(at, at->side < 0 ? keys : of_side, name, value);
}

/*
 * End a line behind those that continue it, which are joined by white space. Adds their number to
 * @nr, and returns the next line, or NULL.
 */
static char *end_line(char *line, int *nr)
{
	while ((line = strchr(line, '\n')) != NULL) {
		++*nr;
		if (line[1] != ' ' && line[1] != '\t') {
			*line = '\0';
			return line + 1;
		}
		*line = ' ';
	}
	return NULL;
}

static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t");
	len = strlen(text);
	while (len && strchr(" \t\r", text[len - 1]))
		text[--len] = '\0';
	return text;
}

static int parse_line(struct experiment *e, struct experiment_commands *both, long *seed,
		      struct place *at, char *line)
{
	char *equals = strchr(line, '=');

	line = trim(line);
	if (!*line || *line == '#')
		return EXIT_OK;
	if (!strcmp(line, "[a]") || !strcmp(line, "[b]")) {
		at->side = line[1] == 'a' ? DIFF_A : DIFF_B;
		return EXIT_OK;
	}
	if (*line == '[' || !equals)
		return bad(at, "line", line, "neither KEY = VALUE nor [a] nor [b]");
	*equals = '\0';
	return set_value(e, both, seed, at, trim(line), trim(equals + 1));
}

/* A placeholder that stands for nothing is told before any command has run. */
static bool can_expand(const struct experiment *e, int side, const char *command,
		       const char *function)
{
	const struct experiment_run run = { .side = side, .machine = e->nr_machines ? "" : NULL };
	struct experiment with = *e;
	struct buf text = { 0 };
	bool can;

	with.function = function;
	can = !command || experiment_expand(&with, &run, "", command, &text);
	buf_free(&text);
	return can;
}

static int check_commands(const struct experiment *e, int side)
{
	const struct experiment_commands *c = &e->side[side].commands;

	if (!c->run)
		return msg_error("%s: side %c has no command: run = COMMAND, which writes "
				 "the file %%o", e->file, 'a' + side);
	if (!experiment_has(c->run, 'o'))
		return msg_error("%s: run = %s: there is no %%o, the file to write",
				 e->file, c->run);
	if (c->blocks && (!experiment_has(c->blocks, 'o') || !experiment_has(c->blocks, 'f')))
		return msg_error("%s: blocks = %s: there is no %%o, the file to write, or "
				 "no %%f, the function", e->file, c->blocks);
	if (e->nr_machines && !experiment_has(c->run, 'm'))
		return msg_error("%s: run = %s: there is no %%m, the machine", e->file, c->run);
	if (e->nr_machines && c->blocks && !experiment_has(c->blocks, 'm'))
		return msg_error("%s: blocks = %s: there is no %%m, the machine", e->file,
				 c->blocks);
	if (!can_expand(e, side, c->setup, NULL) || !can_expand(e, side, c->run, NULL) ||
	    !can_expand(e, side, c->teardown, NULL) || !can_expand(e, side, c->blocks, ""))
		return EXIT_ERROR;
	return EXIT_OK;
}

/* What a side does not have of its own, both have; and what there must be. */
static int complete(struct experiment *e, const struct experiment_commands *both)
{
	int i, ret = EXIT_OK;

	for (i = 0; i < DIFF_NR_SIDES && !ret; i++) {
		struct experiment_commands *c = &e->side[i].commands;

		c->setup = c->setup ? c->setup : both->setup;
		c->run = c->run ? c->run : both->run;
		c->teardown = c->teardown ? c->teardown : both->teardown;
		c->blocks = c->blocks ? c->blocks : both->blocks;
		ret = check_commands(e, i);
	}
	return ret ? ret : experiment_spread(e);
}

int experiment_read(struct experiment *e, const char *path)
{
	struct experiment_commands both = { 0 };
	struct place at = { .path = path, .side = -1 };
	long seed = 1;
	char *line, *end;
	int next = 1, ret;

	*e = (struct experiment){
		.file = path, .title = path, .rate = 0.05, .threshold = 1,
		.side = { { .name = "a", .args = "" }, { .name = "b", .args = "" } },
	};
	if (buf_read_file(&e->text, path))
		return msg_error("%s: %s", path, strerror(errno));
	if (!e->text.len)
		return msg_error("%s: is empty", path);
	if (strlen(e->text.data) != e->text.len)
		return msg_error("%s: is no text", path);
	for (line = e->text.data; line; line = end) {
		at.line = next;
		end = end_line(line, &next);
		ret = parse_line(e, &both, &seed, &at, line);
		if (ret)
			return ret;
	}
	e->seed = seed;
	e->rate *= 100;
	return complete(e, &both);
}

void experiment_free(struct experiment *e)
{
	free(e->run);
	free(e->machine);
	buf_free(&e->text);
	arena_free(&e->texts);
}
