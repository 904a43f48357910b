// SPDX-License-Identifier: GPL-2.0-only
/*
 * sources.c - the table of sources, and the parameter "event" that selects some of them
 *
 *	event=	none | CHOSEN[+CHOSEN]...
 *	CHOSEN	EVENT[,EVENT]...	the first drives sampling, the others are read along
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "base/error.h"
#include "sources/sources.h"

#define KPROF_SOURCE(name)	&kprof_##name##_ops,
static const struct kprof_source_ops * const sources[] = {
#include "sources/list.h"
};
#undef KPROF_SOURCE

static bool find_word(const struct kprof_source_ops *ops, const char *text,
		      struct kprof_choice *choice)
{
	u32 i;

	*choice = (struct kprof_choice) { .ops = ops };
	for (i = 0; ops->words[i]; i++)
		if (!strcmp(ops->words[i], text))
			break;
	choice->word = i;
	return ops->words[i] || (ops->parse && ops->parse(text, &choice->raw));
}

static int refuse_unknown(const char *text)
{
	char names[128] = "none";
	u32 i, j;

	for (i = 0; i < ARRAY_SIZE(sources); i++) {
		for (j = 0; sources[i]->words[j]; j++) {
			strlcat(names, ", ", sizeof(names));
			strlcat(names, sources[i]->words[j], sizeof(names));
		}
	}
	return kprof_refuse(-EINVAL, "event", text, "unknown; give one of: %s, or rNNN, the processor's event of that hexadecimal number",
			    names);
}

static int parse_choice(const char *text, struct kprof_choice *choice)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sources); i++)
		if (find_word(sources[i], text, choice))
			return 0;
	return refuse_unknown(text);
}

static bool is_same(const struct kprof_choice *a, const struct kprof_choice *b)
{
	return a->ops == b->ops && a->word == b->word && a->raw == b->raw;
}

static bool has_event(const struct kprof_chosen *chosen, const struct kprof_choice *choice)
{
	u32 i;

	for (i = 0; i < chosen->nr_along; i++)
		if (is_same(&chosen->along[i], choice))
			return true;
	return is_same(&chosen->lead, choice);
}

static int refuse_along(const char *text, const char *lead)
{
	return kprof_refuse(-EINVAL, "event", text,
			    "cannot be read with %s, which is no counter; give a counter first, such as cpu-clock, or + to sample by both",
			    lead);
}

static int parse_along(struct kprof_chosen *chosen, const char *text)
{
	char lead[KPROF_EVENT_NAME];
	struct kprof_choice choice;
	int err;

	if (!chosen->lead.ops->is_counter) {
		kprof_event_name(&chosen->lead, lead);
		return refuse_along(text, lead);
	}
	if (chosen->nr_along == KPROF_MAX_ALONG)
		return kprof_refuse(-E2BIG, "event", text,
				    "too many; give at most %u events", 1 + KPROF_MAX_ALONG);
	err = parse_choice(text, &choice);
	if (err)
		return err;
	if (choice.ops != chosen->lead.ops)
		return kprof_refuse(-EINVAL, "event", text,
				    "is no counter, and cannot be read with another; leave it out, or give it with + to sample by both");
	if (has_event(chosen, &choice))
		return kprof_refuse(-EINVAL, "event", text, "is there twice; give it once");
	chosen->along[chosen->nr_along++] = choice;
	return 0;
}

static int check_lead(const struct kprof_config *config, const struct kprof_choice *lead,
		      const char *text)
{
	u32 i;

	for (i = 0; i < config->nr_events; i++) {
		if (is_same(&config->event[i].lead, lead))
			return kprof_refuse(-EINVAL, "event", text, "is there twice; give it once");
		if (config->event[i].lead.ops == lead->ops && lead->ops->is_single)
			return kprof_refuse(-EINVAL, "event", text,
					    "there is one of its kind already; leave one of them out");
	}
	return 0;
}

static int parse_chosen(struct kprof_config *config, char *text)
{
	struct kprof_chosen *chosen = &config->event[config->nr_events];
	char *item = strsep(&text, ",");
	int err;

	if (config->nr_events == KPROF_MAX_EVENTS)
		return kprof_refuse(-E2BIG, "event", item,
				    "too many; at most %u events can drive sampling at once",
				    KPROF_MAX_EVENTS);
	err = parse_choice(item, &chosen->lead);
	if (!err)
		err = check_lead(config, &chosen->lead, item);
	chosen->nr_along = 0;
	while (!err && (item = strsep(&text, ",")))
		err = parse_along(chosen, item);
	if (!err)
		config->nr_events++;
	return err;
}

/**
 * kprof_events_parse() - parse the value of "event"
 * @config:	where the events go; after an error, it has some of them
 * @text:	the value; overwritten
 *
 * Context: kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the reason.
 */
int kprof_events_parse(struct kprof_config *config, char *text)
{
	char *item;
	int err = 0;

	config->nr_events = 0;
	if (!strcmp(text, "none"))
		return 0;
	if (strstarts(text, "none,"))
		return refuse_along(text + strlen("none,"), "none");
	while (!err && (item = strsep(&text, "+")))
		err = parse_chosen(config, item);
	return err;
}

/**
 * kprof_events_default() - set the events that drive sampling by default
 * @config:	where they go
 *
 * Context: kprof_mutex is held. Return: 0.
 */
int kprof_events_default(struct kprof_config *config)
{
	char text[] = "timer";

	return kprof_events_parse(config, text);
}

/**
 * kprof_events_check() - check the events against the other parameters
 * @config:	has all parameters
 *
 * Context: kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the reason.
 */
int kprof_events_check(const struct kprof_config *config)
{
	char period[12], names[KPROF_EVENT_NAMES];
	u32 i;

	for (i = 0; i < config->nr_events; i++)
		if (config->event[i].lead.ops->is_counter)
			return 0;
	if (!config->period)
		return 0;
	scnprintf(period, sizeof(period), "%u", config->period);
	kprof_event_names(config, names);
	return kprof_refuse(-EINVAL, "period", period,
			    "is of a counter, and event=%s is none; give event=cpu-clock or another counter, or period=0",
			    names);
}

/**
 * kprof_event_name() - the name of an event, as in the parameter
 * @choice:	the event
 * @name:	where its name goes
 *
 * Context: any.
 */
void kprof_event_name(const struct kprof_choice *choice, char name[KPROF_EVENT_NAME])
{
	const char *word = choice->ops->words[choice->word];

	if (word)
		strscpy(name, word, KPROF_EVENT_NAME);
	else
		choice->ops->show(choice->raw, name);
}

/**
 * kprof_chosen_name() - the names of an event and those read along, as in the parameter
 * @chosen:	the events
 * @name:	where the list goes
 *
 * Context: any.
 */
void kprof_chosen_name(const struct kprof_chosen *chosen, char name[KPROF_CHOSEN_NAME])
{
	char along[KPROF_EVENT_NAME];
	u32 i;

	kprof_event_name(&chosen->lead, name);
	for (i = 0; i < chosen->nr_along; i++) {
		kprof_event_name(&chosen->along[i], along);
		strlcat(name, ",", KPROF_CHOSEN_NAME);
		strlcat(name, along, KPROF_CHOSEN_NAME);
	}
}

/**
 * kprof_event_names() - the names of all events, as in the parameter
 * @config:	has the events
 * @names:	where the list goes
 *
 * Context: any.
 */
void kprof_event_names(const struct kprof_config *config, char names[KPROF_EVENT_NAMES])
{
	char name[KPROF_CHOSEN_NAME];
	u32 i;

	strscpy(names, config->nr_events ? "" : "none", KPROF_EVENT_NAMES);
	for (i = 0; i < config->nr_events; i++) {
		kprof_chosen_name(&config->event[i], name);
		strlcat(names, i ? "+" : "", KPROF_EVENT_NAMES);
		strlcat(names, name, KPROF_EVENT_NAMES);
	}
}

static bool is_wanted(const struct kprof_config *config, const struct kprof_source_ops *ops)
{
	u32 i;

	for (i = 0; config && i < config->nr_events; i++)
		if (config->event[i].lead.ops == ops)
			return true;
	return false;
}

/**
 * kprof_events_start() - start sampling from all configured sources
 * @config:	has the events
 *
 * Context: sleeps; kprof_mutex is held. Return: 0; or an errno, and no source is started.
 */
int kprof_events_start(const struct kprof_config *config)
{
	int err = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sources) && !err; i++)
		if (is_wanted(config, sources[i]))
			err = sources[i]->start(config);
	if (err)
		kprof_events_stop();
	return err;
}

/**
 * kprof_events_stop() - stop all sources
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_events_stop(void)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sources); i++)
		sources[i]->stop();
}

/**
 * kprof_events_forget() - release what is no longer needed, as the profile is empty
 * @config:	has the events that are still selected; NULL: none
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_events_forget(const struct kprof_config *config)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sources); i++)
		sources[i]->forget(is_wanted(config, sources[i]));
}
