// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf.c - take a sample each time a performance counter has counted a period
 *
 * Uses one counter of the kernel's perf on each CPU, created and released by
 * CPU hotplug callbacks. Where counters interrupt by NMI, as on x86, these
 * samples also cover code that runs with interrupts disabled. Perf stops a
 * counter that interrupts too often until the next tick; these stops are counted.
 *
 * Other counters can be read along with the leading one. The kernel exports no
 * way to put them into one group, and no function to read a counter from NMI
 * (perf_event_read_local() is not exported). So each is an event of its own, and
 * the handler calls the PMU's own read callback. perf_event_read_local() does the
 * same. It is safe for an event on this CPU and its PMU, and all of these are.
 */
#include <linux/cpuhotplug.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "base/error.h"
#include "base/state.h"
#include "base/text.h"
#include "capture/capture.h"
#include "sources/sources.h"

/* perf sets hw.interrupts of an event to this when it throttles the event. */
#define THROTTLED	(~0ULL)

/* The events that have names, in the order of words[]. */
static const struct {
	u32 type;
	u32 config;
} counters[] = {
	{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
};

static const char * const words[] = {
	"cpu-clock", "cycles", "instructions", "cache-misses", "branch-misses", NULL
};

/**
 * struct own_counters - the counters on one CPU that make samples of one source
 * @source:	the source; NULL if this entry is not in use
 * @chosen:	the events to count
 * @lead:	the counter that takes the samples
 * @along:	the counters that are read with each sample
 * @led:	value of @lead at the last sample
 * @last:	values of @along at the last sample
 * @known:	@last was read when the current period began
 * @ready:	all of @along are open
 */
struct own_counters {
	struct kprof_source *source;
	const struct kprof_chosen *chosen;
	struct perf_event *lead;
	struct perf_event *along[KPROF_MAX_ALONG];
	u64 led;
	u64 last[KPROF_MAX_ALONG];
	bool known;
	bool ready;
};

/* One for each event that drives sampling; allocated while counters run. */
struct all_counters {
	struct own_counters of[KPROF_MAX_EVENTS];
};

static struct all_counters __percpu *counters_of;
static struct kprof_source *active[KPROF_MAX_EVENTS];	/* NULL where no counter runs */
static const struct kprof_choice *refused;	/* at start, what could not be opened; or NULL */
static bool starting;
static enum cpuhp_state hotplug_state;

/* The counter is pinned and on this CPU. */
static u64 read_counter(struct perf_event *event)
{
	if (event->state == PERF_EVENT_STATE_ACTIVE)
		event->pmu->read(event);
	return local64_read(&event->count);
}
NOKPROBE_SYMBOL(read_counter);

/*
 * What the others have counted since the sample before. While perf has stopped the leading
 * counter, they go on counting. So the next sample is like the first: nothing is known.
 */
static bool read_along(struct own_counters *own, bool stopped, u64 *along)
{
	bool known = own->known;
	u64 now;
	u32 i;

	for (i = 0; i < own->source->nr_along; i++) {
		now = read_counter(own->along[i]);
		along[i] = now - own->last[i];
		own->last[i] = now;
	}
	own->known = !stopped;
	return known;
}
NOKPROBE_SYMBOL(read_along);

/*
 * With a fixed period, that is the weight. With a frequency, perf changes the period
 * as it goes and does not report which one applied, so use what has been counted.
 */
static u64 weight_of(struct own_counters *own, const struct perf_event *event, u64 period)
{
	u64 now = local64_read(&event->count), passed = now - own->led;

	own->led = now;
	return event->attr.freq ? passed : period;
}
NOKPROBE_SYMBOL(weight_of);

static void on_overflow(struct perf_event *event, struct perf_sample_data *data,
			struct pt_regs *regs)
{
	struct own_counters *own = event->overflow_handler_context;
	bool stopped = event->hw.interrupts == THROTTLED;
	u64 along[KPROF_MAX_ALONG];
	struct kprof_event sample = {
		.source = own->source,
		.task = current,
		.regs = regs,
		.time = ktime_get_mono_fast_ns(),
		.weight = weight_of(own, event, data->period),
		.own = HARDIRQ_OFFSET + (in_nmi() ? NMI_OFFSET : 0),
	};

	/* Pairs with open_counters(). */
	if (smp_load_acquire(&own->ready) && read_along(own, stopped, along))
		sample.along = along;
	if (unlikely(!READ_ONCE(kprof_running)))
		return;
	if (stopped)
		local64_inc(&this_cpu_ptr(own->source->account)->throttled);
	kprof_capture(&sample);
}
NOKPROBE_SYMBOL(on_overflow);

static struct perf_event_attr attributes_of(const struct kprof_choice *choice)
{
	bool raw = choice->word >= ARRAY_SIZE(counters);

	BUILD_BUG_ON(ARRAY_SIZE(words) != ARRAY_SIZE(counters) + 1);

	return (struct perf_event_attr) {
		.size = sizeof(struct perf_event_attr),
		.type = raw ? PERF_TYPE_RAW : counters[choice->word].type,
		.config = raw ? choice->raw : counters[choice->word].config,
		/* An unpinned event may share its counter, and silently miss events. */
		.pinned = 1,
	};
}

static struct perf_event_attr leading_attributes(const struct kprof_choice *lead)
{
	const struct kprof_config *config = kprof_config;
	struct perf_event_attr attr = attributes_of(lead);

	if (config->period) {
		attr.sample_period = config->period;
	} else {
		attr.freq = 1;
		attr.sample_freq = config->freq;
	}
	return attr;
}

/*
 * CPUs may be of several kinds, each with a PMU of its own (Intel hybrid, arm64 big.LITTLE). An
 * event that names no PMU then becomes one of its CPU's PMU: perf tries the PMUs in turn,
 * and those of other CPUs decline.
 */
static int open_counter(struct perf_event_attr *attr, int cpu, perf_overflow_handler_t handler,
			struct own_counters *own, struct perf_event **to)
{
	struct perf_event *event;

	event = perf_event_create_kernel_counter(attr, cpu, NULL, handler, own);
	if (IS_ERR(event))
		return PTR_ERR(event);
	if (event->state != PERF_EVENT_STATE_ACTIVE) {
		/* Other users hold all counters that could count this event. */
		perf_event_release_kernel(event);
		return -EBUSY;
	}
	*to = event;
	return 0;
}

static void close_counter(struct perf_event **event)
{
	if (*event)
		perf_event_release_kernel(*event);
	*event = NULL;
}

/* Release the leader first: its handler reads the others. */
static void close_counters(struct own_counters *own)
{
	u32 i;

	close_counter(&own->lead);
	own->ready = false;
	for (i = 0; i < KPROF_MAX_ALONG; i++)
		close_counter(&own->along[i]);
}

/* Open the leader first: if there are too few counters, one of the others is refused. */
static int open_counters(struct own_counters *own, int cpu)
{
	const struct kprof_chosen *chosen = own->chosen;
	struct perf_event_attr attr = leading_attributes(&chosen->lead);
	int err;
	u32 i;

	own->known = false;
	own->led = 0;
	memset(own->last, 0, sizeof(own->last));
	refused = &chosen->lead;
	err = open_counter(&attr, cpu, on_overflow, own, &own->lead);
	for (i = 0; i < chosen->nr_along && !err; i++) {
		attr = attributes_of(&chosen->along[i]);
		refused = &chosen->along[i];
		err = open_counter(&attr, cpu, NULL, own, &own->along[i]);
	}
	/* Pairs with on_overflow(): a handler that sees @ready sees all of @along. */
	smp_store_release(&own->ready, !err && chosen->nr_along);
	return err;
}

static int perf_offline(unsigned int cpu)
{
	struct all_counters *all = per_cpu_ptr(counters_of, cpu);
	u32 i;

	for (i = 0; i < KPROF_MAX_EVENTS; i++)
		close_counters(&all->of[i]);
	return 0;
}

/* A CPU must come online even if its counters cannot be opened. */
static void warn_of(const struct own_counters *own, int cpu, int err)
{
	pr_warn("event=%s: CPU %u cannot count it (error %d) and takes no samples\n",
		own->source->name, cpu, err);
}

static int perf_online(unsigned int cpu)
{
	struct own_counters *own = per_cpu_ptr(counters_of, cpu)->of;
	int err;
	u32 i;

	if (!cpumask_test_cpu(cpu, &kprof_config->cpus))
		return 0;
	for (i = 0; i < KPROF_MAX_EVENTS; i++, own++) {
		if (!own->source)
			continue;
		err = open_counters(own, cpu);
		if (!err)
			continue;
		close_counters(own);
		if (starting) {
			perf_offline(cpu);
			return err;
		}
		warn_of(own, cpu, err);
	}
	return 0;
}

/* List the named events that this CPU can count. */
static void list_events(char *names, size_t size)
{
	struct kprof_choice choice = { };
	struct perf_event_attr attr;
	struct perf_event *event;

	*names = '\0';
	for (choice.word = 0; words[choice.word]; choice.word++) {
		attr = attributes_of(&choice);
		if (open_counter(&attr, raw_smp_processor_id(), NULL, NULL, &event))
			continue;
		perf_event_release_kernel(event);
		if (*names)
			strlcat(names, ", ", size);
		strlcat(names, words[choice.word], size);
	}
}

static int refuse(const struct kprof_choice *choice, int err)
{
	char name[KPROF_EVENT_NAME], names[96];

	kprof_event_name(choice, name);
	if (err == -EBUSY)
		return kprof_refuse(err, "event", name,
				    "all counters that can count it are in use; give fewer events, or stop what uses them (perf, the NMI watchdog)");
	list_events(names, sizeof(names));
	return kprof_refuse(err, "event", name,
			    "this machine cannot count it (error %d); it counts: %s", err, names);
}

/* @err: of cpuhp_setup_state(), which may fail before it has asked for any counter */
static int refuse_start(int err)
{
	if (refused)
		return refuse(refused, err);
	return kprof_refuse(err, "event", "",
			    "the kernel takes no callbacks for CPUs that come online (error %d): others use all of its room for them; unload modules, or give event=timer",
			    err);
}

/* For a leading counter, also print what it and the others have counted, by name. */
static void print_stats(struct kprof_source *source, const struct kprof_totals *totals,
			struct kprof_text *text)
{
	char names[KPROF_SOURCE_NAME], *rest = names, *name;
	u32 i;

	kprof_text_printf(text, "%s.throttled: %llu\n", source->name, totals->throttled);
	if (!source->nr_along)
		return;
	strscpy(names, source->name, sizeof(names));
	for (i = 0; (name = strsep(&rest, ",")); i++)
		kprof_text_printf(text, "%s.count_%s: %llu\n", source->name, name,
				  i ? totals->along[i - 1] : totals->counted);
}

static const struct kprof_source_kind counter_kind = {
	.name = "counter",
	.drops = KPROF_DROPS_ANY,
	.stats = print_stats,
};

/* The source of these counters; it may still have earlier samples in the profile. */
static struct kprof_source *find_source(const struct kprof_chosen *chosen)
{
	char name[KPROF_CHOSEN_NAME];
	struct kprof_source *source;
	u32 id = 0;

	kprof_chosen_name(chosen, name);
	while ((source = kprof_source_next(&id)))
		if (source->kind == &counter_kind && !strcmp(source->name, name))
			return source;
	source = kzalloc(sizeof(*source), GFP_KERNEL);
	if (!source)
		return NULL;
	source->kind = &counter_kind;
	source->nr_along = chosen->nr_along;
	strscpy(source->name, name, sizeof(source->name));
	if (!kprof_source_add(source))
		return source;
	kfree(source);
	return NULL;
}

static bool is_active(const struct kprof_source *source)
{
	u32 i;

	for (i = 0; i < KPROF_MAX_EVENTS; i++)
		if (active[i] == source)
			return true;
	return false;
}

/* All counters are closed. */
static void clean_up(void)
{
	memset(active, 0, sizeof(active));
	free_percpu(counters_of);
	counters_of = NULL;
}

/* Tell each CPU what to count. */
static void hand_out(const struct kprof_config *config)
{
	struct own_counters *own;
	int cpu;
	u32 i;

	for_each_possible_cpu(cpu) {
		own = per_cpu_ptr(counters_of, cpu)->of;
		for (i = 0; i < config->nr_events; i++, own++) {
			own->source = active[i];
			own->chosen = &config->event[i];
		}
	}
}

/* The hotplug callback starts counters on CPUs that come online later. */
static int start(const struct kprof_config *config)
{
	int err;
	u32 i;

	for (i = 0; i < config->nr_events; i++) {
		if (config->event[i].lead.ops != &kprof_perf_ops)
			continue;
		active[i] = find_source(&config->event[i]);
		if (!active[i]) {
			clean_up();
			return -ENOMEM;
		}
	}
	counters_of = alloc_percpu(struct all_counters);
	if (!counters_of) {
		clean_up();
		return kprof_refuse(-ENOMEM, "event", "",
				    "no memory for counters: %zu bytes for each of %u CPUs",
				    sizeof(*counters_of), num_possible_cpus());
	}
	hand_out(config);
	refused = NULL;
	starting = true;
	err = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kprof:perf", perf_online, perf_offline);
	starting = false;
	if (err < 0) {
		clean_up();
		return refuse_start(err);
	}
	hotplug_state = err;
	return 0;
}

/*
 * Samples have ended for certain only when kprof_running has also been cleared and its
 * users waited for.
 */
static void stop(void)
{
	if (!hotplug_state)
		return;
	cpuhp_remove_state(hotplug_state);
	hotplug_state = 0;
	clean_up();
}

/* Sources that no counter uses hold only zeroes now. Drop them, whether wanted or not. */
static void forget(bool wanted)
{
	struct kprof_source *source;
	u32 id = 0;

	while ((source = kprof_source_next(&id))) {
		if (source->kind != &counter_kind || is_active(source))
			continue;
		kprof_source_remove(source);
		kfree(source);
	}
}

/* rNNN: a raw event number, as in the processor's manual. */
static bool parse(const char *text, u64 *raw)
{
	return text[0] == 'r' && !kstrtou64(text + 1, 16, raw);
}

static void show(u64 raw, char name[KPROF_EVENT_NAME])
{
	scnprintf(name, KPROF_EVENT_NAME, "r%llx", raw);
}

const struct kprof_source_ops kprof_perf_ops = {
	.words = words,
	.is_counter = true,
	.parse = parse,
	.show = show,
	.start = start,
	.stop = stop,
	.forget = forget,
};
