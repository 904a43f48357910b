// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_machines.c - the machines of an experiment: their names, and how many runs each has
 *
 * What a machine is, the commands say. A name ends up in a command of the shell or of ssh, so it is
 * one that neither can take for anything else.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "trial/experiment.h"

#define FILE_NAME	"machines"	/* in the folder of the runs */

/* --- names --- */

/* A host or USER@HOST: each begins with a letter or a digit, so it is no option. */
static bool is_good(const char *name)
{
	const char *part = name;
	bool user = false;

	for (; *name; name++) {
		if (*name == '@' && !user && name > part) {
			user = true;
			part = name + 1;
		} else if (!isalnum((unsigned char)*name) &&
			   (name == part || !strchr("._-", *name))) {
			return false;
		}
	}
	return name > part;
}

static bool is_there(const struct experiment *e, const char *name)
{
	size_t i;

	for (i = 0; i < e->nr_machines; i++)
		if (!strcmp(e->machine[i], name))
			return true;
	return false;
}

const char *experiment_machines(struct experiment *e, const char *value, const char **right)
{
	char *copy = arena_copy(&e->texts, value, strlen(value)), *name, *rest;

	free(e->machine);
	e->machine = mem_zalloc(EXPERIMENT_RUNS_MAX, sizeof(*e->machine));
	e->nr_machines = 0;
	for (name = strtok_r(copy, " \t\r\n", &rest); name;
	     name = strtok_r(NULL, " \t\r\n", &rest)) {
		*right = "not a name of letters, digits, '.', '_' and '-', or USER@ and such a name, "
			 "which begin with a letter or a digit";
		if (!is_good(name))
			return name;
		*right = "stands there twice";
		if (is_there(e, name))
			return name;
		*right = "there are more machines than runs that a side can have";
		if (e->nr_machines == EXPERIMENT_RUNS_MAX)
			return name;
		e->machine[e->nr_machines++] = name;
	}
	*right = "no name of a machine";
	return e->nr_machines ? NULL : value;
}

/* --- runs --- */

int experiment_spread(struct experiment *e)
{
	long nr = e->nr_machines ? (long)e->nr_machines : 1, below, above;

	if (!e->runs)
		e->runs = (EXPERIMENT_RUNS + nr - 1) / nr * nr;
	below = e->runs / nr * nr;
	above = below + nr;
	if (below == e->runs)
		return EXIT_OK;
	if (above > EXPERIMENT_RUNS_MAX)
		above = below;
	if (below < DIFF_RUNS_MIN)
		below = above;
	if (below == above)
		return msg_error("%s: runs %ld: not as many of each side on each of the %ld machines; "
				 "%ld would be", e->file, e->runs, nr, below);
	return msg_error("%s: runs %ld: not as many of each side on each of the %ld machines; %ld or "
			 "%ld would be", e->file, e->runs, nr, below, above);
}

/* --- the list that runs were made with --- */

static void list(const struct experiment *e, struct buf *out)
{
	size_t i;

	for (i = 0; i < e->nr_machines; i++)
		buf_printf(out, "%s\n", e->machine[i]);
}

int experiment_check_machines(const struct experiment *e, const char *folder)
{
	struct buf path = { 0 }, was = { 0 }, is = { 0 };
	bool any = false, same;
	int ret = EXIT_OK;
	size_t i;

	for (i = 0; i < e->nr_runs; i++)
		any |= e->run[i].done;
	buf_printf(&path, "%s/" FILE_NAME, folder);
	list(e, &is);
	if (any && buf_read_file(&was, path.data) && errno != ENOENT) {
		ret = msg_error("%s: %s", path.data, strerror(errno));
	} else if (any) {
		same = was.len == is.len && (!is.len || !memcmp(was.data, is.data, is.len));
		if (!same)
			ret = msg_error("%s has other machines than '%s', where the runs are that "
					"were made; --output DIR begins anew", e->file, path.data);
	}
	buf_free(&path);
	buf_free(&was);
	buf_free(&is);
	return ret;
}

int experiment_note_machines(const struct experiment *e, const char *folder)
{
	struct buf path = { 0 }, names = { 0 };
	int ret = EXIT_OK;
	FILE *out;

	buf_printf(&path, "%s/" FILE_NAME, folder);
	list(e, &names);
	if (!e->nr_machines) {
		if (remove(path.data) && errno != ENOENT)
			ret = msg_error("cannot remove '%s': %s", path.data, strerror(errno));
	} else {
		out = fopen(path.data, "w");
		if (out)
			fwrite(names.data, 1, names.len, out);
		if (!out || fclose(out))
			ret = msg_error("cannot write '%s': %s", path.data, strerror(errno));
	}
	buf_free(&path);
	buf_free(&names);
	return ret;
}
