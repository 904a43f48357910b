// SPDX-License-Identifier: GPL-2.0-only
/*
 * tracepoints.c - finds tracepoints of the kernel and of modules, and attaches to them
 *
 * There is one probe on each tracepoint, however many points of targets use it. So the kernel
 * calls it directly, and not through the iterator that serves several probes. The probe is in
 * tap.c. BTF says which arguments exist.
 */
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "base/error.h"
#include "base/state.h"
#include "base/tracepoint.h"
#include "compat.h"
#include "points/point.h"
#include "points/points.h"
#include "points/tap.h"
#include "symbols/symbols.h"

/* A module that has tracepoints. */
struct owner {
	struct list_head node;
	struct module *module;
};

/*
 * Protects everything below, and which points are attached. Taken inside kprof_mutex, and by the
 * module notifier, which must not wait for kprof_mutex: see kprof_waits_for_files.
 */
static DEFINE_MUTEX(lock);
static LIST_HEAD(taps);
static LIST_HEAD(owners);

/* The size of a function in bytes. */
static unsigned long size_of(unsigned long addr)
{
	char text[KSYM_SYMBOL_LEN], *size;
	unsigned long bytes;

	sprint_symbol(text, addr);
	size = strchr(text, '/');
	if (!size)
		return 0;
	size++;
	size[strcspn(size, " ")] = '\0';
	return kstrtoul(size, 0, &bytes) ? 0 : bytes;
}

/**
 * struct search - the search for a tracepoint
 * @name:	its name
 * @module:	name of its module; "" for any, or the kernel
 * @found:	a tracepoint that was found
 * @owner:	the module of @found; NULL for the kernel
 * @count:	number of tracepoints that were found
 */
struct search {
	const char *name;
	const char *module;
	struct tracepoint *found;
	struct module *owner;
	u32 count;
};

static void take(struct search *search, struct tracepoint *tracepoint, struct module *owner)
{
	search->found = tracepoint;
	search->owner = owner;
	search->count++;
}

static void look_at_modules(struct search *search)
{
	struct tracepoint *tracepoint;
	struct owner *owner;
	unsigned int i;

	list_for_each_entry(owner, &owners, node) {
		if (*search->module && strcmp(search->module, owner->module->name))
			continue;
		for (i = 0; i < owner->module->num_tracepoints; i++) {
			tracepoint = tracepoint_ptr_deref(&owner->module->tracepoints_ptrs[i]);
			if (!strcmp(tracepoint->name, search->name))
				take(search, tracepoint, owner->module);
		}
	}
}

/* Find "tp:NAME" or "tp:MODULE:NAME" among the tracepoints that exist now. */
static void find(struct search *search, struct kprof_point *point)
{
	const char *name = point->place + strlen("tp:"), *colon = strchr(name, ':');
	struct tracepoint *kernels;

	*point->module = '\0';
	if (colon)
		strscpy(point->module, name,
			min_t(size_t, sizeof(point->module), colon - name + 1));
	*search = (struct search) { .name = colon ? colon + 1 : name, .module = point->module };
	kernels = *point->module ? NULL : kprof_kernel_tracepoint(search->name);
	if (kernels)
		take(search, kernels, NULL);
	look_at_modules(search);
	if (search->owner)
		strscpy(point->module, search->owner->name, sizeof(point->module));
}

/* The one that was found, though there may be others of that name by now; NULL if it is gone. */
static struct tracepoint *find_again(const struct kprof_point *point)
{
	struct search search = {
		.name = strrchr(point->place, ':') + 1, .module = point->module,
	};

	if (!*search.module)
		return kprof_kernel_tracepoint(search.name);
	look_at_modules(&search);
	return search.found;
}

/* Set the arguments, as far as they are known. */
static void describe(struct kprof_point *point, const struct search *search)
{
	const struct kprof_btf *btf = kprof_btf_of(search->owner ? search->owner->name : "");
	int nr = btf ? kprof_btf_tracepoint(btf, search->name, point->arg, KPROF_NR_ARGS) : 0;

	point->nr_args = max(nr, 0);
	point->is_switch = !search->owner && point->nr_args >= 4 &&
			   !strcmp(search->name, "sched_switch");
	point->is_wakeup = !search->owner && point->nr_args &&
			   (!strcmp(search->name, "sched_wakeup") ||
			    !strcmp(search->name, "sched_wakeup_new"));
}

/**
 * kprof_tracepoint_find() - find the tracepoint of a point
 * @point:	its place is set; what is known of the arguments is filled in
 * @spec:	the target as it was written, for errors
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_tracepoint_find(struct kprof_point *point, const char *spec)
{
	struct search search;

	/* The kernel's prototype check would reject the probe. */
	if (KPROF_HAS_CFI)
		return kprof_refuse(-ENODEV, "target", spec,
				    "this kernel checks prototypes of functions (CFI), and lets no probe be on several tracepoints; give functions");
	mutex_lock(&lock);
	find(&search, point);
	if (search.count == 1 && search.owner != THIS_MODULE)
		describe(point, &search);
	mutex_unlock(&lock);
	if (!search.count)
		return kprof_refuse(-ENOENT, "target", spec,
				    "no tracepoint %s: misspelt, not in this kernel, or of a module that is not loaded; /sys/kernel/tracing/events has those with an event, as GROUP/NAME: leave GROUP out",
				    point->place);
	if (search.count > 1)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%u tracepoints are called %s; give tp:MODULE:%s",
				    search.count, point->place, search.name);
	if (search.owner == THIS_MODULE)
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s is kprof's own, and would call itself; give another",
				    point->place);
	return 0;
}

static struct kprof_tap *find_tap(const struct tracepoint *tracepoint)
{
	struct kprof_tap *tap;

	list_for_each_entry(tap, &taps, node)
		if (tap->tracepoint == tracepoint)
			return tap;
	return NULL;
}

static struct kprof_tap *make_tap(struct tracepoint *tracepoint, const struct kprof_point *point)
{
	struct kprof_tap *tap = kzalloc(sizeof(*tap), GFP_KERNEL);

	if (!tap)
		return NULL;
	tap->tracepoint = tracepoint;
	tap->probe = kprof_tap_probe(point->nr_args);
	tap->iterator.address = (unsigned long)tracepoint->iterator;
	tap->iterator.size = size_of(tap->iterator.address);
	list_add(&tap->node, &taps);
	return tap;
}

/* Attach the probe to a tracepoint that does not have it yet. */
static struct kprof_tap *open_tap(struct tracepoint *tracepoint, struct kprof_point *point)
{
	struct kprof_tap *tap = make_tap(tracepoint, point);
	int err;

	if (!tap)
		return ERR_PTR(-ENOMEM);
	err = tracepoint_probe_register(tracepoint, tap->probe, tap);
	if (!err)
		return tap;
	list_del(&tap->node);
	kfree(tap);
	return ERR_PTR(err);
}

/* Append a point, so that the points of a target keep their order. */
static void link_point(struct kprof_tap *tap, struct kprof_point *point)
{
	struct kprof_point **at = &tap->first;

	if (!point->plain)
		WRITE_ONCE(tap->shape, KPROF_TAP_ANY);
	while (*at)
		at = &(*at)->next;
	point->next = NULL;
	point->tap = tap;
	point->iterator = &tap->iterator;
	smp_store_release(at, point);	/* whoever sees the point sees all of it */
	kprof_tap_form(tap);
	point->is_attached = true;
}

/**
 * kprof_tracepoint_attach() - attach to the tracepoint of a point
 * @point:	kprof_tracepoint_find() has found it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_tracepoint_attach(struct kprof_point *point)
{
	struct tracepoint *tracepoint;
	struct kprof_tap *tap;
	int err = 0;

	mutex_lock(&lock);
	tracepoint = find_again(point);
	if (tracepoint) {
		tap = find_tap(tracepoint) ?: open_tap(tracepoint, point);
		if (IS_ERR(tap))
			err = PTR_ERR(tap);
		else
			link_point(tap, point);
	} else {
		point->is_lost = true;
	}
	mutex_unlock(&lock);
	return err;
}

static void close_tap(struct kprof_tap *tap)
{
	tracepoint_probe_unregister(tap->tracepoint, tap->probe, tap);
	list_del(&tap->node);
	tracepoint_synchronize_unregister();
	kfree(tap);
}

static void detach(struct kprof_point *point)
{
	struct kprof_tap *tap = point->tap;

	kprof_point_unlink(&tap->first, point);
	kprof_tap_form(tap);
	if (!tap->first)
		close_tap(tap);
}

/**
 * kprof_tracepoint_detach() - detach from the tracepoint of a point
 * @point:	any point at a tracepoint
 *
 * A CPU may still be at the point, until synchronize_rcu().
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_tracepoint_detach(struct kprof_point *point)
{
	mutex_lock(&lock);
	if (point->is_attached)
		detach(point);
	mutex_unlock(&lock);
}

static void module_comes(struct module *module)
{
	struct owner *owner = kzalloc(sizeof(*owner), GFP_KERNEL);

	/* Without memory, the module's tracepoints will not be found. */
	if (!owner)
		return;
	owner->module = module;
	list_add_tail(&owner->node, &owners);
}

static void lose(struct kprof_tap *tap)
{
	struct kprof_point *point = tap->first, *next;

	for (; point; point = next) {
		next = point->next;
		point->is_lost = true;
		detach(point);
	}
}

static void module_goes(const struct module *module)
{
	struct owner *owner, *next;
	struct kprof_tap *tap, *next_tap;

	list_for_each_entry_safe(tap, next_tap, &taps, node)
		if (within_module((unsigned long)tap->tracepoint, module))
			lose(tap);
	list_for_each_entry_safe(owner, next, &owners, node) {
		if (owner->module != module)
			continue;
		list_del(&owner->node);
		kfree(owner);
	}
}

static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	struct tp_module *change = data;

	mutex_lock(&lock);
	if (event == MODULE_STATE_COMING)
		module_comes(change->mod);
	else if (event == MODULE_STATE_GOING)
		module_goes(change->mod);
	mutex_unlock(&lock);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_tracepoints_init() - start tracking modules that have tracepoints
 *
 * Context: sleeps; kprof_mutex is not held. Return: 0 or an errno.
 */
int kprof_tracepoints_init(void)
{
	return register_tracepoint_module_notifier(&module_notifier);
}

/**
 * kprof_tracepoints_exit() - undo kprof_tracepoints_init()
 *
 * Context: sleeps; kprof_mutex is not held, and no point is attached.
 */
void kprof_tracepoints_exit(void)
{
	struct owner *owner, *next;

	/* This may or may not report each module as going. Free what is left. */
	unregister_tracepoint_module_notifier(&module_notifier);
	list_for_each_entry_safe(owner, next, &owners, node)
		kfree(owner);
	INIT_LIST_HEAD(&owners);
}
