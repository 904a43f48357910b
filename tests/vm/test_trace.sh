#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_trace - trace-cmd reads kprof's events, and finds all of them
# vm: --bin trace-cmd
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
plan 6
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=999 target=known_called idle=1 enable=0
trace-cmd record -q -b 20000 -e kprof sh -c "
	echo 1 >$KPROF/enable
	echo 1000 >/sys/module/kprof_known/parameters/call
	echo 1000 >/sys/module/kprof_known/parameters/spin
	echo 0 >$KPROF/enable" >/dev/null 2>&1
trace-cmd report >report 2>errors
is "$(cat errors)" "" "trace-cmd report has nothing to complain of"
is "$(grep -c ' sample: ' report)" $(($(stat timer.recorded) + $(stat known_called.recorded))) \
	"as many kprof:sample events as samples recorded"
is "$(grep -c ' sample: .*source=timer ' report)" "$(stat timer.recorded)" "for each source"
is "$(grep -c ' call: .*source=known_called ' report)" "$(latency known_called calls)" \
	"and a kprof:call for each call"
matches "$(cat report)" 'sample: .*source=known_called ip=.*known_called.* context=task' \
	"with the function's name"
is "$(awk '/ call: / { sub(/.*latency=/, ""); n += $1 } END { print n }' report)" \
	"$(latency known_called total_ns)" "whose latencies add up to the total"
rmmod kprof
rmmod kprof_known
