// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_count.c - counters of perf_event_open(2): open, enable, read
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/mem.h"
#include "lib/msg.h"
#include "stat/stat.h"

static struct perf_event_attr attributes_of(const struct stat_event *event, bool on_exec)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = event->type,
		.config = event->config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = on_exec,
		.exclude_user = event->no_user,
		.exclude_kernel = event->no_kernel,
	};
}

/* Does this error mean that the machine does not have such a counter? */
static bool is_unsupported(int error)
{
	return error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == EINVAL;
}

static int refuse(const struct stat_event *event, pid_t pid, int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return msg_error("%s: counting this is not permitted; be root, set sysctl kernel.perf_event_paranoid=-1, or count your own commands in user mode (%s:u)",
				 event->name, *event->kind ? event->kind : event->name);
	case ESRCH:
		return msg_error("--pid: there is no process %d", pid);
	case EMFILE:
		return msg_error("%s: too many open files: give fewer events, processes or CPUs, or a larger ulimit -n",
				 event->name);
	default:
		return msg_error("%s: cannot count: %s", event->name, strerror(error));
	}
}

static int open_one(struct stat_counter *counter, const struct stat_event *event,
		    const struct stat_targets *targets, pid_t pid, int cpu)
{
	struct perf_event_attr attr = attributes_of(event, targets->on_exec);
	int fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	counter->fd = mem_realloc(counter->fd, counter->nr + 1, sizeof(*counter->fd));
	counter->fd[counter->nr++] = fd;
	return 0;
}

static int open_event(struct stat_counter *counter, const struct stat_event *event,
		      const struct stat_targets *targets)
{
	size_t i, nr = targets->nr_pids * targets->nr_cpus;
	pid_t pid = 0;
	int error = 0;

	for (i = 0; i < nr; i++) {
		pid = targets->pid[i / targets->nr_cpus];
		error = open_one(counter, event, targets, pid, targets->cpu[i % targets->nr_cpus]);
		if (is_unsupported(error)) {
			stat_close(counter, 1);
			return EXIT_OK;
		}
		/* A thread may have exited since it was listed. */
		if (error && error != ESRCH)
			return refuse(event, pid, error);
	}
	return counter->nr ? EXIT_OK : refuse(event, pid, error);
}

int stat_open(struct stat_counter *counters, const struct stat_events *events,
	      const struct stat_targets *targets)
{
	size_t i;

	memset(counters, 0, events->nr * sizeof(*counters));
	for (i = 0; i < events->nr; i++) {
		if (!open_event(&counters[i], &events->event[i], targets))
			continue;
		stat_close(counters, events->nr);
		return EXIT_ERROR;
	}
	return EXIT_OK;
}

void stat_enable(const struct stat_counter *counters, size_t nr, bool on)
{
	size_t i, fd;

	for (i = 0; i < nr; i++)
		for (fd = 0; fd < counters[i].nr; fd++)
			ioctl(counters[i].fd[fd],
			      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* If counters were multiplexed, each is scaled by its own share of the time. */
int stat_read(const struct stat_counter *counter, struct stat_value *value)
{
	struct { uint64_t value, enabled, running; } now;
	size_t i;

	*value = (struct stat_value){ .supported = counter->nr };
	for (i = 0; i < counter->nr; i++) {
		if (read(counter->fd[i], &now, sizeof(now)) != (ssize_t)sizeof(now))
			return msg_error("cannot read a counter: %s", strerror(errno));
		value->enabled += now.enabled;
		value->running += now.running;
		value->silent += now.enabled && !now.running;
		if (now.running)
			value->value += (double)now.value * now.enabled / now.running;
	}
	return EXIT_OK;
}

void stat_close(struct stat_counter *counters, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		while (counters[i].nr)
			close(counters[i].fd[--counters[i].nr]);
		free(counters[i].fd);
		counters[i].fd = NULL;
	}
}
