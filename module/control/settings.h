/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settings.h - the table of parameters: names, ranges, parsers and printers
 */
#ifndef KPROF_SETTINGS_H
#define KPROF_SETTINGS_H

#include <linux/seq_file.h>

#include "base/config.h"

struct kprof_setting;

/**
 * struct kprof_setting - a module parameter and a file in debugfs
 * @name:	name of both
 * @offset:	offset of the value in struct kprof_config; for a number or a choice
 * @min:	smallest number
 * @max:	largest number
 * @choice:	names of the values, in order; ends with NULL
 * @sizes:	the profile's memory depends on it
 * @parse:	converts text to the value; refuses with kprof_refuse()
 * @show:	converts the value to text, without a newline
 */
struct kprof_setting {
	const char *name;
	size_t offset;
	u32 min;
	u32 max;
	const char * const *choice;
	bool sizes;
	int (*parse)(const struct kprof_setting *setting, struct kprof_config *config,
		     char *text);
	void (*show)(const struct kprof_setting *setting, const struct kprof_config *config,
		     struct seq_file *seq);
};

extern const struct kprof_setting kprof_settings[];
extern const u32 kprof_nr_settings;

void kprof_config_default(struct kprof_config *config);
const struct kprof_setting *kprof_setting_find(const char *name);

#endif /* KPROF_SETTINGS_H */
