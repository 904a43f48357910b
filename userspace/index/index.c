// SPDX-License-Identifier: GPL-2.0-only
/*
 * index.c - read an index of inlined code; its contents are not trusted
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "index/index.h"
#include "lib/mem.h"

static int fail(struct index *index, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int fail(struct index *index, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(index->error, sizeof(index->error), fmt, ap);
	va_end(ap);
	return -1;
}

void index_default_path(struct buf *path, const char *release)
{
	buf_printf(path, "/lib/modules/%s/" INDEX_NAME, release);
}

static bool crc_matches(const struct kprof_index_header *h)
{
	struct kprof_index_header zeroed = *h;
	uLong crc;

	zeroed.crc = 0;
	crc = crc32_z(0, (const void *)&zeroed, sizeof(zeroed));
	crc = crc32_z(crc, (const void *)(h + 1), h->size - sizeof(*h));
	return crc == h->crc;
}

static int check_header(struct index *index, const struct kprof_index_header *h, size_t left)
{
	int i;

	if (left < sizeof(*h))
		return fail(index, "cut off: %zu bytes are too short for an object", left);
	if (memcmp(h->magic, KPROF_INDEX_MAGIC, sizeof(h->magic)))
		return fail(index, "not an index: it does not begin with " KPROF_INDEX_MAGIC);
	if (h->version != KPROF_INDEX_VERSION)
		return fail(index, "format version %" PRIu32 ", this kprof reads version %d: make it "
			    "anew with 'kprof index'", h->version, KPROF_INDEX_VERSION);
	if (h->size < sizeof(*h) || h->size % 8)
		return fail(index, "damaged: an object of %" PRIu32 " bytes", h->size);
	if (h->size > left)
		return fail(index, "cut off: %zu bytes of %" PRIu32, left, h->size);
	if (!crc_matches(h))
		return fail(index, "damaged: the checksum is wrong");
	for (i = 0; i < KPROF_INDEX_NR_PARTS; i++)
		if (h->part[i].offset % 4 || h->part[i].offset > h->size ||
		    h->part[i].size > h->size - h->part[i].offset)
			return fail(index, "damaged: part %d is not inside", i);
	if (h->build_id_size > sizeof(h->build_id) || !memchr(h->owner, 0, sizeof(h->owner)))
		return fail(index, "damaged: the header's texts are too long");
	return 0;
}

/* Check the tables with rows of fixed size, and their references to strings. */
static bool tables_fit(const struct index_object *o, uint32_t strings)
{
	uint64_t last = 0;
	uint32_t i;

	if (!strings || *o->strings || o->strings[strings - 1])
		return false;
	for (i = 0; i < o->nr_files; i++)
		if (o->file[i] >= strings)
			return false;
	for (i = 0; i < o->nr_names; i++)
		if (o->name[i].text >= strings)
			return false;
	for (i = 0; i < o->nr_sections; i++)
		if (o->section[i].name >= strings)
			return false;
	for (i = 0; i < o->nr_hosts; i++) {
		if (o->host[i].name >= strings || o->host[i].start < last || !o->host[i].size)
			return false;
		last = (uint64_t)o->host[i].start + o->host[i].size;
	}
	return last <= UINT32_MAX;
}

static int add_object(struct index *index, const struct kprof_index_header *h)
{
	const char *begin = (const char *)h;
	struct index_object o = {
		.header = h,
		.strings = begin + h->part[KPROF_INDEX_STRINGS].offset,
		.file = (const void *)(begin + h->part[KPROF_INDEX_FILES].offset),
		.name = (const void *)(begin + h->part[KPROF_INDEX_NAMES].offset),
		.section = (const void *)(begin + h->part[KPROF_INDEX_SECTIONS].offset),
		.host = (const void *)(begin + h->part[KPROF_INDEX_HOSTS].offset),
		.nr_files = h->part[KPROF_INDEX_FILES].size / sizeof(*o.file),
		.nr_names = h->part[KPROF_INDEX_NAMES].size / sizeof(*o.name),
		.nr_sections = h->part[KPROF_INDEX_SECTIONS].size / sizeof(*o.section),
		.nr_hosts = h->part[KPROF_INDEX_HOSTS].size / sizeof(*o.host),
	};

	if (!tables_fit(&o, h->part[KPROF_INDEX_STRINGS].size))
		return fail(index, "damaged: a table is out of order");
	index->object = mem_grow(index->object, &index->room, index->nr + 1,
				 sizeof(*index->object));
	index->object[index->nr++] = o;
	return 0;
}

static int parse(struct index *index)
{
	size_t at = 0;

	if (!index->file.len)
		return fail(index, "empty");
	while (at < index->file.len) {
		const struct kprof_index_header *h = (const void *)(index->file.data + at);

		if (check_header(index, h, index->file.len - at) || add_object(index, h))
			return -1;
		at += h->size;
	}
	return 0;
}

int index_parse(struct index *index, struct buf *file)
{
	index->file = *file;
	*file = (struct buf){ 0 };
	return parse(index);
}

int index_open(struct index *index, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), ret = 0;

	if (fd < 0)
		return fail(index, "%s", strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		ret = fail(index, "not a file");
	else if (st.st_size > KPROF_INDEX_MAX)
		ret = fail(index, "larger than an index may be, %u MB", KPROF_INDEX_MAX >> 20);
	else if (buf_read_max(&index->file, fd, KPROF_INDEX_MAX))
		ret = fail(index, "%s", strerror(errno));
	close(fd);
	errno = 0;
	return ret ? ret : parse(index);
}

void index_close(struct index *index)
{
	buf_free(&index->file);
	free(index->object);
	*index = (struct index){ .nr = 0 };
}

const struct index_object *index_find(const struct index *index, const char *owner)
{
	size_t i;

	for (i = 0; i < index->nr; i++)
		if (!strcmp(index->object[i].header->owner, owner))
			return &index->object[i];
	return NULL;
}

const struct kprof_index_host *index_host(const struct index_object *o, uint64_t offset)
{
	uint32_t low = 0, high = o->nr_hosts;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (o->host[mid].start <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || offset - o->host[low - 1].start >= o->host[low - 1].size)
		return NULL;
	return &o->host[low - 1];
}

/* --- what is at an address --- */

/* The nested instances at an address, outermost first. Returns how many; -1: damaged. */
static int find_chain(const struct index_object *o, const struct kprof_index_host *host,
		      uint32_t offset, struct kprof_index_inline chain[KPROF_INDEX_DEPTH])
{
	const struct kprof_index_part *part = &o->header->part[KPROF_INDEX_INLINES];
	struct kprof_index_inline in = { .depth = KPROF_INDEX_NONE };
	struct kprof_index_list list;
	uint32_t start, end, nr = 0;

	if (host->inlines == KPROF_INDEX_NONE)
		return 0;
	if (!kprof_index_list(&list, o->header, part, host->inlines))
		return -1;
	while (list.left) {
		bool has = false;

		if (!kprof_index_inline(&list, &in, o->nr_names, o->nr_files))
			return -1;
		while (in.ranges) {
			if (!kprof_index_range(&list, &in, host->size, &start, &end))
				return -1;
			has = has || (offset >= start && offset < end);
		}
		/* Instances of one depth should not overlap; if they do, the first one wins. */
		if (has && in.depth == nr && nr < KPROF_INDEX_DEPTH)
			chain[nr++] = in;
	}
	return (int)nr;
}

/* The line row that covers an address; its line is 0 if there is none. */
static struct kprof_index_line find_line(const struct index_object *o,
					 const struct kprof_index_host *host, uint32_t offset)
{
	const struct kprof_index_part *part = &o->header->part[KPROF_INDEX_LINES];
	struct kprof_index_line row = { 0 }, found = { 0 };
	struct kprof_index_list list;

	if (host->lines == KPROF_INDEX_NONE ||
	    !kprof_index_list(&list, o->header, part, host->lines))
		return found;
	while (list.left && kprof_index_line(&list, &row, o->nr_files) && row.at <= offset)
		found = row;
	return found;
}

int index_frames(const struct index_object *o, const struct kprof_index_host *host,
		 uint32_t offset, struct index_frame frame[KPROF_INDEX_DEPTH + 1])
{
	struct kprof_index_inline chain[KPROF_INDEX_DEPTH];
	struct kprof_index_line row = find_line(o, host, offset);
	int nr = find_chain(o, host, offset, chain), i;
	const char *file = row.line && o->nr_files ? index_string(o, o->file[row.file]) : NULL;
	uint32_t line = row.line;

	if (nr < 0)
		return 0;
	for (i = 0; i < nr; i++) {
		const struct kprof_index_inline *in = &chain[nr - 1 - i];

		frame[i] = (struct index_frame) {
			index_string(o, o->name[in->name].text), file, line
		};
		file = index_string(o, o->file[in->file]);
		line = in->line;
	}
	frame[nr] = (struct index_frame){ index_string(o, host->name), file, line };
	return nr + 1;
}
