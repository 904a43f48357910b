#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_stall - the time of a late sample is no function's that cannot have used it
#
# icount
#
# A shell that spins is on the CPU, and the CPU stands still for 5 times 60 ms in an interrupt. At 1000
# samples a second, 59 or 60 ticks of each are late. What the kernel counts as time of handlers, where
# it does, is known; else the cause is not.
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# has FILE PATTERN: milliseconds in lines of folded text that match
has() { awk -v pattern="$2" '$0 ~ pattern { ns += $NF } END { printf "%d\n", ns / 1000000 }' "$1"; }
within() { between "$1" $(($2 - $2 / 20)) $(($2 + $2 / 20)) "$3"; }

plan 15
insmod $MODULES/kprof_known.ko
insmod $MODULES/kprof_stall.ko
LATE='[[]late[]]|[[]interrupt handlers[]]'

kprof record -a -F 1000 -K -o /tmp/user -- sh -c '
	while :; do :; done &
	sleep 1
	echo 5,60 >/sys/module/kprof_stall/parameters/stall
	sleep 1
	kill $!' 2>/tmp/said
kprof fold /tmp/user >/tmp/folded
within "$(has /tmp/folded "$LATE")" 300 "the time that the CPU stood still has a row of its own"
is "$(has /tmp/folded ';[[]stolen[]]')" 0 "no host has stolen any"
within "$(has /tmp/folded ';[[]user[]]')" 2200 "and the program has the rest"
kprof report /tmp/user | cat >/tmp/report
matches "$(cat /tmp/report)" "# ([[]late[]]: a program ran|[[]interrupt handlers[]]: )" \
	"the report says what the row means"
is "$(grep -c '^# late: ' /tmp/report)" 0 "and blames no section with interrupts off"
kprof flame /tmp/user >/tmp/flame
matches "$(grep -E '>(.*: )?[[](late|interrupt handlers)[]]' /tmp/flame | head -n 1)" "[0-9]" "a picture has it, too"

# The kernel can turn interrupts off: then it is the function's, and its callers'.
kprof record -a -F 1000 -K -o /tmp/kernel -- sh -c '
	echo 60 >/sys/module/kprof_known/parameters/irq_off
	echo 60 >/sys/module/kprof_known/parameters/irq_off' 2>/tmp/said
kprof fold /tmp/kernel >/tmp/folded
within "$(has /tmp/folded known_irqs_off)" 120 "interrupts off: the time stays where they are enabled"
is "$(has /tmp/folded "$LATE")" 0 "and no row says that nobody ran"
matches "$(kprof report /tmp/kernel)" "# late: .*came late: interrupts were off until then,$" \
	"which the report says"

# The module alone: a record for each late sample, and nothing else is added.
insmod /kprof/kprof.ko freq=1000
sh -c 'while :; do :; done' &
echo 5,60 >/sys/module/kprof_stall/parameters/stall
sleep 1
echo 0 >$KPROF/enable
kill $!
between "$(stat timer.late)" 5 20 "the module tells of each late sample"
is "$(stat ring.offered)" $(($(stat timer.recorded) + $(stat timer.late))) "in a record"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
# What is still to be told of when sampling stops is told then.
echo 1 >$KPROF/reset
echo 20 >$KPROF/freq
echo 1 >$KPROF/enable
sh -c 'while :; do :; done' &
echo 1,120 >/sys/module/kprof_stall/parameters/stall
echo 0 >$KPROF/enable
kill $!
between "$(stat timer.late)" 1 5 "also of the last one"

# A later module may have records that this kprof does not know.
mkdir /tmp/later
for file in "$KPROF"/*; do
	ln -s "$file" /tmp/later
done
rm /tmp/later/stats
sed 's/^abi: .*/abi: 99/' $KPROF/stats >/tmp/later/stats
KPROF_DEBUGFS=/tmp/later kprof record -o /tmp/none -- true >/tmp/said 2>&1
is $? 1 "a module with a later abi is refused"
matches "$(cat /tmp/said)" "abi 99, and this kprof reads up to [0-9]+: use the kprof" "with what to do"
rmmod kprof
rmmod kprof_stall
rmmod kprof_known
