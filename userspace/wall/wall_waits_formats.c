// SPDX-License-Identifier: GPL-2.0-only
/*
 * wall_waits_formats.c - print who waited for whom as CSV and JSON, with whole chains
 */
#include "lib/csv.h"
#include "lib/json.h"
#include "wall/wall_waits.h"

static const char *const text_names[WALL_COLUMNS] = {
	[WALL_WHO] = "waiter", [WALL_STATE] = "state", [WALL_PLACE] = "waits_in", [WALL_CHAIN] = "for",
	[WALL_LAST_STATE] = "last_state", [WALL_LAST_PLACE] = "last_in",
};

static size_t nr_of(const struct wall_waits *s, size_t lines)
{
	size_t nr = wall_waits_nr(&s->table[WALL_CHAINS]);

	return lines && lines < nr ? lines : nr;
}

void wall_waits_print_csv(const struct wall_waits *s, size_t lines, FILE *out)
{
	const struct wall_waits_row *row = s->table[WALL_CHAINS].row;
	struct csv c = csv_begin(out, NULL);
	size_t nr = nr_of(s, lines);
	int i;

	csv_text(&c, "ns");
	csv_text(&c, "waits");
	csv_text(&c, "max_ns");
	for (i = 0; i < WALL_COLUMNS; i++)
		csv_text(&c, text_names[i]);
	csv_end_line(&c);
	for (; nr; nr--, row++) {
		csv_u64(&c, row->ns);
		csv_u64(&c, row->waits);
		csv_u64(&c, row->max);
		for (i = 0; i < WALL_COLUMNS; i++)
			csv_text(&c, row->text[i]);
		csv_end_line(&c);
	}
}

void wall_waits_print_json(const struct wall_waits *s, size_t lines, FILE *out)
{
	const struct wall_waits_row *row = s->table[WALL_CHAINS].row;
	struct json j = json_begin(out);
	size_t nr = nr_of(s, lines);
	int i;

	json_object(&j, NULL, JSON_LINES);
	json_u64(&j, "ns", s->ns);
	json_u64(&j, "ended_by_interrupts_ns", s->by_irq);
	json_u64(&j, "left_out_sleeps_ns", s->left_out[WALL_SLEEPS]);
	json_u64(&j, "left_out_idle_ns", s->left_out[WALL_IDLE]);
	json_u64(&j, "left_out_ended_by_kprof_ns", s->left_out[WALL_BY_KPROF]);
	json_u64(&j, "end_not_seen_ns", s->left_out[WALL_END_UNKNOWN]);
	json_array(&j, "waits", JSON_LINES);
	for (; nr; nr--, row++) {
		json_object(&j, NULL, JSON_LINE);
		json_u64(&j, "ns", row->ns);
		json_u64(&j, "waits", row->waits);
		json_u64(&j, "max_ns", row->max);
		for (i = 0; i < WALL_COLUMNS; i++)
			json_text(&j, text_names[i], row->text[i]);
		json_close(&j);
	}
	json_end(&j);
}
