// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_write.c - write into kprof's files: what is sensible, and what is not
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "torture.h"

#define MAX_GARBAGE	(1 << 18)

static const struct {
	const char *file;
	const char *text;
} sensible[] = {
	{ "enable", "0" }, { "enable", "1" }, { "enable", "0" }, { "enable", "1" },
	{ "reset", "1" }, { "reset", "" }, { "freq", "7" }, { "freq", "999" },
	{ "freq", "5000" }, { "event", "timer" }, { "event", "none" }, { "pid", "1" },
	{ "pid", "" }, { "comm", "torture" }, { "comm", "" }, { "cpus", "0" },
	{ "cpus", "all" }, { "idle", "0" }, { "idle", "1" }, { "stacks", "none" },
	{ "stacks", "kernel" }, { "unwind", "cache" }, { "unwind", "check" },
	{ "depth", "1" }, { "depth", "100" }, { "max_stacks", "32" },
	{ "max_stacks", "10000" }, { "ring_kb", "4" }, { "ring_kb", "300" },
	{ "maxactive", "2" }, { "maxactive", "300" },
	{ "targets", "vfs_read" }, { "targets", "-vfs_read" },
	{ "targets", "vfs_write,schedule\n-schedule\n" }, { "targets", "-vfs_write" },
	{ "targets", "kmem_cache_alloc" }, { "targets", "-kmem_cache_alloc" },
	{ "targets", "known_called" }, { "targets", "-known_called" },
	{ "targets", "kprof_known:known_recursive" },
	{ "targets", "-kprof_known:known_recursive" },
	{ "targets", "hostile_outer\nhostile_oops" }, { "targets", "-hostile_outer" },
	{ "targets", "hostile_main" }, { "targets", "-hostile_main" },
	{ "targets", "hostile_oops by=hits(exit_signals)" }, { "targets", "-hostile_oops" },
	{ "stacks", "user" }, { "stacks", "both" }, { "max_open", "8" }, { "max_open", "8192" },
	{ "index", "/kprof/modules/kprof_inlined.index" }, { "index", "" },
	{ "targets", "inlined_thrice,inlined_forty" }, { "targets", "-inlined_thrice" },
	{ "targets", "-inlined_forty" }, { "targets", "inlined_wait by=caller min=400us" },
	{ "targets", "-inlined_wait" }, { "targets", "@offcpu" }, { "targets", "-@offcpu" },
	{ "targets", "@runqueue" }, { "targets", "-@runqueue" }, { "targets", "@syscalls" },
	{ "targets", "-@syscalls" }, { "targets", "@irq\n@softirq\n@wakeup" },
	{ "targets", "-@irq\n-@softirq" }, { "targets", "-@wakeup" },
	{ "targets", "@alloc" }, { "targets", "-@alloc" }, { "targets", "@locks" },
	{ "targets", "-@locks" }, { "targets", "@faults" }, { "targets", "-@faults" },
	{ "targets", "spans_begin($arg1)..spans_end($arg1) as=pairs" }, { "targets", "-pairs" },
	{ "targets", "tp:kprof_spans:known_point by=$arg1" },
	{ "targets", "-tp:kprof_spans:known_point" },
	{ "targets", "tp:sched_switch by=state" }, { "targets", "-tp:sched_switch" },
};

/* Words that parsers look for, to put between random bytes. */
static const char * const morsels[] = {
	",", ":", "+", "-", "0x", "\n", "#", "*", "[", "]", " ", "\\", "0", "1", "99",
	"4294967295", "18446744073709551616", "vfs_read", "kprof_known:", "known_called",
	"timer", "none", "all", "0-1", "%s%n", "=", "tp:", "..", "|", "(", ")", "$arg1", "@offcpu",
	"%return", " by=", "spans_begin", ",cpu", "inlined_once", "/kprof/modules/",
};

/* ENODEV: it is not loaded now. */
static void check(const char *path, int err)
{
	if (err && err != ENODEV && !documented(err))
		wrong("write to %s: %s", path, strerror(err));
}

void torture_settings(void)
{
	size_t i = random_below(COUNT(sensible));
	char path[128];

	snprintf(path, sizeof(path), KPROF "/%s", sensible[i].file);
	doing("write '%s' to %s", sensible[i].text, path);
	writing_begins();
	check(path, write_text(path, sensible[i].text));
	writing_ends();
	/* Half of all settings are refused while it samples. */
	random_pause(50);
}

static size_t fill(char *text, size_t size)
{
	const char *morsel;
	size_t used = 0, part;

	while (used < size) {
		if (random_chance(70)) {
			morsel = PICK(morsels);
			part = strlen(morsel);
			if (part > size - used)
				part = size - used;
			memcpy(text + used, morsel, part);
		} else {
			part = random_below(size - used) % 8 + 1;
			random_bytes(text + used, part);
		}
		used += part;
	}
	return used;
}

static size_t random_size(void)
{
	switch (random_below(8)) {
	case 0: return 0;
	case 1: return 4095 + random_below(3);
	case 2: return random_below(MAX_GARBAGE);
	default: return random_below(60);
	}
}

void torture_garbage(void)
{
	static char *text;
	const char *path = files_writable();
	size_t size = random_size();
	int fd;

	if (!text)
		text = malloc(MAX_GARBAGE);
	fill(text, size);
	doing("write %zu bytes of garbage to %s", size, path);
	writing_begins();
	fd = open(path, O_WRONLY | (random_chance(10) ? O_TRUNC : 0));
	if (fd < 0) {
		writing_ends();
		return;
	}
	if (random_chance(2)) {
		if (write(fd, nowhere(), size + 1) >= 0 || (errno != EFAULT && !documented(errno)))
			wrong("write of memory that is none to %s: %s", path, strerror(errno));
	} else if (write(fd, text, size) < 0) {
		check(path, errno);
	}
	if (random_chance(10))
		lseek(fd, random_below(10000), SEEK_SET);
	close(fd);
	writing_ends();
	random_pause(20);
}
