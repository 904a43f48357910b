// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_system.c - torment what kprof watches: CPUs that go, processes and what they map, a suspension
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

/* All but the first can go, and come back. */
void torture_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	long cpu = cpus > 1 ? 1 + (long)random_below(cpus - 1) : 1;
	bool online = random_chance(50);
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%ld/online", cpu);
	doing("CPU %ld %s", cpu, online ? "on" : "off");
	write_text(path, online ? "1" : "0");
	random_pause(1000);
}

/* But for the last step, which a machine may not come back from; where that can be tried. */
void torture_suspend(void)
{
	int err;

	doing("suspend");
	if (!write_text("/sys/power/pm_test", "core")) {
		err = write_text("/sys/power/state", "mem");
		if (err && err != EBUSY && err != EAGAIN)
			wrong("suspend: %s", strerror(err));
	}
	random_pause(60000);
}

static void map_and_unmap(void)
{
	size_t size = (1 + random_below(64)) << 12;
	int fd = open("/bin/busybox", O_RDONLY | O_CLOEXEC);
	char *code = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		memset(memory, 1, size);
	if (code != MAP_FAILED && random_chance(50))
		munmap(code, size);
	close(fd);
}

#define USER	"/kprof/programs/user"

/* What becomes of a process: one with known user stacks, or with frame pointers that are none. */
static const char * const lives[][4] = {
	{ USER, "share", "50" }, { USER, "enter", "500" }, { USER, "children", "5" },
	{ USER, "loop" }, { USER, "kernel" }, { USER, "unmapped" },
	{ USER, "odd" }, { USER, "down" }, { USER, "data" },
	{ "/bin/busybox", "ls", "-l" }, { "/bin/busybox", "true" },
};

static void child(void)
{
	const char * const *life = PICK(lives);

	int null = open("/dev/null", O_WRONLY);

	map_and_unmap();
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (random_chance(80))
		execv(life[0], (char * const *)life);
	_exit(0);
}

/* Processes come and go. */
void torture_storm(void)
{
	uint64_t n = 1 + random_below(8), i;
	pid_t pid;

	doing("a storm of %d processes", (int)n);
	for (i = 0; i < n; i++) {
		pid = fork();
		if (!pid) {
			random_seed(random_below(UINT64_MAX) + i);
			child();
		}
	}
	while (wait(NULL) > 0)
		;
	random_pause(50);
}
