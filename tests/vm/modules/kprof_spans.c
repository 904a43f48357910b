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
 */
#include <linux/cpumask.h>
#include <linux/module.h>
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

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = set_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(pass);
TRIGGER(begin);
TRIGGER(end);
TRIGGER(across);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Points and spans for the tests of kprof");
MODULE_AUTHOR("The kprof authors");
