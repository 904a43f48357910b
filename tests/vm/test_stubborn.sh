#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_stubborn - processes that do not do what others wait for
# timeout: 600
# vm: --load fuse
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Not /tmp itself, where other scripts leave files of any name.
rm -rf /tmp/stubborn
mkdir /tmp/stubborn
cd /tmp/stubborn || exit

state() { awk '$1 == "State:" { print $2 }' "/proc/$1/status"; }

# sleeps PID: it does, and in STATE in which a signal may wake it
sleeps() { [ "$(state "$1")" = S ]; }

# owe N: so many files were met by samples, and no task has shown them
owe() {
	grep '^user\.' $KPROF/stats
	[ $(($(stat user.pins_met) - $(stat user.pins_held) - $(stat user.pins_late))) -ge "$1" ]
}

# The memory that the code and data of modules take.
modules_bytes() { awk '/load_module|move_module|module_alloc|execmem/ { n += $2 } END { print n + 0 }' /proc/vmallocinfo; }

plan 31

# --- tasks that sleep in the kernel, and owe the module a look at their mappings ---

# Samples of new programs are taken where they go to sleep, while a reader wants their files.
taken_in=do_nanosleep
for name in filp_close close_fd; do
	! grep -q " [tT] $name\$" /proc/kallsyms || taken_in=$taken_in,$name
done
insmod /kprof/kprof.ko enable=0 event=none stacks=both
rmmod kprof
before=$(modules_bytes)
insmod /kprof/kprof.ko enable=0 event=none stacks=both "target=$taken_in"
exec 3<$KPROF/pins
echo 1 >$KPROF/enable
sleepers=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	cp /bin/busybox busybox-asleep$i
	./busybox-asleep$i sleep 100000 3<&- &
	sleepers="$sleepers $!"
done
for pid in $sleepers; do eventually sleeps "$pid" >/dev/null; done
between "$(stat do_nanosleep.recorded)" 16 100000 "programs go to sleep where samples are taken"
between "$(stat user.pins_met)" 16 100000 "the reader wants their files"
succeeds "which nobody has shown yet" eventually owe 16
ip link set lo up
/kprof/programs/lingers >lingers.said 3<&- &
lingerer=$!
eventually grep -q closes lingers.said
eventually sleeps $lingerer >/dev/null
is "$(cat lingers.said)" closes "one sleeps on its way to user mode"
exec 3<&-
succeeds "the module can be unloaded" timeout 60 rmmod kprof
is "$(dmesg | grep -c 'memory is left')" 0 "and leaves nothing"
is "$(modules_bytes)" "$before" "nor does it keep its memory"
insmod /kprof/kprof.ko	# takes its place
alive=0
for pid in $sleepers; do
	kill -STOP "$pid"
	kill -CONT "$pid"
	eventually sleeps "$pid" >/dev/null
	sleeps "$pid" && alive=$((alive + 1))
done
is "$alive" 16 "the tasks return to user mode and go on"
is "$(cat lingers.said)" closes "the one that is on its way there still is"
kill -CONT $lingerer
kill -USR1 $lingerer
wait $lingerer
is $? $((128 + $(kill -l USR1))) "and gets there when it wakes up"
# shellcheck disable=SC2086 # one word a process
kill $sleepers
# shellcheck disable=SC2086 # as above
wait $sleepers
rmmod kprof
is "$(dmesg | grep -c 'memory is left')" 0 "all is given back"
rm busybox-asleep* lingers.said

# --- a process that keeps its memory locked ---

insmod $MODULES/kprof_hostile.ko
hostile() { echo "$2" >"/sys/module/kprof_hostile/parameters/$1"; }
# A shell that runs no other program does not collect its children.
has_ended() { [ ! -e "/proc/$1" ] || [ "$(state "$1")" = Z ]; }

insmod /kprof/kprof.ko enable=0 stacks=user freq=999
cp /bin/busybox busybox-locked
mkfifo go
./busybox-locked sh -c 'read -r x; while :; do :; done' <>go &
pid=$!
eventually sleeps $pid >/dev/null
hostile lock $pid
echo 1 >$KPROF/enable &
eventually has_ended $! >/dev/null
is "$(cat $KPROF/enable)" 1 "a process that keeps its memory locked does not keep kprof from starting"
kprof record -q -g -d 1 -o locked.data -p $pid >/dev/null 2>&1 &
succeeds "nor kprof record -p from ending" eventually has_ended $!
missed=$(stat user.spaces_missed)
hostile lock 0
echo >go
in_locked() { [ "$(folded_total '^busybox-locked;.*busybox-locked')" -gt 0 ]; }
succeeds "which shows its mappings when it runs on" eventually in_locked
is "$(stat user.spaces_missed)" "$missed" "so nothing of it is missed"
kill $pid
wait $pid
rmmod kprof
rm -f busybox-locked go locked.data

# --- files of a server that does not answer ---

# served DIRECTORY: a file system with a program, whose server is $server
served() {
	mkdir -p "$1"
	: >server.said
	/kprof/programs/mute serve "$1" /kprof/programs/user >server.said 2>&1 &
	server=$!
	eventually grep -q mounted server.said
	cat "$1/file" >/dev/null
}

be_mute() {
	kill -USR1 $server
	eventually grep -q mute server.said
}

# gone DIRECTORY: what waits for the server goes on, with an error
gone() {
	kill -KILL $server
	wait $server
	eventually umount "$1"
}

if [ ! -e /dev/fuse ]; then
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		skip "a server that does not answer" "this kernel has no FUSE"
	done
	rmmod kprof_hostile
	exit
fi

# --- a program whose file system does not answer ---

insmod /kprof/kprof.ko enable=0 max_cpu=100

# record_it: a recording of all; its status, in time
record_it() {
	: >said
	kprof record -a -g -F 499 -d 2 -o data >said 2>&1 &
	recorder=$!
	eventually has_ended $recorder >/dev/null || echo hangs
	has_ended $recorder || return
	wait $recorder
	echo $?
}

# runs DIRECTORY: a program of it runs; its pages are in memory
runs() {
	served "$1"
	"$1/file" share 1000000 &
	program=$!
	sleep 1
	be_mute
}

runs far
matches "$(record_it)" '^(0|3)$' "a recording ends"
matches "$(cat said)" 'cannot open .*/far/file: its file system does not answer in time: [0-9]+ samples? in it' \
	"and says which file it could not read, and why"
between "$(kprof fold --samples data | awk '/^file;/ { n += $NF } END { print n + 0 }')" 1 100000 \
	"the program's samples are there"
matches "$(kprof report data 2>&1)" 'samples? (was|were) in files that could not be opened' "the report tells of them"
between "$(stat user.pins_far)" 1 10 "the module has not held the file"
matches "$(cat $KPROF/file_table)" ' far [0-9]+:[0-9]+ 2 .*/far/file$' "and knows it as one that may not answer"
kill $program
wait $program
gone far

# One that answers is read all the same.
served far
far/file share 1000000 &
program=$!
matches "$(record_it)" '^(0|3)$' "a recording of one whose server answers"
is "$(grep -c 'cannot open' said)" 0 "reads it"
between "$(kprof fold --samples data | awk '/^file;.*user_three/ { n += $NF } END { print n + 0 }')" 1 100000 \
	"and its functions have names"
kill $program
wait $program
succeeds "no file of it is open any more" eventually umount far
kill $server
wait $server

# In a user namespace anybody can mount it.
cat >apart.sh <<'END'
mkdir -p apart
/kprof/programs/mute serve apart /kprof/programs/user >server.said 2>&1 &
echo $! >server
while ! grep -q mounted server.said; do
	kill -0 $! || exit
	sleep 0.1
done
cat apart/file >/dev/null
apart/file share 1000000 &
echo $! >program
wait
END
: >server.said
if unshare -U -r -m true 2>/dev/null; then
	unshare -U -r -m sh apart.sh &
	apart=$!
	eventually test -s program || diag "$(cat server.said)"
	sleep 1
	server=$(cat server)
	kill -USR1 "$server"
	eventually grep -q mute server.said >/dev/null
	matches "$(record_it)" '^(0|3)$' "a recording beside a program on a file system of a user's own ends"
	matches "$(cat said)" 'cannot open .*/apart/file: (Permission denied|its file system does not answer in time)|samples are in 1 file that was gone' \
		"and says that it could not read it"
	between "$(kprof fold --samples data | awk '/^file;/ { n += $NF } END { print n + 0 }')" 1 100000 \
		"its samples are there"
	kill -KILL "$(cat program)" "$server" $apart
	wait $apart
else
	for _ in 1 2 3; do skip "a file system of a user's own" "this kernel has no user namespaces"; done
fi
is "$(cat $KPROF/enable)" 0 "kprof is as it was"
succeeds "and can be unloaded" timeout 60 rmmod kprof
is "$(dmesg | grep -c 'memory is left')" 0 "leaving nothing"
rmmod kprof_hostile
rm -rf apart apart.sh far server server.said program said data
