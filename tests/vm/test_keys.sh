#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_keys - latency by context: each call in the row of its context, exactly
# repeats
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Known calls of known_loop: 4 contexts.
work() { known loop 1,500; known loop 4,400; known loop 13,300; known loop 100,20; }

# rows COLUMN...: columns of known_loop's rows, by context
rows() {
	awk -F '\t' -v want="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, name, " "); next }
		$1 == "known_loop" {
			line = ""
			for (i = 1; i <= n; i++) line = line (i > 1 ? " " : "") $at[name[i]]
			print line
		}' $KPROF/latency
}

# with PARAMETER...: load, work, and leave the module loaded
with() {
	insmod /kprof/kprof.ko "$@"
	work
}

# refused OPTION PATTERN: insmod refuses it for known_loop, and says where
refused() {
	insmod /kprof/kprof.ko target=known_loop "$1" 2>/dev/null && rmmod kprof
	matches "$(dmesg | grep 'kprof: ' | tail -n 1)" "$2" "refused: $1"
}

exact="500 400 300 20"
plan 115
insmod $MODULES/kprof_known.ko

with target=known_loop by='$arg2'
is "$(rows context calls | tr '\n' ' ')" '$arg2=1 500 $arg2=4 400 $arg2=13 300 $arg2=100 20 ' \
	"by an argument: the calls of each"
# Four turns and thirteen are no great difference, but where time is instructions, on one CPU.
[ "$(nproc)" = 1 ] && some='p' || some='1p;$p'
is "$(rows min_ns | sed -n "$some" | sort -n | tr '\n' ' ')" \
	"$(rows min_ns | sed -n "$some" | tr '\n' ' ')" \
	"and the shortest takes longer where there are more turns"
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
is "$(awk -F '\t' 'NR > 1 && $1 == "known_loop" { n[$2] += $5 }
	END { for (c in n) print n[c] }' $KPROF/buckets | sort -n | tr '\n' ' ')" "20 300 400 500 " \
	"buckets have the same calls"
is "$(grep -c '^known_loop .arg2=' $KPROF/histogram)" 4 "histogram draws each row"
rmmod kprof

with target=known_loop by='hits(known_turn)'
is "$(rows context calls | tr '\n' ' ')" \
	'hits(known_turn)=1 500 hits(known_turn)=4 400 hits(known_turn)=13 300 hits(known_turn)=100 20 ' \
	"by turns of its loop: the calls of each"
is "$(latency known_turn calls)" $((500 + 1600 + 3900 + 2000)) "and the turns are counted themselves"
is "$(awk -F '\t' '$1 == "known_loop" { total += $5; self += $6 } $1 == "known_turn" { inner += $5 }
	END { print total - self - inner }' $KPROF/latency)" 0 \
	"self is the total less what was spent inside"
rmmod kprof

# What the kernel calls where an interrupt ends, while nothing says any more that it is in one: it may
# come anywhere in kprof's own code for the calls of the task, as one of the same task.
case $(uname -v) in
*PREEMPT_RT*) edge=try_to_wake_up ;;
*) edge=$(awk '$3 == "handle_softirqs" || $3 == "__do_softirq" { print $3; exit }' /proc/kallsyms) ;;
esac
insmod /kprof/kprof.ko record=0 event=none
for target in 'known_loop by=hits(known_turn)' "$edge" pipe_read; do
	echo "$target" >>$KPROF/targets
done
dd if=/dev/zero bs=64 count=5000 2>/dev/null | dd bs=64 of=/dev/null 2>/dev/null &
for _ in 1 2 3 4 5; do work; done
wait
echo 0 >$KPROF/enable
is "$(rows context calls | tr '\n' ' ')" \
	'hits(known_turn)=1 2500 hits(known_turn)=4 2000 hits(known_turn)=13 1500 hits(known_turn)=100 100 ' \
	"calls of $edge at the end of an interrupt do not change what is counted in those of the task"
between "$(latency "$edge" calls)" 1 1000000 "there were some"
between "$(latency pipe_read calls)" 5000 1000000 "and the task was in others"
rmmod kprof

# A place inside the loop, which is no function's entry.
offset=$(awk '$3 == "known_loop" || $3 == "known_turn" { print $3, $1 }' /proc/kallsyms | wc -l)
is "$offset" 2 "loop and turn are symbols"
with target='"known_loop by=hits(known_turn+0x0)"' record=0
is "$(rows calls | tr '\n' ' ')" "$exact " "hits() of a place, without samples"
is "$(stat known_loop.recorded)" 1220 "calls without samples are accounted for"
is "$(stat ring.offered)" 0 "and leave no record"
is "$(cat $KPROF/folded)" "" "and no stack"
rmmod kprof

with target=known_loop by='$retval:s32,error'
is "$(rows context calls | tr '\n' ' ')" \
	'$retval:s32=-22,error=1 300 $retval:s32=1,error=0 500 $retval:s32=4,error=0 400 $retval:s32=100,error=0 20 ' \
	"by return value, and whether it is an error"
rmmod kprof

with target=known_loop by='+0($arg1):string' if='$arg2>1'
is "$(rows context calls | tr '\n' ' ')" \
	'+0($arg1):string="even" 420 +0($arg1):string="odd" 300 ' "by a text, where a condition holds"
is "$(stat known_loop.dropped_filter)" 500 "the others are counted as filtered"
rmmod kprof
with target=known_loop by=error if='$retval==4'
is "$(rows context calls)" "error=0 400" "a condition on the return value"
is "$(stat known_loop.left_out)" 820 "leaves out the others, and says so"
rmmod kprof
with target=known_loop by='comm,context,log2($arg2)' if='comm!=nobody'
is "$(rows context calls | tr '\n' ' ')" \
	'comm="sh",context=task,log2($arg2)=[1,2) 500 comm="sh",context=task,log2($arg2)=[4,8) 400 comm="sh",context=task,log2($arg2)=[8,16) 300 comm="sh",context=task,log2($arg2)=[64,128) 20 ' \
	"by name, context and power of two"
rmmod kprof
with target=known_loop by='linear($arg2,10),syscall,caller'
is "$(rows calls | tr '\n' ' ')" "900 300 20 " "by steps of ten"
matches "$(rows context)" 'linear\(\$arg2,10\)=\[10,20\),syscall=[0-9]+,caller=do_loop\+0x' \
	"system call and caller"
rmmod kprof
# Behind a jump at the end of a function the return address is what a probe put there.
# (On arm64 compilers make calls of them.)
caller=known_tail
[ "$(uname -m)" != x86_64 ] || caller=do_tail
for probe in auto kretprobe; do
	insmod /kprof/kprof.ko target=known_tail,known_tailed by=caller probe=$probe
	known tail 5
	matches "$(cut -f 1-3 $KPROF/latency | tr '\t' ' ')" "^known_tailed caller=$caller\\+0x[0-9a-f]+ 5\$" \
		"the caller behind a tail call, probe=$probe"
	rmmod kprof
done
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
if [ "$(uname -m)" = x86_64 ] && grep -qw function_graph /sys/kernel/tracing/available_tracers; then
	echo known_tail >/sys/kernel/tracing/set_ftrace_filter
	echo function_graph >/sys/kernel/tracing/current_tracer
	insmod /kprof/kprof.ko target=known_tailed by=caller
	known tail 5
	matches "$(cut -f 1-3 $KPROF/latency | tr '\t' ' ')" '^known_tailed caller=do_tail\+0x[0-9a-f]+ 5$' \
		"the caller under function_graph"
	rmmod kprof
	echo nop >/sys/kernel/tracing/current_tracer
	echo >/sys/kernel/tracing/set_ftrace_filter
else
	skip "the caller under function_graph" "this kernel has none, or keeps to itself what it replaces"
fi
with target=known_loop by=stack,pid,cpu
matches "$(rows context)" '^stack=.*;do_loop;known_loop,pid=[0-9]+,cpu=[0-9]$' "by stack, pid and cpu"
rmmod kprof
with target=known_loop by='+0($arg2)'
is "$(rows context calls)" '+0($arg2)=0 1220' "an address that cannot be read is 0"
rmmod kprof
with target=known_loop by='$arg2' min=1s
is "$(rows calls)$(stat known_loop.left_out)" 1220 "min= leaves out what is shorter"
rmmod kprof
with target=known_loop by='$arg2' max_rows=2
is "$(rows context calls | tr '\n' ' ')" \
	'$arg2=1 500 $arg2=4 400 [row table full] 320 ' "what has no row is in a named one"
rmmod kprof

insmod /kprof/kprof.ko target=known_recursive by="hits(known_turn)"
known recurse 10
is "$(awk -F '\t' '$1 == "known_recursive" { printf "%s %s ", $2, $3 }' $KPROF/latency)" \
	"hits(known_turn)=0 9 hits(known_turn)=1 1 " \
	"recursion ten deep counts each level once, and what the innermost one does for that one alone"
rmmod kprof

insmod /kprof/kprof.ko target=known_loop by='$arg2' enable=0
line=$(cut -f 1 $KPROF/targets)
echo "$line" >$KPROF/targets
is "$(cut -f 1 $KPROF/targets)" 'known_loop by=$arg2' "targets takes back what it shows"
echo 'known_loop by=$arg1' 2>/dev/null >$KPROF/targets
matches "$(cat $KPROF/error)" 'old options; write to reset first' \
	"other keys wait for a reset: rows do not mix"
rmmod kprof

# Bits that do not matter, and pointers as people know them. known_path has modes 0 to 7.
path() {
	insmod /kprof/kprof.ko target=known_path "$@"
	known path 200
}
contexts() { awk -F '\t' '$1 == "known_path" { printf "%s %s ", $2, $3 }' $KPROF/latency; }
path by='$arg2&~1'
is "$(contexts)" '$arg2&~1=0x0 50 $arg2&~1=0x2 50 $arg2&~1=0x4 50 $arg2&~1=0x6 50 ' \
	"by an argument without one of its bits"
rmmod kprof
path by='$arg2&6:u32,context'
is "$(contexts)" '$arg2&6:u32=0,context=task 50 $arg2&6:u32=2,context=task 50 $arg2&6:u32=4,context=task 50 $arg2&6:u32=6,context=task 50 ' \
	"with a type, and beside a key that is no argument"
rmmod kprof
path by='log2($arg2&0x4)'
is "$(contexts)" 'log2($arg2&0x4)=[0,1) 100 log2($arg2&0x4)=[4,8) 100 ' "inside of a bucket"
rmmod kprof
for condition in '$arg2&3 150' '$arg2&3==1 50' '$arg2&~3!=0 100' '$arg2&6:u8>=4,$arg2&1 50'; do
	path if="${condition% *}"
	is "$(latency known_path calls)" "${condition##* }" "if=${condition% *}"
	rmmod kprof
done
with target=known_loop by='$arg1' if='$arg2==1'
matches "$(rows context calls)" '^\$arg1=0xffff[0-9a-f]{12} 500$' "an address of the kernel is hexadecimal"
rmmod kprof
with target=known_loop by='$arg1:u64,$retval' if='$arg2==13'
matches "$(rows context)" '^\$arg1:u64=[0-9]{20},\$retval=4294967274$' "unless a type is given; numbers stay"
rmmod kprof
insmod /kprof/kprof.ko target=wake_up_process by='comm($arg1),comm' if='comm($arg1)==known-call/0'
known call 1
is "$(cut -f 1-3 $KPROF/latency | sed 1d)" \
	"$(printf 'wake_up_process\tcomm($arg1)="known-call/0",comm="sh"\t1')" \
	"by the name of a task that an argument points to"
rmmod kprof

# Numbers below zero: 300 calls return -22, the others 1, 4 and 100.
with target=known_loop by='log2($retval:s32)'
is "$(rows context calls | tr '\n' ' ')" \
	'log2($retval:s32)=(-32,-16] 300 log2($retval:s32)=[1,2) 500 log2($retval:s32)=[4,8) 400 log2($retval:s32)=[64,128) 20 ' \
	"by powers of two, below zero, too"
rmmod kprof
with target=known_loop by='linear($retval:s32,10)'
is "$(rows context calls | tr '\n' ' ')" \
	'linear($retval:s32,10)=[-30,-20) 300 linear($retval:s32,10)=[0,10) 900 linear($retval:s32,10)=[100,110) 20 ' \
	"by steps of ten, below zero, too"
rmmod kprof
with target=known_loop by='linear($retval:s32,18446744073709551615)'
is "$(rows context calls | tr '\n' ' ')" \
	'linear($retval:s32,18446744073709551615)=[-9223372036854775808,0) 300 linear($retval:s32,18446744073709551615)=[0,) 920 ' \
	"by the largest step that there is"
rmmod kprof

# Texts that conditions compare would fill tables with what nobody wants to see.
with target=known_loop if='comm!=nobody,+0($arg1):string!=odd' record=0
is "$(latency known_loop calls) $(stat string_table.used)" "420 0" "conditions on texts need no table"
rmmod kprof

# What a filter leaves out leaves nothing in any table.
for record in 0 1; do
	with target=known_loop by='+0($arg1):string,comm,stack' comm=nobody record=$record
	is "$(stat string_table.used) $(stat stack_table.used) $(stat row_table.used)" "0 0 0" \
		"calls that comm= leaves out are in no table, record=$record"
	is "$(stat known_loop.dropped_filter) $(stat known_loop.fired)" "1220 1220" "all are accounted for"
	rmmod kprof
done

# Cgroups: names are read while tasks are in them, so those that are gone have theirs, too.
groups=/tmp/cgroup
long=$(printf '%0200d' 7)
deep=deep/$long/$long
mkdir -p $groups
mount -t cgroup2 none $groups
mkdir -p $groups/some/inner $groups/gone $groups/$deep
# in_group PATH N: calls of known_loop by a process in that cgroup, which is not this one
in_group() { (echo 0 >"$groups$1/cgroup.procs" && known loop "3,$2"); }
in_groups() { in_group / 7; in_group /some 30; in_group /some/inner 11; in_group /gone 5; }
taskset -p 1 $$ >/dev/null	# each CPU remembers some
insmod /kprof/kprof.ko target='"known_loop by=cgroup"'
in_groups
rmdir $groups/gone
is "$(rows context calls | sort | tr '\n' ' ')" \
	'cgroup="/" 7 cgroup="/gone" 5 cgroup="/some" 30 cgroup="/some/inner" 11 ' \
	"by cgroup: the calls of each"
is "$(stat cgroup_table.used)" 4 "and the table has their paths"
echo 1 >$KPROF/reset
mkdir $groups/gone
in_group /some/inner 2
in_group /gone 3
is "$(rows context calls | sort | tr '\n' ' ')" 'cgroup="/gone" 3 cgroup="/some/inner" 2 ' \
	"and again after a reset, of one that has come again, too"
taskset -p ff $$ >/dev/null
echo 1 >$KPROF/reset
in_group /$deep 1
is "$(rows context)" "cgroup=\"...$(echo $long/$long | tail -c 253)\"" \
	"of a path that is too long, the end"
rmmod kprof
for condition in ==/some:30 '==/some/*:11' '!=/some:123' '==/*:146' "==/${deep%%/*}/*:100"; do
	insmod /kprof/kprof.ko target=known_loop if="cgroup${condition%:*}" record=0
	in_groups
	in_group /$deep 100
	is "$(latency known_loop calls) $(stat cgroup_table.used)" "${condition##*:} 0" \
		"a condition, which needs no table: cgroup${condition%:*}"
	rmmod kprof
done

# Samples have the cgroup of their task where that is asked for.
insmod /kprof/kprof.ko target=known_loop cgroups=1
in_groups
rmdir $groups/gone
is "$(awk '{ n = $NF; sub(/;.*/, ""); sum[$0] += n } END { for (i in sum) print i, sum[i] }' $KPROF/folded |
	sort | tr '\n' ' ')" "cgroup:/ 7 cgroup:/gone 5 cgroup:/some 30 cgroup:/some/inner 11 " \
	"samples by cgroup, in the file folded"
is "$(cut -d ' ' -f 2 $KPROF/task_cgroups | sort | tr '\n' ' ')" "/ /gone /some /some/inner " \
	"and of each task, its cgroup"
for setting in enable=0 reset=1 cgroups=0 enable=1; do echo "${setting#*=}" >"$KPROF/${setting%=*}"; done
in_group /some 2
is "$(grep -c cgroup: $KPROF/folded) $(wc -l <$KPROF/task_cgroups) $(stat cgroup_table.used)" "0 0 0" \
	"not where it is not asked for"
rmmod kprof
mkdir $groups/gone
cat >/tmp/in_groups <<-'END'
	while read -r group calls; do
		(echo 0 >"/tmp/cgroup$group/cgroup.procs"; echo "3,$calls" >/sys/module/kprof_known/parameters/loop)
	done <<-LIST
		/some 30
		/some/inner 11
		/gone 5
		/ 7
	LIST
	(echo 0 >/tmp/cgroup/some/inner/cgroup.procs; exec dd if=/dev/zero of=/dev/null bs=4M count=100)
END
kprof record -q --cgroups -F 499 -t known_loop -o /tmp/cgroups.data -- sh /tmp/in_groups 2>/dev/null
is "$(kprof report --sort cgroup --source known_loop --samples --csv /tmp/cgroups.data | cut -d , -f 4,6 |
	tr '\n' ' ')" "self_calls,cgroup 30,/some 11,/some/inner 7,/ 5,/gone " "a recording by cgroup"
is "$(kprof fold --source timer --cgroups --comm dd /tmp/cgroups.data | cut -d ';' -f 1 | uniq)" \
	cgroup:/some/inner "and a picture: those of the timer, too"
is "$(kprof report --cgroup '/some/*' --source known_loop --sort comm --samples --csv /tmp/cgroups.data |
	sed -n '2s/^[^,]*,[^,]*,[^,]*,\([0-9]*\),.*/\1/p')" 11 "and by those below one"

# As it happens: two tasks that share a CPU.
spinning=
for group in /some /some/inner; do
	(echo 0 >"$groups$group/cgroup.procs"; exec taskset 1 sh -c 'while :; do :; done') &
	spinning="$spinning $!"
done
kprof top -b -n 1 -d 3 -F 999 --cgroups --cgroup '/some*' >/tmp/top 2>/tmp/err &
top=$!
eventually grep -qs 1 $KPROF/enable >/dev/null
# A reader with sanitizers has their memory, too, and terabytes of addresses.
memory() {
	awk '$1 == "VmSize:" { size = $2 }; $1 == "RssAnon:" { print (size > 1e9 ? 0 : $2) }' /proc/$top/status
}
# The last time that it is seen, however long this shell is kept waiting.
anon=
while said=$(memory 2>/dev/null) && [ -n "$said" ]; do
	anon=$said
	sleep 0.1
done
wait $top
# shellcheck disable=SC2086 # several
kill $spinning
sed 's/^/# /' /tmp/top /tmp/err
between "$(awk '$4 == "/some" { print int($1) }' /tmp/top)" 20 80 "kprof top by cgroup: the time of one"
between "$(awk '$4 == "/some/inner" { print int($1) }' /tmp/top)" 20 80 "of one below it"
is "$(awk '$4 == "/some" || $4 == "/" { printf "%s %s ", $4, $2 }' /tmp/top)" "/some 100.00 / 100.00 " \
	"and of both, in those above"
between "$anon" 0 4096 "in 4 MiB of memory"

rmdir $groups/some/inner $groups/some $groups/gone $groups/$deep $groups/deep/$long $groups/deep
umount $groups

# A program of 32 bits that writes a byte, by its system call 4, and ends.
printf '\177\105\114\106\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000\124\200\004\010\064\000\000\000\000\000\000\000\000\000\000\000\064\000\040\000\001\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000\000\200\004\010\000\200\004\010\163\000\000\000\163\000\000\000\005\000\000\000\000\020\000\000\270\004\000\000\000\273\001\000\000\000\271\124\200\004\010\272\001\000\000\000\315\200\270\001\000\000\000\061\333\315\200' >/tmp/writes
chmod +x /tmp/writes
if /tmp/writes >/tmp/written 2>/dev/null; then
	insmod /kprof/kprof.ko target=vfs_write by=comm,syscall if='comm==writes'
	/tmp/writes >/tmp/written
	is "$(awk -F '\t' '$1 == "vfs_write" { print $2, $3 }' $KPROF/latency)" \
		'comm="writes",syscall=32:4 1' "a system call of a program of 32 bits is marked"
	rmmod kprof
	insmod /kprof/kprof.ko target=vfs_write if='syscall==32:4' record=0
	/tmp/writes >/tmp/written
	echo >/tmp/written
	is "$(latency vfs_write calls)" 1 "and can be asked for"
	rmmod kprof
else
	for point in "is marked" "can be asked for"; do
		skip "a system call of a program of 32 bits $point" "this kernel runs none"
	done
fi

# Arguments by BTF: pointers, user space's too, and those that the function does not have.
insmod /kprof/kprof.ko target=vfs_read by='$arg2,$arg3' if='comm==dd' record=0
dd if=/dev/zero of=/dev/null bs=4k count=3 2>/dev/null
matches "$(cat $KPROF/latency)" '^vfs_read	\$arg2=0x[0-9a-f]+,\$arg3=4096	' \
	"an argument that is a pointer is hexadecimal, a number is not"
is "$(grep -c 'none of its' $KPROF/targets)" 0 "the function has them both"
rmmod kprof
insmod /kprof/kprof.ko target=vfs_read by='$arg5'
matches "$(cat $KPROF/targets)" '; \$arg5 is none of its 4 arguments$' "it has no fifth one, and that is told"
rmmod kprof

# The parentheses of a point end a text.
insmod /kprof/kprof.ko record=0 \
	target='"known_loop(comm==sh)..known_loop%return(cgroup==/,comm!=nobody) as=ended if=end(comm)==sh"'
work
is "$(latency ended calls)" 1220 "texts in the parentheses of points, and of an end"
rmmod kprof

# NAME=KEY: what rows show.
with target=known_loop by='turns=$arg2,by_ten(a,b)=linear($arg2,10)' if='$arg2>4'
is "$(rows context calls | tr '\n' ' ')" \
	'turns=13,by_ten(a,b)=[10,20) 300 turns=100,by_ten(a,b)=[100,110) 20 ' "keys that have a name"
rmmod kprof

# Names of arguments and members, which the reader translates.
parameters=/sys/module/kprof_known/parameters
# named TARGET KEYS CONDITION COMMAND...: contexts and calls, by kprof lat
named() {
	target=$1 by=$2 if=$3
	shift 3
	kprof lat "$target" "by=$by" "if=$if" --csv --sort name -- "$@" 2>/dev/null | awk 'NR > 1 {
		sub(/^[^,]*,/, "")
		if (match($0, /^"([^"]|"")*"/)) {
			context = substr($0, 2, RLENGTH - 2)
			gsub(/""/, "\"", context)
			rest = substr($0, RLENGTH + 2)
		} else {
			context = $0
			sub(/,.*/, "", context)
			rest = substr($0, length(context) + 2)
		}
		sub(/,.*/, "", rest)
		printf "%s %s ", context, rest
	}'
}
if [ ! -e /sys/kernel/btf/vmlinux ]; then
	for what in members size pointer comm task span list member bit; do
		skip "names: $what" "this kernel has no BTF"
	done
else
	head -c 40000 /dev/zero >/tmp/counted
	name='file->f_path.dentry->d_name.name'
	is "$(named vfs_read "$name,count,\$retval:s64" "$name==counted" dd if=/tmp/counted of=/dev/null bs=512 count=37)" \
		"$name=\"counted\",count=512,\$retval:s64=512 37 " "by a name three structures away"
	is "$(named vfs_read "size=log2(count)" "$name==counted,count!=512" \
		sh -c 'dd if=/tmp/counted of=/dev/null bs=512 count=7; dd if=/tmp/counted of=/dev/null bs=1k count=5')" \
		'size=[1024,2048) 5 ' "by a name of the user's, where an argument has a value"
	is "$(named vfs_read "file->f_inode->i_size" "$name==counted" dd if=/tmp/counted of=/dev/null bs=4k count=3)" \
		'file->f_inode->i_size=40000 3 ' "a number, behind two pointers"
	cp /bin/busybox /tmp/counting
	is "$(named tp:sched_process_exit 'p->comm,comm(p),p->exit_code' 'p->comm==counting' \
		sh -c '/tmp/counting; /tmp/counting; /tmp/counting')" \
		'p->comm="counting",comm(p)="counting",p->exit_code=32512 3 ' "an argument of a tracepoint"
	matches "$(named 'tp:sched_switch(prev)..tp:sched_switch(next)' 'prev->comm,comm' 'prev->comm==sleep' sleep 0.1)" \
		'^prev->comm="sleep",comm="sleep" [0-9]+ $' "a span that names join, about that task"
	matches "$(kprof list -v vfs_read)" '^ssize_t vfs_read\(struct file \*file, char \*buf, size_t count, loff_t \*pos\)
  file .*  struct file \* .*  \$arg1
' "list -v: the prototype, and arguments"
	matches "$(kprof list -v tp:sched_switch)" '  next->pid  *pid_t  *\+[0-9]+\(\$arg3\):s32
' "members of what they point to"
	kprof lat vfs_read 'by=file->f_flag' -- true 2>/tmp/err
	matches "$(cat /tmp/err)" "struct file has no member 'f_flag'; close to it: f_flags" \
		"a member that is misspelt"
	kprof lat vfs_read by=cuont -- true 2>/tmp/err
	matches "$(cat /tmp/err)" "no argument has the name 'cuont'; did you mean 'count'[?] arguments: file, buf, count, pos" \
		"an argument that is misspelt"
	rm /tmp/counted /tmp/counting
fi
if [ -e /sys/kernel/btf/kprof_known ]; then
	is "$(named known_loop name 'turns>1' sh -c "echo 1,500 >$parameters/loop; echo 4,400 >$parameters/loop
		echo 13,300 >$parameters/loop")" 'name="even" 400 name="odd" 300 ' "arguments of a module's function"
else
	skip "arguments of a module's function" "this module has no BTF"
fi

# A process that has ended and is not waited for has no stack any more.
# shellcheck disable=SC2016 # $! is that shell's, $arg kprof's
{
sh -c 'sleep 1 & echo $! >/tmp/zombie; exec sleep 1000' &
parent=$!
turns=0
while ! grep -qs '^State:.Z' "/proc/$(cat /tmp/zombie 2>/dev/null)/status" && [ $turns -lt 300 ]; do
	turns=$((turns + 1))
	usleep 100000
done
insmod /kprof/kprof.ko record=0
echo 'tp:signal_generate($arg3) by=syscall' >$KPROF/targets
}
kill -USR1 "$(cat /tmp/zombie)"
is "$(grep -c 'syscall=-1' $KPROF/latency)" 1 "the system call of a process that has ended is not known"
kill $parent
rmmod kprof

# A probe in an NMI, by a breakpoint, and by the jump that the kernel makes of it after a moment.
is_jump() { grep "untraced_in_nmi.*\[OPTIMIZED\]" /sys/kernel/debug/kprobes/list; }
is_breakpoint() { ! is_jump && grep untraced_in_nmi /sys/kernel/debug/kprobes/list; }
if [ -e $MODULES/kprof_nmi.ko ] && [ -e /proc/sys/debug/kprobes-optimization ]; then
	insmod $MODULES/kprof_nmi.ko
	insmod /kprof/kprof.ko target='"untraced_in_nmi by=context"' event=none
	for kind in breakpoint jump; do
		[ $kind = jump ] && optimise=1 || optimise=0
		echo $optimise >/proc/sys/debug/kprobes-optimization
		echo 1 >$KPROF/reset
		is "$(eventually is_$kind)" "" "a $kind"
		echo 10 >/sys/module/kprof_nmi/parameters/nmi
		is "$(awk -F '\t' '$1 == "untraced_in_nmi" { print $2, $3 }' $KPROF/latency)" "context=nmi 10" \
			"in an NMI it tells so"
		is "$(cut -f 2 $KPROF/latency | grep -c context=task)" 0 "and is not the task's"
	done
	rmmod kprof kprof_nmi
else
	for kind in breakpoint jump; do
		skip "a $kind" "not on this kernel"
		skip "in an NMI it tells so" "not on this kernel"
		skip "and is not the task's" "not on this kernel"
	done
fi

refused 'by=$arg7' 'at "7" \(character 8 .*expected a number from 1 to 6'
refused 'by=$arg2:u33' 'at "u33" \(character 10 .*expected a type: u8 to u64'
refused 'by==$arg2' 'at "=.arg2" .character 4 .*expected a name of printable characters'
refused 'by=a"b=$arg2' 'expected a name of printable characters'
refused 'by=colour' 'at "colour" \(character 4 .*expected a key: '
refused 'by=hits()' 'expected a target'
refused 'by=linear($arg1)' 'expected , and the step'
refused 'by=log2(cgroup)' 'expected a number as the key'
refused 'if=cgroup>/a' 'expected == or != before a text'
refused "if=cgroup==/$(printf '%0127d' 0)" 'expected a text of 1 to 127 characters'
refused "if=+0(\$arg1):string==$(printf '%032d' 0)" 'expected a text of 1 to 31 characters'
refused 'if=comm==0123456789abcdef' 'expected a text of 1 to 15 characters'
refused 'by=log2(comm)' 'expected a number as the key'
refused 'by=+zz($arg1)' 'at "zz.*expected a number'
refused 'if=$arg2~3' 'at "~3" \(character 9 .*expected one of == !='
refused 'by=$arg1&x' 'at "x" \(character 10 .*expected a number'
refused 'by=$arg1:u32&~7' 'at "&~7" \(character 13 .*expected the mask in front of the type'
refused 'by=+0($arg1)&3:string' 'expected a type of numbers behind a mask'
refused 'by=comm($arg1' 'expected \)'
refused 'min=10' 'expected a unit: ns, us, ms or s'
rmmod kprof_known
