// SPDX-License-Identifier: GPL-2.0-only
/*
 * data_write.c - write a recording, section by section
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <zlib.h>

#include "data/data.h"
#include "lib/mem.h"

/* Write everything, also after short writes. The first error is kept. */
static void write_all(struct data_writer *w, struct iovec *iov, int nr)
{
	while (nr && !w->error) {
		ssize_t done = writev(w->fd, iov, nr);

		if (done < 0) {
			if (errno != EINTR)
				w->error = errno;
			continue;
		}
		w->bytes += done;
		for (; nr && (size_t)done >= iov->iov_len; iov++, nr--)
			done -= iov->iov_len;
		if (nr) {
			iov->iov_base = (char *)iov->iov_base + done;
			iov->iov_len -= done;
		}
	}
}

void data_write_header(struct data_writer *w, int fd)
{
	struct data_file_header header = {
		.magic = DATA_MAGIC,
		.order = DATA_ORDER,
		.version = DATA_VERSION,
		.abi = KPROF_ABI_VERSION,
	};
	struct iovec iov = { &header, sizeof(header) };

	*w = (struct data_writer){ .fd = fd };
	write_all(w, &iov, 1);
}

/* Returns NULL if compression does not make the payload smaller. */
static void *deflate_payload(const void *payload, size_t size, uLongf *packed_size)
{
	void *packed;

	*packed_size = compressBound(size);
	packed = mem_zalloc(*packed_size, 1);
	if (compress2(packed, packed_size, payload, size, Z_DEFAULT_COMPRESSION) == Z_OK &&
	    *packed_size < size)
		return packed;
	free(packed);
	return NULL;
}

void data_write(struct data_writer *w, enum data_section_type type, uint32_t arg,
		const void *payload, size_t size, bool compress)
{
	static const char padding[8];
	struct data_section section = {
		.type = type,
		.arg = arg,
		.size = size,
		.raw_size = size,
	};
	uLongf packed_size;
	void *packed = compress ? deflate_payload(payload, size, &packed_size) : NULL;
	struct iovec iov[3] = { { &section, sizeof(section) } };
	uLong crc;

	if (packed) {
		section.flags = DATA_ZLIB;
		section.size = packed_size;
	}
	iov[1].iov_base = packed ? packed : (void *)payload;
	iov[1].iov_len = section.size;
	iov[2].iov_base = (void *)padding;
	iov[2].iov_len = -section.size % 8;
	crc = crc32_z(0, (const void *)&section, sizeof(section));
	if (section.size)
		crc = crc32_z(crc, iov[1].iov_base, iov[1].iov_len);
	section.crc = crc;
	write_all(w, iov, 3);
	free(packed);
}
