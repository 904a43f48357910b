/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources.h - what drives sampling: the parameter "event", and who takes the samples
 *
 * The room of what samples by itself: by time, by counters. A source calls
 * kprof_capture(), and knows nothing of who reads what comes of it. Nobody outside of this
 * room names one: there is a table of them.
 */
#ifndef KPROF_SOURCES_H
#define KPROF_SOURCES_H

#include <linux/types.h>

#include "base/config.h"

/* Room for the name of an event, for one with those along, and for all of a list. */
#define KPROF_EVENT_NAME	20
#define KPROF_CHOSEN_NAME	((1 + KPROF_MAX_ALONG) * KPROF_EVENT_NAME)
#define KPROF_EVENT_NAMES	(KPROF_MAX_EVENTS * KPROF_CHOSEN_NAME)

/**
 * struct kprof_source_ops - a source: its events, and how to start and stop them
 * @words:	of "event" that mean one of its events, up to a NULL
 * @is_counter:	its events are counted: one can have a period, others can be read with it
 * @is_single:	only one of its events can drive sampling
 * @parse:	another word: fills in @raw and returns whether it is an event; may be NULL
 * @show:	the word of what @parse has filled in
 * @start:	start those of config->event that are its own, on all CPUs that are wanted; an
 *		errno, with the reason told by kprof_refuse(), and nothing started
 * @stop:	stop them; nothing if none was started
 * @forget:	the profile is empty: give back what was taken, except where @wanted and it
 *		is to be seen in "stats" all the same
 *
 * Context of @start, @stop and @forget: sleeps; kprof_mutex is held.
 */
struct kprof_source_ops {
	const char * const *words;
	bool is_counter;
	bool is_single;
	bool (*parse)(const char *text, u64 *raw);
	void (*show)(u64 raw, char name[KPROF_EVENT_NAME]);
	int (*start)(const struct kprof_config *config);
	void (*stop)(void);
	void (*forget)(bool wanted);
};

#define KPROF_SOURCE(name)	extern const struct kprof_source_ops kprof_##name##_ops;
#include "sources/list.h"
#undef KPROF_SOURCE

int kprof_events_default(struct kprof_config *config);
int kprof_events_parse(struct kprof_config *config, char *text);
int kprof_events_check(const struct kprof_config *config);
void kprof_event_name(const struct kprof_choice *choice, char name[KPROF_EVENT_NAME]);
void kprof_chosen_name(const struct kprof_chosen *chosen, char name[KPROF_CHOSEN_NAME]);
void kprof_event_names(const struct kprof_config *config, char names[KPROF_EVENT_NAMES]);

int kprof_events_start(const struct kprof_config *config);
void kprof_events_stop(void);
void kprof_events_forget(const struct kprof_config *config);

#endif /* KPROF_SOURCES_H */
