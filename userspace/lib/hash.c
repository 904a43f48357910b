// SPDX-License-Identifier: GPL-2.0-only
/*
 * hash.c - the hash table: allocation of slots, random seed
 */
#include <stdlib.h>
#include <sys/random.h>

#include "lib/hash.h"
#include "lib/mem.h"

#define FIRST_SLOTS	1024	/* a power of two */

/* Used only if the system cannot provide random numbers. */
uint64_t hash_secret[2] = { 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull };

static __attribute__((constructor)) void choose_secret(void)
{
	uint64_t secret[2];

	if (getrandom(secret, sizeof(secret), GRND_NONBLOCK) == (ssize_t)sizeof(secret))
		memcpy(hash_secret, secret, sizeof(secret));
}

void hash_enlarge(struct hash *t)
{
	uint32_t slots;

	/* Four times as many would not fit into 32 bits. */
	if (t->mask >= UINT32_MAX / 4)
		mem_exhausted(t->mask + 1ul, 4 * sizeof(*t->slot));
	slots = t->slot ? (t->mask + 1) * 4 : FIRST_SLOTS;
	free(t->slot);
	t->slot = mem_realloc(NULL, slots, sizeof(*t->slot));
	memset(t->slot, 0xff, slots * sizeof(*t->slot));
	t->mask = slots - 1;
}

void hash_free(struct hash *t)
{
	free(t->slot);
	*t = (struct hash){ 0 };
}
