// SPDX-License-Identifier: GPL-2.0-only
/*
 * mute.c - a file system whose server stops answering
 *
 * usage: mute serve DIRECTORY FILE     mounts it there, with a copy of the file, "file"; says
 *                                      "mounted", and after SIGUSR1 "mute" and answers nothing
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_ID		2
#define VALID		1000000		/* seconds */
#define READ_MAX	(1 << 20)

static char *data;
static size_t size;

/* It ends the wait for a request. */
static void be_mute(int signal)
{
	(void)signal;
}

static void fail(const char *what)
{
	perror(what);
	_exit(1);
}

static void answer(int fd, uint64_t unique, int error, const void *body, size_t len)
{
	static char text[sizeof(struct fuse_out_header) + READ_MAX];
	struct fuse_out_header header = { .unique = unique, .error = -error };

	header.len = sizeof(header) + len;
	memcpy(text, &header, sizeof(header));
	if (len)
		memcpy(text + sizeof(header), body, len);
	/* Who has asked may have ended. */
	if (write(fd, text, header.len) < 0 && errno != ENOENT)
		fail("write");
}

static struct fuse_attr attributes(uint64_t id)
{
	return (struct fuse_attr) {
		.ino = id, .nlink = 1, .blksize = 4096,
		.size = id == FILE_ID ? size : 0,
		.mode = id == FILE_ID ? S_IFREG | 0755 : S_IFDIR | 0755,
	};
}

static void serve(int fd, const struct fuse_in_header *in)
{
	const void *body = in + 1;
	struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION,
		.max_readahead = 65536, .max_write = 65536,
		.flags = FUSE_ASYNC_READ | FUSE_ASYNC_DIO,
	};
	struct fuse_entry_out entry = { .nodeid = FILE_ID, .entry_valid = VALID,
					.attr_valid = VALID };
	struct fuse_attr_out attr = { .attr_valid = VALID };
	struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };
	const struct fuse_read_in *wanted = body;
	size_t at, len;

	switch (in->opcode) {
	case FUSE_INIT:
		answer(fd, in->unique, 0, &init, sizeof(init));
		break;
	case FUSE_LOOKUP:
		entry.attr = attributes(FILE_ID);
		if (strcmp(body, "file"))
			answer(fd, in->unique, ENOENT, NULL, 0);
		else
			answer(fd, in->unique, 0, &entry, sizeof(entry));
		break;
	case FUSE_GETATTR:
		attr.attr = attributes(in->nodeid);
		answer(fd, in->unique, 0, &attr, sizeof(attr));
		break;
	case FUSE_OPEN:
		answer(fd, in->unique, 0, &opened, sizeof(opened));
		break;
	case FUSE_READ:
		at = wanted->offset < size ? wanted->offset : size;
		len = wanted->size < size - at ? wanted->size : size - at;
		answer(fd, in->unique, 0, data + at, len);
		break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		answer(fd, in->unique, 0, NULL, 0);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		answer(fd, in->unique, EOPNOTSUPP, NULL, 0);
	}
}

static void load(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		fail(path);
	size = st.st_size;
	data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		fail(path);
}

static void serve_all(const char *directory)
{
	static char request[READ_MAX];
	struct sigaction action = { .sa_handler = be_mute };
	int fd = open("/dev/fuse", O_RDWR | O_NONBLOCK);
	struct pollfd wake = { .fd = fd, .events = POLLIN };
	sigset_t usr1, others;
	char options[128];
	ssize_t len;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigaction(SIGUSR1, &action, NULL);
	sigprocmask(SIG_BLOCK, &usr1, &others);

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd);
	if (fd < 0 || mount("mute", directory, "fuse", 0, options))
		fail(directory);
	puts("mounted");
	fflush(stdout);
	/* The signal comes while the server waits, and never between the question and the wait. */
	while (ppoll(&wake, 1, NULL, &others) >= 0) {
		len = read(fd, request, sizeof(request));
		/* The process that has asked may have ended: then there is nothing to read. */
		if (len < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
			fail("read");
		if (len > 0)
			serve(fd, (const void *)request);
	}
	if (errno != EINTR)
		fail("ppoll");
	puts("mute");
	fflush(stdout);
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc != 4 || strcmp(argv[1], "serve"))
		return 2;
	load(argv[3]);
	serve_all(argv[2]);
}
