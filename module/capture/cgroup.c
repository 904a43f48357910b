// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup.c - which cgroup a task is in
 *
 * A cgroup may be gone when somebody asks for its name, so the path is read while a task is in
 * it. That takes no lock: cgroups of version 2 are never renamed or moved, and one that a task is
 * in keeps those above it.
 */
#include <linux/cgroup.h>
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "capture/cgroup.h"
#include "compat.h"
#include "profile/profile.h"

#ifdef CONFIG_CGROUPS

/* What is in front of the rest of a path that is too long. */
#define CUT	"..."

/* The words of a path, from the leaf up. */
static noinline u32 intern_path(struct cgroup *group)
{
	union {
		u64 word[KPROF_PATH_WORDS];
		char byte[KPROF_PATH_WORDS * sizeof(u64)];
	} path;
	char *at = path.byte + sizeof(path) - 1;
	struct cgroup *parent;
	size_t length;

	*at = '\0';
	for (; (parent = cgroup_parent(group)); group = parent) {
		const char *name = kprof_cgroup_name(group);
		size_t room = at - path.byte - strlen(CUT);

		length = strlen(name);
		if (length + 1 > room) {
			at -= room;
			memcpy(at, name + length - room, room);
			at -= strlen(CUT);
			memcpy(at, CUT, strlen(CUT));
			break;
		}
		at -= length;
		memcpy(at, name, length);
		*--at = '/';
	}
	if (!*at)
		*--at = '/';
	length = path.byte + sizeof(path) - at;
	memmove(path.byte, at, length);
	memset(path.byte + length, 0, sizeof(path) - length);
	return kprof_intern(&kprof_profile->paths, path.word,
			    DIV_ROUND_UP(length, sizeof(u64)), 0);
}

/* Disabled preemption is enough for RCU. */
static struct cgroup *group_of(const struct task_struct *task)
{
	return rcu_dereference_sched(task->cgroups)->dfl_cgrp;
}

/**
 * kprof_cgroup_path_of() - the path of a cgroup
 * @group:	a cgroup of version 2, which stays
 *
 * The same few cgroups come again and again, so each CPU remembers some, in one word each: an
 * interrupt may use it, too. The kernel never gives the same number to two cgroups.
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: id of the path in the profile's table; or KPROF_ID_FULL.
 */
u32 kprof_cgroup_path_of(struct cgroup *group)
{
	u64 number = cgroup_id(group), *recent, word;
	u32 id;

	recent = this_cpu_ptr(kprof_profile->cpu)->cgroup;
	recent += hash_64(number, KPROF_RECENT_CGROUPS_LOG2);
	word = READ_ONCE(*recent);
	if (likely(word >> 32 == number && word))
		return (u32)word;
	id = intern_path(group);
	if (id != KPROF_ID_FULL && !(number >> 32))
		WRITE_ONCE(*recent, number << 32 | id);
	return id;
}

/**
 * kprof_cgroup_path() - the path of the cgroup, of version 2, that a task is in
 * @task:	the task
 *
 * Context: any, NMI included; preemption is disabled.
 * Return: as kprof_cgroup_path_of().
 */
u32 kprof_cgroup_path(const struct task_struct *task)
{
	return kprof_cgroup_path_of(group_of(task));
}

/* Has a cgroup this path? The root's has no characters here. From the leaf up, as above. */
static bool has_path(struct cgroup *group, const char *path, size_t length)
{
	struct cgroup *parent;

	for (; (parent = cgroup_parent(group)); group = parent) {
		const char *name = kprof_cgroup_name(group);
		size_t own = strlen(name);

		if (own >= length || memcmp(path + length - own, name, own) ||
		    path[length - own - 1] != '/')
			return false;
		length -= own + 1;
	}
	return !length;
}

/**
 * kprof_cgroup_is() - is a task in a cgroup, of version 2
 * @task:	the task
 * @word:	the cgroup's path; or PATH/ followed by an asterisk: one of those below PATH
 *
 * It compares paths of any length, and needs no room in the profile's table.
 *
 * Context: any, NMI included; preemption is disabled. Return: whether it is.
 */
bool kprof_cgroup_is(const struct task_struct *task, const char *word)
{
	struct cgroup *group = group_of(task);
	size_t i, length = strlen(word);
	int level = 0;

	if (length < 2 || strcmp(word + length - 2, "/*"))
		return has_path(group, word, strcmp(word, "/") ? length : 0);
	length -= 2;
	for (i = 0; i < length; i++)
		level += word[i] == '/';
	if (group->level <= level)
		return false;
	while (group->level > level)
		group = cgroup_parent(group);
	return has_path(group, word, length);
}

#endif /* CONFIG_CGROUPS */
