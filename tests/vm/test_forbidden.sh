#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_forbidden - what is no target is refused, and what may be one does no harm
# timeout: 900
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# The kernel takes a second and more for each reading of its symbols.
SYMBOLS=/tmp/symbols

# existing FUNCTION...: those of them that the kernel has
existing() {
	printf '%s\n' "$@" | awk '
		NR == FNR { if ($2 ~ /[tTwW]/ && NF == 3) has[$3]; next }
		$1 in has' $SYMBOLS -
}

# taken REASON FUNCTION...: those of them that the kernel has, and that are not refused so
taken() {
	reason=$1
	shift
	for name in $(existing "$@"); do
		if echo "$name" 2>/dev/null >>$KPROF/targets; then
			echo "$name: taken"
		elif ! grep -q "target=$name: .*\(may not be probed\|$reason\)" $KPROF/error; then
			cat $KPROF/error
		else
			echo "$name" >>/tmp/refused
		fi
	done
}

# between_symbols FIRST LAST STEP: every so many functions of those between two symbols.
# What is where the last one is, is listed in no order, and is none of them.
between_symbols() {
	awk -v first="$1" -v last="$2" -v step="$3" '
		NR == FNR { if ($3 == last) end = "x" $1; next }
		on && "x" $1 >= end { exit }
		on && $2 ~ /[tT]/ && $3 !~ /^__pfx_|^__end_|_text_(start|end)$/ && !(n++ % step) { print $3 }
		$3 == first { on = 1 }' $SYMBOLS $SYMBOLS
}

plan 10
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko enable=0
cat /proc/kallsyms >$SYMBOLS
touch /tmp/refused
# shellcheck disable=SC2046 # one word a function
{
is "$(taken 'kprof itself needs it' __unwind_start unwind_next_frame unwind_get_return_address \
	get_stack_info stack_access_ok __orc_find ftrace_graph_ret_addr is_ftrace_trampoline \
	__module_address __kernel_text_address kernel_text_address bpf_ksym_find \
	copy_from_kernel_nofault copy_from_user_nofault ktime_get_mono_fast_ns hrtimer_forward \
	irq_work_queue glob_match sprint_symbol_no_offset trace_event_buffer_reserve \
	trace_event_buffer_commit perf_trace_run_bpf_submit perf_tp_event \
	__traceiter_sched_process_exit __traceiter_sched_switch)" "" \
	"what a sample needs is refused"
is "$(taken 'kprof itself needs it' $(awk '$4 == "[kprof]" && $2 == "t" && $3 ~ /^[a-z_]*$/ \
	{ print $3 }' $SYMBOLS | sort | uniq -u | grep '^kprof_' | head -n 40))" "" \
	"as is kprof itself"
is "$(taken 'part of the idle loop' default_idle default_idle_call default_enter_idle mwait_idle \
	amd_e400_idle intel_idle acpi_idle_enter acpi_idle_do_entry acpi_safe_halt poll_idle \
	arch_cpu_idle cpuidle_enter_state call_cpuidle cpu_do_idle psci_enter_idle_state)" "" \
	"idle code is refused"
is "$(taken 'part of the idle loop' \
	$(between_symbols __cpuidle_text_start __cpuidle_text_end 1))" "" \
	"all that the kernel calls idle code"
is "$(taken 'runs in an NMI' exc_nmi asm_exc_nmi default_do_nmi nmi_handle nmi_cpu_backtrace \
	nmi_panic perf_event_nmi_handler x86_pmu_handle_irq intel_pmu_handle_irq \
	amd_pmu_handle_irq perf_ibs_nmi_handler ghes_notify_nmi perf_event_overflow)" "" \
	"what runs in an NMI is refused"
is "$(taken 'no other reason' $(between_symbols __noinstr_text_start __noinstr_text_end 10))" "" \
	"code that is not to be instrumented is refused"
is "$(taken 'no other reason' $(awk '{ print $2 }' /sys/kernel/debug/kprobes/blacklist |
	grep -v '^__pfx_' | head -n 600 | awk '!(NR % 15)'))" "" \
	"what is on the blacklist of kprobes is refused"
}
between "$(sort -u /tmp/refused | wc -l)" 25 1000 "and the kernel has many of all these"
rmmod kprof

# What a key reads may fault, and what handles the fault may be a target with such a key.
insmod /kprof/kprof.ko record=0
# shellcheck disable=SC2016 # $arg is kprof's
printf '%s\n' 'fixup_exception by=$arg2:ustring' 'vfs_read by=$arg3:ustring' >>$KPROF/targets
cat /proc/self/maps >/dev/null
between "$(latency vfs_read calls | head -n 1)" 1 1000000 "a key that faults in what handles faults"
rmmod kprof

# The filter runs at each call, and looks at parents under RCU; so may what it asks.
insmod /kprof/kprof.ko record=0 pid=$$ target=known_called,__rcu_read_lock 2>/dev/null ||
	insmod /kprof/kprof.ko record=0 pid=$$ target=known_called
known call 100
cat /proc/self/maps >/dev/null
is "$(unbalanced <$KPROF/stats)" "" "a filter, and what it would call, as targets"
rmmod kprof
rmmod kprof_known
