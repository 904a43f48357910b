// SPDX-License-Identifier: GPL-2.0-only
/*
 * forge.c - gives the module rules that are well-formed, and make no sense
 *
 * usage: forge DIRECTORY SEED
 *
 * DIRECTORY is kprof's in debugfs. Prints how many files have got such rules.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../../../module/uapi/kprof_rules.h"

#define RULES	500
#define ROWS	20000

static struct {
	struct kprof_rules_header header;
	struct kprof_rule rule[RULES];
	uint32_t from[ROWS];
	uint16_t number[ROWS];
} __attribute__((packed, aligned(8))) table;

/* Mostly a small number that could be an offset, sometimes any. */
static int offset(void)
{
	return rand() % 8 ? 8 * (rand() % 64 - 16) : rand() << 1 ^ rand();
}

static void invent(void)
{
	static const int16_t special[] = { KPROF_RULE_SAME, KPROF_RULE_LOST, KPROF_RULE_AT_FP };
	uint32_t from = 0;
	int i;

	for (i = 0; i < RULES; i++)
		table.rule[i] = (struct kprof_rule) {
			.kind = rand() % KPROF_NR_RULES, .cfa = offset(),
			.fp = rand() % 3 ? offset() : special[rand() % 3],
			.ra = rand() % 3 ? -8 : offset(),
		};
	for (i = 0; i < ROWS; i++) {
		from += 1 + rand() % 64;
		table.from[i] = from;
		table.number[i] = rand() % RULES;
	}
}

static int give(int dir, const char *line)
{
	uint32_t nr;
	uint64_t ino, size;
	int64_t mtime;
	int fd, ok;

	if (sscanf(line, "%" SCNu32 " %*s %*s %" SCNu64 " %" SCNu64 " %" SCNd64, &nr, &ino, &size,
		   &mtime) != 4)
		return 0;
	table.header = (struct kprof_rules_header) {
		.magic = KPROF_RULES_MAGIC, .file = nr, .nr_rules = RULES, .nr_rows = ROWS,
		.ino = ino, .size = size, .mtime = mtime,
	};
	fd = openat(dir, "rules", O_WRONLY);
	if (fd < 0)
		abort();
	ok = write(fd, &table, sizeof(table)) == sizeof(table);
	close(fd);
	return ok;
}

int main(int argc, char **argv)
{
	char line[8192];
	int dir, given = 0;
	FILE *files;

	if (argc < 3)
		return 2;
	srand(atoi(argv[2]));
	dir = open(argv[1], O_RDONLY | O_DIRECTORY);
	files = dir < 0 ? NULL : fdopen(openat(dir, "file_table", O_RDONLY), "r");
	if (!files)
		return 1;
	while (fgets(line, sizeof(line), files)) {
		invent();
		given += give(dir, line);
	}
	printf("%d\n", given);
	return 0;
}
