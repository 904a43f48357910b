/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lateness.h - why the sampling timer of a CPU came late
 *
 * A timer that comes late says how long the CPU could not be sampled. It does not say why. The
 * kernel counts the time that the host has stolen from a virtual CPU, and, where it was built to,
 * the time of interrupt handlers. It counts stolen time at its own tick, which may come after the
 * late sample; so the cause is told then, in a record of its own.
 */
#ifndef KPROF_LATENESS_H
#define KPROF_LATENESS_H

#include <linux/types.h>

#include "uapi/kprof.h"

struct kprof_source;

/**
 * struct kprof_lateness - what the timer of one CPU knows of the time it missed
 * @rec:	of the last late sample, to be told of; its weight is 0 if nothing waits
 * @copy:	receives the record of the sample that is being taken; see kprof_event
 * @epoch:	of the profile that its ids are valid in
 * @since:	jiffies when that sample was taken
 * @counted:	by enum kprof_cause: nanoseconds of that kind that the kernel had counted when the
 *		last sample came in time, and those that are the cause of a late one since
 * @handled:	time of handlers that the kernel had counted at the first expiry after that sample,
 *		by which it has counted those before the sample
 * @is_handled:	@handled is known
 * @owed:	nanoseconds by which earlier samples came late since then, whose cause was not known
 *		when they had to be told of: stolen time may be theirs
 *
 * Belongs to the timer's interrupt on its CPU, and to the CPU's thread that starts and stops it.
 */
struct kprof_lateness {
	struct kprof_record rec;
	struct kprof_record copy;
	u32 epoch;
	unsigned long since;
	u64 counted[KPROF_NR_CAUSES];
	u64 handled;
	bool is_handled;
	u64 owed;
};

void kprof_lateness_start(struct kprof_lateness *l);
void kprof_lateness_pause(struct kprof_lateness *l);
void kprof_lateness_look(struct kprof_lateness *l, struct kprof_source *source);
void kprof_lateness_note(struct kprof_lateness *l, struct kprof_source *source, u64 ns);
void kprof_lateness_tell(struct kprof_lateness *l, struct kprof_source *source);

#endif /* KPROF_LATENESS_H */
