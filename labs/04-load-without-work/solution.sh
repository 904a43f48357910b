# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found

# What they do while they do not run. (/proc/PID/stack leaves functions of locks out.)
insmod /kprof/kprof.ko target=@offcpu comm=lab
sleep 2
cat /sys/kernel/debug/kprof/folded_ns >stacks
rmmod kprof
case $(cat stacks) in
*submit_bio_wait*) cause=io function=submit_bio_wait ;;
*mutex_lock*) cause=lock function=mutex_lock ;;
*msleep*) cause=sleep function=msleep ;;
*) cause=cpu function=lab_grain ;;
esac
answer cause $cause
answer function $function

kprof lat $function by=pid --comm lab -d 3 --csv -o kprof.data >calls.csv
answer tasks "$(grep -c pid= calls.csv)"
if [ $cause = cpu ]; then
	# The others queue up, too, but seldom: those that call the function are meant.
	kprof lat @runqueue by=pid --comm lab -d 3 --csv -o queue.data | tr -d '"' >queue.csv
	wait=$(tr -d '"' <calls.csv | sed -n 's/.*pid=\([0-9]*\),.*/pid=\1,/p' | grep -F -f - queue.csv |
		awk -F , '{ calls += $3; ns += $5 } END { print ns / calls / 1000000 }')
else
	wait=$(kprof lat $function --comm lab -d 3 --csv | awk -F , 'NR == 2 { print $9 / 1000000 }')
fi
answer wait "$wait"

kprof record -q -a --idle -F 999 -d 3 -o samples.data
answer idle "$(kprof report --csv --sort comm samples.data |
	awk -F , '$6 ~ /^swapper/ { print $3 }')"
