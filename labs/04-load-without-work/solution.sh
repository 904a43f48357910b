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
esac
answer cause $cause
answer function $function

kprof lat $function by=pid --comm lab -d 3 --csv -o kprof.data >calls.csv
answer tasks "$(grep -c "^$function,pid=" calls.csv)"
answer wait "$(kprof lat $function --comm lab -d 3 --csv |
	awk -F , 'NR == 2 { print $9 / 1000000 }')"

kprof record -q -a --idle -F 999 -d 3 -o samples.data
answer idle "$(kprof report --csv --sort comm samples.data |
	awk -F , '$6 ~ /^swapper/ { print $3 }')"
