// SPDX-License-Identifier: GPL-2.0-only
/*
 * rules_file.c - the file rules, through which a reader provides the rules of files
 *
 * It reads as the numbers of the files whose rules are wanted, one a line. A write provides
 * those of one file, see uapi/kprof_rules.h. They may come at any time.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "base/available.h"
#include "base/error.h"
#include "base/state.h"
#include "control/rules_file.h"
#include "user/user.h"

static int rules_show(struct seq_file *seq, void *unused)
{
	const struct kprof_mapped *file;
	u32 id;

	mutex_lock(&kprof_mutex);
	for (id = 1; (file = kprof_mapped_row(id)); id++)
		if (READ_ONCE(file->is_wanted) && kprof_mapped_may_have_rules(file) &&
		    !READ_ONCE(file->rules))
			seq_printf(seq, "%u\n", id);
	mutex_unlock(&kprof_mutex);
	return 0;
}

static int rules_open(struct inode *inode, struct file *file)
{
	return single_open(file, rules_show, NULL);
}

static int no_room(size_t size)
{
	return kprof_refuse(-ENOSPC, "rules", "", "no room for %zu bytes; give more of rules_kb",
			    size);
}

static size_t room_for_rules(void)
{
	return (size_t)READ_ONCE(kprof_config->rules_kb) << 10;
}

/* A copy of what was written; NULL if that is too large to be looked at. */
static void *copy_rules(const char __user *from, size_t size)
{
	if (size > room_for_rules())
		return NULL;
	return kprof_is_available(size) ? vmemdup_user(from, size) : ERR_PTR(-ENOMEM);
}

static int refuse_damaged(void)
{
	return kprof_refuse(-EINVAL, "rules", "", "not a table of rules, or a damaged one");
}

static int take(struct kprof_rules_header *rules, size_t size)
{
	size_t limit = room_for_rules();
	int err;

	if (size < sizeof(*rules))
		return refuse_damaged();
	if (!rules || size > limit) {	/* the limit may have become another one meanwhile */
		kprof_mapped_refuse_rules();
		return no_room(size);
	}
	if (IS_ERR(rules))
		return PTR_ERR(rules);
	if (!kprof_rules_accept(rules, size))
		return refuse_damaged();
	err = kprof_mapped_take_rules(rules, size, limit);
	if (err == -ENOENT || err == -ESTALE)
		return kprof_refuse(err, "rules", "", "file %u is not in file_table, or is another one there",
				    rules->file);
	if (err == -EEXIST)
		return kprof_refuse(err, "rules", "", "file %u has rules already", rules->file);
	return err ? no_room(size) : 0;
}

static ssize_t rules_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	/* Not under kprof_mutex: the writer's memory may be a file, and take as long as that. */
	void *rules = copy_rules(from, size);
	int err;

	mutex_lock(&kprof_mutex);
	kprof_error_clear();
	err = kprof_error_complete(take(rules, size), "rules");
	mutex_unlock(&kprof_mutex);
	if (err && !IS_ERR(rules))
		kvfree(rules);
	return err ?: size;
}

const struct file_operations kprof_rules_fops = {
	.owner = THIS_MODULE,
	.open = rules_open,
	.read = seq_read,
	.write = rules_write,
	.llseek = seq_lseek,
	.release = single_release,
};
