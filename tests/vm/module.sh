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
	UNPROBEABLE=do_debug_exception ;;
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
# print nothing. Reads one moment of stats, from its input.
unbalanced() {
	awk -F ': ' '
		{ name = $1; sub(/\.[^.]*$/, "", name); field = $1; sub(/.*\./, "", field) }
		field == "fired" || field == "offered" { due[name] = $2 }
		field == "recorded" || field ~ /^dropped_/ { sum[name] += $2 }
		END { for (name in due) if (due[name] != sum[name]) print name, due[name], sum[name] }'
}

# A load of system calls, processes and interrupts on all CPUs, until killed.
load() {
	while :; do
		ls -lR /sys/class >/dev/null 2>&1
		dd if=/dev/zero of=/tmp/load bs=4k count=200 2>/dev/null
		sh -c 'cat /proc/self/maps >/dev/null'
	done
}
