#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lists - functions that the module knows by their names are there, and need to be known
# vm: --add module/calls/forbidden.c:/kprof/forbidden.c --add module/targets/probe.c:/kprof/probe.c
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

# needless: of the patterns in its input, those for which no function is here that may be probed. There
# are a hundred thousand functions, so each is compared with the patterns that begin as it does.
needless() {
	awk -v symbols=$SYMBOLS -v blacklist=$BLACKLIST '
		function look(nr) {
			if (nr in open && $3 ~ ("^" expression[nr] "$"))
				delete open[nr]
		}
		{
			open[NR]
			pattern[NR] = expression[NR] = $0
			gsub(/\*/, "[^ ]*", expression[NR])
			begins = $0
			sub(/\*.*/, "", begins)
			begins = length(begins) < 3 ? "" : substr(begins, 1, 3)
			those[begins] = those[begins] " " NR
		}
		END {
			while ((getline <blacklist) > 0)
				refused[$2]
			for (all = split(those[""], anywhere, " "); (getline <symbols) > 0; ) {
				if ($2 !~ /[tTwW]/ || NF != 3 || $3 in refused)
					continue
				for (i = 1; i <= all; i++)
					look(anywhere[i])
				begins = substr($3, 1, 3)
				if (begins in those) {
					n = split(those[begins], some, " ")
					for (i = 1; i <= n; i++)
						look(some[i])
				}
			}
			for (nr in open)
				print pattern[nr]
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

{ patterns; names endless; names waiting_rooms; } | needless >/tmp/needless
# unknown: of the names in its input, those that are needless here, and not said to be for other kernels
unknown() { grep -xFf /tmp/needless | grep -vxFf /tmp/others; }

plan 7
for list in endless waiting_rooms; do
	between "$(names $list | wc -l)" 3 100 "there are names in $list"
	is "$(names $list | unknown)" "" "each of them is a function here, which kprobes take: $list"
done
between "$(patterns | wc -l)" 50 200 "there are patterns in forbidden"
is "$(patterns | unknown)" "" "each of them is of a function here, which kprobes take: forbidden"
is "$(grep -vxFf /tmp/needless /tmp/others)" "" \
	"and what is said here to be for other kernels is not of this one"
