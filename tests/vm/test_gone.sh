#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_gone - stacks through a module keep their names when it goes
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Frames of folded that have no name.
unknown() { sed 's/ [0-9]*$//' $KPROF/folded | tr ';' '\n' | grep -c -e '^0x' -e '^.no symbol.'; }

plan 16
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=20000 max_cpu=100 target=known_called by=stack,caller
is "$(unknown)" 0 "its own init, which is gone, has its name"
known spin 1000
known call 1000
echo 0 >$KPROF/enable
grep 'known_' $KPROF/folded >/tmp/before
rows=$(latency known_called context)
matches "$rows" '^stack=.*;call_thread;known_called,caller=call_thread[+]0x[0-9a-f]*$' \
	"keys that are a stack and a caller have names"
between "$(grep -c known_half /tmp/before)" 1 1000 "samples of the module are there"
rmmod kprof_known
is "$(unknown)" 0 "when it goes no frame loses its name"
is "$(latency known_called context)" "$rows" "nor does a key"
is "$(grep 'known_' $KPROF/folded)" "$(cat /tmp/before)" "the stacks through it read as before"
insmod $MODULES/kprof_known.ko
is "$(unknown)" 0 "nor when it comes back, to this place or another"
is "$(grep 'known_' $KPROF/folded)" "$(cat /tmp/before)" "and they read as before"
rmmod kprof_known
is "$(grep 'known_' $KPROF/folded)" "$(cat /tmp/before)" "when it goes again, too"
echo 1 >$KPROF/reset
is "$(cat $KPROF/folded)" "" "reset forgets"
is "$(stat known_called.recorded)" 0 "all of it"
rmmod kprof

# Points that are not attached have only addresses, which are soon those of something else.
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko event=none target='known_called..known_called%return' record=0
known call 5
echo 0 >$KPROF/enable
seen=$(calls known_called..known_called%return)
between "$seen" 5 100000 "a span is seen while its module is there"
rmmod kprof_known
matches "$(cat $KPROF/targets)" 'known_called..*module is gone' "a span's end is noticed while nothing is attached"
insmod $MODULES/kprof_known.ko
succeeds "and it starts again without it" sh -c "echo 1 >$KPROF/enable"
known call 5
is "$(calls known_called..known_called%return)" "$seen" "what comes in its place is not watched"
is "$(grep -c 'kprof_known' /sys/kernel/debug/kprobes/list)" 0 "nor has it a probe"
rmmod kprof
rmmod kprof_known
