// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode_arm64.c - decode the control flow of arm64 instructions from their bits
 */
#include <elf.h>
#include <stdlib.h>

#include "code/decode.h"
#include "lib/mem.h"

#define INSN_SIZE	4

struct state {
	uint64_t addr;		/* of the last instruction */
	uint32_t word;
};

static void *open_arm64(void) { return mem_zalloc(1, sizeof(struct state)); }
static void close_arm64(void *state) { free(state); }

static bool is(uint32_t word, uint32_t mask, uint32_t value) { return (word & mask) == value; }

/* The target of a branch: a signed field of @bits bits at bit @low counts instructions. */
static uint64_t target_of(uint64_t addr, uint32_t word, int low, int bits)
{
	int64_t distance = (int64_t)((uint64_t)word << (64 - low - bits)) >> (64 - bits);

	return addr + (uint64_t)(distance * INSN_SIZE);
}

/*
 * Is this br a jump table? For a switch, the instruction before br computes its target with an
 * add. For a tail call, the target was loaded from somewhere.
 */
static bool is_of_table(uint32_t last, uint32_t word)
{
	return is(last, 0xff000000, 0x8b000000) && (last & 0x1f) == (word >> 5 & 0x1f);
}

static enum code_flow flow_of(uint32_t last, uint32_t word, uint64_t addr, uint64_t *target)
{
	if (is(word, 0xfc000000, 0x14000000)) {			/* b */
		*target = target_of(addr, word, 0, 26);
		return FLOW_JUMP;
	}
	if (is(word, 0xff000000, 0x54000000) ||			/* b.cond, bc.cond */
	    is(word, 0x7e000000, 0x34000000)) {			/* cbz, cbnz */
		*target = target_of(addr, word, 5, 19);
		return FLOW_BRANCH;
	}
	if (is(word, 0x7e000000, 0x36000000)) {			/* tbz, tbnz */
		*target = target_of(addr, word, 5, 14);
		return FLOW_BRANCH;
	}
	if (is(word, 0xfffffc1f, 0xd65f0000) ||			/* ret */
	    is(word, 0xfffffbff, 0xd65f0bff))			/* retaa, retab */
		return FLOW_RETURN;
	if (is(word, 0xfffffc1f, 0xd61f0000))			/* br */
		return is_of_table(last, word) ? FLOW_TABLE : FLOW_TAIL;
	if (is(word, 0xfefff800, 0xd61f0800) ||			/* braa, brab, braaz, brabz */
	    is(word, 0xfffff000, 0xd69f0000))			/* eret, eretaa, eretab */
		return FLOW_TAIL;
	if (is(word, 0xffff0000, 0))				/* udf: not code */
		return FLOW_STOP;
	/* brk can continue: it does for a WARN(). */
	return FLOW_ON;
}

/* Of loads and stores: does it write memory other than the stack? Of atomics all do. */
static bool stores(uint32_t word)
{
	bool loads = word >> 22 & 1;

	if ((word >> 5 & 0x1f) == 31)			/* [sp], where registers are saved */
		return false;
	if (is(word, 0x3f000000, 0x08000000))		/* exclusive, ordered; casp and cas */
		return !loads || (is(word, 0x00200000, 0x00200000) &&
				  (is(word, 0x00800000, 0x00800000) ||
				   is(word, 0x80000000, 0)));
	if (is(word, 0x3b000000, 0x18000000))		/* from a literal */
		return false;
	if (is(word, 0x3a000000, 0x28000000))		/* pairs */
		return !loads;
	if (is(word, 0x3b200c00, 0x38200000))		/* ldadd, swp and their like; ldapr */
		return !is(word, 0x3ffffc00, 0x38bfc000);
	/* Bits 23 and 22 are 0 of stores; of vectors of 128 bits, 2. */
	return !(word >> 22 & 3) || is(word, 0x04c00000, 0x04800000);
}

/* msr, barriers, and other operations of the system; not mrs, and no hints */
static bool controls(uint32_t word)
{
	return is(word, 0xffe00000, 0xd5000000) && !is(word, 0xfffff01f, 0xd503201f);
}

static bool acts(uint32_t word)
{
	return is(word, 0xfc000000, 0x94000000) ||		/* bl */
	       is(word, 0xfefff000, 0xd63f0000) ||		/* blr, blraa, blrab */
	       is(word, 0xff000000, 0xd4000000) ||		/* svc, brk and their like */
	       (is(word, 0x0a000000, 0x08000000) && stores(word)) || controls(word);
}

/* msr daif, daifclr with its bit for interrupts, or the mask of priorities */
static bool opens(uint32_t word)
{
	return is(word, 0xffffffe0, 0xd51b4220) || is(word, 0xfffff2ff, 0xd50342ff) ||
	       is(word, 0xffffffe0, 0xd5184600);
}

static bool decode(void *state, const uint8_t *bytes, size_t left, uint64_t addr,
		   struct code_insn *insn)
{
	struct state *s = state;
	uint32_t word;

	if (left < INSN_SIZE || addr % INSN_SIZE)
		return false;
	word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	*insn = (struct code_insn){ .addr = addr, .size = INSN_SIZE };
	insn->flow = flow_of(addr == s->addr + INSN_SIZE ? s->word : 0, word, addr, &insn->target);
	insn->is_idle = word == 0xd503201f;
	insn->acts = acts(word);
	insn->opens = opens(word);
	*s = (struct state){ addr, word };
	return true;
}

static bool is_distance(uint32_t relocation)
{
	switch (relocation) {
	case R_AARCH64_PREL32:
	case R_AARCH64_TSTBR14:
	case R_AARCH64_CONDBR19:
	case R_AARCH64_JUMP26:
		return true;
	default:
		return false;
	}
}

/*
 * Where ftrace has call ops, a pointer to them stands in front of each function. Addresses of the
 * kernel begin with 0xffff, and no instruction does.
 */
static size_t without_pointer(const uint8_t *bytes, size_t size, uint64_t start)
{
	const size_t pointer = sizeof(uint64_t);

	if (size < pointer || (start + size) % pointer ||
	    bytes[size - 1] != 0xff || bytes[size - 2] != 0xff)
		return size;
	return size - pointer;
}

const struct code_machine code_arm64 = {
	.open = open_arm64,
	.close = close_arm64,
	.decode = decode,
	.is_distance = is_distance,
	.code_size = without_pointer,
};
