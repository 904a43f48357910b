// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_code.c - functions of a file by offset, files of a table, names as their authors wrote them
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kprof.h"
#include "symbols/symtab.h"
#include "unit.h"
#include "user/code.h"
#include "user/demangle.h"
#include "user/files.h"
#include "user/perf_map.h"

static const char *name_at(const struct user_functions *f, uint64_t offset)
{
	const struct user_function *one = user_functions_find(f, offset);

	return one ? one->name : "none";
}

static void test_functions(void)
{
	struct user_functions f = { 0 };

	CHECK_STR(name_at(&f, 0), "none");
	user_functions_add(&f, 0x200, 0x10, "second", 0);
	user_functions_add(&f, 0x100, 0, "first", 5);
	user_functions_add(&f, 0x100, 0, "alias", 1);
	user_functions_add(&f, 0x300, 0, "last", 0);
	user_functions_sort(&f);
	CHECK_STR(name_at(&f, 0xff), "none");
	CHECK_STR(name_at(&f, 0x100), "first");
	CHECK_STR(name_at(&f, 0x1ff), "first");
	CHECK_STR(name_at(&f, 0x20f), "second");
	CHECK_STR(name_at(&f, 0x210), "none");
	CHECK_STR(name_at(&f, 0x300), "last");
	CHECK_STR(name_at(&f, UINT64_MAX), "none");
	user_functions_free(&f);
}

static void expect_name(const char *mangled, const char *readable)
{
	struct buf out = { 0 };

	user_demangle(&out, mangled);
	CHECK_STR(out.data, readable);
	buf_free(&out);
}

static void test_names(void)
{
	char *endless = malloc(5001);

	expect_name("main", "main");
	expect_name("_Z", "_Z");
	expect_name("_not_mangled", "_not_mangled");
#ifdef KPROF_DEMANGLE
	expect_name("_ZN6WorkerImE4spinEm", "Worker<unsigned long>::spin(unsigned long)");
	expect_name("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write");
	expect_name("_RNvCs1234_7mycrate3foo", "mycrate::foo");
	expect_name("_D3foo3barFZv", "foo.bar()");
#endif
	memset(endless, 'S', 5000);
	memcpy(endless, "_Z", 2);
	endless[5000] = '\0';
	endless[1024] = '\0';
	expect_name(endless, endless);
	free(endless);
}

static int update(struct user_files *files, const char *text)
{
	struct buf buf = { 0 };
	int ret;

	buf_add(&buf, text, strlen(text));
	ret = user_files_update(files, &buf);
	buf_free(&buf);
	return ret;
}

static void test_table(void)
{
	static const char *const bad[] = {
		"x", "1", "1 file 0:0 5", "1 file 00 1 2 3 4 - /a", "1 file 0:0 1 2 x 4 - /a",
		"99999999999 file 0:0 1 2 3 4 - /a",
	};
	struct user_files files = { 0 };
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK_INT(update(&files, bad[i]), -1);
	CHECK_INT(update(&files, "1 file 0:0 1 2 -3 4 - /no\\040w\\012here\n"
				 "3 anon 0:0 0 0 0 77 - [anon]\n"), 0);
	CHECK_INT(files.nr, 4);
	CHECK_STR(files.file[1].path, "/no w\nhere");
	CHECK_INT(files.file[1].mtime_ns, -3);
	CHECK_INT(files.file[1].fd, -1);
	CHECK(!files.file[2].path);
	CHECK_INT(files.file[3].tgid, 77);
	CHECK(user_files_want(&files, 0x1234));
	CHECK(!user_files_want(&files, 4ull << KPROF_USER_SHIFT));
	user_files_free(&files);
}

/* What is known of a file of ours, as the module has it. */
static void describe(struct buf *out, const char *path, off_t more)
{
	struct stat st;

	if (stat(path, &st))
		abort();
	buf_printf(out, "1 file %u:%u %llu %lld %lld 1 - %s\n", major(st.st_dev), minor(st.st_dev),
		   (unsigned long long)st.st_ino, (long long)(st.st_size + more),
		   st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec, path);
}

/* A file that is not the one that was mapped names nothing; nothing ends a line but its end. */
static void test_naming(void)
{
	struct user_files files = { 0 };
	struct buf line = { 0 }, out = { 0 };
	int other;

	for (other = 0; other < 2; other++) {
		line.len = 0;
		describe(&line, "/proc/self/exe", other);
		CHECK_INT(update(&files, line.data), 0);
		CHECK(user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10));
		CHECK_INT(files.file[1].fd >= 0, !other);
		CHECK_INT(user_files_is_gone(&files, 1), other);
		user_files_free(&files);
		files = (struct user_files) { 0 };
	}
	update(&files, "1 file 0:0 1 2 3 4 - /no/b\\012c\\011\n");
	user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10);
	user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 0x10);
	user_files_name(&files, &out);
	CHECK_STR(out.data, "1000000000010 1\tb?c?\t[b?c?]\n");
	user_files_free(&files);
	buf_free(&line);
	buf_free(&out);
}

/* A file with the build id 0102. */
static void make_with_id(char *path)
{
	const struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment;
		Elf64_Nhdr note;
		char name[4], id[4];
	} f = {
		.header = {
			.e_ident = ELFMAG "\2\1\1", .e_phoff = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1,
		},
		.segment = { .p_type = PT_NOTE, .p_offset = offsetof(typeof(f), note),
			     .p_filesz = sizeof(f.note) + 8 },
		.note = { .n_namesz = 4, .n_descsz = 2, .n_type = NT_GNU_BUILD_ID },
		.name = "GNU", .id = "\1\2",
	};
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, &f, sizeof(f)) != sizeof(f))
		abort();
	close(fd);
}

/* Is a file opened of which the module has another device, and that build id? */
static bool is_opened(const char *path, const char *id, off_t more)
{
	struct user_files files = { 0 };
	struct buf line = { 0 }, other = { 0 };
	const char *rest;
	bool is;

	describe(&line, path, more);
	rest = strchr(line.data, ':') + 1;
	rest += strspn(rest, "0123456789");
	buf_printf(&other, "1 file 9999:1%.*s %s %s\n", (int)(strstr(rest, " - ") - rest), rest,
		   id, path);
	CHECK_INT(update(&files, other.data), 0);
	is = user_files_open(&files, 1) >= 0;
	user_files_free(&files);
	buf_free(&line);
	buf_free(&other);
	return is;
}

static void test_overlay(void)
{
	char path[] = "/tmp/kprof-code-XXXXXX";

	make_with_id(path);
	CHECK(is_opened(path, "0102", 0));
	CHECK(!is_opened(path, "0103", 0));
	CHECK(!is_opened(path, "-", 0));
	CHECK(!is_opened(path, "0102", 1));
	unlink(path);
}

/* A file of which only this is left: its descriptor, and the line that the module has of it. */
static int make_removed(struct buf *line, off_t more)
{
	char path[] = "/tmp/kprof-code-XXXXXX";
	int fd;

	make_with_id(path);
	describe(line, path, more);
	fd = open(path, O_RDONLY);
	unlink(path);
	return fd;
}

/* Files that the module held have names, even if they are removed by now. */
static void test_held(void)
{
	struct user_files files = { .are_held = true };
	struct buf line = { 0 };
	int fd = make_removed(&line, 0);

	/* Before its line is known, */
	user_files_hold(&files, 1, -1);
	user_files_hold(&files, 1, fd);
	CHECK_INT(update(&files, line.data), 0);
	CHECK_INT(files.file[1].fd, fd);
	user_files_close(&files, 1);
	CHECK_INT(files.file[1].fd, fd);
	user_files_free(&files);
	CHECK_INT(fcntl(fd, F_GETFD), -1);

	/* behind it, when it was not found, */
	files = (struct user_files) { 0 };
	line.len = 0;
	fd = make_removed(&line, 0);
	CHECK_INT(update(&files, line.data), 0);
	CHECK(user_files_want(&files, 1ull << KPROF_USER_SHIFT));
	CHECK(user_files_is_gone(&files, 1));
	user_files_hold(&files, 1, fd);
	CHECK_INT(files.file[1].fd, fd);
	CHECK(!user_files_is_gone(&files, 1));
	user_files_free(&files);

	/* but not if it is another one by now. */
	files = (struct user_files) { 0 };
	line.len = 0;
	fd = make_removed(&line, 1);
	user_files_hold(&files, 1, fd);
	CHECK_INT(update(&files, line.data), 0);
	CHECK_INT(files.file[1].fd, -1);
	CHECK_INT(fcntl(fd, F_GETFD), -1);
	user_files_free(&files);
	buf_free(&line);
}

/* Where the module holds files, others are open only while they are of use. */
static void test_closed(void)
{
	struct user_files files = { .are_held = true };
	struct buf line = { 0 };

	describe(&line, "/proc/self/exe", 0);
	CHECK_INT(update(&files, line.data), 0);
	CHECK_INT(files.file[1].fd, -1);
	CHECK(user_files_open(&files, 1) >= 0);
	user_files_close(&files, 1);
	CHECK_INT(files.file[1].fd, -1);
	CHECK(user_files_open(&files, 1) >= 0);
	user_files_want(&files, 1ull << KPROF_USER_SHIFT);
	user_files_close(&files, 1);
	CHECK(files.file[1].fd >= 0);
	user_files_free(&files);
	buf_free(&line);
}

/* In a process of its own, as a limit cannot be raised again. */
static void map_many(void)
{
	struct user_files files = { 0 };
	struct rlimit limit = { 200, 200 };
	struct buf line = { 0 }, table = { 0 };
	int i;

	setrlimit(RLIMIT_NOFILE, &limit);
	describe(&line, "/proc/self/exe", 0);
	for (i = 1; i < 300; i++)
		buf_printf(&table, "%d%s", i, strchr(line.data, ' '));
	CHECK_INT(update(&files, table.data), 0);
	CHECK_INT(files.nr, 300);
	for (i = 1; i < 300; i++)
		user_files_want(&files, (uint64_t)i << KPROF_USER_SHIFT);
	CHECK(files.file[100].fd >= 0 && files.file[299].fd < 0);
	CHECK(!user_files_is_gone(&files, 299));
	/* More than one: to open a file takes two. */
	for (i = 0; i < 32; i++)
		CHECK(open("/dev/null", O_RDONLY) >= 0);
	user_files_free(&files);
	buf_free(&line);
	buf_free(&table);
}

/* More files than can be open leave room for those that kprof opens. */
static void test_many_files(void)
{
	pid_t pid = fork();
	int status = -1;

	if (!pid) {
		map_many();
		fflush(stdout);
		_exit(unit_failures != 0);
	}
	waitpid(pid, &status, 0);
	CHECK_INT(status, 0);
}

/* Lines of a map without end */
static void test_long_map(void)
{
	const size_t nr = (4u << 20) + 100;
	struct user_functions f = { 0 };
	struct buf text = { 0 };
	size_t i;

	for (i = 0; i < nr; i++)
		buf_printf(&text, "%zx 1 a\n", i);
	user_perf_map_read(&f, &text, 0);
	CHECK_INT(f.nr, PERF_MAP_LINES_MAX);
	user_functions_free(&f);
	buf_free(&text);
}

static const char map[] = "0 ffffffffffffffff all\n";

/* What is named in a process by a map of that owner. */
static void name_by_map(struct user_files *files, pid_t pid, uid_t owner, struct buf *out)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", pid);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	CHECK(fd >= 0 && write(fd, map, sizeof(map) - 1) == sizeof(map) - 1);
	CHECK(owner == geteuid() || !fchown(fd, owner, -1));
	close(fd);
	out->len = 0;
	user_files_name(files, out);
	unlink(path);
}

static void begin_anon(struct user_files *files, pid_t pid)
{
	struct buf line = { 0 };

	buf_printf(&line, "1 anon 0:0 0 0 0 %d - [anon]\n", pid);
	CHECK_INT(update(files, line.data), 0);
	CHECK(user_files_want(files, (1ull << KPROF_USER_SHIFT) + 0x10));
	buf_free(&line);
}

/* A function is not larger than its file. */
static void test_size(void)
{
	struct user_files files = { 0 };
	struct symtab s = { 0 };
	struct buf out = { 0 };

	begin_anon(&files, getpid());
	name_by_map(&files, getpid(), geteuid(), &out);
	CHECK_STR(out.data, "1000000000000 ffffffffffff\t[anon]\tall\n");
	CHECK_INT(symtab_parse_code(&s, &out), 0);
	CHECK(!symtab_find(&s, 2ull << KPROF_USER_SHIFT));
	symtab_free(&s);
	user_files_free(&files);
	buf_free(&out);
}

/* As fork(), for a process of that user. */
static pid_t fork_as(uid_t user)
{
	pid_t child = fork();

	if (!child && user != geteuid() && setuid(user))
		abort();
	return child;
}

/* A process of that user, which ends before its code is named; is it known while it runs? */
static void expect_ended(bool is_known, uid_t user, uid_t owner, const char *expected)
{
	struct user_files files = { 0 };
	struct buf out = { 0 };
	int ends[2];
	pid_t child;
	char c;

	if (pipe(ends))
		abort();
	child = fork_as(user);
	if (!child) {
		if (write(ends[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	CHECK(read(ends[0], &c, 1) == 1);
	if (is_known)
		begin_anon(&files, child);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	if (!is_known)
		begin_anon(&files, child);
	name_by_map(&files, child, owner, &out);
	CHECK_STR(out.data, expected);
	user_files_free(&files);
	buf_free(&out);
	close(ends[0]);
	close(ends[1]);
}

/* Anybody may write what the code of a process that has ended was. */
static void test_owner(void)
{
	static const char named[] = "1000000000000 ffffffffffff\t[anon]\tall\n";
	static const char unnamed[] = "1000000000010 1\t[anon]\t[anon]\n";
	uid_t me = geteuid();

	expect_ended(true, me, me, named);
	expect_ended(false, me, me, named);
	if (me)		/* only root can be, and give files to, other users */
		return;
	expect_ended(true, me, 12345, unnamed);
	expect_ended(false, me, 12345, unnamed);
	expect_ended(true, 12345, 12345, named);
	expect_ended(false, 12345, 12345, unnamed);
	expect_ended(true, 12345, 12346, unnamed);
	expect_ended(true, 12345, me, named);
}

static void test_lines(void)
{
	static const char *const bad[] = {
		"1 2", "1 2\tx", "1\t2\tx\ty", "x 1\tx\ty", "1 0\tx\ty", "ffffffffffffffff 1\tx\ty",
	};
	struct symtab s = { 0 };
	struct buf text = { 0 };
	size_t i;

	buf_printf(&text, "1000000000010 20\tlib.so\toperator new(unsigned long)\n"
			  "2000000000000 1\t[anon]\t\n"
			  "3000000000000 ffffffffffffffff\t[anon]\tall\n");
	CHECK_INT(symtab_parse_code(&s, &text), 0);
	CHECK_STR(symtab_find(&s, 0x100000000002full)->name, "operator new(unsigned long)");
	CHECK_STR(symtab_find(&s, 0x1000000000010ull)->module, "lib.so");
	CHECK(!symtab_find(&s, 0x1000000000030ull));
	CHECK_STR(symtab_find(&s, UINT64_MAX - 1)->name, "all");
	symtab_free(&s);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		buf_printf(&text, "%s\n", bad[i]);
		CHECK_INT(symtab_parse_code(&s, &text), -1);
		symtab_free(&s);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In any order. */
static bool lines_are_same(struct buf *a, struct buf *b)
{
	char *line[2][16] = { { NULL } }, *save;
	size_t nr[2], i, k;

	for (k = 0; k < 2; k++) {
		nr[k] = 0;
		for (char *at = strtok_r(k ? b->data : a->data, "\n", &save); at && nr[k] < 16;
		     at = strtok_r(NULL, "\n", &save))
			line[k][nr[k]++] = at;
		qsort(line[k], nr[k], sizeof(line[k][0]), by_text);
	}
	for (i = 0; i < nr[0] && nr[0] == nr[1]; i++)
		if (strcmp(line[0][i], line[1][i]))
			return false;
	return nr[0] == nr[1];
}

static void write_file(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	CHECK(fd >= 0 && write(fd, text, len) == (ssize_t)len);
	close(fd);
}

/* A process of that user maps a program without symbols, and names a function in it. */
static void expect_told(uid_t user, bool is_named)
{
	char path[] = "/tmp/test_code.XXXXXX", map[64];
	struct buf text = { 0 }, out = { 0 };
	struct user_files files = { 0 };
	int ends[2], fd = mkstemp(path);
	struct stat st;
	char *at = NULL;
	pid_t child;

	CHECK(fd >= 0 && write(fd, "\177ELF", 4) == 4 && !ftruncate(fd, 8192) && !fstat(fd, &st));
	if (pipe(ends))
		abort();
	child = fork_as(user);
	if (!child) {
		/* Who has changed its user is not dumpable, and its files in /proc are root's. */
		prctl(PR_SET_DUMPABLE, 1);
		at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
		if (write(ends[1], &at, sizeof(at)) == sizeof(at))
			pause();
		_exit(0);
	}
	CHECK(read(ends[0], &at, sizeof(at)) == sizeof(at));
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", child);
	buf_printf(&text, "%lx 10 in the program\n%lx 10 beyond\n", (long)at + 0x10,
		   (long)at + 4096);
	write_file(map, text.data, text.len);
	CHECK(user == geteuid() || !chown(map, user, -1));
	text.len = 0;
	buf_printf(&text, "1 file %u:%u %lu 8192 %lld %d - %s\n2 anon 0:0 0 0 0 %d - [anon]\n",
		   major(st.st_dev), minor(st.st_dev), (long)st.st_ino,
		   st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec, child, path, child);
	CHECK_INT(update(&files, text.data), 0);
	CHECK(user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 4096 + 0x12));
	CHECK(user_files_want(&files, (1ull << KPROF_USER_SHIFT) + 8192));
	CHECK(user_files_want(&files, (2ull << KPROF_USER_SHIFT) + 0x12));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	user_files_name(&files, &out);
	text.len = 0;
	if (is_named)
		buf_printf(&text, "1000000001010 10\t%s\tin the program\n", path + 5);
	buf_printf(&text, "2000000000012 1\t[anon]\t[anon]\n");
	if (!is_named)
		buf_printf(&text, "1000000001012 1\t%s\t[%s]\n", path + 5, path + 5);
	buf_printf(&text, "1000000002000 1\t%s\t[%s]\n", path + 5, path + 5);
	/* Those that have no name come last. */
	CHECK(lines_are_same(&out, &text));
	user_files_free(&files);
	unlink(path);
	unlink(map);
	close(fd);
	close(ends[0]);
	close(ends[1]);
	buf_free(&text);
	buf_free(&out);
}

/* Of a program, the process that has generated code is asked only if it is its owner's. */
static void test_told(void)
{
	expect_told(geteuid(), true);
	if (!geteuid())
		expect_told(12345, false);
}

static const struct unit_test tests[] = {
	{ "an offset finds its function, the best of aliases", test_functions },
	{ "names as their authors wrote them", test_names },
	{ "the table of files, and lines that are none", test_table },
	{ "only the file that was mapped is opened", test_naming },
	{ "a file of an overlay is known by its build id", test_overlay },
	{ "files that the module held", test_held },
	{ "a file is open while it is of use", test_closed },
	{ "more files than can be open", test_many_files },
	{ "more lines than any map has", test_long_map },
	{ "a function is not larger than its file", test_size },
	{ "who may name the code of a process that has ended", test_owner },
	{ "functions of user code in a recording", test_lines },
	{ "a process tells what is in its program", test_told },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
