// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_index.c - an index of inlined code, as the reader takes it: every host, many addresses
 *
 * Of most inputs, what lines "%%" keep apart are the parts of an object, whose header is made
 * right, so that changes are not refused at the door; the others are taken as they are.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz.h"
#include "index/index.h"

#define ADDRESSES	16	/* of a host */
#define HOSTS		64

/* An object of these parts. */
static void compose(const uint8_t *data, size_t size, struct buf *out)
{
	struct kprof_index_header h = { .version = KPROF_INDEX_VERSION, .owner = "vmlinux" };
	struct fuzz_part part[KPROF_INDEX_NR_PARTS];
	int i;

	fuzz_split(data, size, part, KPROF_INDEX_NR_PARTS);
	memcpy(h.magic, KPROF_INDEX_MAGIC, sizeof(h.magic));
	buf_add(out, &h, sizeof(h));
	for (i = 0; i < KPROF_INDEX_NR_PARTS; i++) {
		h.part[i].offset = out->len;
		h.part[i].size = part[i].size;
		buf_add(out, part[i].data, part[i].size);
		buf_add(out, "\0\0\0\0\0\0\0", -out->len & 7);
	}
	h.size = out->len;
	memcpy(out->data, &h, sizeof(h));
	h.crc = crc32_z(0, (const void *)out->data, out->len);
	memcpy(out->data, &h, sizeof(h));
}

static void look_at_host(const struct index_object *o, const struct kprof_index_host *host)
{
	struct index_frame frame[KPROF_INDEX_DEPTH + 1];
	uint32_t step = host->size / ADDRESSES + 1, offset;
	int nr, i;

	if (index_host(o, host->start) != host)
		fuzz_fail("a host is not where it is", "", 0);
	for (offset = 0; offset < host->size; offset += step) {
		nr = index_frames(o, host, offset, frame);
		if (nr < 0 || nr > KPROF_INDEX_DEPTH + 1)
			fuzz_fail("more frames than there may be", "", 0);
		for (i = 0; i < nr; i++)
			if (strlen(frame[i].name) > o->header->size)
				fuzz_fail("a name that is none", "", 0);
		if (step > UINT32_MAX - offset)
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct index index = { .nr = 0 };
	struct buf file = { 0 };
	uint32_t h;
	size_t i;

	if (!size)
		return 0;
	if (*data & 3)
		compose(data + 1, size - 1, &file);
	else
		buf_add(&file, data + 1, size - 1);
	if (!index_parse(&index, &file))
		for (i = 0; i < index.nr; i++)
			for (h = 0; h < index.object[i].nr_hosts && h < HOSTS; h++)
				look_at_host(&index.object[i], &index.object[i].host[h]);
	index_close(&index);
	return 0;
}
