#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_intervals - kprof stat by intervals and by CPU, and the events of a PMU
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# faults: 300 pages or a few more, ten times; below 2 MiB no page is a huge one
FAULTS='for i in 1 2 3 4 5 6 7 8 9 10; do dd if=/dev/zero of=/dev/null bs=1200k count=1 2>/dev/null; done'

plan 15

# A command that sleeps, touches pages, and sleeps: until kprof has seen it, however slow it is.
mkfifo /tmp/intervals
exec 3<>/tmp/intervals
kprof stat -I 100 -e page-faults --csv -o /tmp/out -- sh -c "read -r x </tmp/intervals; $FAULTS; read -r x </tmp/intervals" &
# nothing_in TIME: three intervals and more with nothing in them before (0) or after (1) most faults
nothing_in() {
	awk -F , -v is_after="$1" '$2 == "<not counted>" { n[all > 500]++ }; { all += $2 }
		END { exit n[is_after] < 3 }' /tmp/out
}
eventually nothing_in 0
echo >&3
eventually nothing_in 1
echo >&3
wait
said=$(cat /tmp/out)
echo "$said" | sed 's/^/# /'
is "$(echo "$said" | head -n 1)" \
	"time_s,value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent" \
	"intervals have a time"
said=$(echo "$said" | sed 1d)
between "$(echo "$said" | wc -l)" 6 2000 "there are several"
is "$(echo "$said" | awk -F , '$1 <= last { print }; { last = $1 }')" "" "in order"
between "$(echo "$said" | awk -F , '{ n += $2 } END { print n }')" 3000 6000 "together they have all"
# A task that sleeps is not counted: before most of the faults, and after them.
is "$(echo "$said" | awk -F , '$2 == "<not counted>" { n[all > 500]++ }; { all += $2 }
	END { print (n[0] > 0), (n[1] > 0) }')" "1 1" "and those in which it sleeps have nothing"
matches "$(kprof stat -I 100 -e page-faults -- sleep 0.5 2>&1 | head -n 1)" '^# +time +counts unit events$' \
	"a heading"
matches "$(kprof stat -I 50 -e cpu-clock -a -d 0.2 2>&1)" \
	'^ +[0-9]+\.[0-9]{9} +[0-9.]+ msec cpu-clock ' "a line for people"
matches "$(kprof stat -I 50 -e cpu-clock -a -d 0.2 --json -o -)" \
	'^ +"intervals": \[$' "JSON has intervals"

# A command on one of two CPUs.
said=$(kprof stat -a -A -e page-faults,cpu-clock --csv -o - -- taskset 2 sh -c "$FAULTS")
echo "$said" | sed 's/^/# /'
is "$(echo "$said" | sed 1d | cut -d , -f 1,4 | tr '\n' ' ')" \
	"0,page-faults 1,page-faults 0,cpu-clock 1,cpu-clock " "a row for each CPU"
# The other one has at most the start of the command.
is "$(echo "$said" | awk -F , '$4 == "page-faults" { n[$1] = $2 } END { print (n[1] > 3000), (n[0] < 1500) }')" \
	"1 1" "and the faults are of the CPU that had them"
is "$(kprof stat -a -A -C 1 -e page-faults -x ' ' -o - -d 0.1 | cut -d ' ' -f 1)" 1 "a CPU that was asked for"
matches "$(kprof stat -A -e page-faults -- true 2>&1)" '^kprof stat: --per-cpu needs --all or --cpus' \
	"a task is of no CPU"

# The kernel lists its PMUs; all machines have the one of software, and a clock is its event 0.
matches "$(kprof stat -e software/config=0/ -a -d 0.2 -x ' ' -o -)" '^[1-9][0-9]{7,} {2}software/config=0/ ' \
	"an event of a PMU"
case $(uname -m) in
x86_64) clock=msr/tsc/ ;;
*) clock=armv8_pmuv3_0/cpu_cycles/ ;;
esac
[ -d "/sys/bus/event_source/devices/${clock%%/*}" ] || clock=armv8_pmuv3/cpu_cycles/
if [ -d "/sys/bus/event_source/devices/${clock%%/*}" ]; then
	matches "$(kprof stat -e $clock -a -d 0.2 -x ' ' -o -)" "^[1-9][0-9]{5,} +$clock" "and one with a name"
else
	skip "and one with a name" "there is no such PMU"
fi
is "$(kprof stat -e software/nothing=1/ -- true 2>&1 | head -n 1)" \
	"kprof stat: --event: software/nothing=1/: software has no event and no term 'nothing'; /sys/bus/event_source/devices/software/events and format list them" \
	"a term that it lacks"
