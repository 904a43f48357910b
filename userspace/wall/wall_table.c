// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_table.c - print how long each task was in each state: text, CSV, JSON
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "lib/columns.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "lib/mem.h"
#include "lib/pid.h"
#include "wall/wall.h"

struct row {
	const struct wall_task *task;
	const char *name;
	const char *cgroup;	/* that throttled it; NULL: none, or not known */
	uint64_t elapsed, in[WALL_STATES];
};

static struct row make_row(const struct wall *w, const struct wall_task *t)
{
	struct row row = { .task = t, .name = wall_task_name(w, t) };
	size_t i;

	for (i = 0; i < t->nr_pieces; i++) {
		row.in[t->piece[i].state] += t->piece[i].to - t->piece[i].from;
		if (t->piece[i].cgroup)
			row.cgroup = row.cgroup && strcmp(row.cgroup, t->piece[i].cgroup) ?
				     "several" : t->piece[i].cgroup;
	}
	row.in[WALL_RUNNING] = t->running;
	row.elapsed = t->elapsed;
	return row;
}

/* Sort by running time. The totals hardly differ, as most tasks exist all the time. */
static int compare(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	if (a->in[WALL_RUNNING] != b->in[WALL_RUNNING])
		return a->in[WALL_RUNNING] > b->in[WALL_RUNNING] ? -1 : 1;
	return a->task->pid < b->task->pid ? -1 : a->task->pid > b->task->pid;
}

static struct row *make_rows(const struct wall *w, size_t *nr)
{
	struct row *row = mem_zalloc(w->nr, sizeof(*row));
	size_t i;

	*nr = 0;
	for (i = 0; i < w->nr; i++)
		if (w->task[i].is_shown)
			row[(*nr)++] = make_row(w, &w->task[i]);
	qsort(row, *nr, sizeof(*row), compare);
	return row;
}

static bool was_throttled(const struct row *row, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (row[i].in[WALL_THROTTLED])
			return true;
	return false;
}

/* Few systems have CPU limits: what they do has columns only where they do something. */
static void print_text(const struct row *row, size_t nr, FILE *out)
{
	const bool throttled = was_throttled(row, nr);
	const char *name[WALL_STATES + 5] = { "elapsed" };
	char pid[PID_TEXT];
	struct columns c;
	int s, at = 1;
	size_t i;

	for (s = 0; s < WALL_STATES; s++)
		if (s != WALL_THROTTLED || throttled)
			name[at++] = wall_state_names[s];
	name[at++] = "runs";
	name[at++] = "pid";
	name[at++] = "comm";
	if (throttled)
		name[at++] = "throttled by";
	fputs("# seconds that each task was in each state\n", out);
	columns_begin(&c, name, at, throttled ? 2 : 1);
	for (i = 0; i < nr; i++) {
		columns_add(&c, "%.6f", row[i].elapsed / 1e9);
		for (s = 0; s < WALL_STATES; s++)
			if (s != WALL_THROTTLED || throttled)
				columns_add(&c, "%.6f", row[i].in[s] / 1e9);
		columns_add(&c, "%" PRIu64, row[i].task->runs);
		columns_add(&c, "%s", pid_text(row[i].task->pid, pid));
		columns_add(&c, "%s", row[i].name);
		if (throttled)
			columns_add(&c, "%s", row[i].cgroup ? row[i].cgroup : "-");
	}
	columns_print(&c, out);
}

static void print_csv(const struct row *row, size_t nr, FILE *out)
{
	struct csv c = csv_begin(out, NULL);
	size_t i;
	int s;

	csv_text(&c, "elapsed_ns");
	for (s = 0; s < WALL_STATES; s++)
		csv_textf(&c, "%s_ns", wall_state_names[s]);
	csv_text(&c, "runs");
	csv_text(&c, "pid");
	csv_text(&c, "comm");
	csv_text(&c, "throttled_by");
	csv_end_line(&c);
	for (i = 0; i < nr; i++) {
		csv_u64(&c, row[i].elapsed);
		for (s = 0; s < WALL_STATES; s++)
			csv_u64(&c, row[i].in[s]);
		csv_u64(&c, row[i].task->runs);
		pid_csv(&c, row[i].task->pid);
		csv_text(&c, row[i].name);
		csv_text(&c, row[i].cgroup ? row[i].cgroup : "");
		csv_end_line(&c);
	}
}

static void print_json(const struct row *row, size_t nr, FILE *out)
{
	struct json j = json_begin(out);
	struct buf name = { 0 };
	size_t i;
	int s;

	json_object(&j, NULL, JSON_LINES);
	json_array(&j, "tasks", JSON_LINES);
	for (i = 0; i < nr; i++) {
		json_object(&j, NULL, JSON_LINE);
		json_text(&j, "comm", row[i].name);
		pid_json(&j, "pid", row[i].task->pid);
		json_u64(&j, "elapsed_ns", row[i].elapsed);
		for (s = 0; s < WALL_STATES; s++) {
			name.len = 0;
			buf_printf(&name, "%s_ns", wall_state_names[s]);
			json_u64(&j, name.data, row[i].in[s]);
		}
		if (row[i].cgroup)
			json_text(&j, "throttled_by", row[i].cgroup);
		json_u64(&j, "runs", row[i].task->runs);
		json_close(&j);
	}
	json_end(&j);
	buf_free(&name);
}

void wall_print(const struct wall *part, enum wall_format format, long lines, FILE *out)
{
	static void (*const print[])(const struct row *row, size_t nr, FILE *out) = {
		[WALL_TEXT] = print_text, [WALL_CSV] = print_csv, [WALL_JSON] = print_json,
	};
	size_t nr;
	struct row *row = make_rows(part, &nr);

	if (lines && nr > (size_t)lines)
		nr = lines;
	print[format](row, nr, out);
	if (format == WALL_TEXT)
		account_print_own_cpu(part->data, "# ", out);
	free(row);
}
