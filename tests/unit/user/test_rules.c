// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_rules.c - rules made from .eh_frame lead through the same callers as the C library's own
 * unwinder, which knows nothing of libdw; and a damaged file yields a table all the same
 */
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "kprof_rules.h"
#include "unit.h"
#include "user/rules.h"

#ifdef __x86_64__

#define MAX_FILES	32
#define MAX_DEPTH	64

/* A file that is mapped here, and its rules. */
static struct {
	char path[512];
	uintptr_t start, end;
	uint64_t offset;
	struct buf table;
} file[MAX_FILES];

static int nr_files;
static const struct user_file no_file = { .fd = -1 };

static void make(int fd, struct buf *table)
{
	struct user_rules *r = user_rules_begin(fd);

	while (user_rules_step(r))
		;
	user_rules_finish(r, 1, &no_file, table);
	user_rules_free(r);
}

static void read_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[1024], kind[8], path[512];
	unsigned long start, end, offset;
	int fd;

	while (fgets(line, sizeof(line), maps) && nr_files < MAX_FILES) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %511s", &start, &end, kind, &offset,
			   path) != 5 || kind[2] != 'x' || *path != '/')
			continue;
		fd = open(path, O_RDONLY);
		file[nr_files].start = start;
		file[nr_files].end = end;
		file[nr_files].offset = offset;
		strcpy(file[nr_files].path, path);
		make(fd, &file[nr_files++].table);
		close(fd);
	}
	fclose(maps);
}

static const struct kprof_rule *find_in(const struct buf *table, uint64_t offset)
{
	const struct kprof_rules_header *header = (const void *)table->data;
	const struct kprof_rule *rule = (const void *)(header + 1);
	const uint32_t *from = (const void *)(rule + header->nr_rules);
	const uint16_t *number = (const void *)(from + header->nr_rows);
	const struct kprof_rule *found = NULL;
	uint32_t i;

	for (i = 0; i < header->nr_rows && from[i] <= offset; i++)
		found = &rule[number[i]];
	return found;
}

static const struct kprof_rule *find(uintptr_t pc)
{
	int i;

	for (i = 0; i < nr_files; i++)
		if (pc >= file[i].start && pc < file[i].end)
			return find_in(&file[i].table, pc - file[i].start + file[i].offset);
	return NULL;
}

/* --- a walk, as simple as can be --- */

static uint64_t word(uint64_t at)
{
	uint64_t value;

	memcpy(&value, (const void *)at, sizeof(value));
	return value;
}

/* Returns the number of places from @pc on; up to a root, a place without a rule, or @max. */
static int __attribute__((no_sanitize_address))
walk(uint64_t pc, uint64_t sp, uint64_t fp, void **place, int max)
{
	const struct kprof_rule *rule;
	bool exact = true;
	uint64_t cfa;
	int nr = 0;

	while (nr < max) {
		place[nr++] = (void *)pc;
		rule = find(pc - !exact);
		if (!rule || rule->kind < KPROF_RULE_SP)
			break;
		exact = rule->kind == KPROF_RULE_SIGNAL;
		if (exact) {
			pc = word(sp + 168);
			fp = word(sp + 120);
			sp = word(sp + 160);
			continue;
		}
		cfa = rule->kind == KPROF_RULE_FP ? fp + rule->cfa :
		      rule->kind == KPROF_RULE_FP_AT ? word(fp + rule->cfa) :
		      rule->kind == KPROF_RULE_PLT ? sp + 8 + 8 * ((int)(pc & 15) >= rule->cfa) :
						     sp + rule->cfa;
		pc = word(cfa + rule->ra);
		if (rule->fp == KPROF_RULE_AT_FP)
			fp = word(fp);
		else if (rule->fp != KPROF_RULE_SAME && rule->fp != KPROF_RULE_LOST)
			fp = word(cfa + rule->fp);
		sp = cfa;
	}
	return nr;
}

/* --- the same callers --- */

static int compared;	/* a signal handler changes it, too */

/* The places below this function differ; those above must not. */
static void __attribute__((noinline)) compare(void)
{
	void *ours[MAX_DEPTH], *theirs[MAX_DEPTH];
	ucontext_t here;
	int i, j, nr, all;

	getcontext(&here);
	nr = walk(here.uc_mcontext.gregs[REG_RIP], here.uc_mcontext.gregs[REG_RSP],
		  here.uc_mcontext.gregs[REG_RBP], ours, MAX_DEPTH);
	all = backtrace(theirs, MAX_DEPTH);
	/* The last common one is the root; theirs may name the place 0 after it. */
	for (j = 0; j < all && nr > 1 && theirs[j] != ours[1]; j++)
		;
	CHECK(nr > 3 && j < all);
	for (i = 1; i < nr && j < all; i++, j++)
		CHECK(ours[i] == theirs[j]);
	CHECK(i == nr && all - j <= 1);
	__atomic_fetch_add(&compared, 1, __ATOMIC_RELAXED);
}

static int by_call(const void *a, const void *b)
{
	if (!__atomic_load_n(&compared, __ATOMIC_RELAXED))
		compare();
	return *(const int *)a - *(const int *)b;
}

static void test_library(void)
{
	int number[] = { 3, 1, 2 };

	__atomic_store_n(&compared, 0, __ATOMIC_RELAXED);
	qsort(number, 3, sizeof(*number), by_call);
	CHECK_INT(__atomic_load_n(&compared, __ATOMIC_RELAXED), 1);
}

static void on_signal(int nr)
{
	(void)nr;
	compare();
}

static void test_signal(void)
{
	__atomic_store_n(&compared, 0, __ATOMIC_RELAXED);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	CHECK_INT(__atomic_load_n(&compared, __ATOMIC_RELAXED), 1);
}

/* --- what the table says --- */

static void check_table(const struct buf *table)
{
	const struct kprof_rules_header *header = (const void *)table->data;
	const struct kprof_rule *rule = (const void *)(header + 1);
	const uint32_t *from = (const void *)(rule + header->nr_rules);
	const uint16_t *number = (const void *)(from + header->nr_rows);
	uint32_t i;

	CHECK_INT(header->magic, KPROF_RULES_MAGIC);
	CHECK_INT(table->len, sizeof(*header) + header->nr_rules * sizeof(*rule) +
		  header->nr_rows * 6ul);
	for (i = 0; i < header->nr_rows; i++)
		CHECK(number[i] < header->nr_rules && (!i || from[i - 1] < from[i]));
	for (i = 0; i < header->nr_rules; i++)
		CHECK(rule[i].kind < KPROF_NR_RULES && !rule[i].zero);
}

static void test_tables(void)
{
	size_t unknown = 0, rows = 0;
	int i;

	for (i = 0; i < nr_files; i++) {
		const struct kprof_rules_header *header = (const void *)file[i].table.data;
		const struct kprof_rule *rule = (const void *)(header + 1);
		const uint32_t *from = (const void *)(rule + header->nr_rules);
		const uint16_t *number = (const void *)(from + header->nr_rows);
		uint32_t j;

		check_table(&file[i].table);
		rows += header->nr_rows;
		for (j = 0; j < header->nr_rows; j++)
			unknown += rule[number[j]].kind == KPROF_RULE_UNKNOWN;
	}
	CHECK(rows > 10000);
	CHECK(unknown < rows / 500);
}

/* vfork() has taken its return address off the stack when it enters the kernel. */
static void test_vfork(void)
{
	const char *code = dlsym(dlopen("libc.so.6", RTLD_NOW), "vfork"), *behind;
	const struct kprof_rule *rule;

	behind = code ? memmem(code, 64, "\x0f\x05", 2) : NULL;
	CHECK(behind);
	rule = behind ? find((uintptr_t)behind + 2) : NULL;
	CHECK(rule && rule->kind == KPROF_RULE_SP && !rule->cfa && rule->ra == KPROF_RULE_SAME &&
	      rule->fp == KPROF_RULE_SAME);
}

/* Bytes of this program changed, where it describes frames and everywhere. */
static void test_damage(void)
{
	struct buf whole = { 0 }, table = { 0 };
	int i, j, fd = memfd_create("damaged", 0);

	for (i = 0; i < nr_files && !strstr(file[i].path, "libc."); i++)
		;
	if (i == nr_files || buf_read_file(&whole, file[i].path)) {
		CHECK(!"there is a libc");
		return;
	}
	for (i = 0; i < 12; i++) {
		for (j = 0; j < (i < 4 ? 3 : 20000); j++)
			whole.data[random() % (i % 3 ? whole.len : 1024)] = random();
		CHECK(pwrite(fd, whole.data, whole.len, 0) == (ssize_t)whole.len);
		table.len = 0;
		make(fd, &table);
		check_table(&table);
	}
	table.len = 0;
	make(-1, &table);
	check_table(&table);
	close(fd);
	buf_free(&whole);
	buf_free(&table);
}

/* --- without the linker's table --- */

/* A copy of a file, without the segment that has its table. */
static int without_table(const char *path)
{
	int from = open(path, O_RDONLY), to = memfd_create("without_table", 0);
	off_t size = lseek(from, 0, SEEK_END);
	Elf64_Ehdr header;
	Elf64_Phdr *segment;
	char *data;
	int i;

	CHECK(size > 0 && !ftruncate(to, size));
	data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, to, 0);
	CHECK_INT(pread(from, data, size, 0), size);
	memcpy(&header, data, sizeof(header));
	segment = (Elf64_Phdr *)(data + header.e_phoff);
	for (i = 0; i < header.e_phnum; i++)
		if (segment[i].p_type == PT_GNU_EH_FRAME)
			segment[i].p_type = PT_NULL;
	munmap(data, size);
	close(from);
	return to;
}

/* As in a static program: what .eh_frame says comes to the same. */
static void test_without_table(void)
{
	struct buf table = { 0 };
	int i, fd;

	CHECK(nr_files >= 2);
	for (i = 0; i < nr_files; i++) {
		fd = without_table(file[i].path);
		table.len = 0;
		make(fd, &table);
		CHECK_INT(table.len, file[i].table.len);
		CHECK(table.len == file[i].table.len &&
		      !memcmp(table.data, file[i].table.data, table.len));
		close(fd);
	}
	buf_free(&table);
}

/* The same, with bytes of what .eh_frame says changed: this program is small enough for many. */
static void test_damage_without_table(void)
{
	struct buf table = { 0 };
	int i, j, fd = without_table(file[0].path);
	off_t size = lseek(fd, 0, SEEK_END);
	unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	const unsigned char *mark = memmem(data, size, "zR\0", 3);

	CHECK(mark);
	for (i = 0; mark && i < 60; i++) {
		/* the first CIE and what follows it; later, anything */
		for (j = 0; j < 8; j++) {
			if (i < 30)
				data[mark - data + random() % 200] = random();
			else
				data[random() % size] = random();
		}
		table.len = 0;
		make(fd, &table);
		check_table(&table);
	}
	munmap(data, size);
	close(fd);
	buf_free(&table);
}

static const struct unit_test tests[] = {
	{ "through a library", test_library },
	{ "out of a signal handler", test_signal },
	{ "tables are in order, and have few places without a rule", test_tables },
	{ "vfork has its return address in a register", test_vfork },
	{ "without the table of the linker, as in static programs", test_without_table },
	{ "and damaged", test_damage_without_table },
	{ "files that are damaged", test_damage },
	{ NULL, NULL }
};

int main(void)
{
	int i, ret;

	if (!user_rules_are_possible()) {
		puts("KTAP version 1\n1..0 # SKIP built without libdw");
		return 0;
	}
	read_maps();
	ret = unit_run(tests);
	for (i = 0; i < nr_files; i++)
		buf_free(&file[i].table);
	return ret;
}

#else

int main(void)
{
	puts("KTAP version 1\n1..0 # SKIP rules are for x86-64");
	return 0;
}

#endif
