// SPDX-License-Identifier: GPL-2.0-only
/*
 * random.c - random numbers that follow from a seed (splitmix64)
 */
#include <string.h>
#include <time.h>

#include "torture.h"

static uint64_t state;

void random_seed(uint64_t seed)
{
	state = seed;
}

static uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

uint64_t random_below(uint64_t n)
{
	return next() % n;
}

bool random_chance(uint32_t percent)
{
	return random_below(100) < percent;
}

void random_bytes(void *to, size_t size)
{
	char *at = to;
	uint64_t word;
	size_t part;

	for (; size; size -= part, at += part) {
		part = size < sizeof(word) ? size : sizeof(word);
		word = next();
		memcpy(at, &word, part);
	}
}

/* Mostly short, so that everything meets everything. */
void random_pause(uint32_t max_ms)
{
	uint64_t ms = random_below(random_below(max_ms) + 1);
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}
