#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_top - kprof top: the functions of an interval, of work whose shares are known
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# share FUNCTION COLUMN: per cent, whole
share() { awk -v name="$1" -v column="$2" '$NF == name { print int($column) }' /tmp/top; }

plan 21
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko enable=0 freq=50 target=vfs_read
kprof top -b -n 1 -d 4 -F 1999 --comm 'known-spin*' >/tmp/top 2>/tmp/err &
top=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	[ "$(cat $KPROF/enable)" = 1 ] && break
	sleep 0.2
done
# A reader with sanitizers has their memory, too, and terabytes of addresses.
rss=$(awk '$1 == "VmSize:" { size = $2 }; $1 == "RssAnon:" { print (size > 1e9 ? 0 : $2) }' /proc/$top/status)
known spin 1500
wait $top
sed 's/^/# /' /tmp/top /tmp/err
between "$(share known_half 1)" 47 53 "half of the time is in known_half"
between "$(share known_third 1)" 27 33 "30 % of it is in known_third"
between "$(share known_fifth 1)" 17 23 "20 % of it is in known_fifth"
between "$(share spin_thread 2)" 97 100 "all of it is below the thread"
matches "$(head -n 1 /tmp/top)" '^[1-9][0-9]{2,} samples in [4-9][0-9.]* s; ' "a heading"
matches "$(head -n 1 /tmp/top)" 'kprof takes [0-9]+\.[0-9]{2} % of a CPU, left out$' "with what kprof takes"
matches "$(sed -n 2p /tmp/top)" "^(lost none|LOST [1-9].*); tasks 'known-spin\*'; by self$" "and what was lost"
between "$rss" 0 4096 "in 4 MiB of memory"
is "$(cat $KPROF/freq) $(cat $KPROF/enable) $(grep -c vfs_read $KPROF/targets)" "50 0 1" \
	"the module has its settings back"

# The profile is emptied after each interval: half a second on each CPU is there once.
kprof top -b -n 2 -d 2 -F 1999 >/tmp/top 2>&1 &
top=$!
until [ "$(cat $KPROF/enable)" = 1 ] || ! kill -0 $top; do sleep 0.2; done
known spin 500
wait $top
sed 's/^/# /' /tmp/top
is "$(grep -cE 'samples? in ' /tmp/top)" 2 "two intervals"
between "$(awk '$NF ~ /^known_(half|third|fifth)$/ { ms += $3 } END { print int(ms) }' /tmp/top)" \
	$((300 * $(nproc))) $((650 * $(nproc))) \
	"what was in one is not in the next"

# Functions of programs, by their names, as soon as these are found.
user=/kprof/programs/user
row() { awk -v name="$1" -v column="$2" 'index($0, "  " name " [") { print int($column) }' /tmp/top; }
kprof top -b -n 1 -d 4 -F 999 -U --comm user >/tmp/top 2>/tmp/err &
top=$!
until [ "$(cat $KPROF/enable)" = 1 ] || ! kill -0 $top; do sleep 0.2; done
rss=$(awk '$1 == "VmSize:" { size = $2 }; $1 == "RssAnon:" { print (size > 1e9 ? 0 : $2) }' /proc/$top/status)
$user share 3000
wait $top
sed 's/^/# /' /tmp/top /tmp/err
between "$(row user_spin 1)" 95 100 "the time of a program is in its function"
between "$(row user_three 2)" 35 65 "half of it below one that calls it"
between "$(row user_one 2)" 12 38 "a quarter below another one"
is "$(grep -c 'user_spin \[user\]$' /tmp/top)" 1 "each function has one row, with its program"
is "$(grep -c '+0x' /tmp/top)" 0 "and nothing is a bare address"
is "$(cat $KPROF/stacks)" kernel "the module has its settings back"

# As long as it works: kprof has the names of all intervals but the first at hand.
$user led 1000000 &
led=$!
kprof top -b -n 8 -d 2 -F 499 -g --comm user >/tmp/top 2>/tmp/err &
top=$!
until [ "$(cat $KPROF/enable)" = 1 ] || ! kill -0 $top; do sleep 0.2; done
stopped=0
for _ in $(seq 80); do
	[ "$(cat $KPROF/enable)" = 1 ] || stopped=$((stopped + 1))
	sleep 0.1
done
rss=$(awk '$1 == "VmSize:" { size = $2 }; $1 == "RssAnon:" { print (size > 1e9 ? 0 : $2) }' /proc/$top/status)
grep VmHWM /proc/$top/status | sed 's/^/# /'
wait $top
kill $led
grep 'samples in' /tmp/top | sed 's/^/# /'
tail -n 12 /tmp/top | sed 's/^/# /'
between "$rss" 0 4096 "with programs in 4 MiB of memory, too"
between "$(grep -c 'user_spin \[user\]$' /tmp/top)" 8 8 "in every interval the function has its name"
# The last heading; instructions are counted here, so that is no matter of how fast the machine is.
heading=$(grep 'samples in' /tmp/top | tail -n 1)
between "${heading%% *}" $((950 * $(nproc))) $((1000 * $(nproc))) \
	"and hardly any time passes unsampled between two of them"
is $stopped 0 "as the module is not stopped for it"
rmmod kprof
rmmod kprof_known
