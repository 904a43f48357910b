// SPDX-License-Identifier: GPL-2.0-only
/*
 * fetch.c - opens files of other users in a process of its own, which may be lost
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/input.h"
#include "lib/msg.h"
#include "user/confine.h"
#include "user/fetch.h"
#include "user/worker.h"

#define PART		(1 << 20)	/* bytes that are copied at a time */
#define MEMORY		(64ul << 20)	/* bytes that the process may take for itself */

/* What one process asks of the other; the path is behind it. */
struct asked {
	bool no_link, no_copy, is_directory, is_known, is_near;
	uint64_t below, ino, dev_major, dev_minor, size;
	int64_t mtime_ns;
};

struct request {
	struct asked asked;
	char path[PATH_MAX];
};

/* What is told: of a part of a copy, only that; else the file comes with it, if error is 0. */
struct told {
	bool is_part;
	int error;
	struct stat st;
};

/* --- in the process that opens --- */

static void tell(const struct told *told, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec text = { .iov_base = (void *)told, .iov_len = sizeof(*told) };
	struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1 };
	struct cmsghdr *passed;

	if (fd >= 0) {
		message.msg_control = control;
		message.msg_controllen = sizeof(control);
		passed = CMSG_FIRSTHDR(&message);
		passed->cmsg_level = SOL_SOCKET;
		passed->cmsg_type = SCM_RIGHTS;
		passed->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(passed), &fd, sizeof(int));
	}
	if (sendmsg(STDIN_FILENO, &message, MSG_NOSIGNAL) < 0)
		_exit(1);
}

static bool is_that(const struct asked *asked, const struct stat *st)
{
	return st->st_ino == asked->ino && major(st->st_dev) == asked->dev_major &&
	       minor(st->st_dev) == asked->dev_minor;
}

/*
 * A file on a block device, or in memory only. All others are copied: not because they are known to
 * need an answer of somebody else, but because they might.
 */
static bool is_near(const struct asked *asked, int fd, const struct stat *st)
{
	struct statfs fs;

	if (asked->is_known)
		return asked->is_near && is_that(asked, st);
	if (fstatfs(fd, &fs) || fs.f_type == FUSE_SUPER_MAGIC)
		return false;
	return major(st->st_dev) || fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC ||
	       fs.f_type == BTRFS_SUPER_MAGIC;
}

/* Returns false with errno set. */
static bool copy_to(int to, int from, const struct stat *st)
{
	static const struct told part = { .is_part = true };
	static char text[PART];
	size_t done = 0;
	ssize_t got;

	if (fchown(to, st->st_uid, st->st_gid) && errno != EPERM)
		return false;
	while ((got = read(from, text, sizeof(text))) > 0) {
		done += got;
		errno = done > FETCH_COPY_MAX ? EFBIG : ENOSPC;
		if (done > FETCH_COPY_MAX || write(to, text, got) != got)
			return false;
		tell(&part, -1);
	}
	return !got && !lseek(to, 0, SEEK_SET);
}

/* Returns the descriptor of a copy, or -1 with errno set. */
static int copy(int from, const struct stat *st)
{
	int to, error;

	if (st->st_size < 0 || (uint64_t)st->st_size > FETCH_COPY_MAX) {
		errno = EFBIG;
		return -1;
	}
	to = memfd_create("kprof", MFD_CLOEXEC);
	if (to < 0)
		return -1;
	if (copy_to(to, from, st))
		return to;
	error = errno;
	close(to);
	errno = error;
	return -1;
}

static bool is_wanted(const struct asked *asked, const struct stat *st)
{
	if (!S_ISREG(st->st_mode)) {
		errno = EINVAL;
		return false;
	}
	errno = ESTALE;
	return !asked->is_known ||
	       ((uint64_t)st->st_size == asked->size &&
		st->st_mtim.tv_sec * 1000000000LL + st->st_mtim.tv_nsec == asked->mtime_ns);
}

/* The root directory of a process is a link of the kernel's own: no file system is asked for it. */
static int open_below(uint64_t pid, const char *path, unsigned long long flags)
{
	struct open_how how = { .flags = flags, .resolve = RESOLVE_IN_ROOT };
	char root[64];
	int dir, fd, error;

	snprintf(root, sizeof(root), "/proc/%" PRIu64 "/root", pid);
	dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	fd = syscall(SYS_openat2, dir, path, &how, sizeof(how));
	error = errno;
	close(dir);
	errno = error;
	return fd;
}

static int open_place(const struct request *request)
{
	const struct asked *asked = &request->asked;
	int flags = O_PATH | O_CLOEXEC | (asked->no_link ? O_NOFOLLOW : 0) |
		    (asked->is_directory ? O_DIRECTORY : 0);

	return asked->below ? open_below(asked->below, request->path, flags) :
			      open(request->path, flags);
}

/* As input_regular_fd() does it, and only the file that is wanted. */
static int open_it(const struct request *request, struct stat *st)
{
	const struct asked *asked = &request->asked;
	int place = open_place(request);
	int fd = -1, near, error;

	if (asked->is_directory)
		return place;
	if (place >= 0 && !fstat(place, st) && is_wanted(asked, st))
		fd = input_held_fd(place);
	error = errno;
	if (place >= 0)
		close(place);
	errno = error;
	if (fd < 0 || is_near(asked, fd, st))
		return fd;
	near = asked->no_copy ? -1 : copy(fd, st);
	error = asked->no_copy ? EXDEV : errno;
	close(fd);
	errno = error;
	return near;
}

__attribute__((noreturn))
static void serve(void)
{
	static struct request request;
	struct told told;
	ssize_t len;
	int fd;

	confine(MEMORY);
	while ((len = recv(STDIN_FILENO, &request, sizeof(request), 0)) > 0) {
		memset(&told, 0, sizeof(told));
		fd = open_it(&request, &told.st);
		told.error = fd < 0 ? errno : 0;
		tell(&told, fd);
		if (fd >= 0)
			close(fd);
	}
	_exit(0);
}

/* --- in the process that asks --- */

static struct {
	struct worker worker;
	pid_t parent;		/* who has started it: a copy of this process needs its own */
	unsigned int lost;
	pid_t left[FETCH_LOST];	/* those that were lost; 0: has ended since */
} server;

static void forget_ended(void)
{
	unsigned int i;

	for (i = 0; i < server.lost; i++)
		if (server.left[i] && waitpid(server.left[i], NULL, WNOHANG))
			server.left[i] = 0;
}

static bool start(void)
{
	if (server.worker.pid && server.parent == getpid())
		return true;
	if (server.worker.pid)
		close(server.worker.socket);
	server.worker.pid = 0;
	forget_ended();
	server.parent = getpid();
	return server.lost < FETCH_LOST && worker_start(&server.worker, serve);
}

/* It is not waited for: a signal may not even end it. */
static void lose(void)
{
	close(server.worker.socket);
	kill(server.worker.pid, SIGKILL);
	server.left[server.lost] = server.worker.pid;
	server.worker.pid = 0;
	if (++server.lost == FETCH_LOST)
		msg_warn("%d files of other users could not be opened in time: no more are opened by their paths",
			 FETCH_LOST);
}

/* Returns false if nothing has come in time, or the process has ended. */
static bool hear(struct told *told, int *fd, uint64_t end)
{
	char control[CMSG_SPACE(sizeof(int))];
	struct iovec text = { .iov_base = told, .iov_len = sizeof(*told) };
	struct msghdr message = { .msg_iov = &text, .msg_iovlen = 1, .msg_control = control,
				  .msg_controllen = sizeof(control) };
	uint64_t now = clock_ns(CLOCK_MONOTONIC), until = now + FETCH_MS * 1000000ull;
	struct pollfd wake = { .fd = server.worker.socket, .events = POLLIN };
	struct cmsghdr *passed;
	int ready;

	if (until > end)
		until = end;
	do {
		now = clock_ns(CLOCK_MONOTONIC);
		ready = poll(&wake, 1, now < until ? (until - now) / 1000000 + 1 : 0);
	} while (ready < 0 && errno == EINTR);
	if (ready <= 0 ||
	    recvmsg(server.worker.socket, &message, MSG_CMSG_CLOEXEC) != sizeof(*told))
		return false;
	passed = CMSG_FIRSTHDR(&message);
	if (passed && passed->cmsg_level == SOL_SOCKET && passed->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(passed), sizeof(int));
	return true;
}

/* Returns false if there was no answer, or nobody could be asked. */
static bool ask(const struct request *request, struct told *told, int *fd)
{
	size_t len = offsetof(struct request, path) + strlen(request->path) + 1;
	uint64_t end;

	if (!start())
		return false;
	end = clock_ns(CLOCK_MONOTONIC) + FETCH_ALL_MS * 1000000ull;
	if (send(server.worker.socket, request, len, MSG_NOSIGNAL) != (ssize_t)len) {
		lose();
		return false;
	}
	do {
		if (!hear(told, fd, end)) {
			lose();
			return false;
		}
	} while (told->is_part);
	return true;
}

static const char *text_of(int error)
{
	switch (error) {
	case EINVAL:
		return "it is no regular file";
	case ETIMEDOUT:
		return "its file system does not answer in time";
	case EFBIG:
		return "it is too large to be copied from a file system that need not answer";
	case ESTALE:
		return "it is another file than the one that ran";
	default:
		return strerror(error);
	}
}

int fetch_open(struct fetch *fetch)
{
	struct request request = { .asked = {
		.below = fetch->below, .no_link = fetch->no_link, .no_copy = fetch->no_copy,
		.is_directory = fetch->is_directory, .is_known = fetch->is_known,
		.is_near = fetch->is_near,
		.ino = fetch->ino, .dev_major = fetch->dev_major, .dev_minor = fetch->dev_minor,
		.size = fetch->size, .mtime_ns = fetch->mtime_ns,
	} };
	struct told told = { .error = ENAMETOOLONG };
	int fd = -1, error;

	if (strlen(fetch->path) < sizeof(request.path)) {
		strcpy(request.path, fetch->path);
		if (!ask(&request, &told, &fd))
			told.error = ETIMEDOUT;
	}
	error = !told.error && fd < 0 ? EMFILE : told.error;
	fetch->st = told.st;
	fetch->is_silent = error == ETIMEDOUT;
	fetch->why = error ? text_of(error) : NULL;
	if (error && fd >= 0) {
		close(fd);
		fd = -1;
	}
	errno = error;
	return fd;
}

int fetch_path(const char *path, const char **why)
{
	struct fetch fetch = { .path = path };
	int fd = fetch_open(&fetch);

	*why = fetch.why;
	return fd;
}
