// SPDX-License-Identifier: GPL-2.0-only
/*
 * control.c - the control files in debugfs
 *
 * A write that is refused changes nothing. "error" has the reason until the next
 * write that succeeds.
 */
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "control/control.h"
#include "control/hold_file.h"
#include "control/pins_file.h"
#include "control/rules_file.h"
#include "control/session.h"
#include "control/settings.h"
#include "points/points.h"
#include "symbols/symbols.h"
#include "targets/targets.h"
#include "uapi/kprof.h"

typedef int (*control_fn)(const struct kprof_setting *setting, char *text);

static int apply_reset(const struct kprof_setting *unused, char *text)
{
	kprof_reset();
	return 0;
}

static int refuse_if_held(const char *name, const char *text)
{
	if (!kprof_hold_is_open())
		return 0;
	return kprof_refuse(-EBUSY, name, text,
			    "a program holds sampling still, by the file hold; write again when it has closed that");
}

/* Pass what was written, as text, to a function, under kprof_mutex. */
static ssize_t control_write(struct file *file, const char __user *from, size_t size,
			     const char *name, control_fn apply)
{
	const struct kprof_setting *setting = file_inode(file)->i_private;
	char *text;
	int err;

	if (size > KPROF_MAX_WRITE) {
		mutex_lock(&kprof_mutex);
		err = kprof_refuse(-E2BIG, name, "",
				   "%zu bytes are too long; write at most %u at once",
				   size, KPROF_MAX_WRITE);
		mutex_unlock(&kprof_mutex);
		return err;
	}
	/* Not under kprof_mutex: the writer's memory may be a file, and take as long as that. */
	text = memdup_user_nul(from, size);
	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&kprof_mutex);
	kprof_error_clear();
	err = apply == apply_reset ? 0 : refuse_if_held(name, strim(text));
	err = kprof_error_complete(err ?: apply(setting, strim(text)), name);
	mutex_unlock(&kprof_mutex);
	kfree(text);
	return err ?: size;
}

static int apply_setting(const struct kprof_setting *setting, char *text)
{
	struct kprof_config *config;
	int err;

	if (kprof_running)
		return kprof_refuse(-EBUSY, setting->name, text,
				    "cannot change while sampling; write 0 to enable first");
	config = kmemdup(kprof_config, sizeof(*config), GFP_KERNEL);
	if (!config)
		return -ENOMEM;
	err = setting->parse(setting, config, text);
	if (!err && kprof_configure(config, setting->sizes))
		err = kprof_refuse(-ENOMEM, setting->name, text,
				   "no memory for that, %zu KiB; give less",
				   kprof_profile_wants(config) / 1024);
	kfree(config);
	return err;
}

static ssize_t setting_write(struct file *file, const char __user *from, size_t size,
			     loff_t *pos)
{
	const struct kprof_setting *setting = file_inode(file)->i_private;

	return control_write(file, from, size, setting->name, apply_setting);
}

static int setting_show(struct seq_file *seq, void *unused)
{
	const struct kprof_setting *setting = seq->private;

	mutex_lock(&kprof_mutex);
	setting->show(setting, kprof_config, seq);
	mutex_unlock(&kprof_mutex);
	seq_putc(seq, '\n');
	return 0;
}

static int apply_enable(const struct kprof_setting *unused, char *text)
{
	bool enable;

	if (kstrtobool(text, &enable))
		return kprof_refuse(-EINVAL, "enable", text, "give 0 or 1");
	if (enable)
		return kprof_start();
	kprof_stop();
	return 0;
}

static ssize_t enable_write(struct file *file, const char __user *from, size_t size,
			    loff_t *pos)
{
	return control_write(file, from, size, "enable", apply_enable);
}

static int enable_show(struct seq_file *seq, void *unused)
{
	seq_printf(seq, "%d\n", kprof_is_on());
	return 0;
}

static ssize_t reset_write(struct file *file, const char __user *from, size_t size,
			   loff_t *pos)
{
	return control_write(file, from, size, "reset", apply_reset);
}

static int error_show(struct seq_file *seq, void *unused)
{
	mutex_lock(&kprof_mutex);
	if (*kprof_error_text())
		seq_printf(seq, "%s\n", kprof_error_text());
	mutex_unlock(&kprof_mutex);
	return 0;
}

/* A comment begins a line, or has white space before it: there may be a # in a text of if=. */
static void cut_comment(char *line)
{
	char *at = strchr(line, '#');

	while (at && at > line && !isspace(at[-1]))
		at = strchr(at + 1, '#');
	if (at)
		*at = '\0';
}

static int apply_target_line(char *line)
{
	cut_comment(line);
	line = strim(line);
	if (*line == '-')
		return kprof_targets_remove(line + 1);
	return kprof_targets_add(line);
}

/* All lines until one is refused. The symbols, a long text, are read once for all of them. */
static int apply_targets(const struct kprof_setting *unused, char *text)
{
	char *line;
	int err = 0;

	kprof_symbols_keep(text);
	while (!err && (line = strsep(&text, "\n")))
		err = apply_target_line(line);
	kprof_symbols_let_go();
	return err;
}

static ssize_t targets_write(struct file *file, const char __user *from, size_t size,
			     loff_t *pos)
{
	return control_write(file, from, size, "targets", apply_targets);
}

static const char *describe_target(const struct kprof_target *target)
{
	if (kprof_target_lost(target))
		return "its module is gone";
	if (*kprof_points_about(target))
		return kprof_points_about(target);
	switch (target->probe) {
	case KPROF_PROBE_DIRECT:
		return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) ?
			"calls and latency, by trampoline" :
			"calls and latency, by trampoline through a callback of ftrace";
	case KPROF_PROBE_CALL:
		return "calls and latency, by kretprobe";
	case KPROF_PROBE_POINT:
		return "times passed";
	case KPROF_PROBE_SPAN:
		return "spans and their time";
	default:
		return "calls, by kprobe";
	}
}

/* Why it costs more than it would by the trampoline; else NULL. */
static const char *why_of(const struct kprof_target *target)
{
	bool is_described = kprof_target_lost(target) || *kprof_points_about(target);

	return target->probe == KPROF_PROBE_CALL && !is_described ? target->why_call : NULL;
}

/* Every line can be written back as it is. */
static int targets_show(struct seq_file *seq, void *unused)
{
	char arguments[KPROF_ABOUT_ARGUMENTS];
	struct kprof_target *target;
	const char *why;

	mutex_lock(&kprof_mutex);
	list_for_each_entry(target, kprof_targets(), node) {
		if (target->probe == KPROF_PROBE_NONE)
			continue;
		kprof_target_about_arguments(target, arguments, sizeof(arguments));
		why = why_of(target);
		seq_printf(seq, "%s%s%s\t# %s%s%s%s\n",
			   *target->spec ? target->spec : target->source.name,
			   *target->options ? " " : "", target->options,
			   describe_target(target), why ? ": " : "", why ?: "", arguments);
	}
	mutex_unlock(&kprof_mutex);
	return 0;
}

/* As with kprobe_events, opening with O_TRUNC removes all targets. */
static int targets_open(struct inode *inode, struct file *file)
{
	int err = 0;

	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC)) {
		mutex_lock(&kprof_mutex);
		err = refuse_if_held("targets", "");
		if (!err)
			kprof_targets_remove_all();
		mutex_unlock(&kprof_mutex);
	}
	return err ?: single_open(file, targets_show, NULL);
}

#define CONTROL_OPEN(name)						\
static int name##_open(struct inode *inode, struct file *file)		\
{									\
	return single_open(file, name##_show, inode->i_private);	\
}

CONTROL_OPEN(setting)
CONTROL_OPEN(enable)
CONTROL_OPEN(error)

#define CONTROL_FOPS(name)						\
static const struct file_operations name##_fops = {			\
	.owner = THIS_MODULE,						\
	.open = name##_open,						\
	.read = seq_read,						\
	.write = name##_write,						\
	.llseek = seq_lseek,						\
	.release = single_release,					\
}

CONTROL_FOPS(setting);
CONTROL_FOPS(enable);
CONTROL_FOPS(targets);

static const struct file_operations error_fops = {
	.owner = THIS_MODULE,
	.open = error_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

static const struct file_operations reset_fops = {
	.owner = THIS_MODULE,
	.write = reset_write,
};

static const struct {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
} files[] = {
	{ "targets", 0600, &targets_fops },
	{ "enable", 0600, &enable_fops },
	{ "error", 0400, &error_fops },
	{ "reset", 0200, &reset_fops },
	{ "hold", 0400, &kprof_hold_fops },
	{ "rules", 0600, &kprof_rules_fops },
	{ "pins", 0400, &kprof_pins_fops },
};

/**
 * kprof_control_create() - create the control files
 * @root:	directory to create them in
 *
 * Context: sleeps.
 */
void kprof_control_create(struct dentry *root)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		debugfs_create_file(files[i].name, files[i].mode, root, NULL, files[i].fops);
	for (i = 0; i < kprof_nr_settings; i++)
		debugfs_create_file(kprof_settings[i].name, 0600, root,
				    (void *)&kprof_settings[i], &setting_fops);
}
