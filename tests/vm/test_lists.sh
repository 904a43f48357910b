#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lists - functions that the module knows by their names are there, and need to be known
# vm: --add module/calls/forbidden.c:/kprof/forbidden.c --add module/targets/probe.c:/kprof/probe.c
# repeats
#
# A name that no kernel has any more protects nothing, and its function may go on by another. What
# kprobes refuse by themselves needs no name. Which of the names are for other kernels than this
# is in the tables below; a kernel that is not in them is looked at by a person first.
. /kprof/tests/lib.sh

SYMBOLS=/tmp/symbols
BLACKLIST=/tmp/blacklist

# names LIST: the names in a list of probe.c, a line each
names() {
	sed -n "/ $1\\[\\] = {/,/^};/p" /kprof/probe.c | grep -o '"[^"]*"' | tr -d '"'
}

# patterns: those of forbidden.c
patterns() { sed -n 's/{ "/\n&/gp' /kprof/forbidden.c | sed -n 's/^{ "\([^"]*\)", [A-Z]* }.*/\1/p'; }

# needless: of the patterns in its input, those for which no function is here that may be probed
needless() {
	awk -v symbols=$SYMBOLS -v blacklist=$BLACKLIST '
		BEGIN {
			while ((getline <blacklist) > 0) refused[$2]
			while ((getline <symbols) > 0)
				if ($2 ~ /[tTwW]/ && NF == 3 && !($3 in refused)) has[$3]
		}
		{
			if ($0 in has)
				next
			begins = pattern = $0
			sub(/\*.*/, "", begins)
			if (!gsub(/\*/, "[^ ]*", pattern)) {
				print
				next
			}
			for (name in has)	# hundred thousand: a pattern costs more than how it begins
				if ((begins == "" || index(name, begins) == 1) && name ~ ("^" pattern "$"))
					next
			print
		}'
}

# for_others: what is for other kernels than this one
for_others() {
	case $(uname -m) in
	x86_64) cat <<-'END' ;;
		cpu_do_idle
		psci_*idle*
		*psci_*suspend*
		__invoke_psci_fn_*
		cpu_suspend
		orc_find
		__arm64_sys_exit
		__arm64_sys_exit_group
		secondary_start_kernel
		acpi_safe_halt
		tdx_*halt
	END
	esac
	case $(uname -r) in
	7.*)	# a macro for do_exit() there
		echo kthread_exit ;;
	esac
	case $(uname -r) in
	6.1.*) ;;
	# The idle loop is not to be instrumented there.
	*) cat <<-'END' ;;
		default_idle*
		default_enter_idle
		mwait_idle
		amd_e400_idle
		poll_idle
		xen_safe_halt
		tick_check_broadcast_expired
	END
	esac
}

case $(uname -r)-$(uname -m) in
*-debug-*|*-kcsan-*) skip_all "a kernel that is built for tests has but a part of all functions" ;;
6.1.*-x86_64|6.12.*-x86_64|7.2*-x86_64) ;;
*) skip_all "the lists were not looked at for this kernel" ;;
esac
cat /proc/kallsyms >$SYMBOLS
cat /sys/kernel/debug/kprobes/blacklist >$BLACKLIST
for_others >/tmp/others

plan 7
for list in endless waiting_rooms; do
	between "$(names $list | wc -l)" 3 100 "there are names in $list"
	is "$(names $list | needless | grep -vxFf /tmp/others)" "" \
		"each of them is a function here, which kprobes take: $list"
done
between "$(patterns | wc -l)" 50 200 "there are patterns in forbidden"
is "$(patterns | needless | grep -vxFf /tmp/others)" "" \
	"each of them is of a function here, which kprobes take: forbidden"
{ patterns; names endless; names waiting_rooms; } | needless >/tmp/needless
is "$(grep -vxFf /tmp/needless /tmp/others)" "" \
	"and what is said here to be for other kernels is not of this one"
