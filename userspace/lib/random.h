/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * random.h - numbers that follow from a seed, the same ones on every machine
 */
#ifndef KPROF_RANDOM_H
#define KPROF_RANDOM_H

#include <stdint.h>

/* SplitMix64. @state begins as the seed. */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* From 0 to @nr - 1; @nr is not 0. */
static inline uint64_t random_below(uint64_t *state, uint64_t nr)
{
	return random_next(state) % nr;
}

#endif /* KPROF_RANDOM_H */
