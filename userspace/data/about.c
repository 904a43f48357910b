// SPDX-License-Identifier: GPL-2.0-only
/*
 * about.c - what a recording is of, as headings
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/about.h"
#include "data/account.h"
#include "data/data_unit.h"
#include "lib/escape.h"
#include "lib/plural.h"

#define ABOUT_MAX	60	/* bytes of a command */

/* A value of the recording, if it has it, between @before and @behind. */
static bool add_value(struct buf *about, const struct data *d, const char *before,
		      const char *name, const char *behind)
{
	char *value = data_meta(d, name);
	bool is_there = *value && strcmp(value, "0");

	if (is_there) {
		buf_printf(about, "%s%s", about->len ? ", " : "", before);
		escape_add(about, value, strnlen(value, ABOUT_MAX));
		buf_printf(about, "%s%s", strlen(value) > ABOUT_MAX ? "..." : "", behind);
	}
	free(value);
	return is_there;
}

/* Of a recording without a command: of which code, and on which CPUs. */
static void add_code(struct buf *title, const struct data *d)
{
	char *stacks = data_meta(d, "stacks");

	buf_printf(title, "%s", !strcmp(stacks, "user") ? "user code" :
		   !strcmp(stacks, "both") ? "kernel and user code" : "kernel");
	free(stacks);
	if (data_is_all_cpus(d))
		buf_printf(title, ", all CPUs");
	else
		add_value(title, d, "CPUs ", "cpus", "");
}

static void add_title(struct buf *title, const struct data *d)
{
	if (add_value(title, d, "", "command", ""))
		return;
	if (!add_value(title, d, "PID ", "pid", "") && !add_value(title, d, "tasks ", "comm", ""))
		add_code(title, d);
}

void about_losses(const struct data *d, struct buf *about)
{
	const char *comma = about->len ? ", " : "";
	struct account a;

	if (!account_of_data(&a, d)) {
		buf_printf(about, "%scut off", comma);
		return;
	}
	if (a.total.lost || a.ring_dropped)
		buf_printf(about, "%s%" PRIu64 " of %" PRIu64 " sample%s lost", comma,
			   a.total.lost, a.total.captured + a.total.lost,
			   plural(a.total.captured + a.total.lost));
	account_free(&a);
}

void about_recording(const struct data *d, struct buf *title, struct buf *about)
{
	char *event = data_meta(d, "event");
	uint64_t ns = data_duration_ns(d);

	if (title)
		add_title(title, d);
	else if (about)
		add_value(about, d, "", "command", "");
	if (about) {
		add_value(about, d, "", "kernel", "");
		/* If only calls were recorded, there is no event and no rate. */
		if (strcmp(event, "none")) {
			add_value(about, d, "", "event", "");
			add_value(about, d, "", "freq", " Hz");
		}
		if (ns)
			buf_printf(about, "%s%.1f s", about->len ? ", " : "", ns / 1e9);
		about_losses(d, about);
	}
	free(event);
}
