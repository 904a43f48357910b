#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# folded.sh - what it takes to read a profile that is full
. /kprof/bench/lib.sh

STACKS=16384

insmod /kprof_known.ko
insmod /kprof/kprof.ko target=known_leaf max_stacks=$STACKS
echo $STACKS >/sys/module/kprof_known/parameters/stacks
stopwatch folded "cat $KPROF/folded" >/tmp/folded
result lines.folded "$(wc -l </tmp/folded)"
result bytes.folded "$(wc -c </tmp/folded)"
rmmod kprof
rmmod kprof_known
