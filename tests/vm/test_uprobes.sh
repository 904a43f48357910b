#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_uprobes - functions of programs and libraries, whose calls are known
# vm: --load overlay --load fuse
# repeats
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

called=/kprof/programs/called

# refused VALUE ERROR PATTERN DESCRIPTION: as a target, which changes nothing
refused() {
	_said=$(echo "$1" 2>&1 >>$KPROF/targets)
	matches "$_said $(cat $KPROF/error)" "$2.*$3" "$4"
}

# rows TARGET: contexts and calls, in one line
rows() {
	awk -F '\t' -v target="$1" '$1 == target { print $2 "=" $3 }' $KPROF/latency | sort | tr '\n' ' '
}

# again TARGET: nothing else is watched from now on
again() {
	echo 0 >$KPROF/enable
	: >$KPROF/targets
	echo 1 >$KPROF/reset
	echo "$1" >>$KPROF/targets
	echo 1 >$KPROF/enable
}

work=$($called where called_work)
deep=$($called where called_deep)
own=$($called where called_own)

plan 73

# --- calls ---

insmod /kprof/kprof.ko target="$work"
$called work 1000
echo 0 >$KPROF/enable
is "$(calls "$work")" 3000 "calls from two threads and a child"
is "$(stat "$work.fired")" 3000 "each is counted"
is "$(stat "$work.probe")" span "it is a span"
is "$(folded_total '^called;[[]user] ')" 3000 "and is a sample"
is "$(unaccounted "$work") $(stat "$work.open")" "0 0" "all have ended"
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
again "$work by=\$arg1,\$retval,+0(\$arg2):string"
$called work 400
is "$(rows "$work")" "\$arg1=0,\$retval=-1,+0(\$arg2):string=\"even\"=300 \$arg1=1,\$retval=2,+0(\$arg2):string=\"odd\"=300 \$arg1=2,\$retval=4,+0(\$arg2):string=\"even\"=300 \$arg1=3,\$retval=6,+0(\$arg2):string=\"odd\"=300 " \
	"arguments, results and strings"
again "$work by=\$arg1 if=\$arg1>1,\$retval!=6 as=work"
$called work 400
echo 0 >$KPROF/enable
is "$(rows work)" "\$arg1=2=300 " "conditions at the entry and at the return"
is "$(stat work.fired) $(stat work.dropped_filter) $(stat work.left_out)" "1200 600 300" \
	"what they leave out is counted"
is "$(unaccounted work)" 0 "once"
again "$own"
$called own 250
is "$(calls "$own")" 250 "a function of the program itself"
echo 0 >$KPROF/enable
echo nobody >$KPROF/comm
echo 1 >$KPROF/enable
$called own 250
echo 0 >$KPROF/enable
is "$(calls "$own") $(stat "$own.dropped_filter")" "250 250" "comm= leaves calls out"
echo >$KPROF/comm
# A second, as one that does not sleep may take long where the machine stands still.
again "$($called where called_sleep) min=1s as=sleep"
$called sleep 3 1000000
$called sleep 3 0
is "$(calls sleep)" 3 "min= leaves short calls out"
between "$(latency sleep total_ns)" 3000000000 60000000000 "the time of calls that sleep"

echo 0 >$KPROF/enable
echo user >$KPROF/stacks
again "$work as=work"
$called work 100
echo 0 >$KPROF/enable
is "$(folded_total '^called;.*/called[+]0x[0-9a-f]*;[^;]*/libcalled.so[+]0x[0-9a-f]* ')" 300 "stacks=user has the callers"
echo kernel >$KPROF/stacks

# --- calls that do not just return ---

again "$deep by=\$arg1,\$retval as=deep"
$called deep 20 3
is "$(rows deep)" "\$arg1=0,\$retval=0=20 \$arg1=1,\$retval=1=20 \$arg1=2,\$retval=2=20 \$arg1=3,\$retval=3=20 " \
	"a function that calls itself"
again "$deep as=deep"
$called deep 1 99
echo 0 >$KPROF/enable
is "$(stat deep.fired) $(calls deep) $(stat deep.dropped_table)" "100 64 36" \
	"as deep as the kernel looks"
again "$($called where called_leave) as=leave"
$called leave 50
is "$(calls leave) $(stat leave.recorded)" "0 50" "calls that are left by longjmp()"
# shellcheck disable=SC2016 # evaluated each time
eventually sh -c '. /kprof/tests/lib.sh; grep -q "^leave.open: 0$" $KPROF/stats'
is "$(stat leave.unended) $(stat leave.open)" "50 0" "never end"
again "$($called where called_back) as=back"
$called back 50 3
is "$(calls back) $(stat back.unended) $(stat back.open)" "50 150 0" "what is left inside of a call that returns"
again "$($called where called_exit) as=exit"
$called exit 30
# shellcheck disable=SC2016 # evaluated each time
eventually sh -c '. /kprof/tests/lib.sh; grep -q "^exit.unended: 30$" $KPROF/stats'
is "$(stat exit.recorded) $(stat exit.unended) $(stat exit.open)" "30 30 0" \
	"processes that end in a call leave nothing"
again "$($called where called_jumps) as=jumps; $($called where called_other) by=\$arg1,\$retval as=other"
$called jump 3
is "$(calls jumps) $(rows other)" "3 \$arg1=0,\$retval=1=1 \$arg1=1,\$retval=2=1 \$arg1=2,\$retval=3=1 " \
	"calls by a jump"
again "$work as=work"
$called exec 10 work 20
is "$(calls work)" 70 "a process that executes another program"

# --- points and spans of them ---

again "$work(\$arg1>1) as=point by=\$arg1"
$called work 400
is "$(rows point)" "\$arg1=2=300 \$arg1=3=300 " "a point"
again "$work() as=point"
$called work 40
is "$(calls point)" 120 "() makes a point of a function"
again "$work%return(\$retval==-1) as=back"
$called work 40
is "$(calls back)" 30 "a point where it returns"
again "$work..$work%return as=span by=\$arg1,end(\$retval)"
$called work 40
is "$(rows span)" "\$arg1=0,end(\$retval)=-1=30 \$arg1=1,end(\$retval)=2=30 \$arg1=2,end(\$retval)=4=30 \$arg1=3,end(\$retval)=6=30 " \
	"a span between two points"

# --- what is not there ---

again "$own"
refused /nowhere:0x10 "No such file" "no such file can be reached" "a file that is not there"
refused /tmp:0x10 "Invalid" "no regular file" "a directory"
refused "$called:0x10000000" "Invalid" "the file has [0-9]* bytes; give a smaller offset" \
	"an offset behind the end"
$called sleep 1 60000000 &
sleeps() { grep -q libcalled.so "/proc/$1/maps" && blocked "$1"; }
eventually sleeps $! >/dev/null
# On arm64 the kernel does not tell the two apart.
case $(uname -m) in
aarch64) why="no instruction begins" ;;
*) why="cannot be probed" ;;
esac
refused "$($called where called_never)" "not supported" "$why" \
	"what the kernel does not probe"
kill $!
wait $! 2>/dev/null
$called own 1
is $? 0 "and nothing of that stays in the program"
refused "$called:main" "Invalid" "not /PATH:0xOFFSET" "a name, which the program translates"
refused "$work by=stack" "Invalid" "stack: that is of the kernel; give ustack" "by=stack"
refused "$work by=caller" "Invalid" "caller: that is of the kernel; give ustack" "by=caller"
refused "vfs_read by=%sp" "Invalid" "registers are keys in programs and libraries alone" \
	"a register of the kernel"
refused "$work by=%nothing" "Invalid" "expected a register after %" "a register that there is not"
refused "$called:0x0 file=1:2:3:4:5" "Stale file handle" "is not the file of file=" "another file than the one that was read"
identity=$(sed -n 's/.*file of file=, but \([0-9:]*\):.*/\1/p' $KPROF/error)
refused "$called:0x0 file=$identity,$identity" "Invalid" "one file for each different path" "two files for one path"
refused "vfs_read file=$identity" "Invalid" "one file for each different path" "a file for a function of the kernel"
refused "$called:0x0 file=1:2:3" "Invalid" "expected MAJOR:MINOR:INODE:SIZE:CTIME" "a part of what tells files apart"
ln -s $called /tmp/linked
refused "/tmp/linked:0x0 file=$identity" "" "leads through a link" "a link in the place of the file"
is "$(wc -l <$KPROF/targets)" 1 "nothing of that is watched"
again "$own file=$identity as=known"
$called own 6
is "$(calls known)" 6 "the very file that was read"
again "$own"

# Who looks up a path may wait for a server, or for a module that is loaded for it.
insmod $MODULES/kprof_known.ko
mkdir /tmp/silent
/kprof/programs/silent /tmp/silent >/tmp/mounted &
silent=$!
eventually test -s /tmp/mounted
(echo /tmp/silent/x:0x10 2>/tmp/said >>$KPROF/targets) &
writer=$!
succeeds "who names a file waits for its server" eventually grep -q kprof_uprobe_find /proc/$writer/stack
(rmmod kprof_known && insmod $MODULES/kprof_known.ko && : >/tmp/passed) &
succeeds "modules come and go meanwhile" eventually test -e /tmp/passed
kill $silent
wait $silent $writer $! 2>/dev/null
matches "$(cat $KPROF/error)" "no such file can be reached .error -103" "and the server's end is an error"
umount /tmp/silent
rmmod kprof_known

# --- a file that changes, and unloading under load ---

mkdir -p /tmp/c
cp $called /kprof/programs/libcalled.so /tmp/c/
copy=$(/tmp/c/called where called_own)
again "$copy as=copy"
/tmp/c/called own 5
mv /tmp/c/called /tmp/c/gone
/tmp/c/gone own 5
cp $called /tmp/c/called
/tmp/c/called own 5
rm /tmp/c/gone
is "$(calls copy)" 10 "a file that was renamed is watched, one in its place is not"
mkdir /tmp/o
mount -t tmpfs o /tmp/o
mkdir /tmp/o/low /tmp/o/up /tmp/o/work /tmp/o/all
cp $called /kprof/programs/libcalled.so /tmp/o/low
mount -t overlay -o lowerdir=/tmp/o/low,upperdir=/tmp/o/up,workdir=/tmp/o/work o /tmp/o/all
again "$(/tmp/o/all/called where called_own) as=layer"
/tmp/o/all/called own 5
touch /tmp/o/all/called
echo 0 >$KPROF/enable
is "$(calls layer)" 5 "a file of two layers"
echo 1 >$KPROF/enable
/tmp/o/all/called own 7
is "$(calls layer)" 12 "of which a write makes a copy, which is watched from the next start on"
again "$own"
umount /tmp/o/all /tmp/o
rmmod overlay
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
again "$work as=work"
$called forever &
for _ in 1 2 3; do
	sleep 0.3
	echo 1 >$KPROF/reset
	sleep 0.3
	echo 0 >$KPROF/enable
	[ "$(unaccounted work)$(unbalanced <$KPROF/stats)" = 0 ] || echo "# $(cat $KPROF/stats)"
	echo 1 >$KPROF/enable
done
has_calls() { [ "$(calls work)" -ge 1 ]; }
eventually has_calls >/dev/null
echo 0 >$KPROF/enable
between "$(calls work)" 1 100000000 "calls under load"
is "$(unaccounted work) $(unbalanced <$KPROF/stats)" "0 " "all have ended or are known not to"
echo 1 >$KPROF/enable
sleep 0.2
succeeds "unloads while the function runs" rmmod kprof
kill -0 $!
is $? 0 "and the program goes on"
kill $!
wait $! 2>/dev/null
insmod /kprof/kprof.ko target="$work" comm=called
$called work 10
is "$(calls "$work")" 30 "it can be loaded again"
rmmod kprof

# --- names, which the program translates ---

if kprof list "$called:*" 2>&1 | grep -q 'without libdw'; then
	for _ in $(seq 16); do
		skip "names in programs" "this kprof was built without libdw"
	done
	is "$(lsmod | grep -c '^kprof ')" 0 "nothing is left"
	exit 0
fi

cd /tmp || exit
# shellcheck disable=SC2016 # a key
kprof lat --csv "$called:called_own by=\$arg1" -- $called own 3 2>said | grep called >rows
is "$(cut -d , -f 1-3 rows | sort | tr '\n' ' ')" \
	"$called:called_own,\$arg1=0,1 $called:called_own,\$arg1=1,1 $called:called_own,\$arg1=2,1 " \
	"kprof lat /path:name"
kprof lat --csv "${called%/*}/libcalled.so:called_*" -- $called jump 4 2>said | grep called >rows
is "$(cut -d , -f 1,3 rows | grep -v ',0$' | sed 's/.*://' | sort | tr '\n' ' ')" \
	"called_jumps,4 called_other,4 " "a pattern"
kprof trace "$called:called_own%return" -- $called own 7 >rows 2>said
is "$(grep -c 'called_own%return' rows)" 7 "kprof trace of returns"
kprof lat "$called:called_own+1" -- true 2>said
matches "$(cat said)" "no function begins at" "a place inside of a function has no return"

# Its owner puts another file in its place, again and again: it is never taken for the one that was read.
mkdir swap
cp $called /kprof/programs/libcalled.so swap/
mv swap/called swap/a
cp /bin/busybox swap/busybox
while :; do
	for file in a busybox; do
		ln -f swap/$file swap/new
		mv -f swap/new swap/called
		sleep 0.2
	done
done &
swapper=$!
wrong=0
for _ in $(seq 6); do
	if kprof lat --csv "/tmp/swap/called:called_own" -- $called own 1 2>said >rows; then
		swap/a own 1 >/dev/null && swap/busybox true || wrong=$((wrong + 1))
	else
		grep -qE "replaced or changed|no such function|no functions with names|No such file" said ||
			{ wrong=$((wrong + 1)); cat said; }
	fi
done
kill $swapper
wait $swapper 2>/dev/null
is "$wrong $(swap/busybox echo fine)" "0 fine" "a file that is swapped meanwhile"

# --- markers ---

library=${called%/*}/libcalled.so
# marked N TARGET: rows of a target that takes no time, and their calls, while N calls are made
marked() {
	kprof lat --csv "$2" -- $called marked "$1" 2>said |
		sed -n "s|^$library:\(.*\),0,0,0,0,0,0,0,0,0$|\1|p" | sort | tr '\n' ' '
}
is "$(kprof list "$library:*:*" | tr '\n' ' ')" \
	"$library:known:side@1 $library:known:side@2 $library:known:step " "kprof list has markers"
is "$(marked 9 "$library:known:*")" "known:side,-,9 known:step,-,9 " \
	"a marker with a semaphore, and one in two places"
is "$(marked 4 "$library:known:step by=\$arg1,\$arg2:string if=\$arg1>1")" \
	'known:step,"$arg1=2,$arg2:string=""even""",1 known:step,"$arg1=3,$arg2:string=""odd""",1 ' \
	"its arguments"
is "$(marked 5 "$library:known:side@1 by=\$arg1")" "known:side@1,\$arg1=2,1 known:side@1,\$arg1=6,1 " \
	"one of its places, whose argument is in memory"

# --- all functions at once ---

kprof calls --csv --function 'called_*' $called jump 4 >rows 2>said
is "$(cut -d , -f 1,3 rows | grep '^called.*,[1-9]' | sort | tr '\n' ' ')" "called_jumps,4 called_other,4 " \
	"kprof calls of what a program imports"
matches "$(kprof calls --function called_work --function _setjmp $called work 10 2>&1 | tr '\n' ' ')" \
	"left out: 1 function returning twice.* 100[.]00 .* 30 called_work .* 30 total" "and what is left out"
kprof calls --csv --program --function 'called_*' $called own 7 >rows 2>said
is "$(cut -d , -f 1,3 rows | grep ^called)" "called_own,7" "its own functions"
kprof calls --regions --sort calls /kprof/programs/regions 20 1000 >rows 2>said
is "$(awk '{ print $4, $5 }' rows | grep r | tr '\n' ' ')" "120 inner 60 outer " \
	"regions that a program marks, in threads and processes"
is "$(awk '$5 == "inner" && $2 >= 0.06' rows | wc -l)" 1 "and their time"
is "$(kprof calls --regions --csv /kprof/programs/regions 3 0 2>said | grep -c '^regions,')" 2 "as CSV"
# So short a time has few samples where the period is doubled.
insmod /kprof/kprof.ko enable=0 max_cpu=100
kprof record -q -g -F 499 --regions -o /tmp/regions.data /kprof/programs/regions spin 100 2>said
rmmod kprof
kprof report --regions --csv /tmp/regions.data >rows 2>>said
# in_region FUNCTION: the region with most of its ticks
in_region() {
	awk -F , -v name="$1" '$5 == name { print $2, $1 }' rows | sort -nr | head -n 1 | cut -d ' ' -f 2-
}
is "$(in_region burn_outer) $(in_region burn_inner) $(in_region burn_alone)" "outer inner [no region]" \
	"samples are in the region that their thread began last"
is "$(lsmod | grep -c '^kprof ')" 0 "nothing is left"
