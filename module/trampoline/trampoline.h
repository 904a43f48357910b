/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trampoline.h - the trampoline by which most calls are watched
 *
 * This directory has the code that ftrace calls at the start of a watched function, the table that
 * maps it to a target, and the code that lets calls return without it. The trampoline costs a tenth
 * of a kretprobe. It knows calls and their targets, but not how targets were found. kretprobes
 * are used on architectures without a trampoline_*.S, and for functions it cannot watch.
 */
#ifndef KPROF_TRAMPOLINE_H
#define KPROF_TRAMPOLINE_H

#include <linux/types.h>

#include "stacks/stacks.h"

struct kprof_target;

/* Who needs ftrace to stay on: targets, and the kprobe of user stacks. */
enum kprof_tracer_holder {
	KPROF_TRACER_TARGETS	= 1,
	KPROF_TRACER_USER	= 2,
};

/* Tasks that end inside of watched calls. */
int kprof_ending_init(void);
void kprof_ending_exit(void);

void kprof_probed(void);	/* does nothing; used to measure what a watched call costs */

#if KPROF_HAS_DIRECT
int kprof_direct_init(void (*restore)(void));
void kprof_direct_exit(void);
int kprof_direct_attach(struct kprof_target *probed);
void kprof_direct_detach(void);
void kprof_direct_lengthen(struct kprof_target *target, bool is_long);
bool kprof_direct_is_busy(const struct kprof_target *target);
u64 kprof_direct_passed(void);
void kprof_direct_clear(void);

u64 kprof_inside(const struct kprof_target *target);
void kprof_inside_abandon(void);
void kprof_inside_let_out(void);

bool kprof_tracer_has_call(unsigned long function);
int kprof_tracer_hold(enum kprof_tracer_holder holder);
void kprof_tracer_release(enum kprof_tracer_holder holder);

const char *kprof_prototype_refuse(unsigned long addr);
#else
static inline int kprof_direct_init(void (*restore)(void)) { return 0; }
static inline void kprof_direct_exit(void) { }
static inline int kprof_direct_attach(struct kprof_target *probed) { return 0; }
static inline void kprof_direct_detach(void) { }
static inline void kprof_direct_lengthen(struct kprof_target *target, bool is_long) { }
static inline bool kprof_direct_is_busy(const struct kprof_target *target) { return false; }
static inline u64 kprof_direct_passed(void) { return 0; }
static inline void kprof_direct_clear(void) { }

static inline u64 kprof_inside(const struct kprof_target *target) { return 0; }
static inline void kprof_inside_abandon(void) { }
static inline void kprof_inside_let_out(void) { }

static inline bool kprof_tracer_has_call(unsigned long function) { return false; }
static inline int kprof_tracer_hold(enum kprof_tracer_holder holder) { return 0; }
static inline void kprof_tracer_release(enum kprof_tracer_holder holder) { }

static inline const char *kprof_prototype_refuse(unsigned long addr) { return NULL; }
#endif

#endif /* KPROF_TRAMPOLINE_H */
