#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_tables - what the module keeps of processes, where processes do their worst to fill it
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

tables=/kprof/programs/tables
cd /tmp || exit

# of_path PATTERN: samples whose user stack ends in a place that matches
of_path() { folded_total ";[^;]*$1[^;]* [0-9]+\$"; }

# Samples of programs that have no place in a file.
raw() { folded_total '^[^;]*;([[]no user stack[]]|[[]user[]][+]0x[0-9a-f]+) '; }

plan 20

# --- one user's files, and another's ---

insmod /kprof/kprof.ko stacks=user freq=1999 max_cpu=100 comm='tables*'
$tables many 10 5000000
files=$(stat user.files)
between "$files" 9 40 "files of a process that is sampled have numbers"
# A program that others have run is still the file that it was.
i=0
while [ "$(stat user.files_full)" = 0 ] && [ $((i += 1)) -lt 120 ]; do
	$tables as 65534 many 240 500000
done
between "$(stat user.files_full)" 1 1000000000 \
	"a user who maps file upon file uses up a share of the table"
between "$(stat user.files_failed)" 1 1000000000 "and is told so"
between "$(stat user.files)" 4000 12000 "which leaves some of it to others"
$tables as 65534 many 1 6000000
echo 0 >$KPROF/enable
between "$(folded_total "${tables}[+]0x")" 20 1000000000 "what had a number keeps it"
echo 1 >$KPROF/enable
cp $tables tables.mine
files=$(stat user.files)
./tables.mine many 5 6000000
echo 0 >$KPROF/enable
between "$(folded_total '/tmp/tables[.]mine[+]0x')" 10 1000000 \
	"another user's new programs have places of their own"
between "$(stat user.files)" $((files + 4)) $((files + 40)) "and all their files have numbers"
is "$(grep -c ' full .*\[file table full\]$' $KPROF/file_table)" 1 "one line stands for all that have none"
is "$(unbalanced <$KPROF/stats)" "" "every sample is accounted for"
rmmod kprof

# --- files that no sample meets ---

insmod /kprof/kprof.ko stacks=user freq=99 comm=nothing
for i in 1 2 3 4 5 6 7 8; do
	$tables many 240 1
done
is "$(stat user.files)" 0 "files that no sample meets have no numbers"
few_are_left() { [ "$(stat user.files_mapped)" -lt 240 ]; }
succeeds "and are forgotten when nobody maps them any more" eventually few_are_left
rmmod kprof

# --- more mappings than are kept ---

insmod /kprof/kprof.ko stacks=user freq=999 max_cpu=100 comm=tables
$tables clock 5000 400000
echo 0 >$KPROF/enable
between "$(stat user.maps_left_out)" 1 1000000000 "more mappings than are kept are counted"
between "$(of_path '[[]vdso[]][+]0x')" 10 1000000 \
	"those of files are kept first: the vDSO, which is above all of them"
rmmod kprof

# --- code that takes another's place ---

insmod /kprof/kprof.ko stacks=user freq=999 max_cpu=100 comm=tables
$tables moved 60000000
echo 0 >$KPROF/enable
old=$(of_path 'memfd:old') away=$(of_path 'memfd:away') all=$(folded_total)
between $((100 * old / (all + 1))) 4 25 "code at the place of a file that is gone is not that file"
between $((100 * away / (all + 1))) 25 60 "a file that has moved has its places"
rmmod kprof

# --- more tasks asleep with something left to do than there once was room for ---

mkfifo go
$tables asleep 1200 <go >asleep.said &
sleepers=$!
exec 4>go
eventually grep -q ready asleep.said
insmod /kprof/kprof.ko enable=0 event=none stacks=user target=do_nanosleep
exec 3<$KPROF/pins
echo 1 >$KPROF/enable
echo >&4
all_sleep() { [ "$(stat do_nanosleep.recorded)" -ge 1200 ]; }
succeeds "1200 processes are asleep" eventually all_sleep
i=0
while [ $((i += 1)) -le 50 ]; do
	(: ) 3<&- 4>&-
	busybox true 3<&- 4>&-
done
is "$(stat user.missed_errands)" 0 "those that begin then are not missed for that"
exec 3<&- 4>&-
succeeds "and the module can be unloaded" timeout 60 rmmod kprof
kill -KILL $sleepers
wait $sleepers

# --- kprobes switched off ---

insmod /kprof/kprof.ko stacks=user freq=999 max_cpu=100 comm='tables*'
echo 0 >/sys/kernel/debug/kprobes/enabled
is_noticed() { [ "$(stat user.unwatched)" != 0 ]; }
eventually is_noticed >/dev/null
between "$(stat user.unwatched)" 1 1000 "it is noticed that kprobes are switched off"
cp $tables tables.off
./tables.off many 2 150000000
echo 1 >/sys/kernel/debug/kprobes/enabled
echo 0 >$KPROF/enable
between $((100 - 100 * $(raw) / ($(folded_total '^tables[.]off;') + 1))) 50 100 \
	"samples themselves find out then what a process has mapped"
rmmod kprof
