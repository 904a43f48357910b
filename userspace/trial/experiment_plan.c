// SPDX-License-Identifier: GPL-2.0-only
/*
 * experiment_plan.c - which runs there are, in which order, and their files
 *
 * What changes while the experiment goes on must not be on one side only, so the order of all runs
 * is shuffled. Each machine has an order of its own, and as many runs of each side.
 */
#include <string.h>
#include <sys/stat.h>

#include "lib/mem.h"
#include "lib/random.h"
#include "trial/experiment.h"

/* Shuffle the runs of one of @nr machines, which take turns. */
static void shuffle_sides(struct experiment *e, size_t machine, size_t nr, uint64_t *state)
{
	struct experiment_run *run = e->run + machine;
	size_t nr_runs = e->nr_runs / nr, i, j;

	for (i = 0; i < nr_runs; i++)
		run[i * nr].side = i % 2 ? DIFF_B : DIFF_A;
	for (i = nr_runs - 1; i > 0; i--) {
		enum diff_side side = run[i * nr].side;

		j = random_below(state, i + 1);
		run[i * nr].side = run[j * nr].side;
		run[j * nr].side = side;
	}
}

static bool has_contents(const char *path)
{
	struct stat st;

	return !stat(path, &st) && st.st_size;
}

/* Give the runs of one machine, of each side in order, their numbers and files. */
static void number(struct experiment *e, size_t machine, size_t nr, const char *folder)
{
	size_t next[DIFF_NR_SIDES] = { machine, machine }, i;

	for (i = machine; i < e->nr_runs; i += nr) {
		struct experiment_run *run = &e->run[i];
		struct buf path = { 0 };

		run->nr = next[run->side];
		next[run->side] += nr;
		run->machine = e->nr_machines ? e->machine[machine] : NULL;
		buf_printf(&path, "%s/%c-%zu", folder, 'a' + run->side, run->nr + 1);
		run->path = arena_copy(&e->texts, path.data, path.len);
		run->done = has_contents(run->path);
		run->seconds = -1;
		buf_free(&path);
	}
}

void experiment_plan(struct experiment *e, const char *folder)
{
	size_t nr = e->nr_machines ? e->nr_machines : 1, i;
	uint64_t state = e->seed;

	e->nr_runs = 2 * e->runs;
	e->run = mem_zalloc(e->nr_runs, sizeof(*e->run));
	for (i = 0; i < nr; i++) {
		shuffle_sides(e, i, nr, &state);
		number(e, i, nr, folder);
	}
}
