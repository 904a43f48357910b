#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_removed - programs that are gone before anybody could open them by their path
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

user=/kprof/programs/user
# Not /tmp itself, where other scripts leave files of any name.
rm -rf /tmp/removed
mkdir /tmp/removed
cd /tmp/removed || exit

# each N COMMAND...: N copies of the program, each run and removed at once
cat >each <<'END'
i=0 n=$1 user=$2
shift 2
while [ $((i += 1)) -le $n ]; do
	cp $user removed$i
	./removed$i "$@"
	rm removed$i
done
END

# A file system that nobody else sees, and that ends with the last one in it.
cat >apart <<'END'
mount -t tmpfs none own
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	cp $1 own/removed$i
	own/removed$i share 30
done
END

# record OPTION... -- COMMAND...: in data
record() { kprof record -q -U -F 499 -o data "$@" 2>said || cat said; }

# nameless OF: per thousand of its samples that end in no function
nameless() {
	kprof fold --samples data | awk -v of="$1" '
		$0 ~ of { all += $NF }
		$0 ~ of && /;(\[removed[0-9]*\]|\[unknown\]|\[user\]) [0-9]+$/ { n += $NF }
		END { print (all > 20) ? int(1000 * n / all) : "few: " all + 0 }'
}

# seen: of how many of the programs the recording has samples. On a busy machine some end without one.
seen() { kprof fold --samples data | sed -n 's/^\(removed[0-9]*\);.*/\1/p' | sort -u | wc -l; }

# pins WHAT: by how much a counter has grown
pins() { echo $(($(stat "user.pins_$1") - ${2:-0})); }

plan 33
mkdir own
# Programs are too short for a period that is doubled where the machine stood still in the timer.
insmod /kprof/kprof.ko enable=0 max_cpu=100

# --- removed at once ---

for unwind in auto fp; do
	met=$(stat user.pins_met) taken=$(stat user.pins_taken)
	record --unwind $unwind -- sh each 100 $user child
	between "$(nameless '^removed')" 0 10 "100 programs of 2 ms, removed at once: --unwind $unwind"
	between "$(pins taken "$taken")" $(($(seen) - 3)) 110 "the files of those that have samples were taken"
	between "$(($(pins met "$met") - $(pins taken "$taken")))" 0 3 "and next to none got away"
done
# A reader that gets no CPU for two seconds, as on a busy machine, loses what was held for it.
# patiently ARGUMENT...: record until nothing is lost so, a few times
patiently() {
	for _ in 1 2 3 4 5; do
		record --unwind fp -- "$@"
		[ "$(nameless '^removed')" != 0 ] || return
	done
}

patiently sh each 40 $user share 200
between "$(nameless '^removed')" 0 0 "programs of 50 ms"
is "$(cat said)" "" "no file is said to be gone"
is "$(kprof report data 2>&1 | grep -c 'could not be opened')" 0 "nor a sample"
record --unwind fp -- sh -c "cp $user removed; ./removed children 1000; rm removed"
between "$(nameless '^exe;')" 0 0 "1000 children of a program that is removed at the end"

# --- a mount namespace of their own ---

patiently unshare -m sh apart $user
between "$(nameless '^removed')" 0 10 "programs on a file system that is gone with its namespace"

# --- nothing is held that need not be ---

is "$(stat user.pins_held)" 0 "nothing is held any more"
record --comm nobody -- sh -c "mount -t tmpfs none own; cp $user own/removed; own/removed children 20; umount own"
is "$(grep -c /own /proc/mounts)" 0 "a program without samples keeps no file system"
echo user >$KPROF/stacks
echo 999 >$KPROF/freq
met=$(stat user.pins_met)
echo 1 >$KPROF/enable
mount -t tmpfs none own
cp $user own/removed
own/removed share 200
succeeds "nor does one with samples, where nobody wants its file" umount own
is "$(pins met "$met")" 0 "which is not even noted"

# --- a reader that does not take what it wants ---

# looks: it does, all the time, and takes nothing
looks() {
	/kprof/programs/looks <&3 &
	looker=$!
}

exec 3<$KPROF/pins
looks
mount -t tmpfs none own
cp $user own/removed
own/removed share 200
is "$(umount own 2>/dev/null || echo busy)" busy "with a reader, it is held"
id=$(awk -v path="$PWD/own/removed" '$9 == path { id = $1 } END { print id }' $KPROF/file_table)
is "$(/kprof/programs/looks once <&3 | grep -cx "$id")" 1 "and listed"
matches "$(cat $KPROF/pins 2>&1)" 'busy' "there is one reader at a time"
kill $looker
wait $looker
succeeds "when it looks no more, nothing is held" eventually umount own
between "$(stat user.pins_late)" 1 100 "which is counted"
looks
cp $user held
./held share 200
between "$(stat user.pins_held)" 1 3 "when it looks again, others are"
kill $looker
wait $looker
exec 3<&-
is "$(stat user.pins_held)" 0 "when the reader has gone, nothing is held"
between "$(stat user.pins_dropped)" 1 3 "and what was is counted"
rm held

# --- more than are held, and what is not ---

exec 3<$KPROF/pins
looks
# Of 300 some may be gone without a sample, where the timer is late.
for files in 300 600 900 1200; do
	$user loops - 300
	[ "$(stat user.pins_held)" != 256 ] || break
done
is "$(stat user.pins_held)" 256 "of 300 files without a path, 256 are held"
between "$(stat user.pins_full)" 1 100000 "and samples in the others are counted"
echo 0 >$KPROF/enable
echo 1 >$KPROF/reset
is "$(stat user.pins_held)" 0 "a reset lets go of all"
echo 1 >$KPROF/enable
is_odd() { [ "$(stat user.pins_odd)" != 0 ] || { $user loops /dev/zero 1; return 1; }; }
eventually is_odd >/dev/null
echo 0 >$KPROF/enable
between "$(stat user.pins_odd)" 1 1 "what is no regular file is not held"
kill $looker
wait $looker
exec 3<&-
met=$(($(stat user.pins_taken) + $(stat user.pins_dropped) + $(stat user.pins_odd) + $(stat user.pins_late)))
between "$(($(stat user.pins_met) - met))" 1 $((files - 256 + 16)) "the account is complete but for what there was no room for"

# --- samples in NMI ---

exec 3<$KPROF/pins
looks
if [ -e $MODULES/kprof_nmi.ko ]; then
	insmod $MODULES/kprof_nmi.ko
	echo none >$KPROF/event
	echo called_by_nmi >$KPROF/targets
	echo 1 >$KPROF/enable
	cp /bin/busybox busybox-removed
	./busybox-removed sh -c 'echo 10 >/sys/module/kprof_nmi/parameters/nmi'
	rm busybox-removed
	echo 0 >$KPROF/enable
	is "$(stat called_by_nmi.recorded)" 10 "calls in NMI have samples"
	is "$(stat user.pins_held)" 1 "and the program that was interrupted is held"
	echo -called_by_nmi >>$KPROF/targets
	rmmod kprof_nmi
else
	skip "calls in NMI have samples" "this test knows no way to make one here"
	skip "and the program that was interrupted is held" "this test knows no way to make one here"
fi

# A breakpoint counts as an NMI. Here it is where a task goes to sleep, so it is another one's turn,
# or that of the idle task, before anybody can be asked.
echo 1 >$KPROF/reset
: >$KPROF/targets
echo none >$KPROF/event
echo 0 2>/dev/null >/proc/sys/debug/kprobes-optimization
for offset in 10 11 12 13 14 15 16 17 18 19 1a 1b 1c 1d 1e 1f 20; do
	echo "dequeue_task_fair+0x$offset" 2>/dev/null >>$KPROF/targets && break
done
echo 1 >$KPROF/enable
for _ in 1 2 3 4 5 6; do
	cp /bin/busybox busybox-removed
	./busybox-removed usleep 1000
	./busybox-removed usleep 1000
	rm busybox-removed
done
echo 0 >$KPROF/enable
echo 1 2>/dev/null >/proc/sys/debug/kprobes-optimization
between "$(stat user.pins_met)" 1 100000 "tasks that go to sleep have samples"

# --- unloading ---

kill $looker
wait $looker
matches "$(rmmod kprof 2>&1)" '[Bb]usy|in use|unavailable' "an open reader keeps the module"
exec 3<&-
rmmod kprof
is "$(dmesg | tail -n 1 | grep -c 'memory is left')" 0 "nobody is waited for who does not return to user mode"
