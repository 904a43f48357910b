// SPDX-License-Identifier: GPL-2.0-only
/*
 * inlined.c - reads an object of an index of inlined functions, without trusting it
 *
 * The tables are checked once, as a whole. Lists are checked as they are read.
 */
#include <linux/crc32.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "symbols/inlined.h"

/* Maximum number of inlined instances in a list: no function has that many. */
#define MAX_INSTANCES	(1U << 20)

static bool crc_matches(const struct kprof_index_header *header)
{
	struct kprof_index_header zeroed = *header;
	u32 crc;

	zeroed.crc = 0;
	crc = crc32_le(~0U, (const u8 *)&zeroed, sizeof(zeroed));
	crc = crc32_le(crc, (const u8 *)(header + 1), header->size - sizeof(*header));
	return ~crc == header->crc;
}

static bool parts_fit(const struct kprof_index_header *header)
{
	const struct kprof_index_part *part = header->part;

	for (; part < header->part + KPROF_INDEX_NR_PARTS; part++)
		if (part->offset % 4 || part->offset > header->size ||
		    part->size > header->size - part->offset)
			return false;
	return header->build_id_size <= sizeof(header->build_id) &&
	       memchr(header->owner, '\0', sizeof(header->owner));
}

static const char *check_header(const struct kprof_index_header *header, size_t size)
{
	if (size < sizeof(*header))
		return "cut off: too short for a header";
	if (memcmp(header->magic, KPROF_INDEX_MAGIC, sizeof(header->magic)))
		return "not an index: it does not begin with " KPROF_INDEX_MAGIC;
	if (header->version != KPROF_INDEX_VERSION)
		return "of another version of the format; make it anew with `kprof index`";
	if (header->size < sizeof(*header) || header->size % 8)
		return "damaged: an object has no size that can be";
	if (header->size > size)
		return "cut off: shorter than its header says";
	if (!crc_matches(header))
		return "damaged: the checksum is wrong";
	return parts_fit(header) ? NULL : "damaged: what the header says cannot be";
}

/* Checks the strings that tables refer to, and the order that searches rely on. */
static bool tables_fit(const struct kprof_inlined *o, u32 strings)
{
	const char *last = "";
	u64 end = 0;
	u32 i;

	if (!strings || o->string[strings - 1])
		return false;
	for (i = 0; i < o->nr_names; i++) {
		if (o->name[i].text >= strings || strcmp(o->string + o->name[i].text, last) < 0)
			return false;
		last = o->string + o->name[i].text;
	}
	for (i = 0; i < o->nr_sections; i++)
		if (o->section[i].name >= strings)
			return false;
	for (i = 0; i < o->nr_hosts; i++) {
		if (o->host[i].name >= strings || o->host[i].start < end || !o->host[i].size)
			return false;
		end = (u64)o->host[i].start + o->host[i].size;
	}
	return end <= U32_MAX;
}

/**
 * kprof_inlined_check() - check an object of an index
 * @object:	filled in
 * @data:	its beginning; aligned like a u64
 * @size:	bytes from there to the end of the file
 * @why:	set to the reason if it cannot be used
 *
 * Context: any; takes milliseconds per MiB. Return: 0 or -EINVAL.
 */
int kprof_inlined_check(struct kprof_inlined *object, const void *data, size_t size,
			const char **why)
{
	const struct kprof_index_header *header = data;
	const struct kprof_index_part *part = header->part;

	*why = check_header(header, size);
	if (*why)
		return -EINVAL;
	*object = (struct kprof_inlined) {
		.header = header,
		.string = data + part[KPROF_INDEX_STRINGS].offset,
		.name = data + part[KPROF_INDEX_NAMES].offset,
		.section = data + part[KPROF_INDEX_SECTIONS].offset,
		.host = data + part[KPROF_INDEX_HOSTS].offset,
		.nr_names = part[KPROF_INDEX_NAMES].size / sizeof(*object->name),
		.nr_sections = part[KPROF_INDEX_SECTIONS].size / sizeof(*object->section),
		.nr_hosts = part[KPROF_INDEX_HOSTS].size / sizeof(*object->host),
	};
	if (tables_fit(object, part[KPROF_INDEX_STRINGS].size))
		return 0;
	*why = "damaged: a table is out of order";
	return -EINVAL;
}

static u32 find_name(const struct kprof_inlined *o, const char *name)
{
	u32 low = 0, high = o->nr_names;

	while (low < high) {
		u32 middle = low + (high - low) / 2;
		int order = strcmp(o->string + o->name[middle].text, name);

		if (!order)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return KPROF_INDEX_NONE;
}

/* Iterates over the instances of one name that are inlined into a host. */
static int look_into(const struct kprof_inlined *o, const struct kprof_index_host *host,
		     u32 name, kprof_inlined_fn look, void *data)
{
	const struct kprof_index_part *part = &o->header->part[KPROF_INDEX_INLINES];
	const u32 nr_files = o->header->part[KPROF_INDEX_FILES].size / sizeof(u32);
	struct kprof_index_inline in = { .depth = KPROF_INDEX_NONE };
	struct kprof_index_list list;
	u32 start, end;
	int err = 0;

	if (host->inlines == KPROF_INDEX_NONE ||
	    !kprof_index_list(&list, o->header, part, host->inlines) || list.left > MAX_INSTANCES)
		return -EINVAL;
	while (!err && list.left) {
		if (!kprof_index_inline(&list, &in, o->nr_names, nr_files))
			return -EINVAL;
		while (in.ranges)
			if (!kprof_index_range(&list, &in, host->size, &start, &end))
				return -EINVAL;
		if (in.name == name && in.entry < host->size)
			err = look(o, &(struct kprof_inlined_place) {
				.host = host, .entry = in.entry, .seen = in.seen,
				.exits = in.exits,
			}, data);
	}
	return err;
}

/**
 * kprof_inlined_each() - iterate over the places where a function is inlined
 * @object:	kprof_inlined_check() has accepted it
 * @name:	the function
 * @look:	called for each place; in order of addresses, except within one host
 * @data:	passed to @look
 *
 * Context: any. Return: 0, what @look returned, -ENOENT if there are none, or -EINVAL if the
 * lists of the object are damaged.
 */
int kprof_inlined_each(const struct kprof_inlined *object, const char *name,
		       kprof_inlined_fn look, void *data)
{
	const struct kprof_index_part *part = &object->header->part[KPROF_INDEX_PLACES];
	u32 number = find_name(object, name), host = 0, step;
	struct kprof_index_list list;
	bool is_first = true;
	int err = 0;

	if (number == KPROF_INDEX_NONE)
		return -ENOENT;
	if (!kprof_index_list(&list, object->header, part, object->name[number].places))
		return -EINVAL;
	if (!list.left)
		return -ENOENT;
	for (; !err && list.left; list.left--, is_first = false) {
		if (!kprof_index_number(&list, &step) || (!step && !is_first) ||
		    step >= object->nr_hosts - host)
			return -EINVAL;
		host += step;
		err = look_into(object, &object->host[host], number, look, data);
	}
	return err;
}

/* The host that contains an address, which is relative to the object's base. */
static const struct kprof_index_host *host_at(const struct kprof_inlined *o, u32 at)
{
	u32 low = 0, high = o->nr_hosts;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (o->host[middle].start <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low && at - o->host[low - 1].start < o->host[low - 1].size ?
	       &o->host[low - 1] : NULL;
}

/**
 * kprof_inlined_exits() - the places where an instance is left
 * @object:	kprof_inlined_check() has accepted it
 * @place:	the instance
 * @exit:	filled in
 *
 * Context: any. Return: number of exits; 0 if they are not known.
 */
u32 kprof_inlined_exits(const struct kprof_inlined *object,
			const struct kprof_inlined_place *place,
			struct kprof_inlined_exit exit[KPROF_INLINED_EXITS])
{
	const struct kprof_index_part *part = &object->header->part[KPROF_INDEX_EXITS];
	struct kprof_index_list list;
	int shared;
	u32 nr = 0;
	s32 at;

	if (place->exits == KPROF_INDEX_NONE ||
	    !kprof_index_list(&list, object->header, part, place->exits) ||
	    list.left > KPROF_INLINED_EXITS)
		return 0;
	while (list.left) {
		if (!kprof_index_exit(&list, &at, &shared))
			return 0;
		exit[nr].host = host_at(object, place->host->start + (u32)at);
		if (!exit[nr].host)
			return 0;
		exit[nr].at = place->host->start + (u32)at - exit[nr].host->start;
		exit[nr++].is_shared = shared;
	}
	return nr;
}

/**
 * kprof_inlined_section() - the section that a host is in
 * @object:	kprof_inlined_check() has accepted it
 * @host:	one of its hosts
 *
 * Context: any. Return: the section; NULL if it is in none.
 */
const struct kprof_index_section *
kprof_inlined_section(const struct kprof_inlined *object, const struct kprof_index_host *host)
{
	const struct kprof_index_section *section = object->section;

	for (; section < object->section + object->nr_sections; section++)
		if (host->start >= section->start && host->start - section->start < section->size)
			return section;
	return NULL;
}

/**
 * kprof_inlined_host() - find a host by name
 * @object:	kprof_inlined_check() has accepted it
 * @name:	name of a function; no other function may have it
 *
 * Context: any. Return: the host; NULL if there is none.
 */
const struct kprof_index_host *
kprof_inlined_host(const struct kprof_inlined *object, const char *name)
{
	const struct kprof_index_host *host = object->host;

	for (; host < object->host + object->nr_hosts; host++)
		if (!strcmp(object->string + host->name, name))
			return host;
	return NULL;
}
