// SPDX-License-Identifier: GPL-2.0-only
/*
 * tables.c - the files sources, stack_table, task_table and task_cgroups: the meaning of ids
 *
 * The two tables only grow, so a reader may keep its file open and continue reading.
 * An id is in its table before any record carries it. After a reset, ids have a
 * different meaning, and such a reader gets -ESTALE. stack_table has raw kernel
 * addresses, so access to it is restricted.
 */
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "capture/capture.h"
#include "files/files.h"
#include "files/text_file.h"
#include "profile/profile.h"

static int make_sources(struct kprof_text *text)
{
	struct kprof_source *source;
	u32 id = 0;

	while ((source = kprof_source_next(&id)))
		kprof_text_printf(text, "%u %s %s\n", source->id, source->name,
				  source->gone ? "removed" : source->kind->name);
	return 0;
}

KPROF_TEXT_FILE(sources, make_sources);

/* The path of a cgroup begins with a slash or, where it is too long, with dots. */
static void print_cgroup(struct kprof_text *text, u32 task, u64 cgroup)
{
	const struct kprof_intern_entry *path = kprof_intern_get(&kprof_profile->paths, cgroup);

	kprof_text_printf(text, "%u ", task);
	kprof_text_path(text, path ? (const char *)path->word : "[cgroup table full]");
}

/* One line for each task that is told apart by its cgroup, in the order of their ids: ID PATH. */
static int make_task_cgroups(struct kprof_text *text)
{
	const struct kprof_intern_entry *task;
	u32 id;

	for (id = KPROF_ID_FIRST; (task = kprof_intern_get(&kprof_profile->tasks, id)); id++)
		if (task->word[KPROF_TASK_CGROUP] != KPROF_ID_NONE)
			print_cgroup(text, id, task->word[KPROF_TASK_CGROUP]);
	return 0;
}

KPROF_TEXT_FILE(task_cgroups, make_task_cgroups);

/**
 * struct reader - position of a reader in a file
 * @lock:	held by the one that reads
 * @next:	id of the next entry
 * @epoch:	epoch of the profile when the file was opened
 * @size:	size of the current entry, which may not have fit into the last read
 * @done:	number of bytes of it that were read
 * @entry:	the entry, as in the file
 */
struct reader {
	struct mutex lock;	/* outside of kprof_profile_sem */
	u32 next;
	u32 epoch;
	u32 size;
	u32 done;
	union {
		struct kprof_stack stack;
		struct kprof_task task;
		char bytes[sizeof(struct kprof_stack) + KPROF_MAX_DEPTH * sizeof(u64)];
	} entry;
};

static u32 write_stack(struct reader *reader, const struct kprof_intern_entry *from)
{
	struct kprof_stack *stack = &reader->entry.stack;

	stack->id = reader->next;
	stack->nr = from->nr;
	stack->flags = from->flags;
	memcpy(stack->ip, from->word, from->nr * sizeof(u64));
	return sizeof(*stack) + from->nr * sizeof(u64);
}

static u32 write_task(struct reader *reader, const struct kprof_intern_entry *from)
{
	struct kprof_task *task = &reader->entry.task;

	task->id = reader->next;
	memcpy(task->comm, from->word, sizeof(task->comm));
	task->tgid = 0;
	return sizeof(*task);
}

/*
 * Look for the next entry, unless a part of the last one is left to read. Return: whether there is
 * something to read, or -ESTALE.
 */
static int look(struct reader *reader, bool stacks)
{
	const struct kprof_intern_entry *entry;
	int err = 0;

	down_read(&kprof_profile_sem);
	if (reader->epoch != kprof_profile->epoch) {
		err = -ESTALE;
	} else if (reader->done == reader->size) {
		entry = kprof_intern_get(stacks ? &kprof_profile->stacks : &kprof_profile->tasks,
					 reader->next);
		if (entry) {
			reader->size = stacks ? write_stack(reader, entry) :
						write_task(reader, entry);
			reader->done = 0;
			reader->next++;
		}
	}
	up_read(&kprof_profile_sem);
	return err ?: reader->done < reader->size;
}

/*
 * Copies outside of kprof_profile_sem, for which module notifiers wait: the reader's memory may be
 * a file, and take as long as that.
 */
static ssize_t copy_entries(struct reader *reader, bool stacks, char __user *to, size_t size)
{
	size_t copied = 0, part;
	int more;

	while (copied < size) {
		more = look(reader, stacks);
		/* What has been copied is not lost: the error comes again. */
		if (more < 0)
			return copied ?: more;
		if (!more)
			break;
		part = min_t(size_t, size - copied, reader->size - reader->done);
		if (copy_to_user(to + copied, reader->entry.bytes + reader->done, part))
			return copied ?: -EFAULT;
		reader->done += part;
		copied += part;
	}
	return copied;
}

static ssize_t table_read(struct file *file, char __user *to, size_t size, bool stacks)
{
	struct reader *reader = file->private_data;
	ssize_t copied;

	if (mutex_lock_interruptible(&reader->lock))
		return -ERESTARTSYS;
	copied = copy_entries(reader, stacks, to, size);
	mutex_unlock(&reader->lock);
	return copied;
}

static ssize_t stack_table_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	return table_read(file, to, size, true);
}

static ssize_t task_table_read(struct file *file, char __user *to, size_t size, loff_t *pos)
{
	return table_read(file, to, size, false);
}

/*
 * The kernel exports neither kptr_restrict nor a check of who may see addresses. If %pK
 * prints an address as zeroes, nobody may.
 */
static bool may_see_addresses(void)
{
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", THIS_MODULE);
	return capable(CAP_SYSLOG) && strspn(text, "0") != strlen(text);
}

static int table_open(struct inode *inode, struct file *file)
{
	int err = security_locked_down(LOCKDOWN_TRACEFS);
	struct reader *reader;

	if (err)
		return err;
	reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	if (!reader)
		return -ENOMEM;
	down_read(&kprof_profile_sem);
	reader->epoch = kprof_profile->epoch;
	up_read(&kprof_profile_sem);
	mutex_init(&reader->lock);
	reader->next = KPROF_ID_FIRST;
	file->private_data = reader;
	return stream_open(inode, file);
}

static int stack_table_open(struct inode *inode, struct file *file)
{
	return may_see_addresses() ? table_open(inode, file) : -EPERM;
}

static int table_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

const struct file_operations kprof_stack_table_fops = {
	.owner = THIS_MODULE,
	.open = stack_table_open,
	.read = stack_table_read,
	.release = table_release,
};

const struct file_operations kprof_task_table_fops = {
	.owner = THIS_MODULE,
	.open = table_open,
	.read = task_table_read,
	.release = table_release,
};
