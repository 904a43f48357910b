/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * called_x86.h - which instructions leave a return address on x86-64
 *
 * Code is taken as numbers that are read from memory: the byte at the lowest address is the lowest
 * one of the number.
 */
#ifndef KPROF_CALLED_X86_H
#define KPROF_CALLED_X86_H

#include <linux/types.h>

/* Where the cache has a place: instructions begin at any byte. */
#define KPROF_CALLED_ALIGN_BITS	0

/* The byte @n bytes before the return address. */
static inline u8 kprof_called_byte(u64 before, int n)
{
	return before >> (64 - 8 * n);
}

/*
 * Is there an indirect call (opcode ff) of @length bytes, without its prefixes? Bits 3 to 5 of the
 * byte after the opcode tell which instruction it is: 2 for a near call, 3 for a far one. The other
 * bits tell how an address follows.
 */
static inline bool kprof_called_is_indirect(u64 before, int length)
{
	u8 modrm = kprof_called_byte(before, length - 1), mode = modrm >> 6, base = modrm & 7;
	u8 kind = modrm >> 3 & 7;
	int size = 2;

	if (kprof_called_byte(before, length) != 0xff || (kind != 2 && (kind != 3 || mode == 3)))
		return false;
	if (mode == 3)
		return length == size;
	if (base == 4) {
		size++;
		if (mode == 0 && (kprof_called_byte(before, length - 2) & 7) == 5)
			size += 4;
	} else if (mode == 0 && base == 5) {
		size += 4;
	}
	size += mode == 1 ? 1 : mode == 2 ? 4 : 0;
	return length == size;
}

/* Is the instruction before the return address a call? Prefixes come before what is looked at. */
static inline bool kprof_called_is_before(u64 before, bool is_32)
{
	int length;

	if (kprof_called_byte(before, 5) == 0xe8)
		return true;
	/* A far call with the address in it; there is none in 64-bit code. */
	if (is_32 && kprof_called_byte(before, 7) == 0x9a)
		return true;
	for (length = 2; length <= 7; length++)
		if (kprof_called_is_indirect(before, length))
			return true;
	return false;
}

/* Does the code at an address end a signal handler? The kernel makes handlers return there. */
static inline bool kprof_called_is_sigreturn(u64 code, bool is_32)
{
	/* mov $173,%eax; int $0x80, and for old handlers pop %eax; mov $119,%eax; int $0x80 */
	if (is_32)
		return (code << 8) == 0x80cd000000adb800ull || code == 0x80cd00000077b858ull;
	/* mov $15,%rax or mov $15,%eax; syscall */
	return code == 0x0f0000000fc0c748ull || (code << 8) == 0x050f0000000fb800ull;
}

/*
 * Go begins a stack with a return address behind the first instruction of a function of its own,
 * which is a nop. A call follows.
 */
static inline bool kprof_called_is_start(u64 before, u64 code)
{
	return kprof_called_byte(before, 1) == 0x90 && (u8)code == 0xe8;
}

#endif /* KPROF_CALLED_X86_H */
