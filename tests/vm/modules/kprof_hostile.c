// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprof_hostile.c - what can go wrong in a kernel, on demand
 *
 * Writing to a parameter does it:
 *
 * oops=N	N threads, one after the other, oops in hostile_oops, which hostile_outer calls
 * thread=1	a thread whose main function is hostile_main sleeps; 0: it ends
 * mutex=ADDR	a thread takes the mutex that is there, and keeps it; 0: it gives it back
 * spin=MS	hostile_spin is busy for MS milliseconds, or until a signal ends the task, and
 *		lets others run meanwhile
 * lock=PID	a thread locks the memory of that process, and keeps it so; 0: it unlocks it
 * corrupt=1	what ftrace has put at the beginning of hostile_site is not what it expects
 *		there; 0: it is as it was before
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/vmalloc.h>

static struct task_struct *sleeper, *holder;
static DECLARE_COMPLETION(is_held);

/* With KASAN it would not be the access itself that fails. */
static noinline __noclone __no_sanitize_address void hostile_oops(void)
{
	WRITE_ONCE(*(int *)8, 0);
}

static noinline __noclone void hostile_outer(void)
{
	hostile_oops();
	asm volatile("# outer");
}

static int oops_thread(void *unused)
{
	hostile_outer();
	return 0;
}

static noinline __noclone int hostile_main(void *unused)
{
	while (!kthread_should_stop())
		schedule_timeout_uninterruptible(HZ / 10);
	return 0;
}

static noinline __noclone void hostile_spin(unsigned long ms)
{
	u64 end = ktime_get_mono_fast_ns() + ms * NSEC_PER_MSEC;

	while (ktime_get_mono_fast_ns() < end && !signal_pending(current))
		cond_resched();
}

static noinline __noclone void hostile_site(void)
{
	asm volatile("# a site");
}

static int do_oops(const char *text, const struct kernel_param *kp)
{
	struct task_struct *task;
	unsigned long n;
	int err = kstrtoul(text, 0, &n);

	while (!err && n--) {
		task = kthread_run(oops_thread, NULL, "hostile-oops");
		if (IS_ERR(task))
			return PTR_ERR(task);
		msleep(300);
	}
	return err;
}

static int do_thread(const char *text, const struct kernel_param *kp)
{
	struct task_struct *task;
	bool on;
	int err = kstrtobool(text, &on);

	if (err || on == !!sleeper)
		return err;
	if (!on) {
		kthread_stop(sleeper);
		sleeper = NULL;
		return 0;
	}
	task = kthread_run(hostile_main, NULL, "hostile-main");
	if (IS_ERR(task))
		return PTR_ERR(task);
	sleeper = task;
	return 0;
}

static int hold(void *mutex)
{
	mutex_lock(mutex);
	complete(&is_held);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	mutex_unlock(mutex);
	return 0;
}

static int do_mutex(const char *text, const struct kernel_param *kp)
{
	struct task_struct *task;
	unsigned long addr;
	int err = kstrtoul(text, 0, &addr);

	if (err || !addr == !holder)
		return err;
	if (!addr) {
		kthread_stop(holder);
		holder = NULL;
		return 0;
	}
	reinit_completion(&is_held);
	task = kthread_run(hold, (void *)addr, "hostile-holder");
	if (IS_ERR(task))
		return PTR_ERR(task);
	holder = task;
	wait_for_completion(&is_held);
	return 0;
}

static int keep_locked(void *data)
{
	struct mm_struct *mm = data;

	mmap_write_lock(mm);
	complete(&is_held);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ / 10);
	mmap_write_unlock(mm);
	mmput(mm);
	return 0;
}

static struct mm_struct *memory_of(pid_t nr)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *task = pid ? get_pid_task(pid, PIDTYPE_PID) : NULL;
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (task)
		put_task_struct(task);
	put_pid(pid);
	return mm;
}

static int do_lock(const char *text, const struct kernel_param *kp)
{
	static struct task_struct *locker;
	struct task_struct *task;
	struct mm_struct *mm;
	pid_t pid;
	int err = kstrtoint(text, 0, &pid);

	if (err || !pid == !locker)
		return err;
	if (!pid) {
		kthread_stop(locker);
		locker = NULL;
		return 0;
	}
	mm = memory_of(pid);
	if (!mm)
		return -ESRCH;
	reinit_completion(&is_held);
	task = kthread_run(keep_locked, mm, "hostile-locker");
	if (IS_ERR(task)) {
		mmput(mm);
		return PTR_ERR(task);
	}
	locker = task;
	wait_for_completion(&is_held);
	return 0;
}

static int do_spin(const char *text, const struct kernel_param *kp)
{
	unsigned long ms;
	int err = kstrtoul(text, 0, &ms);

	if (!err)
		hostile_spin(ms);
	return err;
}

static int do_corrupt(const char *text, const struct kernel_param *kp)
{
	/* The text of a module is read-only where it is run, not where its page is. */
	unsigned long addr = (unsigned long)hostile_site;
	struct page *page = vmalloc_to_page((void *)addr);
	static u8 before;
	bool on;
	int err = kstrtobool(text, &on);
	u8 *code;

	if (err)
		return err;
	code = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!code)
		return -ENOMEM;
	/* The last byte of five: a call, or a nop, of something else. */
	code += offset_in_page(addr) + 4;
	if (on)
		before = *code;
	*code = on ? before ^ 0x40 : before;
	vunmap((void *)((unsigned long)code & PAGE_MASK));
	return 0;
}

#define TRIGGER(name)							\
	static const struct kernel_param_ops name##_ops = { .set = do_##name };	\
	module_param_cb(name, &name##_ops, NULL, 0200)

TRIGGER(oops);
TRIGGER(thread);
TRIGGER(mutex);
TRIGGER(spin);
TRIGGER(lock);
TRIGGER(corrupt);

static int __init hostile_init(void)
{
	return 0;
}

static void __exit hostile_exit(void)
{
	if (sleeper)
		kthread_stop(sleeper);
	if (holder)
		kthread_stop(holder);
	hostile_site();
}

module_init(hostile_init);
module_exit(hostile_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("What can go wrong in a kernel, on demand");
