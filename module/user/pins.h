/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pins.h - holds files that samples were taken in, until a reader has opened them
 */
#ifndef KPROF_PINS_H
#define KPROF_PINS_H

#include <linux/types.h>
#include <linux/wait.h>

struct file;

/**
 * struct kprof_pins_totals - what became of the files that samples were taken in
 * @met:	files that had samples while a reader wanted them; all others count some of these,
 *		and the rest nobody maps any more who could have shown them
 * @held:	these are held now
 * @taken:	a reader has taken them
 * @odd:	files that are no programs, which no reader would open
 * @far:	not held, as others may decide how long it takes to open them
 * @late:	let go as the reader has not looked for them for too long
 * @dropped:	let go as the reader had gone, or the profile was reset
 * @full:	how often a sample found no room for one more; it may have been held later
 */
struct kprof_pins_totals {
	u64 met;
	u64 held;
	u64 taken;
	u64 odd;
	u64 far;
	u64 late;
	u64 dropped;
	u64 full;
};

/* A reader wants the files that samples are taken in: kprof_user_meet() is to be called. */
extern bool kprof_files_wanted;
extern wait_queue_head_t kprof_pins_readers;

bool kprof_pins_meet(const u64 *place, u32 nr, bool is_new);
void kprof_pins_offer(u32 id, struct file *file);
void kprof_pins_forget(bool are_renumbered);
void kprof_pins_exit(void);

int kprof_pins_begin(void);
void kprof_pins_end(void);
u32 kprof_pins_list(u32 *id, u32 max);
struct file *kprof_pins_take(u32 id);
void kprof_pins_totals(struct kprof_pins_totals *sum);

#endif /* KPROF_PINS_H */
