/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - hides the differences between the supported kernel versions
 *
 * Only this file knows kernel versions. Each wrapper has the form of the newest
 * kernel's interface, and names the change that it hides.
 */
#ifndef KPROF_COMPAT_H
#define KPROF_COMPAT_H

#include <linux/version.h>

#ifndef CONFIG_TRACEPOINTS
#error "kprof needs a kernel with CONFIG_TRACEPOINTS: it follows processes by tracepoints"
#endif
#ifndef CONFIG_PERF_EVENTS
#error "kprof needs a kernel with CONFIG_PERF_EVENTS: its counters are those of perf"
#endif

#ifdef __ASSEMBLER__

#ifdef CONFIG_X86
/*
 * 64701838bf05 ("x86/percpu: Move preempt_count next to current_task"), until
 * 46e8fff6d45f ("x86/preempt: Move preempt count to percpu hot section")
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define KPROF_PREEMPT_COUNT	(pcpu_hot + 8)
#else
#define KPROF_PREEMPT_COUNT	__preempt_count
#endif

/*
 * The per-CPU variable whose address is in a register. With one processor it is a variable like
 * others on many kernels, and a segment prefix would lead elsewhere: only the kernel's macros know.
 * 59bec00ace28 ("x86/percpu: Introduce %rip-relative addressing to PER_CPU_VAR()") has made that
 * one of symbols alone, and a macro of the prefix.
 */
#include <asm/percpu.h>
#ifdef __percpu
#define KPROF_PER_CPU_AT(register)	__percpu(register)
#else
#define KPROF_PER_CPU_AT(register)	PER_CPU_VAR((register))
#endif
#endif

#else /* !__ASSEMBLER__ */

#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/kmemleak.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <linux/uprobes.h>

#if defined(CONFIG_X86) && LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#include <asm/current.h>
static_assert(offsetof(struct pcpu_hot, preempt_count) == 8);	/* see above */
#endif

#if defined(CONFIG_ARM64) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
/* ca708599ca71 ("arm64: use XPACLRI to strip PAC") */
#include <asm/pointer_auth.h>
#define ptrauth_strip_kernel_insn_pac(ptr)	ptrauth_strip_insn_pac(ptr)
#define ptrauth_strip_user_insn_pac(ptr)	ptrauth_strip_insn_pac(ptr)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
/* 54e6842d0775 ("fork/vm: Move common PF_IO_WORKER behavior to new flag") */
#define PF_USER_WORKER	PF_IO_WORKER
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
/* 908a1d775422 ("hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()") */
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
/* 077c212f0344 ("fs: new accessor methods for atime and mtime") */
static inline struct timespec64 inode_get_mtime(const struct inode *inode)
{
	return inode->i_mtime;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
/* 2c92ca849fcc ("tracing/treewide: Remove second parameter of __assign_str()") */
#define kprof_assign_str(field, text)	__assign_str(field, text)
#else
#define kprof_assign_str(field, text)	__assign_str(field)
#endif

/* Renamed by 23ef9d439769 ("kcfi: Rename CONFIG_CFI_CLANG to CONFIG_CFI") */
#define KPROF_HAS_CFI	(IS_ENABLED(CONFIG_CFI) || IS_ENABLED(CONFIG_CFI_CLANG))

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
/* "exit: move and extend sched_process_exit() tracepoint" */
#define KPROF_ON_PROCESS_EXIT(name)	void name(void *unused, struct task_struct *task)
#else
#define KPROF_ON_PROCESS_EXIT(name)	\
	void name(void *unused, struct task_struct *task, bool group_dead)
#endif

#if defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
/* da8bdfbd4223 ("ftrace: Rename _ftrace_direct_multi APIs to _ftrace_direct APIs") */
#include <linux/ftrace.h>

#define register_ftrace_direct(ops, addr)	register_ftrace_direct_multi(ops, addr)
#define unregister_ftrace_direct(ops, addr, free_filters)		\
	({								\
		int _err = unregister_ftrace_direct_multi(ops, addr);	\
									\
		if (!_err && (free_filters))				\
			ftrace_free_filter(ops);			\
		_err;							\
	})
#endif

#if defined(CONFIG_ARM64) && !defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#include <linux/ftrace.h>

/* 26299b3f6ba2 ("ftrace: arm64: move from REGS to ARGS") */
static __always_inline void ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs,
								unsigned long ip)
{
	ftrace_get_regs(fregs)->pc = ip;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
/* "bpf,x86: Use single ftrace_ops for direct calls", where the callback gets the address */
#define KPROF_FTRACE_OPS_FUNC(name)	\
	int name(struct ftrace_ops *unused, enum ftrace_ops_cmd command)
#else
#define KPROF_FTRACE_OPS_FUNC(name)	\
	int name(struct ftrace_ops *unused, unsigned long ip, enum ftrace_ops_cmd command)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
/* "workqueue: Add system_percpu_wq and system_dfl_wq", which deprecates the old name */
#define system_dfl_wq	system_unbound_wq
#endif

/* 633488947ef6 ("kernfs: Use RCU to access kernfs_node::parent."), and its name likewise */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define kprof_cgroup_name(group)	((group)->kn->name)
#else
#define kprof_cgroup_name(group)	rcu_dereference_sched((group)->kn->name)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
/* da09a9e0c3ea ("uprobe: Add data pointer to consumer handlers") */
#define KPROF_UPROBE_HANDLER(name)	\
	int name(struct uprobe_consumer *consumer, struct pt_regs *regs)
#define KPROF_URETPROBE_HANDLER(name)	\
	int name(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs)
#else
#define KPROF_UPROBE_HANDLER(name)	\
	int name(struct uprobe_consumer *consumer, struct pt_regs *regs, __u64 *data)
#define KPROF_URETPROBE_HANDLER(name)	\
	int name(struct uprobe_consumer *consumer, unsigned long function, struct pt_regs *regs, \
		 __u64 *data)
#endif

/*
 * Around what a probe of a tracepoint does, without preemption. It is disabled already before
 * a363d27cdbc2 ("tracing: Allow system call tracepoints to handle page faults"), which others may
 * have taken over: it came with a macro. Later kernels do not disable it for any tracepoint.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0) || defined(DECLARE_TRACE_SYSCALL)
#define KPROF_TRACEPOINT_PREEMPTS	1
#else
#define KPROF_TRACEPOINT_PREEMPTS	0
#endif

static __always_inline void kprof_tracepoint_begin(void)
{
	if (KPROF_TRACEPOINT_PREEMPTS)
		preempt_disable_notrace();
}

static __always_inline void kprof_tracepoint_end(void)
{
	if (KPROF_TRACEPOINT_PREEMPTS)
		preempt_enable_notrace();
}

/*
 * 3c83a9ad0295 ("uprobes: make uprobe_register() return struct uprobe *"), and 04b01625da13
 * ("perf/uprobe: split uprobe_unregister()"). Without these, the result is just not NULL.
 */
static inline struct uprobe *kprof_uprobe_register(struct inode *inode, loff_t offset,
						   loff_t counter,
						   struct uprobe_consumer *consumer)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	int err = uprobe_register_refctr(inode, offset, counter, consumer);

	return err ? ERR_PTR(err) : (struct uprobe *)consumer;
#else
	return uprobe_register(inode, offset, counter, consumer);
#endif
}

static inline void kprof_uprobe_unregister_nosync(struct inode *inode, loff_t offset,
						  struct uprobe *uprobe,
						  struct uprobe_consumer *consumer)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	uprobe_unregister(inode, offset, consumer);
#else
	uprobe_unregister_nosync(uprobe, consumer);
#endif
}

static inline void kprof_uprobe_sync(void)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	uprobe_unregister_sync();
#endif
}

/* Is a task running on a CPU at this moment? */
static inline bool kprof_task_on_cpu(const struct task_struct *task)
{
#ifdef CONFIG_SMP
	return READ_ONCE(task->on_cpu);
#else
	return task == current;
#endif
}

/* Make the kernel find no memory to free of a module that is being unloaded. */
static inline void kprof_module_keep(struct module *module)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	/* ac3b43283923 ("module: replace module_layout with module_memory") */
	kmemleak_not_leak(module->core_layout.base);
	module->core_layout.base = NULL;
#else
	for_each_mod_mem_type(type) {
		kmemleak_not_leak(module->mem[type].base);
		module->mem[type].base = NULL;
	}
#endif
}

#endif /* !__ASSEMBLER__ */

#endif /* KPROF_COMPAT_H */
