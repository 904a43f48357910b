#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_storm - a process that maps code without end: what may be spent on it in a tenth of a second
# is limited, and where an instruction takes a nanosecond any processor comes to that limit
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

tables=/kprof/programs/tables

plan 5

insmod /kprof/kprof.ko stacks=user freq=999 max_cpu=100 comm=tables
$tables storm 4000 3000 &
storm=$!
most=0
while kill -0 $storm 2>/dev/null; do
	now=$(stat user.maps_bytes)
	[ "$now" -le $most ] || most=$now
	usleep 50000
done
wait $storm
between "$(stat user.spaces_limited)" 1 1000000000 \
	"a process that maps code without end is looked at less often"
between "$most" 100000 16000000 "so that old mappings take little memory"
between "$(stat user.not_taken_stale)" 1 1000000 "samples in what is not known have no stack"
is_small() { [ "$(stat user.maps_bytes)" -lt 100000 ]; }
succeeds "those of a dead process take none" eventually is_small
echo 0 >$KPROF/enable
between "$(folded_total ";[^;]*${tables}[+]0x[^;]* [0-9]+\$")" 1 1000000 "and what has not changed keeps its place"
rmmod kprof
