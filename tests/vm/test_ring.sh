#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_ring - rings and tables as a reader sees them, and resets in between
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
records() { echo $(($(cat "$@" | wc -c) / 32)); }

plan 16
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=2000 ring_kb=1024
for cpu in $(seq 0 $(($(nproc) - 1))); do
	cat $KPROF/per_cpu/cpu$cpu/ring >ring$cpu &
done
known spin 1000
known spin 500
echo 0 >$KPROF/enable
wait
ok "cat ring ends when sampling stops"
is "$(records ring*)" $(($(stat timer.recorded) + $(stat timer.late))) \
	"the readers got every sample, and a record for each that came late"
is "$(stat ring.unread)" 0 "and left none"
is "$(cat ring* | hexdump -v -e '32/1 "%02x" "\n"' | awk '{ print substr($0, 41, 6) }' | sort -u | wc -l)" \
	"$(cat ring* | hexdump -v -e '32/1 "%02x" "\n"' | awk '{ print substr($0, 41, 6) }' | sort | uniq | wc -l)" \
	"records are whole"

# Each stack a record names is in the table.
cat $KPROF/stack_table >stacks
cat $KPROF/task_table >tasks
is "$(($(wc -c <tasks) / 24))" "$(stat task_table.used)" "task_table has every task"
is "$(hexdump -v -e '1/4 "%u " 1/2 "%u " 1/2 "%u\n"' -n 8 stacks | cut -d ' ' -f 1)" 2 \
	"stack_table begins with the first id"

# Reads that fail take nothing away, and odd ones take whole records.
echo 1 >$KPROF/reset
echo 1 >$KPROF/enable
known spin 1000
echo 0 >$KPROF/enable
whole=$(stat ring.unread)
/kprof/programs/reads $KPROF/per_cpu/cpu0/ring 32 >reads
is "$(grep -v rest reads | paste -sd ' ')" "small 22 fault 14 part 128 odd 2" \
	"a read that is too small is invalid, and one into half a page brings that half"
cat $KPROF/per_cpu/cpu*/ring | wc -c >others
is "$(($(awk '/part|odd|rest/ { n += $2 } END { print n }' reads) + $(cat others) / 32))" "$whole" \
	"and no record is lost"

# A reader of the table across a reset is told.
exec 3<$KPROF/stack_table
head -c 8 <&3 >/dev/null
echo 1 >$KPROF/reset
matches "$(cat <&3 2>&1 >/dev/null)" '[Ss]tale' "a table that was reset is stale"
exec 3<&-

# A file of one moment survives a reset.
echo 1 >$KPROF/enable
known spin 300
exec 3<$KPROF/folded
echo 1 >$KPROF/reset
matches "$(cat <&3)" '^known-spin.*known_half ' "a folded that is open stays what it was"
exec 3<&-

# Reads that are too small, and that end inside of a record.
known spin 300
echo 0 >$KPROF/enable
ring=$KPROF/per_cpu/cpu0/ring
unread=$(stat ring.unread)
matches "$(dd if=$ring of=/tmp/small bs=16 count=1 2>&1)" 'Invalid argument' \
	"a read of less than a record is refused"
is "$(stat ring.unread)" "$unread" "and takes none out"
is "$(dd if=$ring bs=63 count=1 2>/dev/null | wc -c) $(stat ring.unread)" "32 $((unread - 1))" \
	"a read of less than two takes one"

# An open file holds the module; closing it lets it go.
exec 3<$KPROF/per_cpu/cpu0/ring
matches "$(rmmod kprof 2>&1)" '[Rr]esource temporarily|in use|busy' "an open file refuses rmmod"
exec 3<&-
succeeds "and a closed one does not" rmmod kprof
is "$(ls $KPROF 2>/dev/null)" "" "nothing is left in debugfs"
rmmod kprof_known
