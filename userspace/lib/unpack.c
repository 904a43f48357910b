// SPDX-License-Identifier: GPL-2.0-only
/*
 * unpack.c - decompress gzip and zstd streams that are read from a file descriptor
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "lib/mem.h"
#include "lib/unpack.h"

#define BLOCK		(64u << 10)
#define WINDOW_LOG	25	/* zstd: 32 MiB; levels up to 19 need 8 MiB */

/* The state for both formats. @in has what was read, but is not decompressed yet. */
struct unpacker {
	/* Decompress as much as room and input allow. Returns false if the data is damaged. */
	bool (*step)(struct unpacker *u);
	z_stream zlib;
	ZSTD_DStream *zstd;
	bool between;		/* between two streams: the file may end here */
	bool file_ended;
	unsigned char *block;
	ZSTD_inBuffer in;
	ZSTD_outBuffer out;
	uint64_t bytes_read, bytes_made;
};

static bool step_gzip(struct unpacker *u)
{
	z_stream *z = &u->zlib;
	int ret;

	if (u->between && inflateReset(z) != Z_OK)
		return false;
	u->between = false;
	z->next_in = u->block + u->in.pos;
	z->avail_in = u->in.size - u->in.pos;
	z->next_out = (unsigned char *)u->out.dst + u->out.pos;
	z->avail_out = u->out.size - u->out.pos;
	ret = inflate(z, Z_NO_FLUSH);
	u->in.pos = u->in.size - z->avail_in;
	u->out.pos = u->out.size - z->avail_out;
	u->between = ret == Z_STREAM_END;
	return ret == Z_OK || ret == Z_STREAM_END || ret == Z_BUF_ERROR;
}

static bool step_zstd(struct unpacker *u)
{
	size_t ret = ZSTD_decompressStream(u->zstd, &u->out, &u->in);

	u->between = !ret;
	return !ZSTD_isError(ret);
}

static struct unpacker *begin_gzip(struct unpacker *u)
{
	u->step = step_gzip;
	if (inflateInit2(&u->zlib, MAX_WBITS + 16) == Z_OK)
		return u;
	free(u);
	return NULL;
}

static struct unpacker *begin_zstd(struct unpacker *u)
{
	u->step = step_zstd;
	u->zstd = ZSTD_createDStream();
	if (u->zstd &&
	    !ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG)))
		return u;
	ZSTD_freeDStream(u->zstd);
	free(u);
	return NULL;
}

struct unpacker *unpack_begin(const char *first, size_t len)
{
	static const struct {
		const char *magic;
		size_t len;
		struct unpacker *(*begin)(struct unpacker *u);
	} kinds[] = {
		{ "\x1f\x8b\x08", 3, begin_gzip },
		{ "\x28\xb5\x2f\xfd", 4, begin_zstd },
	};
	struct unpacker *u;
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (len < kinds[i].len || memcmp(first, kinds[i].magic, kinds[i].len))
			continue;
		u = kinds[i].begin(mem_zalloc(1, sizeof(*u)));
		if (!u)
			return NULL;
		u->block = mem_zalloc(BLOCK, 1);
		memcpy(u->block, first, len);
		u->in = (ZSTD_inBuffer){ u->block, len, 0 };
		u->bytes_read = len;
		return u;
	}
	return NULL;
}

static bool fill(struct unpacker *u, int fd)
{
	ssize_t got;

	do
		got = read(fd, u->block, BLOCK);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return false;
	u->file_ended = !got;
	u->in = (ZSTD_inBuffer){ u->block, got, 0 };
	u->bytes_read += got;
	return true;
}

ssize_t unpack_read(struct unpacker *u, int fd, void *to, size_t len, const char **error)
{
	u->out = (ZSTD_outBuffer){ to, len < BLOCK ? len : BLOCK, 0 };
	while (!u->out.pos) {
		/* At the end of the file, the decompressor may still hold output: go on. */
		if (u->in.pos == u->in.size && !u->file_ended && !fill(u, fd)) {
			*error = strerror(errno);
			return -1;
		}
		if (u->file_ended && u->between)
			return 0;
		if (!u->step(u)) {
			*error = "what is compressed in it is damaged";
			return -1;
		}
		if (u->file_ended && !u->out.pos && !u->between) {
			*error = "what is compressed in it is cut off";
			return -1;
		}
	}
	u->bytes_made += u->out.pos;
	if (u->bytes_made > UNPACK_SLACK + UNPACK_RATIO * u->bytes_read) {
		*error = "it grows to more than 1000 times its size when it is uncompressed";
		return -1;
	}
	return u->out.pos;
}

void unpack_end(struct unpacker *u)
{
	if (!u)
		return;
	if (u->step == step_gzip)
		inflateEnd(&u->zlib);
	ZSTD_freeDStream(u->zstd);
	free(u->block);
	free(u);
}
