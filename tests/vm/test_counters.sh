#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_counters - performance counters: accounts, periods, what a machine lacks
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# refused EVENT: insmod fails, and the log says what the machine has
refused() {
	echo "<6>test_counters: $1" >/dev/kmsg
	insmod /kprof/kprof.ko event="$1" 2>/dev/null && rmmod kprof
	dmesg | sed "1,/test_counters: $1/d"
}

plan 29
# An interrupt during which the machine stood still makes perf allow fewer of them from then on.
echo 100000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko event=cpu-clock freq=999 max_cpu=100
known spin 1000
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
is "$(folded_total)" "$(stat cpu-clock.recorded)" "folded adds up to what was recorded"
is "$(cut -d ' ' -f 2,3 $KPROF/sources)" "cpu-clock counter" "sources has it as a counter"
matches "$(cat $KPROF/folded)" '^known-spin/[01];ret_from_fork.*;kthread;spin_thread;known_half' \
	"a thread's stack is whole"

# A period instead of a frequency: the weight of every sample.
echo 2000000 >$KPROF/period
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
known spin 500
echo 0 >$KPROF/enable
is "$(folded_total)" "$(awk '{ n += $NF } END { print n / 2000000 }' $KPROF/folded_ns)" \
	"a sample weighs its period"
is "$(stat cpu-clock.throttled)" 0 "500 a second are not too many"
echo timer >$KPROF/event
echo 1 2>/dev/null >$KPROF/enable
matches "$(cat $KPROF/error)" '^period=2000000: is of a counter' "the timer has no period"
echo 0 >$KPROF/period
echo 1 >$KPROF/enable
known spin 200
echo 0 >$KPROF/enable
is "$(cut -d ' ' -f 2 $KPROF/sources | sort | tr '\n' ' ')" "cpu-clock timer " \
	"what two sources saw is kept apart"
echo 1 >$KPROF/reset
is "$(cut -d ' ' -f 2 $KPROF/sources)" timer "and forgotten at a reset"
rmmod kprof

# What drives sampling may be more than one thing.
insmod /kprof/kprof.ko event=timer+cpu-clock freq=499 max_cpu=100
known spin 1000
echo 0 >$KPROF/enable
is "$(cat $KPROF/event)" timer+cpu-clock "two events that drive sampling"
is "$(cut -d ' ' -f 2,3 $KPROF/sources | sort | tr '\n' ' ')" "cpu-clock counter timer timer " \
	"each of them is a source"
is "$(unbalanced <$KPROF/stats)" "" "with an account of its own"
is "$(folded_total)" $(($(stat timer.recorded) + $(stat cpu-clock.recorded))) \
	"folded has what both recorded"
is "$(cut -d ';' -f 1 $KPROF/folded | sort -u | tr '\n' ' ')" "[cpu-clock] [timer] " \
	"and its first frame tells them apart"
is "$(grep 'known-spin/1;.*;known_half' $KPROF/folded | cut -d ';' -f 1 | sort -u | tr '\n' ' ')" \
	"[cpu-clock] [timer] " "both saw the same function"
rmmod kprof
matches "$(refused timer+timer)" 'event=timer: is there twice' "nothing drives sampling twice"
matches "$(refused cpu-clock+none)" 'event=none: unknown' "none is not one more"

# With a CPU that goes and comes.
insmod /kprof/kprof.ko event=cpu-clock idle=1
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
echo 1 >$KPROF/reset
known spin 500
is "$(folded_total '^known-spin/1;' | sed 's/^[1-9].*/some/')" some "a CPU that comes back is sampled"
rmmod kprof

# Under emulation x86-64 has no counters, and arm64 cannot count cache misses.
if insmod /kprof/kprof.ko event=cycles 2>/dev/null; then
	rmmod kprof
	skip "an event the machine lacks is refused" "this machine has cycles"
	skip "and the log says what it has" "this machine has cycles"
else
	matches "$(refused cycles)" 'kprof: event=cycles: this machine cannot count it' \
		"an event the machine lacks is refused"
	matches "$(refused branch-misses)" 'it counts: cpu-clock$' "and the log says what it has"
fi
# Lists of events: one that leads, and those that can be read along.
matches "$(refused timer,cycles)" 'event=cycles: cannot be read with timer, which is no counter' \
	"the timer leads no counters"
matches "$(refused cpu-clock,timer)" 'event=timer: is no counter' "nor does it follow one"
matches "$(refused cpu-clock,cpu-clock)" 'event=cpu-clock: is there twice' "nothing is counted twice"
matches "$(refused r1,r2,r3,r4,r5)" 'event=r5: too many; give at most 4 events' "four are enough"
matches "$(refused cpu-clock,cache-misses)" \
	'event=cache-misses: this machine cannot count it .*; it counts: cpu-clock' \
	"one that follows is refused by its name"
is "$(kprof record -q --module /kprof/kprof.ko -F 99 -c 1000 -o /tmp/data -- true 2>&1 | head -n 1)" \
	"kprof record: --freq and --count contradict each other: give one of them" \
	"a frequency and a period contradict each other"
matches "$(kprof record -q --module /kprof/kprof.ko -c 1000 -o /tmp/data -- true 2>&1)" \
	'^kprof record: --count counts events of a counter' "the reader's timer has no period, either"
kprof record -q --module /kprof/kprof.ko -e cpu-clock -c 1000000 -o /tmp/data -- \
	sh -c 'echo 200 >/sys/module/kprof_known/parameters/spin'
matches "$(kprof report /tmp/data)" '^# period: *1000000$' "the reader samples by a counter"
matches "$(refused cylces)" 'event=cylces: unknown; give one of: none, timer, cpu-clock, cycles' \
	"a name that is none is refused"
rmmod kprof_known
