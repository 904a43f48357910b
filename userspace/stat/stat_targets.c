// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_targets.c - whom counters are of: tasks and CPUs
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>

#include "lib/buf.h"
#include "lib/cpus.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/process.h"
#include "stat/stat.h"

void stat_targets_add_pid(struct stat_targets *t, pid_t pid)
{
	t->pid = mem_realloc(t->pid, t->nr_pids + 1, sizeof(*t->pid));
	t->pid[t->nr_pids++] = pid;
}

int stat_targets_add_threads(struct stat_targets *t, const char *pid)
{
	struct buf path = { 0 };
	struct dirent *entry;
	int64_t tid;
	DIR *dir;

	if (process_check_proc())
		return EXIT_ERROR;
	buf_printf(&path, "/proc/%s/task", pid);
	dir = opendir(path.data);
	buf_free(&path);
	if (!dir)
		return msg_error("--pid: there is no process %s", pid);
	while ((entry = readdir(dir))) {
		tid = number_up_to(entry->d_name, INT_MAX);
		if (tid > 0)
			stat_targets_add_pid(t, tid);
	}
	closedir(dir);
	return EXIT_OK;
}

static void add_cpu(struct stat_targets *t, int cpu)
{
	t->cpu = mem_realloc(t->cpu, t->nr_cpus + 1, sizeof(*t->cpu));
	t->cpu[t->nr_cpus++] = cpu;
}

int stat_targets_add_cpus(struct stat_targets *t, const char *cpus, bool system)
{
	struct buf online = { 0 };
	struct cpus set = { 0 };
	int ret = EXIT_OK;
	uint32_t cpu;

	if (!cpus && !system) {
		add_cpu(t, -1);
		return EXIT_OK;
	}
	if (cpus)
		cpus_parse(&set, cpus);
	else if (buf_read_file(&online, "/sys/devices/system/cpu/online") ||
		 !cpus_parse(&set, online.data))
		ret = msg_error("cannot tell which CPUs there are");
	for (cpu = 0; !ret && cpu < CPUS_MAX; cpu++)
		if (cpus_has(&set, cpu))
			add_cpu(t, cpu);
	buf_free(&online);
	return ret;
}

void stat_targets_free(struct stat_targets *t)
{
	free(t->pid);
	free(t->cpu);
}
