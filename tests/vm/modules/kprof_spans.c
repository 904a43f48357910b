// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_spans.c - points that are passed, and spans that begin and end, as often as is asked for
 *
 * Writing to /sys/module/kprof_spans/parameters/NAME does it, and returns when it is done:
 *
 * pass=N	the tracepoint known_point is passed N times, with 1 to N and a text
 * begin=K,N	spans_begin(key) is called for N keys from K on
 * end=K,N	spans_end(key, value) the same; value is -EIO for every fourth key
 * across=N	spans_begin(key) on the first CPU and spans_end(key) on the last one, for N keys
 * leak=N,M	N objects of 128 bytes are allocated and kept, M more are freed in a hard interrupt
 * free=N	N of those that were kept are freed, in a hard interrupt
 * hold=MS	the task spans_holder holds a mutex, and lets go of it in spans_release() when
 *		spans_contend() has waited for it for MS milliseconds
 * read=MS	the same of a semaphore for readers and writers, which it holds as a reader
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/version.h>

DECLARE_TRACE(known_point, TP_PROTO(unsigned long n, const char *text), TP_ARGS(n, text));
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
DEFINE_TRACE(known_point, TP_PROTO(unsigned long n, const char *text), TP_ARGS(n, text));
#define trace_known_point_tp(n, text)	trace_known_point(n, text)
#else
/* "tracing: Have all DECLARE_TRACE() use the suffix _tp" */
DEFINE_TRACE(known_point_tp, TP_PROTO(unsigned long n, const char *text), TP_ARGS(n, text));
#endif

static noinline __noclone void spans_begin(unsigned long key)
{
	asm volatile("# begin" : : "r" (key));
}

static noinline __noclone long spans_end(unsigned long key, long value)
{
	asm volatile("# end" : : "r" (key));
	return value;
}

/* What nobody wants need not be returned. */
static long last;

static void end_one(unsigned long key)
{
	WRITE_ONCE(last, spans_end(key, key % 4 ? 0 : -EIO));
}

static void begin_here(void *key)
{
	spans_begin((unsigned long)key);
}

static void end_here(void *key)
{
	end_one((unsigned long)key);
}

static int set_pass(const char *text, const struct kernel_param *param)
{
	unsigned long n, i;
	int err = kstrtoul(text, 0, &n);

	for (i = 1; !err && i <= n; i++)
		trace_known_point_tp(i, i % 2 ? "odd" : "even");
	return err;
}

static int set_begin(const char *text, const struct kernel_param *param)
{
	unsigned long key, n;

	if (sscanf(text, "%lu,%lu", &key, &n) != 2)
		return -EINVAL;
	for (; n; n--, key++)
		spans_begin(key);
	return 0;
}

static int set_end(const char *text, const struct kernel_param *param)
{
	unsigned long key, n;

	if (sscanf(text, "%lu,%lu", &key, &n) != 2)
		return -EINVAL;
	for (; n; n--, key++)
		end_one(key);
	return 0;
}

static int set_across(const char *text, const struct kernel_param *param)
{
	unsigned int last = cpumask_last(cpu_online_mask);
	unsigned long n, key;
	int err = kstrtoul(text, 0, &n);

	for (key = 1; !err && key <= n; key++) {
		err = smp_call_function_single(0, begin_here, (void *)key, 1);
		if (!err)
			err = smp_call_function_single(last, end_here, (void *)key, 1);
	}
	return err;
}

struct object {
	struct object *next;
	char room[120];
};

/* They are all linked, so that no compiler leaves an allocation out. */
static noinline __noclone int spans_allocate(struct object **list, unsigned long n)
{
	struct object *object;

	for (; n; n--) {
		object = kmalloc(sizeof(*object), GFP_KERNEL);
		if (!object)
			return -ENOMEM;
		object->next = *list;
		*list = object;
	}
	return 0;
}

static struct object *kept;

struct batch {
	struct object **list;
	unsigned long n;
};

static void free_here(void *data)
{
	struct batch *batch = data;
	struct object *object;

	for (; batch->n && *batch->list; batch->n--) {
		object = *batch->list;
		*batch->list = object->next;
		kfree(object);
	}
}

/* From another CPU if there is one: else its own interrupts are off, which is as good. */
static int free_some(struct object **list, unsigned long n)
{
	struct batch batch = { .list = list, .n = n };
	unsigned int other = cpumask_any_but(cpu_online_mask, get_cpu());
	int err;

	if (other >= nr_cpu_ids)
		other = smp_processor_id();
	err = smp_call_function_single(other, free_here, &batch, 1);
	put_cpu();
	return err;
}

static int set_leak(const char *text, const struct kernel_param *param)
{
	struct object *others = NULL;
	unsigned long n, m;

	if (sscanf(text, "%lu,%lu", &n, &m) != 2)
		return -EINVAL;
	return spans_allocate(&kept, n) ?: spans_allocate(&others, m) ?: free_some(&others, m);
}

static int set_free(const char *text, const struct kernel_param *param)
{
	unsigned long n;

	return kstrtoul(text, 0, &n) ?: free_some(&kept, n);
}

static DEFINE_MUTEX(held);
static DECLARE_RWSEM(held_by_reader);
static DECLARE_COMPLETION(is_held);

struct holding {
	unsigned long ms;
	bool reads;
	const struct task_struct *contender;
};

/* It may last until it gets a CPU; but if it never waits, nobody shall wait for that. */
static void wait_until_blocked(const struct task_struct *task)
{
	unsigned long end = jiffies + 60 * HZ;

	while (time_before(jiffies, end) && !(READ_ONCE(task->__state) & TASK_UNINTERRUPTIBLE))
		msleep(20);
}

/* A jump to what unlocks would leave no trace of this function on the stack. */
static noinline __noclone void spans_release(bool reads)
{
	if (reads)
		up_read(&held_by_reader);
	else
		mutex_unlock(&held);
	barrier();
}

static int hold(void *data)
{
	struct holding *holding = data;

	if (holding->reads)
		down_read(&held_by_reader);
	else
		mutex_lock(&held);
	complete(&is_held);
	wait_until_blocked(holding->contender);
	msleep(holding->ms);
	spans_release(holding->reads);
	return 0;
}

static noinline __noclone void spans_contend(bool reads)
{
	if (reads) {
		down_write(&held_by_reader);
		barrier();
		up_write(&held_by_reader);
	} else {
		mutex_lock(&held);
		barrier();
		mutex_unlock(&held);
	}
	barrier();
}

static int contend(const char *text, bool reads)
{
	struct holding holding = { .reads = reads, .contender = current };
	struct task_struct *task;
	int err = kstrtoul(text, 0, &holding.ms);

	if (err)
		return err;
	task = kthread_create(hold, &holding, "spans_holder");
	if (IS_ERR(task))
		return PTR_ERR(task);
	get_task_struct(task);
	wake_up_process(task);
	wait_for_completion(&is_held);
	spans_contend(reads);
	err = kthread_stop(task);
	put_task_struct(task);
	return err;
}

static int set_hold(const char *text, const struct kernel_param *param)
{
	return contend(text, false);
}

static int set_read(const char *text, const struct kernel_param *param)
{
	return contend(text, true);
}

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = set_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(pass);
TRIGGER(begin);
TRIGGER(end);
TRIGGER(across);
TRIGGER(leak);
TRIGGER(free);

static void __exit spans_exit(void)
{
	free_some(&kept, ULONG_MAX);
}
module_exit(spans_exit);

static int __init spans_init(void)
{
	return 0;
}
module_init(spans_init);
TRIGGER(hold);
TRIGGER(read);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Points and spans for the tests of kprof");
MODULE_AUTHOR("The kprof authors");
