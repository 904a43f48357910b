#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_verbs - verbs that show a preset: system calls of which the number is known; the exit
# status of all verbs that run a command
# vm: --try-bin strace
# any kernel
# sanitizers
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"
calls=/kprof/programs/calls

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# row NAME: "calls errors" of a row of syscalls --csv
row() { awk -F , -v name="$1" '$6 == name { print $4, $5 }' /tmp/said; }

plan 18

# --- syscalls ---
is "$(status kprof syscalls --csv -- $calls 50)" 0 "kprof syscalls of a command"
is "$(row getppid) $(row close) $(row chdir)" "100 0 100 100 150 100" "calls and errors, by name"
is "$(status kprof syscalls --errors --csv -- $calls 50)" 0 "with --errors"
is "$(awk -F , '$6 == "chdir" || $6 == "close" { print $6, $7, $4 }' /tmp/said | sort | tr '\n' ' ')" \
	"chdir - 50 chdir ENOENT 100 close EBADF 100 " "errors by name"
is "$(status kprof syscalls --by-process --csv -- $calls 50)" 0 "with --by-process"
is "$(awk -F , '$6 == "getppid" && $7 == "calls" { print $4 }' /tmp/said | tr '\n' ' ')" "50 50 " \
	"a row for each thread"
status kprof syscalls -- $calls 50 >/dev/null
matches "$(cat /tmp/said)" '^# lost: 0$' "the account is below the table"
status kprof syscalls --offcpu --csv -- sleep 0.5 >/dev/null
between "$(awk -F , '$7 ~ /nanosleep/ { n += $3 * 1e3 } END { printf "%d", n }' /tmp/said)" 450 60000 \
	"a sleeper is off the CPU"
is "$(awk -F , '$7 ~ /nanosleep/ { print ($3 <= $2) }' /tmp/said)" 1 "but for no longer than the call took"
is "$(awk -F , '$7 == "execve" { print $5, $6 }' /tmp/said)" "1 0" "the command is not looked for meanwhile"
is "$(status kprof syscalls --offcpu --by-process --csv -- sleep 0.5)" 0 "with --by-process, too"
between "$(awk -F , '$7 ~ /nanosleep/ && $8 == "sleep" { n += $3 * 1e3 } END { printf "%d", n }' /tmp/said)" 450 60000 \
	"the same of each thread"
is "$(status kprof locks --holders --by-lock --by-process -- true) $(grep -c 'any two of them' /tmp/errors)" "2 1" \
	"three of which two go together are refused, in words"
if command -v strace >/dev/null; then
	# Before execve the task is still kprof's; whether a thread waits by futex is chance.
	strace -cf -o /tmp/traced $calls 50
	status kprof syscalls --by-process --csv -- $calls 50 >/dev/null
	is "$(awk -F , '$7 == "calls" { calls[$6] += $4; errors[$6] += $5 }
			END { for (name in calls) print name, calls[name], errors[name] }' /tmp/said |
			grep -v -e futex -e execve | sort)" \
		"$(awk 'NR > 2 && !/^-/ && !/total|futex|execve/ {
			print $NF, $4, NF == 6 ? $5 : 0 }' /tmp/traced | sort)" \
		"the same calls and errors as strace -cf"
else
	skip "the same as strace -cf" "there is no strace in this guest"
fi
narrow=/kprof/programs/narrow_calls
if [ -x $narrow ] && $narrow; then
	status kprof syscalls --csv -- $narrow >/dev/null
	is "$(row getppid) $(row close) $(row chdir)" "50 0 50 50 75 50" \
		"calls and errors of a program of 32 bits, which numbers them otherwise"
	status kprof syscalls --errors --csv -- $narrow >/dev/null
	is "$(awk -F , '$6 == "chdir" || $6 == "close" { print $6, $7, $4 }' /tmp/said | sort | tr '\n' ' ')" \
		"chdir - 25 chdir ENOENT 50 close EBADF 50 " "and errors by name"
else
	for what in "and errors of a program of 32 bits" "and errors by name"; do
		skip "calls $what" "this kernel runs no program of 32 bits"
	done
fi

# --- the status of the command ---
# each COMMAND...: the status of each verb that runs it, by way of running
each() {
	for verb in "record -q" "lat vfs_read" "trace vfs_read" "explain vfs_read comm" "blocks vfs_read" \
		"use" "syscalls" "io --each" "stat"; do
		# shellcheck disable=SC2086 # a verb with its arguments
		echo "$(status kprof $verb -- "$@") ${verb%% *}"
	done | sort | awk '$1 != last { printf "%s%s:", last == "" ? "" : "; ", $1; last = $1 }
		{ printf " %s", $2 } END { print "" }'
}
all="blocks explain io lat record stat syscalls trace use"
is "$(each sh -c 'read -r line </proc/version; exit 7')" "7: $all" "the status of a command that fails is kprof's"
is "$(each /no/such/command)" "127: $all" "so is that there is no such command"
