// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - snapshots of the module's latency table, and their differences
 */
#include <errno.h>
#include <unistd.h>

#include "lib/msg.h"
#include "lib/opt.h"
#include "record/kmod.h"
#include "record/record_meta.h"
#include "record/snapshot.h"

static int read_moment(struct data *d)
{
	static const struct { enum data_section_type type; const char *file; } files[] = {
		{ DATA_LATENCY, "latency" }, { DATA_BUCKETS, "buckets" }, { DATA_STATS, "stats" },
	};
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(*files); i++) {
		d->text[files[i].type].len = 0;
		if (kmod_read(files[i].file, &d->text[files[i].type]))
			return EXIT_ERROR;
	}
	return EXIT_OK;
}

int snapshots_begin(struct snapshots *m, char **command)
{
	if (kmod_read("targets", &m->result.text[DATA_TARGETS]) || read_moment(&m->start) ||
	    read_moment(&m->last))
		return EXIT_ERROR;
	record_meta_begin(&m->result.text[DATA_META], sysconf(_SC_NPROCESSORS_CONF), command);
	return EXIT_OK;
}

void snapshots_started(struct snapshots *m)
{
	record_meta_started(&m->result.text[DATA_META]);
}

void snapshots_ended(struct snapshots *m)
{
	m->end = record_now_ns();
}

static int between(struct lat_table *t, const struct data *before, const struct data *now)
{
	struct lat_table older;
	char error[256];
	int ret = EXIT_OK;

	*t = (struct lat_table){ 0 };
	if (lat_of_data(&older, before, error) || lat_of_data(t, now, error))
		ret = msg_error("cannot make sense of the module's %s", error);
	else if (!lat_subtract(t, &older))
		ret = msg_error("someone else emptied the module's profile meanwhile: what is "
				"left of it is no result");
	lat_free(&older);
	return ret;
}

int snapshots_step(struct snapshots *m, struct lat_table *t, struct data *view)
{
	struct data swap = m->last;
	int ret;

	*t = (struct lat_table){ 0 };
	if (read_moment(&m->now))
		return EXIT_ERROR;
	ret = between(t, &m->last, &m->now);
	m->last = m->now;
	m->now = swap;
	*view = (struct data){ 0 };
	view->text[DATA_META] = m->result.text[DATA_META];
	view->text[DATA_TARGETS] = m->result.text[DATA_TARGETS];
	view->text[DATA_STATS_BEFORE] = m->now.text[DATA_STATS];
	view->text[DATA_STATS] = m->last.text[DATA_STATS];
	return ret;
}

static void copy(struct buf *to, const struct buf *from)
{
	buf_add(to, from->data, from->len);
}

int snapshots_total(struct snapshots *m, struct lat_table *t, enum lat_sort sort)
{
	struct buf *text = m->result.text;

	if (between(t, &m->start, &m->last))
		return EXIT_ERROR;
	lat_sort(t, sort);
	record_meta_end(&text[DATA_META], m->end ? m->end : record_now_ns());
	copy(&text[DATA_STATS_BEFORE], &m->start.text[DATA_STATS]);
	copy(&text[DATA_STATS], &m->last.text[DATA_STATS]);
	lat_write(t, &text[DATA_LATENCY], &text[DATA_BUCKETS]);
	return EXIT_OK;
}

int snapshots_write(struct snapshots *m, int fd)
{
	struct data_writer w;
	int type;

	lat_boot_read(&m->result);
	data_write_header(&w, fd);
	for (type = 1; type < DATA_NR_TYPES; type++) {
		const struct buf *text = &m->result.text[type];

		if (text->len)
			data_write(&w, type, 0, text->data, text->len, true);
	}
	data_write(&w, DATA_END, 0, NULL, 0, false);
	errno = w.error;
	return w.error ? -1 : 0;
}

void snapshots_free(struct snapshots *m)
{
	data_close(&m->start);
	data_close(&m->last);
	data_close(&m->now);
	data_close(&m->result);
}
