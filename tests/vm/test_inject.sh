#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_inject - kprof inject on this architecture: calls that return what was asked, and are not made
# repeats
. /kprof/tests/lib.sh

plan 7

# row: calls, injected, lost, of the account
row() { sed -n 's/^ *\([0-9]*\) *\([0-9]*\) *\([0-9]*\) .*/\1 \2 \3/p' /tmp/account; }

inject() { kprof inject -o /tmp/account "$@" 2>/tmp/err; }

is "$(inject -e inject=read:retval=0:when=8 dd if=/dev/zero bs=1 count=20 | wc -c)" 7 \
	"the eighth read returns 0: that is the end"
is "$(row)" "8 1 0" "the account says so"
is "$(inject -e fault=read:error=EINTR:when=2+3 dd if=/dev/zero bs=1 count=20 | wc -c) $(row)" "20 30 10 0" \
	"what fails with EINTR is tried again"
inject -e fault=write:error=ENOSPC:when=3 dd if=/dev/zero of=/dev/null bs=1 count=20
matches "$(cat /tmp/err)" "No space left" "a program gets the error that was asked for"
inject -e inject=read:signal=TERM:when=5 dd if=/dev/zero of=/dev/null bs=1 count=20
is "$?" 143 "a signal ends it"
from=$(cut -d . -f 1 /proc/uptime)
inject -e inject=read:delay_enter=3s:when=2 dd if=/dev/zero of=/dev/null bs=1 count=4
between $(($(cut -d . -f 1 /proc/uptime) - from)) 3 1000 "a delay takes its time"

insmod /kprof/kprof.ko
calls=$(kprof lat vfs_read --comm dd --csv -- kprof inject -o /dev/null -e fault=read:error=EINTR:when=2+3 \
	dd if=/dev/zero of=/dev/null bs=1 count=20 2>/dev/null | awk -F , 'NR == 2 { print $3 }')
is "$calls" 20 "a call that is skipped is not made"
rmmod kprof
