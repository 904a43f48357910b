# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# module.sh - what the tests of the module share: loading, reading, adding up
#
# Sourced after lib.sh.

# shellcheck disable=SC2034 # the tests use them

# What a function is called on this architecture.
case $(uname -m) in
x86_64)
	SYSCALL=do_syscall_64		# every system call
	INTERRUPT=asm_sysvec_apic_timer_interrupt
	UNPROBEABLE=do_int3 ;;
aarch64)
	SYSCALL=do_el0_svc
	INTERRUPT=el1h_64_irq
	UNPROBEABLE=do_sp_pc_abort ;;
esac

# known TRIGGER N: work of a known size; see modules/kprof_known.c
known() { echo "$2" >"/sys/module/kprof_known/parameters/$1"; }

# stat NAME: a value of the file stats
stat() { awk -v name="$1:" '$1 == name { print $2 }' $KPROF/stats; }

# folded_total [PATTERN]: counts of the lines of folded that match, added up
folded_total() {
	awk -v pattern="${1:-.}" '$0 ~ pattern { n += $NF } END { print n + 0 }' $KPROF/folded
}

# latency TARGET COLUMN: a value of the file latency
latency() {
	awk -F '\t' -v target="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$1 == target { print $at }' $KPROF/latency
}

# Sources whose account does not add up, and the ring if its does not; should
# print nothing. Reads one moment of stats, from its input, where the ring always is.
unbalanced() {
	awk -F ': ' '
		{ name = $1; sub(/\.[^.]*$/, "", name); field = $1; sub(/.*\./, "", field) }
		field == "fired" || field == "offered" { due[name] = $2; accounts++ }
		field == "recorded" || field ~ /^dropped_/ { sum[name] += $2 }
		END { if (!accounts) print "no accounts"
		      for (name in due) if (due[name] != sum[name]) print name, due[name], sum[name] }'
}

# A load of system calls, processes and interrupts on all CPUs, until killed.
load() {
	while :; do
		ls -lR /sys/class >/dev/null 2>&1
		dd if=/dev/zero of=/tmp/load bs=4k count=200 2>/dev/null
		sh -c 'cat /proc/self/maps >/dev/null'
	done
}

# calls TARGET [PATTERN]: calls of its rows in latency, of those whose context matches
calls() {
	awk -F '\t' -v target="$1" -v pattern="${2:-.}" '
		$1 == target && $2 ~ pattern { n += $3 } END { print n + 0 }' $KPROF/latency
}

# unaccounted TARGET: spans that began, less those whose fate is known; once it is stopped. One that was
# split is in two rows.
unaccounted() {
	echo $(($(stat "$1.recorded") - $(calls "$1") - $(stat "$1.left_out") - $(stat "$1.open") - \
		$(stat "$1.overwritten") - $(stat "$1.unended") + $(stat "$1.split")))
}

# eventually COMMAND...: it succeeds, within a minute; prints what it said at last if it does not
eventually() {
	_tries=0
	until _last=$("$@" 2>&1); do
		_tries=$((_tries + 1))
		[ $_tries -lt 300 ] || { echo "$_last"; return 1; }
		sleep 0.2
	done
}

# blocked PID...: is each of them
blocked() {
	for _pid; do
		read -r _stat <"/proc/$_pid/stat" || return 1
		case ${_stat##*) } in S*) ;; *) return 1 ;; esac
	done
}

# pids NAME: of the processes that are called that
pids() { grep -lx "$1" /proc/[0-9]*/comm 2>/dev/null | cut -d / -f 3; }

# What "sh -c" runs for one that is called what its first argument says, and does what the second says.
# shellcheck disable=SC2016
NAMED='printf %s "$0" >/proc/self/comm; eval "$1"'

# has_trampoline: is it what watches known_called, which is there. Where kprof cannot be loaded there
# is no knowing: what is skipped without one is tried, and fails.
has_trampoline() {
	insmod /kprof/kprof.ko target=known_called || return 0
	_probe=$(sed -n 's/.*by \(trampoline\).*/\1/p' $KPROF/targets)
	rmmod kprof
	[ -n "$_probe" ]
}

# many_functions: 64 targets, separated by commas, of those that this kernel has, each by a
# name that is of no other function: functions that sleep, that interrupts call, that
# schedule, with many arguments, called a lot.
many_functions() {
	tr -s ' \t' '\n' <<-'END' | awk '
		NR == FNR { if ($2 ~ /[tT]/) functions[$3]++; next }
		functions[$1] == 1' /proc/kallsyms - | head -n 64 | paste -sd , -
	known_called known_eight known_fourteen known_sleeper known_recursive known_turn known_loop
	vfs_read vfs_write vfs_open vfs_statx do_sys_poll ksys_read ksys_write do_sys_openat2
	path_openat link_path_walk walk_component lookup_fast dput mntput fput filp_close __fput
	do_filp_open getname_flags putname schedule_timeout schedule msleep usleep_range_state
	hrtimer_nanosleep do_nanosleep pipe_read pipe_write do_pipe2 kernel_clone copy_process
	wake_up_new_task do_wait kernel_wait4 do_exit exit_mmap mmput do_mmap vm_mmap_pgoff
	handle_mm_fault do_fault filemap_map_pages kfree kmem_cache_free __alloc_pages
	get_page_from_freelist free_unref_page try_to_wake_up enqueue_task_fair dequeue_task_fair
	update_curr run_timer_softirq hrtimer_interrupt tick_sched_handle rcu_core run_rebalance_domains
	nr_processes seq_read_iter proc_reg_read_iter show_stat security_file_permission
	bprm_execve load_elf_binary begin_new_exec
	END
}

# delay_dequeue DELAY_DEQUEUE|NO_DELAY_DEQUEUE: as 6.12 and later have it in sched/features, where a task
# that goes to sleep may stay queued for a while. Of one that is moved to another CPU meanwhile
# /proc/PID/schedstat says that it waited for a CPU as long as it slept (seen: 7.1 s of 0.8).
delay_dequeue() {
	if [ -w /sys/kernel/debug/sched/features ]; then
		echo "$1" 2>/dev/null >/sys/kernel/debug/sched/features
	fi
}

# uptime_ms: in steps of 10 ms. What is between two readings took up to 10 ms longer than they differ.
uptime_ms() { sed 's/^\([0-9]*\)[.]\([0-9]*\) .*/\1\20/; s/^0*//' /proc/uptime; }

# Was the reader built with capstone, which it loads by itself? What it prints does not decide that.
has_capstone() { grep -q 'libcapstone\.so\.' "$(command -v kprof)"; }
