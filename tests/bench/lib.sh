#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# lib.sh - what the parts of the benchmark that run in the virtual machine share
#
# A part leaves lines "NAME VALUE" in /out/results, of which tests/bench/table makes the
# table. Under -icount a nanosecond of this machine's clock is an instruction.
# "missing.NAME WHY" stands for values that cannot be had.
# shellcheck disable=SC2034 # read by the parts
set -eu

KPROF=/sys/kernel/debug/kprof
RESULTS=/out/results

result() { echo "$1 $2" >>$RESULTS; }

# The last words of what failed.
missing() { result "missing.$1" "$(tail -n 1 /tmp/said | tr -d '\r')"; }

stat() { sed -n "s/^$1: //p" $KPROF/stats; }

# stopwatch NAME COMMAND: what it takes is time.NAME
stopwatch() {
	# shellcheck disable=SC2086 # the words of a command
	/stopwatch $RESULTS "time.$1" $2 2>/dev/null
}

# bpf NAME COMMAND PROGRAM
bpf() {
	bpftrace -e "$3" -c "/stopwatch $RESULTS time.$1 $2" >/tmp/said 2>&1 || missing "$1"
}

cd /tmp
result release "$(uname -r)"
