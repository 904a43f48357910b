// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_write.c - write an index of inlined code in the format of kprof_index.h
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "index/make.h"
#include "kprof_index.h"
#include "lib/mem.h"

struct place {
	uint32_t name, host;
};

struct writer {
	struct make *m;
	struct buf part[KPROF_INDEX_NR_PARTS];
	uint32_t *rank;			/* position of a function's name in sorted order */
	struct place *place;
	size_t nr_places, place_room;
	uint64_t base;
};

static void number(struct buf *out, uint64_t value)
{
	unsigned char byte;

	do {
		byte = (value & 0x7f) | (value > 0x7f ? 0x80 : 0);
		buf_add(out, &byte, 1);
		value >>= 7;
	} while (value);
}

static uint32_t string(struct writer *w, const char *text)
{
	struct buf *strings = &w->part[KPROF_INDEX_STRINGS];
	uint32_t at = strings->len;

	buf_add(strings, text, strlen(text) + 1);
	return at;
}

/* --- one host --- */

/* Does the instance have code in the host? */
static bool is_in(const struct make *m, const struct make_inline *in, const struct make_host *host)
{
	size_t i;

	for (i = 0; i < in->nr_ranges; i++)
		if (m->range[in->range + i].end > host->start &&
		    m->range[in->range + i].start < host->end)
			return true;
	return false;
}

static bool is_entered(const struct make_inline *in, const struct make_host *host)
{
	return in->entry >= host->start && in->entry < host->end;
}

/* Write the ranges of the instance, clipped to the host, to @text. Returns how many. */
static uint32_t write_ranges(const struct make *m, const struct make_inline *in,
			     const struct make_host *host, struct buf *text)
{
	uint64_t last = host->start, start, end;
	uint32_t nr = 0;
	size_t i;

	for (i = 0; i < in->nr_ranges; i++) {
		start = m->range[in->range + i].start;
		end = m->range[in->range + i].end;
		start = start > last ? start : last;
		end = end < host->end ? end : host->end;
		if (start >= end)
			continue;
		number(text, start - last);
		number(text, end - start);
		last = end;
		nr++;
	}
	return nr;
}

/* Write the exits of the instance. Returns their position plus one; 0: not known. */
static uint32_t write_exits(struct writer *w, const struct make_inline *in,
			    const struct make_host *host)
{
	struct buf *out = &w->part[KPROF_INDEX_EXITS];
	uint32_t at = out->len;
	size_t i;

	for (i = 0; i < in->nr_exits; i++)
		if (llabs((int64_t)(w->m->exit[in->exit + i].addr - host->start)) >= 1 << 29)
			return 0;
	if (!in->nr_exits || at + 1 >= 1 << 29)
		return 0;
	number(out, in->nr_exits);
	for (i = 0; i < in->nr_exits; i++) {
		const struct make_exit *e = &w->m->exit[in->exit + i];
		int64_t distance = (int64_t)(e->addr - host->start);

		number(out, (uint64_t)(distance < 0 ? ~distance : distance) << 2 |
			    (distance < 0) << 1 | e->is_shared);
	}
	return at + 1;
}

static void write_inline(struct writer *w, const struct make_inline *in,
			 const struct make_host *host, uint32_t depth)
{
	struct buf *out = &w->part[KPROF_INDEX_INLINES], ranges = { 0 };
	bool has_entry = is_entered(in, host);
	uint32_t nr = write_ranges(w->m, in, host, &ranges);

	number(out, depth);
	number(out, w->rank[in->name]);
	number(out, (uint64_t)nr << 1 | has_entry);
	if (has_entry) {
		number(out, in->entry - host->start);
		number(out, (uint64_t)write_exits(w, in, host) << 3 |
			    (in->is_bypassed ? KPROF_INDEX_BYPASSED : 0) |
			    (in->is_doubtful ? KPROF_INDEX_DOUBTFUL : 0) |
			    (in->is_looked_at ? KPROF_INDEX_SEEN : 0));
	}
	number(out, in->file);
	number(out, in->line);
	buf_add(out, ranges.data, ranges.len);
	buf_free(&ranges);
}

static void note_place(struct writer *w, uint32_t name, uint32_t host)
{
	w->place = mem_grow(w->place, &w->place_room, w->nr_places + 1, sizeof(*w->place));
	w->place[w->nr_places++] = (struct place){ w->rank[name], host };
}

/* Write the entries, besides the first one, that an instance has in the host. */
static void write_more(struct writer *w, const struct make_inline *in,
		       const struct make_host *host, uint32_t id, uint32_t depth)
{
	const struct make_inline *more = w->m->more + in->more;
	size_t i;

	for (i = 0; i < in->nr_more; i++) {
		if (!is_entered(&more[i], host))
			continue;
		write_inline(w, &more[i], host, depth);
		note_place(w, in->name, id);
	}
}

/*
 * Write the instances that have code in this part of a function. If the caller of an instance has
 * no code there, the instance becomes a child of the caller's caller.
 */
static uint32_t write_inlines(struct writer *w, const struct make_host *host, uint32_t id)
{
	const struct make_inline *in = w->m->inlines + host->first;
	uint32_t shown[KPROF_INDEX_DEPTH + 1] = { 0 };	/* by depth: the depth to write */
	struct buf *out = &w->part[KPROF_INDEX_INLINES];
	uint32_t at = out->len;
	size_t i, k, nr = 0;

	for (i = 0; i < host->nr; i++) {
		nr += is_in(w->m, &in[i], host);
		for (k = 0; k < in[i].nr_more; k++)
			nr += is_entered(&w->m->more[in[i].more + k], host);
	}
	if (!nr)
		return KPROF_INDEX_NONE;
	number(out, nr);
	for (i = 0; i < host->nr; i++) {
		bool is = is_in(w->m, &in[i], host);

		shown[in[i].depth + 1] = shown[in[i].depth] + is;
		if (!is)
			continue;
		/* Before it, as what it calls belongs to the last instance of a depth. */
		write_more(w, &in[i], host, id, shown[in[i].depth]);
		write_inline(w, &in[i], host, shown[in[i].depth]);
		if (is_entered(&in[i], host))
			note_place(w, in[i].name, id);
	}
	return at;
}

static uint32_t write_lines(struct writer *w, const struct make_host *host)
{
	const struct make_line *line = w->m->line + host->line;
	struct buf *out = &w->part[KPROF_INDEX_LINES];
	struct make_line last = { .at = host->start };
	uint32_t at = out->len;
	size_t i;

	if (!host->nr_lines)
		return KPROF_INDEX_NONE;
	number(out, host->nr_lines);
	for (i = 0; i < host->nr_lines; i++) {
		int64_t change = (int64_t)line[i].line - last.line;

		number(out, (line[i].at - last.at) << 1 | (line[i].file != last.file));
		number(out, change < 0 ? (uint64_t)~change << 1 | 1 : (uint64_t)change << 1);
		if (line[i].file != last.file)
			number(out, line[i].file);
		last = line[i];
	}
	return at;
}

/* --- all of it --- */

static const struct strtab *sorted_names;	/* qsort() takes no argument */

static int by_text(const void *va, const void *vb)
{
	return strcmp(sorted_names->name[*(const uint32_t *)va].text,
		      sorted_names->name[*(const uint32_t *)vb].text);
}

static int by_name(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

static int by_start(const void *va, const void *vb)
{
	const struct make_host *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end > b->end ? -1 : a->end < b->end;
}

/* Sort the names of functions; instances refer to a name by its position. */
static uint32_t *sort_names(struct writer *w)
{
	const struct strtab *n = &w->m->functions;
	uint32_t *order = mem_zalloc(n->nr + 1, sizeof(*order)), i;

	for (i = 0; i < n->nr; i++)
		order[i] = i;
	sorted_names = n;
	if (n->nr)
		qsort(order, n->nr, sizeof(*order), by_text);
	w->rank = mem_zalloc(n->nr + 1, sizeof(*w->rank));
	for (i = 0; i < n->nr; i++)
		w->rank[order[i]] = i;
	return order;
}

static void write_hosts(struct writer *w)
{
	struct make *m = w->m;
	uint64_t last = 0;
	uint32_t id = 0;
	size_t i;

	if (m->nr_hosts)
		qsort(m->host, m->nr_hosts, sizeof(*m->host), by_start);
	for (i = 0; i < m->nr_hosts; i++) {
		const struct make_host *host = &m->host[i];
		struct kprof_index_host h = {
			.start = host->start - w->base, .size = host->end - host->start,
		};

		/* Skip overlapping hosts, such as a second name of the same function. */
		if (host->start < last)
			continue;
		last = host->end;
		h.name = string(w, m->symbols.name[host->name].text);
		h.inlines = write_inlines(w, host, id);
		h.lines = write_lines(w, host);
		buf_add(&w->part[KPROF_INDEX_HOSTS], &h, sizeof(h));
		id++;
	}
}

static uint32_t write_places(struct writer *w, uint32_t name, size_t *at)
{
	struct buf *out = &w->part[KPROF_INDEX_PLACES];
	uint32_t offset = out->len, last = 0;
	size_t i = *at, nr = 0;

	for (; i < w->nr_places && w->place[i].name == name; i++)
		nr += i == *at || w->place[i].host != w->place[i - 1].host;
	number(out, nr);
	for (i = *at; i < w->nr_places && w->place[i].name == name; i++) {
		if (i != *at && w->place[i].host == w->place[i - 1].host)
			continue;
		number(out, w->place[i].host - last);
		last = w->place[i].host;
	}
	*at = i;
	return offset;
}

static void write_names(struct writer *w, const uint32_t *order)
{
	size_t at = 0;
	uint32_t i;

	if (w->nr_places)
		qsort(w->place, w->nr_places, sizeof(*w->place), by_name);
	for (i = 0; i < w->m->functions.nr; i++) {
		struct kprof_index_name n = {
			.text = string(w, w->m->functions.name[order[i]].text),
			.places = write_places(w, i, &at),
		};

		buf_add(&w->part[KPROF_INDEX_NAMES], &n, sizeof(n));
	}
}

static void write_files(struct writer *w)
{
	uint32_t i, text;

	for (i = 0; i < w->m->files.nr; i++) {
		text = string(w, w->m->files.name[i].text);
		buf_add(&w->part[KPROF_INDEX_FILES], &text, sizeof(text));
	}
}

static void write_sections(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->m->nr_sections; i++) {
		const struct make_section *s = &w->m->section[i];
		struct kprof_index_section out = {
			s->start - w->base, s->end - s->start,
			string(w, w->m->symbols.name[s->name].text),
		};

		buf_add(&w->part[KPROF_INDEX_SECTIONS], &out, sizeof(out));
	}
}

static int assemble(struct writer *w, struct buf *out)
{
	struct kprof_index_header header = {
		.version = KPROF_INDEX_VERSION, .machine = w->m->machine, .base = w->base,
		.build_id_size = w->m->build_id_size,
	};
	size_t start = out->len, size = sizeof(header);
	int i;

	for (i = 0; i < KPROF_INDEX_NR_PARTS; i++)
		size += (w->part[i].len + 7) & ~7ull;
	if (start + size > KPROF_INDEX_MAX)
		return -1;
	memcpy(header.magic, KPROF_INDEX_MAGIC, sizeof(header.magic));
	memcpy(header.owner, w->m->owner, sizeof(header.owner));
	memcpy(header.build_id, w->m->build_id, sizeof(header.build_id));
	header.size = size;
	buf_add(out, &header, sizeof(header));
	for (i = 0; i < KPROF_INDEX_NR_PARTS; i++) {
		header.part[i].offset = out->len - start;
		header.part[i].size = w->part[i].len;
		buf_add(out, w->part[i].data, w->part[i].len);
		buf_add(out, "\0\0\0\0\0\0\0", -out->len & 7);
	}
	memcpy(out->data + start, &header, sizeof(header));
	header.crc = crc32_z(0, (const void *)(out->data + start), size);
	memcpy(out->data + start, &header, sizeof(header));
	return 0;
}

int make_write(struct make *m, struct buf *out)
{
	struct writer w = { .m = m, .base = m->nr_sections ? m->section[0].start : 0 };
	uint32_t *order = sort_names(&w);
	int ret, i;

	string(&w, "");
	write_files(&w);
	write_sections(&w);
	write_hosts(&w);
	write_names(&w, order);
	ret = assemble(&w, out);
	for (i = 0; i < KPROF_INDEX_NR_PARTS; i++)
		buf_free(&w.part[i]);
	free(w.rank);
	free(w.place);
	free(order);
	return ret;
}

void make_free(struct make *m)
{
	strtab_free(&m->functions);
	strtab_free(&m->files);
	strtab_free(&m->symbols);
	free(m->range);
	free(m->inlines);
	free(m->more);
	free(m->line);
	free(m->host);
	free(m->section);
	free(m->exit);
	*m = (struct make){ 0 };
}
