// SPDX-License-Identifier: GPL-2.0-only
/*
 * forbidden.c - functions that kprobes accept but that must not be targets
 *
 * kprobes refuse what is on their blacklist, including noinstr code. Three kinds of
 * functions remain. First, functions that kprof itself needs to take a sample. Watching
 * these does not recurse forever, as nothing takes two samples in one context, but it would
 * show kprof and not the kernel. Second, functions in the idle loop, where RCU is not
 * watching: nothing could wait until a probe has been left. Third, functions that run in an
 * NMI, where there is nothing to be seen that event=cycles does not disturb.
 */
#include <linux/glob.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>

#include "calls/forbidden.h"

#define OWN	"kprof itself needs it to take a sample; give a function that calls it"
#define IDLE	"part of the idle loop, where RCU does not watch; give another function, or use idle=1"
#define NMI	"runs in an NMI; give a function that runs elsewhere, or use event=cycles"

static const struct {
	const char *pattern;
	const char *why;
} forbidden[] = {
	/* The unwinder, and how it distinguishes text from data. */
	{ "__unwind_start", OWN }, { "unwind_next_frame", OWN },
	{ "unwind_get_return_address", OWN }, { "get_stack_info*", OWN },
	{ "stack_access_ok", OWN }, { "__orc_find", OWN }, { "orc_find", OWN },
	{ "ftrace_graph_ret_addr", OWN }, { "ftrace_graph_get_ret_stack", OWN },
	{ "is_ftrace_trampoline", OWN }, { "ftrace_ops_trampoline", OWN },
	{ "__module_address", OWN }, { "__kernel_text_address", OWN },
	{ "kernel_text_address", OWN }, { "core_kernel_text", OWN },
	{ "is_module_text_address", OWN }, { "__module_text_address", OWN },
	{ "is_bpf_text_address", OWN }, { "bpf_ksym_find", OWN },
	{ "__is_insn_slot_addr", OWN },
	/* Memory access, time, names, wake-ups. */
	{ "copy_from_kernel_nofault*", OWN }, { "copy_from_user_nofault", OWN },
	{ "ktime_get_mono_fast_ns", OWN }, { "hrtimer_forward", OWN },
	{ "irq_work_queue", OWN }, { "__irq_work_queue_local", OWN },
	{ "arch_irq_work_raise", OWN }, { "glob_match", OWN },
	{ "sprint_symbol*", OWN }, { "kallsyms_lookup_buildid", OWN },
	{ "get_symbol_pos", OWN }, { "module_address_lookup", OWN },
	/* The trace events. */
	{ "trace_event_buffer_reserve", OWN }, { "trace_event_buffer_commit", OWN },
	{ "perf_trace_run_bpf_submit", OWN }, { "perf_tp_event", OWN },
	{ "perf_swevent_get_recursion_context", OWN },
	/* Tracepoints, which call kprof. */
	{ "__traceiter_*", OWN },

	{ "default_idle*", IDLE }, { "default_enter_idle", IDLE }, { "mwait_idle", IDLE },
	{ "amd_e400_idle", IDLE }, { "intel_idle*", IDLE }, { "acpi_idle_*", IDLE },
	{ "acpi_safe_halt", IDLE }, { "acpi_processor_ffh_*", IDLE }, { "poll_idle", IDLE },
	{ "native_halt", IDLE }, { "xen_safe_halt", IDLE }, { "tdx_*halt", IDLE },
	{ "arch_cpu_idle*", IDLE }, { "cpu_idle_poll*", IDLE },
	{ "cpuidle_enter*", IDLE }, { "call_cpuidle", IDLE },
	{ "tick_check_broadcast_expired", IDLE }, { "cpu_do_idle", IDLE },
	{ "psci_*idle*", IDLE }, { "*psci_*suspend*", IDLE },
	{ "__invoke_psci_fn_*", IDLE }, { "cpu_suspend", IDLE },

	{ "nmi_*", NMI }, { "*_nmi_handler", NMI }, { "ghes_notify_nmi", NMI },
	{ "*pmu_handle_irq*", NMI }, { "perf_event_overflow", NMI },
	{ "__perf_event_overflow", NMI }, { "perf_event_account_interrupt", NMI },
	{ "perf_sample_event_took", NMI },
};

/**
 * kprof_forbidden() - may an address not be watched
 * @addr:	address of a target
 *
 * Context: any. Return: why it may not; NULL if it may.
 */
const char *kprof_forbidden(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	u32 i;

	if (within_module(addr, THIS_MODULE))
		return OWN;
	sprint_symbol_no_offset(name, addr);
	name[strcspn(name, " ")] = '\0';	/* " [module]" */
	for (i = 0; i < ARRAY_SIZE(forbidden); i++)
		if (glob_match(forbidden[i].pattern, name))
			return forbidden[i].why;
	return NULL;
}
