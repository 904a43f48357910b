/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * module.h - what the labs' modules have in common: the token, and a ledger of what they did
 *
 * The ledger is the oracle: the module counts what it really did, and the checker compares the
 * answers with that. In the guest it can be read, as /sys/kernel/debug/lab, but not understood:
 * see struct derive_ledger.
 */
#ifndef LABS_MODULE_H
#define LABS_MODULE_H

#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/random.h>
#include <linux/seq_file.h>

#include "derive.h"

/* No file in /sys: the token is for the module alone. */
static unsigned long long lab_token;
module_param_named(token, lab_token, ullong, 0);
MODULE_PARM_DESC(token, "what the lab follows from");

/* Write the numbers of the ledger, in the order in which the lab's truth reads them. */
static void ledger_fill(struct seq_file *file);

static void ledger_write(struct seq_file *file, u64 value)
{
	derive_ledger_add(file->private, lab_token, value);
}

/* Random numbers of an emulated machine, and its clock, may each come again; both hardly do. */
static int ledger_show(struct seq_file *file, void *unused)
{
	const u64 now = ktime_get_real_ns();
	struct derive_ledger ledger = {
		.word = { derive_hash(get_random_u64(), 0, &now, sizeof(now)) },
	};
	u32 i;

	file->private = &ledger;
	ledger_fill(file);
	file->private = NULL;
	for (i = 0; i < 1 + min_t(u32, ledger.nr, DERIVE_LEDGER_MAX); i++)
		seq_printf(file, "%016llx ", ledger.word[i]);
	seq_printf(file, "%016llx\n", derive_ledger_seal(&ledger, lab_token));
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(ledger);

static struct dentry *lab_file;

static int lab_begin(void)
{
	if (!lab_token)
		return -EINVAL;
	lab_file = debugfs_create_file("lab", 0400, NULL, NULL, &ledger_fops);
	return PTR_ERR_OR_ZERO(lab_file);
}

static void lab_end(void)
{
	debugfs_remove(lab_file);
}

#endif /* LABS_MODULE_H */
