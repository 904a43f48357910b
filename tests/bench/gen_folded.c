// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen_folded.c - folded text for measuring: gen_folded MIB [SEED [STACKS]]
 *
 * Stacks are walks down a random call graph, so names repeat and stacks share
 * their beginnings as those of a kernel do. Each line is one of STACKS stacks
 * (16384, as many as the module holds), in no order, as when the profiles of
 * many CPUs and tasks are put together. The same seed gives the same bytes.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NR_FUNCTIONS	4096
#define NR_CALLEES	6	/* of each function */
#define MAX_DEPTH	40

static const char *const words[] = {
	"do", "sys", "vfs", "ext4", "page", "fault", "alloc", "free", "slab", "kmem", "cache",
	"sched", "wake", "up", "read", "write", "iter", "file", "map", "lock", "tcp", "skb",
	"copy", "user", "get", "put", "folio", "xa", "load", "handle", "irq", "timer",
};

static uint64_t state;

static uint32_t rnd(uint32_t below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)((state >> 33) % below);
}

static void make_names(char name[NR_FUNCTIONS][64])
{
	int i, j;

	for (i = 0; i < NR_FUNCTIONS; i++) {
		int len = 0, nr = 2 + (int)rnd(3);

		for (j = 0; j < nr; j++)
			len += snprintf(name[i] + len, sizeof(name[i]) - (size_t)len, "%s_",
					words[rnd(sizeof(words) / sizeof(words[0]))]);
		snprintf(name[i] + len, sizeof(name[i]) - (size_t)len, "%d", i);
	}
}

static char *make_stack(char name[NR_FUNCTIONS][64],
			uint32_t callee[NR_FUNCTIONS][NR_CALLEES])
{
	uint32_t depth = 5 + rnd(MAX_DEPTH - 5), f = rnd(16), step;
	char *stack = malloc(64 * (MAX_DEPTH + 1));
	int len;

	if (!stack)
		exit(1);
	len = sprintf(stack, "task%" PRIu32, rnd(8));
	for (; depth; depth--) {
		len += sprintf(stack + len, ";%s", name[f]);
		/* The first callee is the usual one: few paths are hot. */
		step = rnd(64);
		f = callee[f][step < 60 ? 0 : step - 59];
	}
	return stack;
}

int main(int argc, char **argv)
{
	static char name[NR_FUNCTIONS][64];
	static uint32_t callee[NR_FUNCTIONS][NR_CALLEES];
	uint32_t nr_stacks = argc > 3 ? (uint32_t)atoi(argv[3]) : 16384, i, j;
	uint64_t bytes = 0, goal;
	char **stack;

	if (argc < 2 || argc > 4 || atoi(argv[1]) < 1 || nr_stacks < 1) {
		fputs("Usage: gen_folded MIB [SEED [STACKS]]\n", stderr);
		return 2;
	}
	goal = (uint64_t)atoi(argv[1]) << 20;
	state = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
	make_names(name);
	for (i = 0; i < NR_FUNCTIONS; i++)
		for (j = 0; j < NR_CALLEES; j++)
			callee[i][j] = rnd(NR_FUNCTIONS);
	stack = calloc(nr_stacks, sizeof(*stack));
	for (i = 0; stack && i < nr_stacks; i++)
		stack[i] = make_stack(name, callee);
	while (stack && bytes < goal)
		bytes += (uint64_t)printf("%s %" PRIu32 "\n", stack[rnd(nr_stacks)],
					  1 + rnd(1000));
	return !stack || fflush(stdout) || ferror(stdout);
}
