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

#include "base/error.h"
#include "base/state.h"
#include "control/rules_file.h"
#include "user/user.h"

static int rules_show(struct seq_file *seq, void *unused)
{
	const struct kprof_mapped *file;
	u32 id;

	mutex_lock(&kprof_mutex);
	for (id = 1; (file = kprof_mapped_get(id)); id++)
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

static int take(struct kprof_rules_header *rules, size_t size, size_t limit)
{
	int err;

	if (!kprof_rules_accept(rules, size))
		return kprof_refuse(-EINVAL, "rules", "", "not a table of rules, or a damaged one");
	err = kprof_mapped_take_rules(rules, size, limit);
	if (err == -ENOENT || err == -ESTALE)
		return kprof_refuse(err, "rules", "", "file %u is not in file_table, or is another one there",
				    rules->file);
	if (err == -EEXIST)
		return kprof_refuse(err, "rules", "", "file %u has rules already", rules->file);
	return err ? no_room(size) : 0;
}

static int copy_and_take(const char __user *from, size_t size)
{
	size_t limit = (size_t)kprof_config->rules_kb << 10;
	void *rules;
	int err;

	if (size < sizeof(struct kprof_rules_header))
		return kprof_refuse(-EINVAL, "rules", "", "not a table of rules, or a damaged one");
	if (size > limit) {
		kprof_mapped_refuse_rules();
		return no_room(size);
	}
	rules = vmemdup_user(from, size);
	if (IS_ERR(rules))
		return PTR_ERR(rules);
	err = take(rules, size, limit);
	if (err)
		kvfree(rules);
	return err;
}

static ssize_t rules_write(struct file *file, const char __user *from, size_t size, loff_t *pos)
{
	int err;

	mutex_lock(&kprof_mutex);
	kprof_error_clear();
	err = kprof_error_complete(copy_and_take(from, size), "rules");
	mutex_unlock(&kprof_mutex);
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
