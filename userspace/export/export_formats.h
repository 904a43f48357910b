/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * export_formats.h - every format of kprof export
 */
#ifndef KPROF_EXPORT_FORMATS_H
#define KPROF_EXPORT_FORMATS_H

#include "export/export.h"

extern const struct export_format export_pprof;
extern const struct export_format export_speedscope;
extern const struct export_format export_callgrind;
extern const struct export_format export_folded;
extern const struct export_format export_perf_script;
extern const struct export_format export_chrome;

#endif /* KPROF_EXPORT_FORMATS_H */
