// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_system.c - torment what kprof watches: CPUs, a target's module, processes
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

static const struct {
	const char *name;
	const char *amount;
} triggers[] = {
	{ "call", "1" }, { "call", "1000" }, { "call", "20000" }, { "recurse", "3" },
	{ "recurse", "60" }, { "stacks", "64" }, { "sleep", "30" }, { "spin", "100" },
	{ "irq_off", "5" },
};

static void trigger(void)
{
	size_t i = random_below(COUNT(triggers));
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/kprof_known/parameters/%s", triggers[i].name);
	doing("%s %s", triggers[i].name, triggers[i].amount);
	write_text(path, triggers[i].amount);
}

/* The module of a target comes, works, and goes, watched or not; not patched while ftrace is off. */
void torture_known(void)
{
	int fd = open("/kprof/modules/kprof_known.ko", O_RDONLY | O_CLOEXEC);
	int turns = random_below(6);
	bool loaded;

	doing("insmod kprof_known.ko");
	loaded = !syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	if (!loaded) {
		if (errno != EBUSY)
			wrong("insmod kprof_known.ko: %s", strerror(errno));
		random_pause(500);
		return;
	}
	while (turns--)
		trigger();
	random_pause(500);
	module_unload("kprof_known");
}

static void child(void)
{
	size_t size = (1 + random_below(64)) << 12;
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory != MAP_FAILED)
		memset(memory, 1, size);
	if (random_chance(50))
		execl("/bin/busybox", "ls", "-l", "/proc/self/", (char *)NULL);
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
