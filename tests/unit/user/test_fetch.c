// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_fetch.c - files that another process opens, and what becomes of it
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "user/fetch.h"

static char directory[32];

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *out = fopen(path_of(name), "w");

	CHECK(out && fputs(text, out) >= 0 && !fclose(out));
}

static bool has_text(int fd, const char *text)
{
	char got[64] = "";

	return fd >= 0 && pread(fd, got, sizeof(got) - 1, 0) >= 0 && !strcmp(got, text);
}

static int error_of(struct fetch *fetch)
{
	CHECK_INT(fetch_open(fetch), -1);
	CHECK(fetch->why);
	return errno;
}

static void test_files(void)
{
	struct fetch fetch = { .path = path_of("file") };
	struct stat st;
	int fd;

	write_file("file", "text");
	fd = fetch_open(&fetch);
	CHECK(has_text(fd, "text"));
	CHECK(!fstat(fd, &st) && st.st_ino == fetch.st.st_ino && !fetch.why);
	close(fd);
}

static void test_known(void)
{
	struct fetch fetch = { .path = path_of("file"), .is_known = true };
	struct stat st;
	int fd;

	CHECK(!stat(fetch.path, &st));
	fetch.size = st.st_size;
	CHECK_INT(error_of(&fetch), ESTALE);
	fetch.mtime_ns = st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
	/* It may be on any file system: a copy is handed over, with the owner of the file. */
	fd = fetch_open(&fetch);
	CHECK(has_text(fd, "text"));
	CHECK(!fstat(fd, &st) && st.st_ino != fetch.st.st_ino && st.st_uid == fetch.st.st_uid);
	close(fd);
	/* It is the very file, of which the module says that nobody has to answer. */
	fetch.is_near = true;
	fetch.ino = fetch.st.st_ino;
	fetch.dev_major = major(fetch.st.st_dev);
	fetch.dev_minor = minor(fetch.st.st_dev);
	fd = fetch_open(&fetch);
	CHECK(has_text(fd, "text"));
	CHECK(!fstat(fd, &st) && st.st_ino == fetch.st.st_ino);
	close(fd);
}

static void test_others(void)
{
	struct fetch fetch = { .path = path_of("pipe") };

	CHECK(!mkfifo(fetch.path, 0600));
	CHECK_INT(error_of(&fetch), EINVAL);
	fetch.path = path_of("none");
	CHECK_INT(error_of(&fetch), ENOENT);
	fetch.path = path_of("link");
	CHECK(!symlink("file", fetch.path));
	close(fetch_open(&fetch));
	CHECK(!fetch.why);
	fetch.no_link = true;
	CHECK_INT(error_of(&fetch), EINVAL);
}

/* A process whose root directory is that of the test. */
static pid_t start_below(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	CHECK(!pipe(ready));
	pid = fork();
	if (!pid) {
		if (geteuid())
			unshare(CLONE_NEWUSER);
		if (!chroot(directory))
			write(ready[1], "", 1);
		close(ready[1]);
		pause();
		_exit(1);
	}
	close(ready[1]);
	CHECK_INT(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

/* Links are followed as that process would follow them. */
static void test_below(void)
{
	struct fetch fetch = { .path = "/absolute", .below = start_below() };
	struct fetch root = { .path = "/", .below = fetch.below, .is_directory = true };
	char path[64];
	int fd;

	CHECK(!symlink("/file", path_of("absolute")));
	fd = fetch_open(&fetch);
	CHECK(has_text(fd, "text"));
	close(fd);
	fetch.no_link = true;
	CHECK_INT(error_of(&fetch), EINVAL);
	fd = fetch_open(&root);
	CHECK(fd >= 0 && !root.why);
	/* The process has ended, and its directory is open all the same. */
	CHECK(!kill(fetch.below, SIGKILL) && waitpid(fetch.below, NULL, 0) > 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d/file", getpid(), fd);
	fetch = (struct fetch){ .path = path, .no_link = true };
	close(fetch_open(&fetch));
	CHECK(!fetch.why);
	close(fd);
	root.path = "/file";
	root.below = 0;
	CHECK_INT(error_of(&root), ENOENT);
	root.path = path_of("file");
	CHECK_INT(error_of(&root), ENOTDIR);
	root.below = 0x7fffffff;
	fetch.below = 0x7fffffff;
	CHECK_INT(error_of(&root), ENOENT);
	CHECK_INT(error_of(&fetch), ENOENT);
}

/* The process that opens files, which is the last one that this one has started. */
static pid_t opener(void)
{
	char path[64];
	int pid = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	in = fopen(path, "r");
	while (in && fscanf(in, "%d", &pid) == 1)
		;
	CHECK(in && !fclose(in));
	return pid;
}

static void test_silent(void)
{
	struct fetch fetch = { .path = path_of("file") };
	pid_t first = opener();

	CHECK(first > 0 && !kill(first, SIGSTOP));
	CHECK_INT(error_of(&fetch), ETIMEDOUT);
	CHECK(fetch.is_silent);
	close(fetch_open(&fetch));
	CHECK(!fetch.why && !fetch.is_silent);
	CHECK(opener() != first);
}

static void test_too_many(void)
{
	struct fetch fetch = { .path = path_of("file") };
	unsigned int lost;

	for (lost = 1; lost < FETCH_LOST; lost++) {
		CHECK(!kill(opener(), SIGKILL));
		CHECK_INT(error_of(&fetch), ETIMEDOUT);
		fetch.path = path_of("file");
		if (lost + 1 < FETCH_LOST)
			close(fetch_open(&fetch));
	}
	CHECK_INT(error_of(&fetch), ETIMEDOUT);
}

static const struct unit_test tests[] = {
	{ "what is handed over is the file", test_files },
	{ "a file that ran, or a copy of it", test_known },
	{ "what is no file, or a link", test_others },
	{ "paths of a process with another root directory", test_below },
	{ "one that does not answer is left alone", test_silent },
	{ "no more than some are", test_too_many },
	{ NULL, NULL }
};

int main(void)
{
	int ret;

	snprintf(directory, sizeof(directory), "/tmp/kprof-fetch-XXXXXX");
	CHECK(mkdtemp(directory));
	ret = unit_run(tests);
	unlink(path_of("file"));
	unlink(path_of("pipe"));
	unlink(path_of("link"));
	unlink(path_of("absolute"));
	rmdir(directory);
	return ret;
}
