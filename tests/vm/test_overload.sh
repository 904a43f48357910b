#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# overload - sampling slows down before it takes a CPU over, and recovers
#
# icount
#
# Where instructions are counted, what a sample takes does not depend on the machine: by the
# kernel's unwinder more than 1,000 with its stack, when 666 are 1 % of a CPU at 15 kHz.
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 14
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=20000 max_cpu=1 idle=1 depth=64 unwind=kernel
known spin 700
between "$(stat timer.slowdown)" 2 4096 "at 20 kHz, 1 % of a CPU makes the period longer"
between "$(stat timer.throttled)" 1 10000000 "what is left out is counted"
is "$(dmesg | grep -c 'sampling slows down where it takes more than max_cpu=1 ')" 1 "and the log says so, once"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
echo 0 >$KPROF/enable
is "$(awk '{ n += $NF } END { print n / 50000 }' $KPROF/folded_ns)" \
	$(($(stat timer.recorded) + $(stat timer.overrun) + $(stat timer.throttled))) \
	"folded_ns adds up to ticks, overruns, and ticks left out"
is "$(awk '{ print $NF % 50000 }' $KPROF/folded_ns | sort -u)" 0 "all of them whole"

# The idle task, which idle=0 drops, is hardly any load: 250 to 300 instructions.
echo 0 >$KPROF/idle
echo 1 >$KPROF/max_cpu
echo 15000 >$KPROF/freq
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
known spin 500
between "$(stat timer.throttled)" 1 10000000 "without samples of the idle task, too"
tries=0
while [ "$(stat timer.slowdown)" != 1 ] && [ $tries -lt 60 ]; do
	sleep 1
	tries=$((tries + 1))
done
case $(uname -r) in
*-debug|*-kcsan) skip "when there is less to do the period becomes what it was" \
	"with all its checkers this kernel takes more than 1 % even then" ;;
*) is "$(stat timer.slowdown)" 1 "when there is less to do the period becomes what it was" ;;
esac
echo 0 >$KPROF/enable

echo 100 >$KPROF/max_cpu
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
known spin 300
is "$(stat timer.slowdown)" 1 "with 100 % nothing is throttled"
is "$(stat timer.throttled)" 0 "and no tick left out"
echo 0 >$KPROF/enable
echo 1 >$KPROF/max_cpu
echo 99 >$KPROF/freq
echo 1 >$KPROF/enable
sleep 2
is "$(stat timer.slowdown)" 1 "nor at 99 Hz on an idle machine"
is "$(cat $KPROF/max_cpu)" 1 "max_cpu is what was asked for"

kprof record -a -F 20000 -K -o /tmp/data -- sh -c "echo 500 >/sys/module/kprof_known/parameters/spin" 2>/tmp/said
matches "$(cat /tmp/said)" " [0-9]+ ticks were left out by max_cpu: " "record says that ticks were left out"
matches "$(kprof report /tmp/data)" "# [0-9]+ ticks were left out by max_cpu: " "and so does the report"
rmmod kprof
rmmod kprof_known
