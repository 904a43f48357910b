#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_sampling - the timer: accounts, filters, rate, idle, interrupts off
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 19
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=999 max_cpu=100
known spin 1000
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
is "$(folded_total)" "$(stat timer.recorded)" "folded adds up to what was recorded"
is "$(grep '^swapper' $KPROF/folded | grep -vc 'softirq')" 0 \
	"samples of the idle task are left out, but not of softirqs on top of it"
is "$(stat unwind.mismatch)" 0 "nothing to compare: no mismatch"
is "$(awk '{ n += $NF } END { print n % 1001001 }' $KPROF/folded_ns)" 0 \
	"folded_ns counts whole periods"

echo 1 >$KPROF/reset
is "$(cat $KPROF/folded; stat timer.recorded)" 0 "reset empties the profile"

# Filters. What does not match is counted as such.
echo 'known-spin/0' >$KPROF/comm
echo 1 >$KPROF/enable
known spin 300
echo 0 >$KPROF/enable
is "$(folded_total)" "$(folded_total '^known-spin/0;')" "comm= lets one task through"
between "$(stat timer.dropped_filter)" 1 1000000 "and counts the others as dropped"
echo 'known-spin/*' >$KPROF/comm
if [ -e /sys/devices/system/cpu/cpu1 ]; then
	echo 1 >$KPROF/cpus
	echo 1 >$KPROF/reset
	echo 1 >$KPROF/enable
	known spin 300
	echo 0 >$KPROF/enable
	# (Before it is bound to its CPU a new thread may begin on another one.)
	is "$(folded_total '^known-spin/0;.*;spin_thread[; ]')" 0 "cpus= lets one CPU through"
	between "$(folded_total '^known-spin/1;.*;spin_thread[; ]')" 1 1000000 "and there are samples of it"
	echo all >$KPROF/cpus
else
	for what in "cpus= lets one CPU through" "and there are samples of it"; do
		skip "$what" "there is one CPU"
	done
fi
echo '' >$KPROF/comm
echo $$ >$KPROF/pid
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
sh -c 'dd if=/dev/zero of=/dev/null bs=1M count=300 2>/dev/null'
known spin 300
echo 0 >$KPROF/enable
between "$(folded_total '^dd;')" 1 1000000 "pid= includes what that process starts"
is "$(folded_total '^known-spin')" 0 "and leaves out others"
echo '' >$KPROF/pid

# The idle task, when it is asked for.
echo 1 >$KPROF/idle
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
sleep 1
echo 0 >$KPROF/enable
between "$(folded_total '^swapper[/;]')" 1 1000000 "idle=1 records the idle task"
is "$(stat timer.dropped_idle)" 0 "and drops none of it"
echo 0 >$KPROF/idle

# With interrupts off the timer is late; the time is charged all the same.
echo ash >$KPROF/comm
echo sh >$KPROF/comm
echo '' >$KPROF/comm
echo $$ >$KPROF/pid
echo 1 >$KPROF/reset
before=$(uptime_ms)
echo 1 >$KPROF/enable
known irq_off 500
echo 0 >$KPROF/enable
took=$(($(uptime_ms) - before + 10))
between "$(awk '/;known_irqs_off/ || /;do_irq_off/ { n += $NF } END { print int(n / 1000000) }' \
	$KPROF/folded_ns)" 450 $took "half a second without interrupts is charged where they come on"
between "$(stat timer.overrun)" 450 $((took * $(nproc))) "and its ticks are counted as overrun"
echo '' >$KPROF/pid

# The function alone.
echo none >$KPROF/stacks
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
known spin 300
echo 0 >$KPROF/enable
is "$(grep -c ';.*;' $KPROF/folded)" 0 "stacks=none has a frame for each sample"
between "$(folded_total '^known-spin/.;known_half ')" 1 1000000 "which is the function"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped, still"
rmmod kprof
rmmod kprof_known
