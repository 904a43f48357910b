#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_exact - counters where a nanosecond is an instruction, so that numbers are known
# icount
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

insmod $MODULES/kprof_known.ko
if ! insmod /kprof/kprof.ko event=cycles period=1000000 idle=1 2>/dev/null &&
	dmesg | grep 'kprof: ' | tail -n 1 | grep -q 'event=cycles: this machine cannot count it'; then
	rmmod kprof_known
	skip_all "this machine does not count cycles"
fi
plan 13

# The emulated processor runs at 1 GHz: so many milliseconds, so many samples.
before=$(stat cycles.fired)
known spin 1000
between $(($(stat cycles.fired) - before)) 980 1020 "a million cycles are a sample"
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
is "$(awk '{ n += $NF } END { print n / 1000000 }' $KPROF/folded_ns)" "$(stat cycles.recorded)" \
	"folded_ns has the cycles"
# Which samples meet it is chance, though the same each time: of 1,000, 16 are a standard deviation.
between "$((1000 * $(folded_total ';known_half[; ]') / $(folded_total '^known-spin')))" 437 563 \
	"half of them in known_half"
rmmod kprof

# sample EVENTS OPTION...: a recording of known work, in a process of its own
sample() {
	kprof record -q --module /kprof/kprof.ko -o /tmp/data -e "$@" --comm turner -- /tmp/turner
}

# shown NAME COLUMN: of the report, in the row of a function
shown() {
	kprof report --samples --csv /tmp/data 2>/dev/null | sed 's/^"[^"]*"/source/' | awk -F , -v name="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$6 == name { print $at }'
}

# Two instructions a turn.
cat >/tmp/turner <<-END
	#!/bin/sh
	echo 100000000 >/sys/module/kprof_known/parameters/turns
END
chmod +x /tmp/turner
succeeds "several counters are recorded" sample cycles,instructions,r8 -c 1000000
between "$(shown known_turns self_samples)" 196 204 "so many cycles, so many samples"
between "$(shown known_turns instructions)" 196000000 204000000 "its instructions are counted"
is "$(shown known_turns r8)" "$(shown known_turns instructions)" \
	"the number of an event is the event of that name"
between "$(shown known_turns ipc | sed 's/\.//')" 9900 10100 "one instruction per cycle"
succeeds "with a frequency, too" sample instructions,cycles -F 500
between "$(shown known_turns instructions)" 196000000 204000000 "a sample weighs what was counted"
insmod /kprof/kprof.ko event=cycles,instructions period=1000000 idle=1
known turns 100000000
echo 0 >$KPROF/enable
between "$(stat cycles,instructions.count_instructions)" 198000000 204000000 "stats have the sums"
is "$(stat cycles,instructions.count_cycles)" \
	"$(($(stat cycles,instructions.recorded) * 1000000 - 1000000))" "but for the first sample"
rmmod kprof
rmmod kprof_known
