/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * derive.h - what a token decides: numbers by a keyed hash, the same in kernel, guest and checker
 *
 * A token stands for a lab and a seed. Whoever has it, and the name of a parameter, gets the
 * parameter's value; the value itself is written nowhere. The hash is SipHash-2-4 (Aumasson,
 * Bernstein), written out here because kernel modules and programs have no common library.
 */
#ifndef LABS_DERIVE_H
#define LABS_DERIVE_H

#ifdef __KERNEL__
#include <linux/string.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <string.h>
typedef uint64_t u64;
typedef uint32_t u32;
typedef uint8_t u8;
#endif

static inline u64 derive_rotate(u64 x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void derive_sip_rounds(u64 v[4], int rounds)
{
	while (rounds--) {
		v[0] += v[1];
		v[1] = derive_rotate(v[1], 13) ^ v[0];
		v[0] = derive_rotate(v[0], 32);
		v[2] += v[3];
		v[3] = derive_rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = derive_rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = derive_rotate(v[1], 17) ^ v[2];
		v[2] = derive_rotate(v[2], 32);
	}
}

/* The hash of @len bytes under a key of 128 bits. */
static inline u64 derive_hash(u64 key0, u64 key1, const void *data, size_t len)
{
	u64 v[4] = {
		key0 ^ 0x736f6d6570736575ULL, key1 ^ 0x646f72616e646f6dULL,
		key0 ^ 0x6c7967656e657261ULL, key1 ^ 0x7465646279746573ULL
	};
	const u8 *byte = data;
	u64 word = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		word |= (u64)byte[i] << 8 * (i % 8);
		if (i % 8 != 7)
			continue;
		v[3] ^= word;
		derive_sip_rounds(v, 2);
		v[0] ^= word;
		word = 0;
	}
	word |= (u64)len << 56;
	v[3] ^= word;
	derive_sip_rounds(v, 2);
	v[0] ^= word;
	v[2] ^= 0xff;
	derive_sip_rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/* A number from 0 to @n - 1 (@n < 2^32), of which the token and the parameter's name decide. */
static inline u32 derive_pick(u64 token, const char *name, u32 n)
{
	/* Multiplying the upper half needs no division, which 32-bit kernels lack for 64 bits. */
	return (derive_hash(token, 0, name, strlen(name)) >> 32) * n >> 32;
}

/* The same from @low to @high, in steps of @step. */
static inline u32 derive_range(u64 token, const char *name, u32 low, u32 high, u32 step)
{
	return low + step * derive_pick(token, name, (high - low) / step + 1);
}

/*
 * A ledger: what a lab has counted up to a moment. It is written as a line of words: a salt, which
 * no other line has, so that two lines together tell no more than one; the numbers, each hidden
 * under a mask that follows from token, salt and place, which is not secret from who has the token;
 * and a seal, which shows that all of these were written together.
 */
#define DERIVE_LEDGER_MAX	16	/* numbers */

struct derive_ledger {
	u64 word[1 + DERIVE_LEDGER_MAX];	/* the salt, then masked numbers */
	u32 nr;					/* numbers */
};

static inline u64 derive_mask(u64 token, u64 salt, u64 place)
{
	const u64 where[2] = { salt, place };

	return derive_hash(token, 1, where, sizeof(where));
}

/* Of those that are too many nothing is written, and the seal does not hold. */
static inline void derive_ledger_add(struct derive_ledger *ledger, u64 token, u64 number)
{
	u32 place = ledger->nr++;

	if (place < DERIVE_LEDGER_MAX)
		ledger->word[1 + place] = number ^ derive_mask(token, ledger->word[0], place);
}

static inline u64 derive_ledger_number(const struct derive_ledger *ledger, u64 token, u32 place)
{
	return ledger->word[1 + place] ^ derive_mask(token, ledger->word[0], place);
}

static inline u64 derive_ledger_seal(const struct derive_ledger *ledger, u64 token)
{
	if (ledger->nr > DERIVE_LEDGER_MAX)
		return 0;
	return derive_hash(token, 4, ledger->word, (1 + ledger->nr) * sizeof(*ledger->word));
}

/* The seal under a text that must not be changed afterwards. */
static inline u64 derive_seal(u64 token, const void *text, size_t len)
{
	return derive_hash(token, 2, text, len);
}

#endif /* LABS_DERIVE_H */
