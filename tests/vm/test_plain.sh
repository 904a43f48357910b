#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_plain - spans of which nothing but the time and keys is asked: where they begin and end has
# a shorter way, and what is seen there is the same
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF"
case $(uname -m) in x86_64) chdir=80 ;; aarch64) chdir=49 ;; esac

# A shell changes seven times into a folder that is not there, and as often into one that is.
change() { sh -c 'for i in 1 2 3 4 5 6 7; do cd /nowhere; cd /; done' 2>/dev/null; }

# changes TARGET: calls that worked, and calls that failed, of a target by syscall,end(errno($arg2))
changes() { echo "$(calls "$1" "^syscall=$chdir,.*=0\$") $(calls "$1" "^syscall=$chdir,.*=2\$")"; }

# adds_up TARGET...: nothing, if their accounts do, now that they are stopped
adds_up() {
	unbalanced <$KPROF/stats
	for _target; do [ "$(unaccounted "$_target")" = 0 ] || echo "$_target"; done
}

plan 23

# One that is not plain comes and goes between two that are, at the same tracepoints.
insmod /kprof/kprof.ko record=0 target=@syscalls
change
is "$(changes @syscalls)" "7 7" "system calls by error"
echo 'tp:sys_enter..tp:sys_exit as=other by=syscall,end(errno($arg2)) min=1ns' >>$KPROF/targets
echo 'tp:sys_enter..tp:sys_exit as=plain' >>$KPROF/targets
change
is "$(changes @syscalls) $(changes other)" "14 14 7 7" "those that are plain, and one that is not, see the same"
echo -other >>$KPROF/targets
change
is "$(changes @syscalls) $(changes other)" "21 21 7 7" "that one sees none when it is gone"
echo 0 >$KPROF/enable
is "$(adds_up @syscalls other plain)" "" "accounts add up"
between "$(stat @syscalls.dropped_unbegun)" 0 50 "what comes and goes parts no ends from their beginnings"
rmmod kprof

# Keys of any kind, and none.
words='tp:sys_enter..tp:sys_exit as=words by=$arg2,end($arg2)'
many='tp:sys_enter..tp:sys_exit as=many by=comm,syscall,cpu,end(context),end($arg2)'
insmod /kprof/kprof.ko record=0 target="\"$words;$many;tp:sys_enter..tp:sys_exit as=none\""
change
echo 0 >$KPROF/enable
is "$(calls words "^[\$]arg2=$chdir,end.*=0\$") $(calls words "^[\$]arg2=$chdir,end.*=-2\$")" "7 7" \
	"arguments of the beginning and the end"
is "$(calls many "^comm=.sh.,syscall=$chdir,cpu=[0-9]+,end.context.=task,end.*=-2\$")" 7 \
	"keys that are read in several ways"
is "$(calls words) $(calls many)" "$(calls none) $(calls none)" "all three see the same calls"
is "$(adds_up words many none)" "" "accounts add up"
rmmod kprof

# A sleeper, three times. It is off the CPU a little shorter than it was told to sleep.
off='tp:sched_switch($arg2,state!=dead)..tp:sched_switch($arg3) as=off by=comm,state'
insmod /kprof/kprof.ko record=0 target="\"@offcpu;@runqueue;$off\""
start=$(uptime_ms)
sleep 0.3; sleep 0.3; sleep 0.3
end=$(uptime_ms)
echo 0 >$KPROF/enable
off_cpu() { awk -F '\t' -v at="$1" '$1 == "off" && $2 == "comm=\"sleep\",state=sleep" { n += $at } END { printf "%.0f", n }' $KPROF/latency; }
is "$(off_cpu 3)" 3 "off the CPU: three times asleep"
between "$(off_cpu 5)" 600000000 $(((end - start + 20) * 1000000)) "for no longer than the wall"
is "$(calls off ',state=preempted$') $(calls off)" "$(calls @offcpu '^state=preempted$') $(calls @offcpu)" \
	"by state it is the same"
between "$(calls @runqueue)" 3 1000000000 "each had to get the CPU again"
is "$(adds_up off @offcpu @runqueue)" "" "accounts add up"
rmmod kprof

# Switches have a way of their own while nothing else is asked there.
insmod /kprof/kprof.ko record=0 target=@offcpu
sleep 0.2; sleep 0.2
echo "$off" >>$KPROF/targets
sleep 0.2; sleep 0.2
echo -off >>$KPROF/targets
before=$(calls @offcpu '^state=sleep$')
sleep 0.2; sleep 0.2
echo 0 >$KPROF/enable
is "$(off_cpu 3)" 2 "one more that is asked at switches sees what it should"
between "$before" 4 1000000000 "before and meanwhile, the other sees it, too"
between "$(calls @offcpu '^state=sleep$')" $((before + 2)) 1000000000 "and when that one is gone"
is "$(adds_up @offcpu off)" "" "accounts add up"
rmmod kprof
insmod /kprof/kprof.ko record=0 target=@runqueue
sleep 0.2; sleep 0.2
echo 0 >$KPROF/enable
between "$(calls @runqueue '^state=woken,end.current.=')" 2 1000000000 "who sleeps is woken, and runs"
is "$(adds_up @runqueue)" "" "the account adds up"
rmmod kprof

# What is left out, and what finds no room.
insmod /kprof/kprof.ko record=0 own=$$ max_open=16 target=@syscalls
change
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 100 & done
# shellcheck disable=SC2046 # one for each
asleep() {
	set -- $(pids sleep)
	[ $# -ge 20 ] && blocked "$@"
}
eventually asleep
is "$(stat @syscalls.dropped_own | awk '{ print ($1 > 20) }')" 1 "own= leaves out what this shell calls"
is "$(stat @syscalls.dropped_table | awk '{ print ($1 > 0) }')" 1 "in a table of sixteen there is no room for twenty"
echo 0 >$KPROF/enable
is "$(adds_up @syscalls)" "" "the account adds up"
rmmod kprof
# shellcheck disable=SC2046 # one for each
kill $(pids sleep)
