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

/* What follows another is ready whenever that counts. */
static struct perf_event_attr attributes_of(const struct stat_event *event, bool follows,
					    bool on_exec)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.type = event->type,
		.config = event->config[0],
		.config1 = event->config[1],
		.config2 = event->config[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = !follows,
		.inherit = 1,
		.enable_on_exec = on_exec && !follows,
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
		return msg_error("%s: too many open files: give fewer events, processes or CPUs, or a larger hard limit (ulimit -Hn)",
				 event->name);
	default:
		return msg_error("%s: cannot count: %s", event->name, strerror(error));
	}
}

/* Open a counter of @event; @leader is another that it follows, or -1. Return: it, or -1. */
static int open_one(const struct stat_event *event, const struct stat_targets *targets,
		    size_t target, int leader)
{
	struct perf_event_attr attr = attributes_of(event, leader >= 0, targets->on_exec);

	return syscall(SYS_perf_event_open, &attr, targets->pid[target / targets->nr_cpus],
		       targets->cpu[target % targets->nr_cpus], leader, PERF_FLAG_FD_CLOEXEC);
}

/* Is there such a counter, though not as one that follows @leader? */
static bool is_apart(const struct stat_event *event, const struct stat_targets *targets,
		     size_t target, int leader)
{
	int fd = leader >= 0 ? open_one(event, targets, target, -1) : -1;

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void add(struct stat_counter *counter, size_t target, int cpu, int fd, bool follows)
{
	counter->fd = mem_realloc(counter->fd, counter->nr + 1, sizeof(*counter->fd));
	counter->fd[counter->nr++] = (struct stat_fd){
		.fd = fd, .cpu = cpu, .target = target, .follows = follows,
	};
}

/* All that are open now can be followed where there was nothing yet. */
static void lead(const struct stat_counter *counter, int *leader)
{
	size_t i;

	for (i = 0; i < counter->nr; i++)
		if (leader[counter->fd[i].target] < 0)
			leader[counter->fd[i].target] = counter->fd[i].fd;
}

/* @leader: by target, the counter that those of its group follow; -1: there is none yet */
static int open_event(struct stat_counter *counter, const struct stat_event *event,
		      const struct stat_targets *targets, const int *leader)
{
	size_t i, nr = targets->nr_pids * targets->nr_cpus;
	int error = 0, cpu, fd;
	pid_t pid = 0;

	counter->scale = event->scale;
	for (i = 0; i < nr; i++) {
		pid = targets->pid[i / targets->nr_cpus];
		cpu = targets->cpu[i % targets->nr_cpus];
		/* On any other CPU, an uncore PMU would count the same once more. */
		if (event->cpus && cpu >= 0 && !cpus_has(event->cpus, cpu))
			continue;
		fd = open_one(event, targets, i, leader[i]);
		error = fd < 0 ? errno : 0;
		if (is_unsupported(error) && is_apart(event, targets, i, leader[i]))
			return msg_error("%s: the machine cannot count it at the same time as all before it in its group; give fewer events between { and }",
					 event->name);
		if (is_unsupported(error)) {
			stat_close(counter, 1);
			return EXIT_OK;
		}
		/* A thread may have exited since it was listed. */
		if (error && error != ESRCH)
			return refuse(event, pid, error);
		if (!error)
			add(counter, i, cpu, fd, leader[i] >= 0);
	}
	if (!counter->nr && !error && event->cpus)
		return msg_error("event %s: none of these CPUs counts it; see the file cpumask of its PMU",
				 event->name);
	return counter->nr || !error ? EXIT_OK : refuse(event, pid, error);
}

int stat_open(struct stat_counter *counters, const struct stat_events *events,
	      const struct stat_targets *targets)
{
	size_t i, group = 0, size = targets->nr_pids * targets->nr_cpus * sizeof(int);
	int *leader = mem_zalloc(1, size), ret = EXIT_OK;

	memset(counters, 0, events->nr * sizeof(*counters));
	for (i = 0; !ret && i < events->nr; i++) {
		if (!events->event[i].group || events->event[i].group != group)
			memset(leader, -1, size);
		group = events->event[i].group;
		ret = open_event(&counters[i], &events->event[i], targets, leader);
		if (group)
			lead(&counters[i], leader);
	}
	if (ret)
		stat_close(counters, events->nr);
	free(leader);
	return ret ? EXIT_ERROR : EXIT_OK;
}

void stat_enable(const struct stat_counter *counters, size_t nr, bool on)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	const struct stat_fd *fd;
	size_t i;

	for (i = 0; i < nr; i++)
		for (fd = counters[i].fd; fd < counters[i].fd + counters[i].nr; fd++)
			if (!fd->follows)
				ioctl(fd->fd, request, 0);
}

/* If counters were multiplexed, each is scaled by its own share of the time. */
static void add_difference(struct stat_value *value, struct stat_reading *last,
			   const struct stat_reading *now, double scale)
{
	uint64_t enabled = now->enabled - last->enabled;
	uint64_t running = now->running - last->running;

	value->enabled += enabled;
	value->running += running;
	value->silent += now->enabled && !now->running;
	if (running)
		value->value += scale * (now->value - last->value) * enabled / running;
	*last = *now;
}

int stat_read(struct stat_counter *counter, int cpu, struct stat_value *value)
{
	struct stat_reading now;
	size_t i;

	*value = (struct stat_value){ 0 };
	for (i = 0; i < counter->nr; i++) {
		struct stat_fd *fd = &counter->fd[i];

		if (cpu >= 0 && fd->cpu != cpu)
			continue;
		if (read(fd->fd, &now, sizeof(now)) != (ssize_t)sizeof(now))
			return msg_error("cannot read a counter: %s", strerror(errno));
		value->supported = true;
		add_difference(value, &fd->last, &now, counter->scale);
	}
	return EXIT_OK;
}

void stat_close(struct stat_counter *counters, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		while (counters[i].nr)
			close(counters[i].fd[--counters[i].nr].fd);
		free(counters[i].fd);
		counters[i].fd = NULL;
	}
}
