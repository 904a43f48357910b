/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * presets.h - predefined targets: @offcpu and the like
 */
#ifndef KPROF_PRESETS_H
#define KPROF_PRESETS_H

#include <linux/types.h>

/* Room for the points of a predefined target, as text. */
#define KPROF_PRESET_MAX	256

bool kprof_preset_is(const char *name);
const char *kprof_preset_function(const char *name);
int kprof_preset_points(const char *name, char *points, size_t size);
void kprof_preset_keys(const char *name, char *text, size_t size);

#endif /* KPROF_PRESETS_H */
