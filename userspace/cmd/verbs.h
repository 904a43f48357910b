/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verbs.h - the verbs of kprof: declared here, listed in main.c
 */
#ifndef KPROF_VERBS_H
#define KPROF_VERBS_H

#include "lib/opt.h"

extern const struct verb verb_completion;
extern const struct verb verb_flame;
extern const struct verb verb_fold;
extern const struct verb verb_record;
extern const struct verb verb_index;
extern const struct verb verb_lat;
extern const struct verb verb_explain;
extern const struct verb verb_diff;
extern const struct verb verb_check;
extern const struct verb verb_list;
extern const struct verb verb_detach;
extern const struct verb verb_report;
extern const struct verb verb_stat;

/* Every verb, in the order of `kprof --help`, up to a NULL. */
extern const struct verb *const verbs[];

#endif /* KPROF_VERBS_H */
