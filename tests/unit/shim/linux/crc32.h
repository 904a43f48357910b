/* SPDX-License-Identifier: GPL-2.0-only */
/* crc32.h - the checksum, for the host */
#ifndef KPROF_SHIM_CRC32_H
#define KPROF_SHIM_CRC32_H

#include <linux/types.h>

static inline u32 crc32_le(u32 crc, const u8 *at, size_t size)
{
	int bit;

	while (size--) {
		crc ^= *at++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

#endif /* KPROF_SHIM_CRC32_H */
