/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cpus.h - a set of CPUs, parsed from the kernel's list format: "0-2,5"
 */
#ifndef KPROF_CPUS_H
#define KPROF_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#define CPUS_MAX	65536

struct cpus {
	uint64_t word[CPUS_MAX / 64];
};

/* Parse a CPU list, which may end with a newline. Returns false if it is not valid. */
bool cpus_parse(struct cpus *set, const char *list);

/* Take the value of --cpus. Returns EXIT_OK, or EXIT_USAGE after a message. */
int cpus_option(struct cpus *set, const char *list);

/*
 * Check --cpus of a measurement: a list, or NULL, of CPUs that are @state, which is "online", or
 * "possible" where those count that come online later. Returns EXIT_OK, or EXIT_USAGE after a
 * message.
 */
int cpus_check(const char *list, const char *state);

static inline bool cpus_has(const struct cpus *set, uint32_t cpu)
{
	return cpu < CPUS_MAX && (set->word[cpu / 64] >> cpu % 64 & 1);
}

#endif /* KPROF_CPUS_H */
