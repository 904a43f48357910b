/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hints.h - what to do instead of options that perf has, and kprof has not
 */
#ifndef KPROF_CMD_HINTS_H
#define KPROF_CMD_HINTS_H

#include "lib/opt.h"

extern const struct opt_hint hints_of_record[], hints_of_report[], hints_of_stat[],
	hints_of_script[], hints_of_annotate[], hints_of_top[], hints_of_diff[];

#endif /* KPROF_CMD_HINTS_H */
