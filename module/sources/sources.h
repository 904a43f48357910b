/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sources.h - the parameter "event", and the sources that drive sampling
 *
 * The sources in this directory sample by themselves: by time or by counters. A source calls
 * kprof_capture() and does not know who reads the result. Code outside of this directory
 * names no source; it goes through the table.
 */
#ifndef KPROF_SOURCES_H
#define KPROF_SOURCES_H

#include <linux/types.h>

#include "base/config.h"

struct pt_regs;

/* Room for an event's name, for those of an event and its companions, and for the whole list. */
#define KPROF_EVENT_NAME	20
#define KPROF_CHOSEN_NAME	((1 + KPROF_MAX_ALONG) * KPROF_EVENT_NAME)
#define KPROF_EVENT_NAMES	(KPROF_MAX_EVENTS * KPROF_CHOSEN_NAME)

/**
 * struct kprof_source_ops - a source: its events, and how to start and stop them
 * @words:	the words of "event" that mean one of its events; ends with NULL
 * @is_counter:	its events are counters: they can have a period, and be read with another
 * @is_single:	only one of its events can drive sampling
 * @parse:	parses any other word: fills in @raw, returns whether it is an event; may be NULL
 * @show:	prints what @parse has filled in
 * @start:	starts those of config->event that are its own, on all selected CPUs; returns 0,
 *		or an errno with nothing started, and kprof_refuse() has the reason
 * @stop:	stops them; does nothing if none was started
 * @forget:	the profile is empty: release all resources, except where @wanted and "stats"
 *		still has to show the source
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

/* Called where a timer comes a period late, or more, with what it has interrupted. */
typedef void kprof_late_fn(struct pt_regs *regs, u64 ns);

void kprof_sources_tell_late(kprof_late_fn *tell);

int kprof_events_start(const struct kprof_config *config);
void kprof_events_stop(void);
void kprof_events_forget(const struct kprof_config *config);

#endif /* KPROF_SOURCES_H */
