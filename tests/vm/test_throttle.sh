#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_throttle - the time in which the CPU limit of a cgroup (cpu.max) keeps tasks off the CPU is a state
# of its own, which names the cgroup and is as long as the kernel says
# icount
# shellcheck disable=SC2016 # inner shells expand it
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF"
cd /tmp || exit
groups=/tmp/cgroups
mkdir $groups
{ mount -t cgroup2 none $groups && echo +cpu >$groups/cgroup.subtree_control &&
	mkdir $groups/limited && [ -e $groups/limited/cpu.max ]; } 2>/dev/null ||
	skip_all "this kernel has no CPU limits of cgroups"
echo "20000 100000" >$groups/limited/cpu.max

# usec GROUP: for how many microseconds the kernel says that it was throttled
usec() { awk '$1 == "throttled_usec" { print $2 }' "$groups/$1/cpu.stat"; }

# shown TARGET PATTERN: microseconds of the rows of a target whose keys match
shown() { awk -F '\t' -v target="$1" -v keys="$2" '$1 == target && $2 ~ keys { n += $5 } END { printf "%.0f", n / 1000 }' $KPROF/latency; }

# near VALUE OTHER [MORE]: "yes" if both are the same, or what they are. The kernel takes the time when it
# begins to switch tasks and kprof at the end, so they may differ by 2 % and 2 ms; or by MORE.
near() { echo "$1 $2" | awk -v more="${3:-2000}" '{ d = $1 > $2 ? $1 - $2 : $2 - $1; if (d <= $2 / 50 + more) print "yes"; else print }'; }

# All run on one CPU. A task that has left its cgroup is throttled no more: what the kernel says then is
# as long as what the task waited.
spins='echo 0 >"$3/$1/cgroup.procs"; i=0; while [ $i -lt "$2" ]; do i=$((i + 1)); done; echo 0 >"$3/cgroup.procs"'
# spin NAME GROUP TURNS: a task of that name computes in a cgroup
spin() { taskset 1 sh -c 'printf %s "$0" >/proc/self/comm; eval "$4"' "$1" "$2" "$3" $groups "$spins"; }

# turns: a task that counts as far runs for 0.15 s; with the limit of 20 % of a CPU, that lasts almost a second
turns=75000

plan 36
insmod /kprof/kprof.ko record=0 target='"@offcpu by=state,comm;@runqueue by=state,comm"'

# --- a task that computes, alone in its cgroup ---
spin alone limited $turns
throttled=$(usec limited)
between "$throttled" 200000 600000000 "the kernel throttles a cgroup"
is "$(near "$(shown @offcpu '^state="throttled:/limited",comm="alone"$')" "$throttled")" yes \
	"@offcpu: the task was throttled for as long"
is "$(near "$(shown @runqueue '^state="throttled:/limited",comm="alone"$')" "$throttled")" yes "@runqueue: so it was"
between "$(shown @offcpu '^state=preempted,comm="alone"$')" 0 $((throttled / 2)) "and that is not called preempted"

# --- the limit is that of a cgroup above; one with a strange name, which others must not take for their own ---
echo +cpu >$groups/limited/cgroup.subtree_control
inner=$(printf 'a "b;c\\\033[31m,\303\251')
mkdir "$groups/limited/$inner"
before=$(usec limited)
spin within "limited/$inner" $turns
between $(($(usec limited) - before)) 200000 600000000 "the kernel throttles a cgroup above"
is "$(near "$(shown @offcpu '^state="throttled:/limited",comm="within"$')" $(($(usec limited) - before)))" yes \
	"that is the one that is named"
echo "10000 50000" >"$groups/limited/$inner/cpu.max"
echo max >$groups/limited/cpu.max
spin strange "limited/$inner" $turns
throttled=$(usec "limited/$inner")
between "$throttled" 100000 600000000 "the kernel throttles one of a strange name"
is "$(near "$(shown @offcpu '^state="throttled:.*",comm="strange"$')" "$throttled")" yes "for as long as is shown"
is "$(grep -c '	state="throttled:.limited.a \\"b;c\\\\\\x1b\[31m,\\xc3\\xa9",comm="strange"	' $KPROF/latency)" 2 \
	"its name is escaped"
rmdir "$groups/limited/$inner"
echo "20000 100000" >$groups/limited/cpu.max

# --- several in one cgroup: all are throttled, whoever used up the limit, also who is woken meanwhile ---
mkdir $groups/limited/both
before=$(usec limited)
spin first limited/both $turns &
taskset 1 sh -c 'echo 0 >"$1/cgroup.procs"; until [ -e /tmp/enough ]; do sleep 0.01; done' sh $groups/limited/both &
spin second limited/both $turns
touch /tmp/enough
wait
throttled=$(($(usec limited) - before))
for name in first second; do
	between "$(shown @offcpu "^state=.throttled:/limited.,comm=.$name.\$")" 100000 $((throttled + throttled / 50 + 2000)) \
		"of two in a cgroup, the $name was throttled"
	between "$(shown @offcpu "^state=preempted,comm=.$name.\$")" 0 $((throttled / 3)) "and preempted for less"
done
between "$(shown @runqueue '^state=.throttled:/limited.,comm=.sleep.$')" 50000 600000000 \
	"one that is woken in a cgroup that is throttled waits as throttled"
is "$(near "$(shown @offcpu '^state=.throttled:/limited.,comm=.sleep.$')" \
	"$(shown @runqueue '^state=.throttled:/limited.,comm=.sleep.$')" 20000)" yes "for @offcpu, too, that is no sleep"
is "$(stat throttling),$(stat throttling.lost)" "watched,0" "nothing was missed"
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)$(unaccounted @offcpu)$(unaccounted @runqueue)" 00 "accounts add up"
rmmod kprof

# --- conditions on the state ---
insmod /kprof/kprof.ko record=0 target='"@offcpu as=only by=state if=state==throttled;@offcpu as=none by=state if=state!=throttled;@offcpu as=sum by=comm"'
before=$(usec limited)
spin alone limited $turns
throttled=$(($(usec limited) - before))
between "$throttled" 100000 600000000 "the kernel throttles the task once more"
echo 0 >$KPROF/enable
is "$(awk -F '\t' '$1 == "only" && $2 !~ /^state="throttled:.limited"$/' $KPROF/latency)" "" "one that asks for throttled sees nothing else"
is "$(near "$(shown only .)" $throttled)" yes "and all of that"
is "$(shown none throttled)" 0 "one that asks for the others sees none of it"
between "$(shown none preempted)" 0 $((throttled / 2)) "nor is it called otherwise"
between "$(stat only.split)" 1 1000000000 "waits are in two rows"
is "$(unbalanced <$KPROF/stats)$(unaccounted only)$(unaccounted none)" 00 "and accounts add up"
rmmod kprof

# --- more cgroups than there is room for ---
mkdir $groups/many
echo +cpu >$groups/many/cgroup.subtree_control
insmod /kprof/kprof.ko record=0 target=@offcpu
nr=0 pids=
while [ $nr -lt 80 ]; do
	nr=$((nr + 1))
	mkdir $groups/many/$nr
	echo "1000 1000000" >$groups/many/$nr/cpu.max
	taskset 1 sh -c 'echo 0 >"$1/cgroup.procs"; while :; do :; done' sh $groups/many/$nr &
	pids="$pids $!"
done
lost() { [ "$(stat throttling.lost)" -gt 0 ]; }
eventually lost
between "$(stat throttling.lost)" 1 1000000000 "of 80 cgroups that are throttled at once some find no room"
# Removed while they are throttled. Some tasks may not be in their cgroup yet.
# shellcheck disable=SC2086 # a word each
kill -KILL $pids
wait
# shellcheck disable=SC2317 # eventually calls it
removed() { rmdir $groups/many/*/ 2>/dev/null; [ ! -e $groups/many/80 ]; }
eventually removed
echo 0 >$KPROF/enable
is "$(unbalanced <$KPROF/stats)$(unaccounted @offcpu)" 0 "accounts add up when they are removed"
rmmod kprof

# --- the program ---
before=$(usec limited)
record() { kprof record --wall -a -o wall.data -- taskset 1 sh -c 'printf %s "$0" >/proc/self/comm; eval "$4"' busy limited $turns $groups "$spins"; }
succeeds "kprof record --wall" record
throttled=$(($(usec limited) - before))
between "$throttled" 100000 600000000 "the kernel throttles what is recorded"
kprof report --states --csv wall.data >states
column() { head -n 1 states | tr , '\n' | grep -nx -e "$1" | cut -d : -f 1; }
is "$(near "$(awk -F , -v at="$(column throttled_ns)" -v by="$(column throttled_by)" '$by == "/limited" { n += $at } END { printf "%.0f", n / 1000 }' states)" $throttled)" \
	yes "report --states: a column of its own, and the cgroup"
is "$(awk -F , 'NR > 1 { sum = 0; for (i = 2; i <= 9; i++) sum += $i; if (sum != $1) print }' states)" "" \
	"the states of each task add up to what has elapsed"
matches "$(kprof report --states wall.data)" ' throttled .* throttled by' "the table has both"
is "$(near "$(kprof fold --wall wall.data | awk '/^busy;.throttled:.limited.;/ { n += $NF } END { printf "%.0f", n / 1000 }')" $throttled)" \
	yes "fold --wall: a frame with the cgroup, and below it where the task was"
is "$(near "$(kprof report --waits --csv wall.data | awk -F , '$4 == "busy" && $5 == "throttled:/limited" { n += $1 } END { printf "%.0f", n / 1000 }')" $throttled)" \
	yes "report --waits: it waited for the CPU limit"
said=$(kprof runq -a --csv -- taskset 1 sh -c 'printf %s "$0" >/proc/self/comm; eval "$4"' busy limited $turns $groups "$spins" 2>/dev/null)
matches "$said" ',busy,\[throttled:/limited\]$' "kprof runq: no task had the CPU instead"
said=$(kprof offcpu -a --csv --state throttled -- taskset 1 sh -c 'printf %s "$0" >/proc/self/comm; eval "$4"' busy limited $turns $groups "$spins" 2>/dev/null)
matches "$said" ',throttled:/limited,busy$' "kprof offcpu has the state"
is "$(echo "$said" | grep -c ,preempted,)" 0 "and, asked for that, no other"
