#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_namespaces - ids of processes in a PID namespace, given and shown, by every verb
# timeout: 900
# any kernel
# shellcheck disable=SC2016 # the shells that are started expand these
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit

# named NAME: a process of that name that computes until it is killed
named() { exec sh -c "$NAMED" "$1" 'while :; do :; done'; }

# comms FILE: the names of the tasks that a recording has samples of, except idle ones
comms() { keys comm "$1" | sort -u | tr '\n' ' '; }

# keys KEY FILE [OPTION...]: what a report by that key has
keys() { kprof report --csv --sort "$@" 2>/dev/null | awk -F , 'NR > 1 { print $6 }'; }

# told COMMAND...: what it says, on one line
told() { "$@" 2>&1 | tr '\n' ' '; }

# sees COMMAND... --- PATTERN DESCRIPTION: a line of what it prints matches
sees() {
	_command=
	while [ "$1" != --- ]; do
		_command="$_command '$1'"
		shift
	done
	matches "$(eval "$_command" 2>&1)" "$2" "$3"
}

# In a namespace. $other is a process outside, whose id there is that of nobody here.
inside() {
	named mine &
	mine=$!
	# The process that has this id outside is another one: no process of users has so low an id there.
	is "$([ "$mine" -lt 100 ] && echo low)" low "ids begin anew in a PID namespace"

	# -p
	kprof record -q -F 499 -p "$mine" -d 2 -o p.data 2>said || cat said
	is "$(comms p.data)" "mine " "record -p has the process of that id here"
	is "$(keys pid p.data | sort -u)" "$mine mine" "by its id here"
	is "$(keys comm p.data -p "$mine" | sort -u)" mine "which report -p takes"
	sees kprof stat -e task-clock -p "$mine" -d 1 --- '[1-9][0-9.,]* *(msec )?task-clock|task-clock' "stat -p"
	sees kprof top -b -n 1 -d 1 -p "$mine" --- '^ +[0-9.]+ +[0-9.]+ +[0-9.]+  .user' "top -p"
	sees kprof trace --csv -d 1 -p "$mine" tp:sched_switch --- ",mine,$mine,tp:sched_switch," "trace -p, and the ids it shows"
	sees kprof lat --csv -d 1 -p "$mine" 'tp:sched_switch by=pid' --- "^tp:sched_switch,pid=$mine," "lat -p, and the key pid"
	sees kprof lat --csv -d 1 -a "tp:sched_switch by=comm if=pid==$mine" --- '^tp:sched_switch,"?comm=""mine' "a condition on pid"
	is "$(kprof lat --csv -d 1 -a "tp:sched_switch by=comm if=pid==$mine" 2>said | grep -c '^tp:sched_switch,')" 1 "and no other process has it"
	sees kprof runq --csv -d 1 -p "$mine" --by-process --- 'mine' "runq -p"

	# With a command
	kprof record -q -F 499 -o c.data -- sh -c "$NAMED" cmd 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>said || cat said
	matches "$(comms c.data)" '(^| )cmd ' "record -- COMMAND"
	kprof record -q -a -F 199 -d 2 -o a.data 2>said || cat said
	matches "$(keys pid a.data)" "^outside:$other other\$" \
		"record -a shows a process that is not here as outside"
	matches "$(kprof script -p "outside:$other" a.data)" "^other +0 " "script, in which ids are numbers, has 0; and -p takes that"
	sees kprof syscalls --csv -- dd if=/dev/zero of=/dev/null bs=1 count=500 --- ',50[0-9],0,read$' "syscalls -- COMMAND"
	sees kprof offcpu --csv --by-process -- sh -c 'sleep 1' --- 'sleep' "offcpu -- COMMAND"
	sees kprof runq --csv -- sh -c 'sleep 1; sleep 0.1' --- 'sleep|sh' "runq -- COMMAND"
	sees kprof wakeup --csv -- sh -c 'sleep 0.1 | cat' --- 'cat|sh|sleep' "wakeup -- COMMAND"
	sees kprof faults --csv -- sh -c : --- 'minor,' "faults -- COMMAND"
	sees kprof lat --csv vfs_read -- dd if=/dev/zero of=/dev/null bs=1 count=500 --- '^vfs_read,-,5[0-9][0-9],' "lat -- COMMAND"
	sees kprof trace --csv vfs_write -- dd if=/dev/zero of=/dev/null bs=1 count=3 --- ',dd,[12]?[0-9]{1,2},vfs_write,' "trace -- COMMAND"
	sees kprof stat -e page-faults -- true --- '[1-9].*page-faults' "stat -- COMMAND"
	sees kprof inject -e fault=read:error=EIO:when=1+ --each -- dd if=/dev/zero of=/dev/null count=3 --- '^[12]?[0-9]{1,2} dd read call' "inject -- COMMAND"
	kprof record -q --wall -o w.data -- sh -c 'sleep 0.5' 2>said || cat said
	matches "$(kprof report --states --csv w.data 2>&1)" ',[12]?[0-9]{1,2},sleep,$' "record --wall -- COMMAND"

	# What is not here
	matches "$(told kprof record -p "$other" -d 1)" "no process $other in this PID namespace" "an id that nobody has here"
	matches "$(told kprof stat -p "$other" -d 1)" "no process $other in this PID namespace" "for stat, too"
	/kprof/programs/user led 100000000 &
	led=$!
	thread_of() {
		for _task in "/proc/$1"/task/*; do
			[ "${_task##*/}" = "$1" ] || [ ! -e "$_task" ] || { echo "${_task##*/}"; return 0; }
		done
		return 1
	}
	eventually thread_of "$led" >/dev/null
	tid=$(thread_of "$led")
	matches "$(told kprof record -p "$tid" -d 1)" "$tid is a thread, and its process is $led: give --pid $led" "a thread's id"
	kill "$led"

	# The files of the module
	insmod /kprof/kprof.ko enable=0
	echo "$mine" >$KPROF/pid
	cat $KPROF/pid >pid_here
	echo "$mine" >mine_here
	is "$(cat $KPROF/pid)" "$mine" "pid= shows the id that was written"
	is "$(echo "$other" 2>&1 >$KPROF/pid | grep -c 'No such process') $(cat $KPROF/error)" \
		"1 pid=$other: not in this PID namespace: it has no process or thread of that id; give one that ps shows here" \
		"an id that nobody has here is refused"
	is "$(cat $KPROF/pid)" "$mine" "and changes nothing"
	echo "outside:$other" >$KPROF/pid
	is "$(cat $KPROF/pid)" "outside:$other" "a process outside, by its id there"
	echo "$mine" >$KPROF/pid
	echo "$mine" >$KPROF/own
	is "$(cat $KPROF/own)" "$mine" "own="
	echo 0 >$KPROF/own
	echo "tp:sched_switch if=pid==$mine" >$KPROF/targets
	echo 1 >$KPROF/enable
	echo 0 >$KPROF/enable
	is "$(stat pid_namespace)" "$(stat_inode /proc/self/ns/pid)" "stats has the namespace"
	echo $_points >ready
	until [ -e go ]; do sleep 0.1; done
	kill "$mine"
}

# stat_inode PATH: the number of a namespace
stat_inode() { readlink "$1" | tr -cd 0-9; }

if [ "$1" = inside ]; then
	_points=$2
	other=$3
	inside
	exit 0
fi

plan 43
# Ids up to 100 or so are those of kernel threads outside.
named other &
other=$!
while [ "$other" -lt 300 ]; do
	kill "$other"
	named other &
	other=$!
done
rm -f ready go
unshare -pf --mount-proc sh "$0" inside "$_points" "$other" &
inner=$!
until [ -e ready ] || ! kill -0 $inner 2>/dev/null; do sleep 0.5; done

# --- the same module, seen from outside ---

_points=$(cat ready)
outer=$(pids mine)
is "$(cat pid_here) $(cat $KPROF/pid)" "$(cat mine_here) $outer" "pid= has the id of each reader's namespace"
matches "$(echo 1 2>&1 >$KPROF/enable; cat $KPROF/error)" "condition on pid that was written in another PID namespace" \
	"a condition on pid is not taken for one of another namespace"
: >$KPROF/targets
echo 1 >$KPROF/enable
is "$(stat pid_namespace)" "$(stat_inode /proc/self/ns/pid)" "who starts sampling gives the ids"
enough() { [ "$(stat timer.recorded)" -ge 5 ]; }
eventually enough >/dev/null
echo 0 >$KPROF/enable
is "$(awk '{ sub(/;.*/, ""); print }' $KPROF/folded | sort -u)" mine "and the process is that which was meant"
rmmod kprof
touch go
wait "$inner"

# --- without a /proc of its own, and without rights ---

matches "$(unshare -pf kprof stat -p 1 -d 1 2>&1)" "/proc is not that of this PID namespace.*mount -t proc none /proc" \
	"a /proc of another namespace is not read as one's own"
unshare -pf kprof record -q -F 499 -o n.data -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' 2>said || cat said
matches "$(comms n.data)" "(^| )sh " "a command is seen there all the same"
if unshare -U true 2>/dev/null; then
	matches "$(told unshare -U kprof record -d 1)" "root|permitted|denied" "a user namespace without rights is told so"
	matches "$(told unshare -Ur kprof record -d 1)" "root|permitted|denied" "and so is its root"
else
	skip "a user namespace without rights" "this kernel has none"
	skip "a user namespace's root" "this kernel has none"
fi

# --- as a container has it: namespaces of everything, a root of its own, /tmp of its own ---

mkdir -p box
mount -t tmpfs box box
mkdir -p box/proc box/sys box/tmp box/dev box/kprof
cp -a /bin /sbin /usr /lib /lib64 /etc box/ 2>/dev/null
cp -a /kprof/programs /kprof/kprof.ko /kprof/tests box/kprof/ 2>/dev/null
cp -a /dev/null /dev/zero box/dev/
cp "$(command -v kprof)" box/bin/
mount -t sysfs none box/sys
mount -t debugfs none box/sys/kernel/debug
cat >box/run <<-'END'
	mount -t proc none /proc
	cd /tmp
	. /kprof/tests/lib.sh
	kprof record -q -g -F 499 --module /kprof/kprof.ko -o box.data -- /kprof/programs/user made
	kprof fold --samples box.data
END
cat >box/wait <<-'END'
	mount -t proc none /proc
	/kprof/programs/user made &
	wait
END
if [ "$(uname -m)" = x86_64 ]; then
	unshare -pfmiun chroot box sh /run >said 2>&1
	matches "$(cat said)" "^user;.*;user_made;made by" "in a container, code that a program makes has the names of its perf-PID.map"
	kprof record -q -U -F 499 -o out.data -- unshare -pfmiun chroot box /bin/sh /wait 2>said || cat said
	kprof fold --samples out.data >said 2>&1
	matches "$(cat said)" "^user;.*;user_made;" "from outside, a program in a container has names"
else
	skip "code that a program makes, in a container" "that program is for x86-64"
	skip "code that a program makes, from outside" "that program is for x86-64"
fi
umount box/sys/kernel/debug box/sys box
kill "$other"
