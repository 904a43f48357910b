#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_calls - function targets: every call counted, once, with its latency
# timeout: 600
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 33
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko target=known_called,known_recursive,kprof_known:known_sleeper maxactive=8192

known call 500000
n=$((500000 * $(nproc)))
is "$(latency known_called calls)" $n "a million calls on all CPUs are in latency"
is "$(latency known_called missed)" 0 "none was missed"
is "$(folded_total '^.known_called.;')" $n "and all are in folded"
is "$(stat known_called.fired)" $n "and in stats"
is "$(awk '/^known_called /{ on = 1; next } /^$/{ on = 0 } on { n += $3 } END { print n }' \
	$KPROF/histogram)" $n "and in the histogram"
is "$(grep -c ';spin_thread\|;call_thread;known_called ' $KPROF/folded)" "$(nproc)" \
	"with one stack for each CPU's thread"
is "$(latency known_called total_ns)" \
	"$(awk '/^.known_called.;/ { n += $NF } END { print n }' $KPROF/folded_ns)" \
	"folded_ns adds up to the total latency"

known recurse 10
is "$(latency known_recursive calls)" 10 "recursion ten deep is ten calls"
is "$(folded_total '^.known_recursive.;')" 10 "of which each has a stack"
is "$(grep -c '^.known_recursive.;' $KPROF/folded)" 10 "of its own depth"
is "$(awk '/^.known_recursive.;/ { print gsub(/;known_recursive/, "") }' $KPROF/folded |
	sort -n | tr '\n' ' ')" "1 2 3 4 5 6 7 8 9 10 " "with as many frames as it is deep"

known sleep 200
is "$(latency kprof_known:known_sleeper calls)" 1 "module:name is a target"
between "$(latency kprof_known:known_sleeper min_ns)" 190000000 20000000000 \
	"the latency of a sleep is the sleep"
is "$(latency kprof_known:known_sleeper min_ns)" "$(latency kprof_known:known_sleeper p99_ns)" \
	"percentiles of one call are that call"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"

# Targets come and go (a > would remove all that are there) while kprof runs.
echo -known_called >>$KPROF/targets
known call 1000
is "$(latency known_called calls)" $n "a target that was removed keeps its calls"
echo known_called >>$KPROF/targets
known call 1000
is "$(latency known_called calls)" $((n + 1000 * $(nproc))) "and goes on when it comes back"
echo '-known_called' >>$KPROF/targets
echo 1 >$KPROF/reset
is "$(latency known_called calls)" "" "reset forgets targets that were removed"
is "$(cut -f 1 $KPROF/targets | tr '\n' ' ')" "known_recursive kprof_known:known_sleeper " \
	"targets lists the others"
cat $KPROF/targets >/tmp/targets
cat /tmp/targets >$KPROF/targets
is "$(cut -f 1 $KPROF/targets | tr '\n' ' ')" "known_recursive kprof_known:known_sleeper " \
	"what targets shows can be written back"

# The module of a target goes, and its rows stay.
known recurse 3
rmmod kprof_known
matches "$(cat $KPROF/targets)" 'known_recursive.*module is gone' "a module's end is noticed"
is "$(latency known_recursive calls)" 3 "and what was seen stays"
rmmod kprof
insmod $MODULES/kprof_known.ko

# Too few instances: what is missed is counted as missed.
insmod /kprof/kprof.ko target=do_nanosleep maxactive=1 probe=kretprobe
for _ in 1 2 3 4 5 6 7 8; do
	sleep 1 &
done
wait
echo 0 >$KPROF/enable	# others sleep, too: not between two reads
between "$(stat do_nanosleep.fired)" 8 100 "with maxactive=1 every call is known of"
is "$(unbalanced <$KPROF/stats)" "" "with maxactive=1 the account adds up"
is $(($(stat do_nanosleep.recorded) + $(stat do_nanosleep.dropped_maxactive))) "$(stat do_nanosleep.fired)" \
	"as calls taken and calls missed"
between "$(stat do_nanosleep.dropped_maxactive)" 1 100 "some were missed"
is "$(latency do_nanosleep missed)" "$(stat do_nanosleep.dropped_maxactive)" "as latency says, too"
rmmod kprof

# What a probe costs is measured by whoever starts kprof, also if the filters leave that task out.
insmod /kprof/kprof.ko target=known_called probe=kretprobe comm=nobody
matches "$(stat probe.kretprobe.cost_ns)" '^[0-9]+$' "a filter does not prevent calibration"
rmmod kprof

# A place inside a function, an address, and a name that gcc changed.
address=$(awk '$3 == "known_called" { print "0x" $1 }' /proc/kallsyms)
insmod /kprof/kprof.ko target="$address"
known call 1000
is "$(latency "$address" calls)" $((1000 * $(nproc))) "an address is a target"
is "$(folded_total ';known_called ')" $((1000 * $(nproc))) "and has its name in folded"
rmmod kprof
insmod /kprof/kprof.ko target=known_recursive+0x0
is "$(cat $KPROF/targets | cut -f 1)" known_recursive+0x0 "an offset is a target"
rmmod kprof
twin=$(awk '$2 ~ /[tT]/ && $3 ~ /^[a-z_]*\.isra\.0$/ && !$4 { print $3 }' /proc/kallsyms |
	grep -v -e '^__' -e init -e exit | sort | uniq -u | head -n 40 |
	while read -r name; do
		grep -q " ${name%.isra.0}\$" /proc/kallsyms && continue
		insmod /kprof/kprof.ko target="${name%.isra.0}" 2>/dev/null || continue
		echo "$name $(cut -f 1 $KPROF/targets)"
		rmmod kprof
		break
	done)
is "${twin#* }" "${twin% *}" "a name is taken for its twin .isra.0"
matches "$(dmesg)" "target=${twin%%.isra*}: taken as" "and the log says so"
rmmod kprof_known
