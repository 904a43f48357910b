// SPDX-License-Identifier: GPL-2.0-only
/*
 * generated.c - the names of code that a process has generated, which it alone can tell
 *
 * Anybody can write such a file, of any size, and in /tmp with any name. It is read if it is a
 * regular file of the process's owner or of root, and was written since the process began.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/process.h"
#include "user/fetch.h"
#include "user/generated.h"
#include "user/jitdump.h"
#include "user/perf_map.h"

/*
 * A user may have many processes, each with a large map: so much is read of one's maps in all. The
 * last row is for all users who have no other.
 */
#define USER_BYTES_MAX	(512ul << 20)
#define USERS_MAX	64

#define MAPS_TEXT_MAX	(1ul << 20)	/* bytes of /proc/PID/maps */

#define BEFORE_START	19	/* fields between the name of a process and when it began */

/* The kernel counts time in ticks, and clocks are set now and then. */
#define TOLERANCE_S	10

/* --- what is known of the process --- */

/* The kernel tells it in ticks since boot. */
static int64_t start_time(struct buf *text, uint64_t tgid)
{
	const char *at = process_skip_fields(process_read_stat(text, tgid), BEFORE_START);
	struct timespec boot, real;
	uint64_t ticks;

	if (!at || !number_take(&at, NUMBER_DECIMAL, &ticks) ||
	    clock_gettime(CLOCK_BOOTTIME, &boot) || clock_gettime(CLOCK_REALTIME, &real))
		return 0;
	return real.tv_sec - boot.tv_sec + (int64_t)(ticks / sysconf(_SC_CLK_TCK));
}

static bool is_link_same(uint64_t pid, const char *link)
{
	char path[64], own[64], there[PATH_MAX], here[PATH_MAX];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/%s", pid, link);
	snprintf(own, sizeof(own), "/proc/self/%s", link);
	len = readlink(path, there, sizeof(there));
	/*
	 * The link of a process that has ended cannot be read; nor can that of others, for who is
	 * not root.
	 */
	return len < 0 || (readlink(own, here, sizeof(here)) == len && !memcmp(here, there, len));
}

static uid_t owner_of(uint64_t pid)
{
	struct stat process;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%" PRIu64, pid);
	return stat(path, &process) ? geteuid() : process.st_uid;
}

static void map_name(char name[48], uint64_t number)
{
	snprintf(name, 48, "perf-%" PRIu64 ".map", number);
}

void generated_note(struct generated *g, uint64_t tgid, bool is_in_proc)
{
	struct buf text = { 0 };
	char name[48], path[64];
	struct stat st;

	*g = (struct generated){ .tgid = tgid, .tmp = -1, .is_in_proc = is_in_proc };
	if (!is_in_proc)
		return;
	g->owner = owner_of(tgid);
	g->own = process_own_id(tgid);
	if (!g->own)
		g->own = tgid;
	g->started = start_time(&text, tgid);
	g->is_elsewhere = !is_link_same(tgid, "ns/mnt") || !is_link_same(tgid, "root");
	map_name(name, g->own);
	snprintf(path, sizeof(path), "/tmp/%s", name);
	/* Samples may have been taken before this: what was written since kprof began is new. */
	if (!g->is_elsewhere && !lstat(path, &st) && S_ISREG(st.st_mode) &&
	    st.st_mtim.tv_sec < start_time(&text, getpid()) - 1)
		g->before = st.st_size;
	buf_free(&text);
}

/* START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH, hexadecimal but for the inode. */
static bool parse_map(const char *at, struct generated_map *map)
{
	const char *permissions;

	if (!number_take(&at, NUMBER_HEX, &map->start) || *at++ != '-' ||
	    !number_take(&at, NUMBER_HEX, &map->end) || *at++ != ' ')
		return false;
	permissions = at;
	at += strcspn(at, "\n ");
	return at - permissions == 4 && permissions[2] == 'x' && *at++ == ' ' &&
	       number_take(&at, NUMBER_HEX, &map->offset) && *at++ == ' ' &&
	       number_take(&at, NUMBER_HEX, &map->dev_major) && *at++ == ':' &&
	       number_take(&at, NUMBER_HEX, &map->dev_minor) && *at++ == ' ' &&
	       number_take(&at, NUMBER_DECIMAL, &map->ino) && map->ino && map->start < map->end;
}

/* The kernel waits for a lock of the process, so this process must not read that. */
static void read_maps(struct generated *g)
{
	struct generated_map map;
	struct buf text = { 0 };
	const char *at, *line, *why;
	size_t room = 0, len;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/maps", g->tgid);
	fd = fetch_path(path, &why);
	if (fd < 0)
		return;
	if (buf_read_max(&text, fd, MAPS_TEXT_MAX))
		text.len = 0;
	for (at = text.len ? text.data : NULL; buf_next_line(&at, &line, &len);)
		if (parse_map(line, &map)) {
			g->map = mem_grow(g->map, &room, g->nr_maps + 1, sizeof(*g->map));
			g->map[g->nr_maps++] = map;
		}
	close(fd);
	buf_free(&text);
}

void generated_hold(struct generated *g)
{
	struct fetch tmp = { .path = "/tmp", .below = g->tgid, .is_directory = true };

	g->is_held = true;
	if (!g->is_in_proc)
		return;
	if (g->is_elsewhere)
		g->tmp = fetch_open(&tmp);
	read_maps(g);
}

void generated_free(struct generated *g)
{
	if (g->tmp >= 0)
		close(g->tmp);
	g->tmp = -1;
	free(g->map);
	g->map = NULL;
	g->nr_maps = 0;
}

/* --- which files are read --- */

/* What a file must be. */
struct wanted {
	const struct generated *process;
	const struct generated_dump *dump;	/* the very file that was mapped; NULL: any */
};

static bool may_be_read(const struct stat *st, const struct wanted *wanted)
{
	const struct generated *g = wanted->process;
	const struct generated_dump *dump = wanted->dump;

	if (st->st_uid && st->st_uid != g->owner)
		return false;
	/* What an earlier process of this number has left behind tells nothing of this one. */
	if (g->started && st->st_mtim.tv_sec < g->started - TOLERANCE_S)
		return false;
	return !dump || (st->st_ino == dump->ino && major(st->st_dev) == dump->dev_major &&
			 minor(st->st_dev) == dump->dev_minor);
}

/* Where @below is not 0, the path is one below the root directory of that process. */
static int open_wanted(const char *path, uint64_t below, const struct wanted *wanted)
{
	struct fetch fetch = { .path = path, .below = below, .no_link = true };
	int fd = fetch_open(&fetch);

	if (fd >= 0 && !may_be_read(&fetch.st, wanted)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* --- jit-PID.dump --- */

static bool read_dump(struct user_functions *f, const char *path, uint64_t below,
		      const struct wanted *wanted)
{
	int fd = open_wanted(path, below, wanted);
	FILE *in = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !in)
		close(fd);
	if (!in)
		return false;
	user_jitdump_read(f, in);
	fclose(in);
	return f->nr;
}

static void dump_name(char name[48], uint64_t number)
{
	snprintf(name, 48, "jit-%" PRIu64 ".dump", number);
}

bool generated_is_dump(const struct generated *g, const char *path)
{
	const char *slash = strrchr(path, '/');
	char name[48], own[48];

	dump_name(name, g->tgid);
	dump_name(own, g->own);
	return slash && (!strcmp(slash + 1, name) || !strcmp(slash + 1, own));
}

bool generated_read_dump(struct user_functions *f, const struct generated *g,
			 const struct generated_dump *dump)
{
	const struct wanted wanted = { g, dump };

	return g->is_in_proc &&
	       (read_dump(f, dump->path, 0, &wanted) ||
	       (g->is_elsewhere && read_dump(f, dump->path, g->tgid, &wanted)));
}

/* --- perf-PID.map --- */

static struct { uid_t owner; size_t bytes; } users[USERS_MAX];
static unsigned int nr_users;

/* What was read of the maps of a user; NULL: root and the caller are trusted. */
static size_t *bytes_of(uid_t owner)
{
	unsigned int i;

	if (!owner || owner == geteuid())
		return NULL;
	for (i = 0; i < nr_users; i++)
		if (users[i].owner == owner)
			return &users[i].bytes;
	if (nr_users < USERS_MAX)
		users[nr_users++].owner = owner;
	return &users[nr_users - 1].bytes;
}

/* How many bytes may be read of a map. */
static size_t max_of(const struct generated *g)
{
	const size_t *bytes = bytes_of(g->owner);

	if (!bytes || USER_BYTES_MAX - *bytes > BUF_FILE_MAX)
		return BUF_FILE_MAX;
	return USER_BYTES_MAX - *bytes;
}

static void note_bytes(const struct generated *g, size_t nr)
{
	size_t *bytes = bytes_of(g->owner);

	if (bytes)
		*bytes += nr;
}

static void warn_not_read(const struct generated *g, const char *name, const char *why)
{
	msg_warn("%s is not read, and what process %" PRIu64 " has generated has no names: %s",
		 name, g->tgid, why);
}

static bool take_map(struct user_functions *f, const struct generated *g, struct buf *text)
{
	size_t i;

	note_bytes(g, text->len);
	for (i = 0; i < text->len; i++)
		if (!text->data[i])
			text->data[i] = '?';
	user_perf_map_read(f, text, g->before);
	return f->nr;
}

static bool read_map(struct user_functions *f, const char *path, const struct wanted *wanted)
{
	struct buf text = { 0 };
	int fd = open_wanted(path, 0, wanted);
	bool found = false;

	if (fd < 0)
		return false;
	if (!buf_read_max(&text, fd, max_of(wanted->process)))
		found = take_map(f, wanted->process, &text);
	else
		warn_not_read(wanted->process, path, strerror(errno));
	close(fd);
	buf_free(&text);
	return found;
}

/* --- both --- */

/* The files of that number in a directory. */
static bool read_number(struct user_functions *f, const struct generated *g, uint64_t number,
			const char *directory)
{
	const struct wanted wanted = { .process = g };
	char name[48], path[128];

	dump_name(name, number);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	if (read_dump(f, path, 0, &wanted))
		return true;
	map_name(name, number);
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return read_map(f, path, &wanted);
}

/* Its /tmp was opened when it ran, as it may have ended since. */
static bool read_elsewhere(struct user_functions *f, const struct generated *g)
{
	char directory[64];

	if (g->tmp < 0)
		return false;
	snprintf(directory, sizeof(directory), "/proc/%d/fd/%d", getpid(), g->tmp);
	return read_number(f, g, g->own, directory);
}

/* Tools that copy the file out of a container give it the number that the process has here. */
void generated_read(struct user_functions *f, const struct generated *g)
{
	if (!g->is_in_proc)
		return;
	if (g->is_elsewhere && read_elsewhere(f, g))
		return;
	if (!g->is_elsewhere && g->own != g->tgid && read_number(f, g, g->own, "/tmp"))
		return;
	read_number(f, g, g->tgid, "/tmp");
}
