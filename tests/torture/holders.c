// SPDX-License-Identifier: GPL-2.0-only
/*
 * holders.c - who keeps a module from being unloaded
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "torture.h"

#define MAX_LOG		(1 << 22)

/* Its line of /proc/modules: size, references, modules that use it, state. */
static void tell_references(const char *module)
{
	FILE *file = fopen("/proc/modules", "re");
	size_t length = strlen(module);
	char line[512];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, module, length) && line[length] == ' ')
			printf("holders: %s", line);
	if (file)
		fclose(file);
}

static void tell_files_of(const char *pid)
{
	char dir[300], path[600], file[300];
	struct dirent *entry;
	ssize_t length;
	DIR *fds;

	snprintf(dir, sizeof(dir), "/proc/%s/fd", pid);
	fds = opendir(dir);
	while (fds && (entry = readdir(fds))) {
		snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
		length = readlink(path, file, sizeof(file) - 1);
		if (length <= 0)
			continue;
		file[length] = '\0';
		if (strstr(file, "/kprof/") || strstr(file, "/kprof_"))
			printf("holders: task %s has %s open\n", pid, file);
	}
	if (fds)
		closedir(fds);
}

static void tell_files(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;

	while (proc && (entry = readdir(proc)))
		if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9')
			tell_files_of(entry->d_name);
	if (proc)
		closedir(proc);
}

/* kprof's last word on who is inside of what. */
static void tell_log(void)
{
	char *log = malloc(MAX_LOG), *line, *last = NULL;
	int length = log ? klogctl(3, log, MAX_LOG - 1) : 0;

	if (length > 0) {
		log[length] = '\0';
		for (line = strtok(log, "\n"); line; line = strtok(NULL, "\n"))
			if (strstr(line, "kprof: "))
				last = line;
	}
	printf("holders: the log's last line of kprof: %s\n", last ? last : "none");
	free(log);
}

void holders_tell(const char *module)
{
	tell_references(module);
	tell_files();
	tell_log();
}
