// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls.c - what the code of this machine may call, without a decoder
 */
#include <string.h>

#include "code/calls.h"

#ifdef __aarch64__
/* b and bl: 26 bits count instructions. */
void code_each_call(const uint8_t *bytes, size_t size, uint64_t addr,
		    void (*found)(uint64_t target, void *arg), void *arg)
{
	uint32_t word;
	size_t i;

	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		memcpy(&word, bytes + i, sizeof(word));
		if ((word & 0x7c000000) == 0x14000000)
			found(addr + i + ((int64_t)((uint64_t)word << 38) >> 36), arg);
	}
}
#else
/* e8: call, e9: jmp; then a distance of 32 bits from the end of the instruction. */
void code_each_call(const uint8_t *bytes, size_t size, uint64_t addr,
		    void (*found)(uint64_t target, void *arg), void *arg)
{
	int32_t distance;
	size_t i;

	for (i = 0; i + 1 + sizeof(distance) <= size; i++) {
		if (bytes[i] != 0xe8 && bytes[i] != 0xe9)
			continue;
		memcpy(&distance, bytes + i + 1, sizeof(distance));
		found(addr + i + 1 + sizeof(distance) + distance, arg);
	}
}
#endif
