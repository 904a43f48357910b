#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_hold - the file hold: nothing is sampled while it is open, and all stays in its place
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# attached: how many of kprof's probes are on what tells of mappings
attached() { grep -c perf_event_mmap /sys/kernel/debug/kprobes/list; }

plan 25
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=999 max_cpu=100 idle=1 stacks=both target=known_called
known call 1000
known spin 300
before=$(stat timer.fired)
between "$before" 10 1000000 "samples are taken"

exec 3<$KPROF/hold
grep . $KPROF/stats >/tmp/stats
cat $KPROF/folded >/tmp/folded
known call 500
known spin 300
grep . $KPROF/stats >/tmp/later
is "$(grep 'fired\|recorded' /tmp/later)" "$(grep 'fired\|recorded' /tmp/stats)" \
	"none is, and no call is seen, while it is open"
is "$(cat $KPROF/folded)" "$(cat /tmp/folded)" "so all files are of one moment"
is "$(awk '{ n += $NF } END { print n }' /tmp/folded)" \
	$(($(stat timer.recorded) + $(stat known_called.recorded))) "and add up"
is "$(cat $KPROF/enable) $(attached)" "1 1" "all that was put up is there"
is "$(stat running)" 1 "and stats, too, says that it runs"
is "$( (exec 4<$KPROF/hold) 2>/dev/null && echo opened)" "" "nobody else can open it meanwhile"
for write in "enable 0" "enable 1" "freq 50" "targets vfs_read" "targets -known_called"; do
	(echo "${write#* }" >>"$KPROF/${write%% *}") 2>/dev/null && wrong="$wrong $write"
done
(: >$KPROF/targets) 2>/dev/null && wrong="$wrong truncated"
is "$wrong" "" "nothing can be changed"
(echo 50 >$KPROF/freq) 2>/dev/null
matches "$(cat $KPROF/error)" '^freq=50: .*the file hold' "and the error says who is in the way"
is "$(cat $KPROF/freq) $(grep -c known_called $KPROF/targets)" "999 1" "nor was anything"
echo 1 >$KPROF/reset
is "$(stat timer.fired) $(stat known_called.fired) $(wc -l <$KPROF/folded)" "0 0 0" "but emptied"
dd if=$KPROF/per_cpu/cpu0/ring of=/tmp/held bs=4k count=1 2>/dev/null 3<&- &
reader=$!
sleep 0.5
kill -0 $reader
is $? 0 "who reads the ring waits for what comes then"
is "$(rmmod kprof 2>/dev/null && echo unloaded)" "" "the module stays as long"
exec 3<&-

known call 700
known spin 300
wait $reader
between "$(wc -c </tmp/held)" 1 4096 "and gets it"
between "$(stat timer.fired)" 10 1000000 "once it is closed, samples are taken again"
is "$(stat known_called.fired) $(latency known_called calls)" "1400 1400" "and calls are seen"
is "$(unbalanced <$KPROF/stats)" "" "every account adds up"

# Whoever ends lets go.
(exec 3<$KPROF/hold; exec sleep 1000) &
holder=$!
holds() { [ "$(readlink "/proc/$holder/fd/3")" = "$KPROF/hold" ]; }
eventually holds >/dev/null
before=$(stat timer.fired)
sleep 0.5
is "$(stat timer.fired)" "$before" "another one holds it"
kill $holder
wait $holder
goes_on() { [ "$(stat timer.fired)" -ge $((before + 10)) ]; }
succeeds "and has let go when it was killed" eventually goes_on

# There is nothing to hold while it is stopped; nor does it start by that.
echo 0 >$KPROF/enable
exec 3<$KPROF/hold
is "$( (echo 1 >$KPROF/enable) 2>/dev/null && echo started)" "" "what is held does not start"
exec 3<&-
is "$(cat $KPROF/enable) $(attached)" "0 0" "and does not run when it is let go of"
before=$(stat timer.fired)
echo 1 >$KPROF/enable
succeeds "but can be started then" eventually goes_on
rmmod kprof

# Calls that are under way: one ends while it is open, and one, which is as long as it was, after it.
# Both are so long that a machine which stands still has it open in their time all the same.
insmod /kprof/kprof.ko event=none target=known_sleeper
sleeps() { [ "$(stat known_sleeper.inside)" = 1 ]; }
known sleep 3000 &
eventually sleeps >/dev/null
exec 3<$KPROF/hold
wait
exec 3<&-
is "$(latency known_sleeper calls)$(unbalanced <$KPROF/stats)" 0 "what ends meanwhile has no latency"
known sleep 5000 &
eventually sleeps >/dev/null
exec 3<$KPROF/hold
sleep 0.2
exec 3<&-
wait
is "$(latency known_sleeper calls)$(unbalanced <$KPROF/stats)" 1 "what ends afterwards has"
between "$(latency known_sleeper min_ns)" 5000000000 600000000000 "and it is that of the whole call"
rmmod kprof
rmmod kprof_known
