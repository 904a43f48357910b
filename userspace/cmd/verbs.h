/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verbs.h - declarations of the verbs in verbs.list
 */
#ifndef KPROF_VERBS_H
#define KPROF_VERBS_H

#include "lib/opt.h"

#define VERB(name) verb_##name
extern const struct verb
#include "cmd/verbs.list"
;
#undef VERB

/* All verbs, NULL-terminated. */
extern const struct verb *const verbs[];

#endif /* KPROF_VERBS_H */
