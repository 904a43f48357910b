#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_wall - where all the time of tasks went: states that add up, and who held whom up
# sanitizers
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# column NAME: its number in the CSV of /tmp/states
column() { head -n 1 /tmp/states | tr , '\n' | grep -nx -e "$1" | cut -d : -f 1; }

# of PID COLUMN: a value of the table of states
of() { awk -F , -v pid="$1" -v at="$(column "$2")" -v by="$(column pid)" '$by == pid { n += $at } END { printf "%.0f", n }' /tmp/states; }

# total: of the counts of folded text
total() { awk '{ n += $NF } END { printf "%.0f", n }'; }

# A worker that computes each time that it is told to, and says when it has.
# shellcheck disable=SC2016
work='while read -r x; do i=0; while [ $i -lt 1000 ]; do i=$((i + 1)); done; echo; done'

plan 26

# --- states: more workers than CPUs, and one that does nothing but sleep ---
mkfifo /tmp/start /tmp/finished
exec 3<>/tmp/start 4<>/tmp/finished
workers=''
delay_dequeue NO_DELAY_DEQUEUE
for _ in 1 2 3 4; do
	sh -c "$work" <&3 >&4 &
	workers="$workers $!"
done
# Blocked before and after: of the time between both the kernel knows as much as kprof.
# shellcheck disable=SC2086 # several
eventually blocked $workers
# shellcheck disable=SC2086
kernel() { for pid in $workers; do cat "/proc/$pid/schedstat"; done | awk -v n="$1" '{ ns += $n } END { printf "%d", ns / 1000 }'; }
clock() { cat /sys/devices/system/clocksource/clocksource0/current_clocksource; }

# of_workers COLUMN: how many microseconds all of them were in a state
of_workers() {
	sum=0
	for pid in $workers; do sum=$((sum + $(of "$pid" "$1") / 1000)); done
	echo $sum
}

# differs COLUMN KERNEL: by how much from the kernel's time, of that; per cent
differs() { echo "$(of_workers "$1") $2" | awk '{ print $2 ? int(100 * ($1 > $2 ? $1 - $2 : $2 - $1) / $2) : 100 }'; }

# On a busy machine a task may stand still between the scheduler's look at the clock and kprof's:
# what differs because of that is another time the next time.
for _ in 1 2 3 4 5; do
	clock=$(clock) ran=$(kernel 1) waited=$(kernel 2)
	# shellcheck disable=SC2016,SC2086
	said=$(status kprof record --wall -a -o states.data -t vfs_write -- sh -c '. /kprof/tests/module.sh
		sleep 0.5 & echo $! >/tmp/sleeper
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo; done >&3
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do read -r x; done <&4
		eventually blocked "$@"; wait' sh $workers)
	ran=$(($(kernel 1) - ran)) waited=$(($(kernel 2) - waited))
	mv /tmp/errors /tmp/account
	shown=$(status kprof report --states --csv states.data)
	mv /tmp/said /tmp/states
	[ "$(differs running_ns $ran)" -gt 25 ] || [ "$(differs runnable_ns $waited)" -gt 25 ] || break
done
is "$said" 0 "kprof record --wall"
matches "$(cat /tmp/account)" ' 0  @offcpu$' "spans have an account of their own"
matches "$(cat /tmp/account)" ' 0  timer$' "beside the timer"
matches "$(cat /tmp/account)" ' 0  vfs_write$' "and a function"
is "$shown" 0 "kprof report --states"
is "$(awk -F , 'NR > 1 { sum = 0; for (i = 2; i <= 9; i++) sum += $i; if (sum != $1) print }' /tmp/states)" "" \
	"the states of each task add up to what has elapsed"

# near COLUMN KERNEL DESCRIPTION: the kernel's time of a task begins a little before kprof sees it come.
# The scheduler's clock may jump when the time-stamp counter turns out to be no good.
near() {
	if [ "$(clock)" = "$clock" ]; then
		between "$(differs "$1" "$2")" 0 25 "$3"
	else
		skip "$3" "the clock has become $(clock) meanwhile"
	fi
}

between "$ran" 10000 600000000 "workers ran"
between "$waited" 10000 600000000 "and waited for a CPU"
near running_ns "$ran" "they ran as long as the kernel says"
near runnable_ns "$waited" "and waited for a CPU as long"
is "$(for pid in $workers; do of "$pid" elapsed_ns; echo; done | sort -u | wc -l)" 1 \
	"they were there for the same time"
between "$(of "$(cat /tmp/sleeper)" sleep_ns)" 250000000 60000000000 "a sleeper slept"
is "$(of "$(cat /tmp/sleeper)" io_ns) $(of "$(cat /tmp/sleeper)" stopped_ns)" "0 0" "and did nothing else for long"

# --- one picture whose width is time ---
elapsed=$(awk -F , 'NR > 1 { n += $1 } END { printf "%.0f", n }' /tmp/states)
is "$(kprof fold --wall states.data | total)" "$elapsed" "fold --wall has all of it"
is "$(kprof fold --wall --chain states.data | total)" "$elapsed" "with chains, too"
is "$(kprof flame --wall states.data | grep -c '<svg ')" 1 "flame --wall draws it"
# shellcheck disable=SC2086
kill $workers
wait
delay_dequeue DELAY_DEQUEUE

# --- a relay of four, of which the last is late; it begins to be when the others wait for it ---
# shellcheck disable=SC2016
relay='. /kprof/tests/module.sh
	sh -c "$NAMED" fourth "read x </tmp/start; sleep 0.4; echo x" | sh -c "$NAMED" third "read x; echo x" |
	sh -c "$NAMED" second "read x; echo x" | sh -c "$NAMED" first "read x" &
	waiting() {
		set -- $(pids first) $(pids second) $(pids third) $(pids fourth)
		[ $# = 4 ] && blocked "$@"
	}
	eventually waiting
	echo >/tmp/start
	wait'
is "$(status kprof record --wall -a -o relay.data -- sh -c "$relay")" 0 "a relay over pipes"
between "$(kprof fold --wall --chain --comm first relay.data | grep -E \
	'^first;\[sleep\];.*;--;second;\[sleep\];.*;--;third;\[sleep\];.*;--;fourth;\[sleep\];.*;--;sleep;\[sleep\];.*nanosleep' |
	total)" 200000000 60000000000 "the first waits for the second, that for the third, and that for the sleeper of the last"
# On a busy machine to start all of it takes longer than the sleeper sleeps.
longest=$(kprof report --waits --comm first --csv relay.data | grep -m 1 -e ' -- sleep,sleep,')
matches "$longest" '^[0-9]+,[0-9]+,[0-9]+,first,sleep,[^,]+,second -- third -- fourth -- sleep,sleep,[^,]*nanosleep' \
	"the table of chains has that"
between "${longest%%,*}" 200000000 60000000000 "with its time"

# --- two that wake each other: when one is woken it waits no more, and its waker may sleep ---
# shellcheck disable=SC2016 # the inner shell expands it
rally='mkfifo /tmp/there /tmp/back
	export NAMED="printf \$0 >/proc/self/comm; while read -r x; do echo; done"
	sh -c "$NAMED" back </tmp/there >/tmp/back &
	exec 5>/tmp/there 6</tmp/back
	echo there >/proc/self/comm
	i=0; while [ $i -lt 300 ]; do i=$((i + 1)); echo >&5; read -r x <&6; done'
is "$(status kprof record --wall -a --ring-kb 4096 -o rally.data -- sh -c "$rally")" 0 "a rally over pipes"
kprof report --waits --csv rally.data >/tmp/states
# Its name has a line feed.
between "$(grep -c -e ',there[^,]*,sleep,[^,]*,back' -e ',back,sleep,[^,]*,there' /tmp/states)" 2 100 "each waits for the other"
is "$(grep -c -e ',there[^,]*,[^,]*,[^,]*,back -- there' -e ',back,[^,]*,[^,]*,there[^,]* -- back' /tmp/states)" 0 \
	"nobody waits for one that waits for it"
kprof report --waits rally.data >/tmp/said
matches "$(cat /tmp/said)" ' back +(sleep|wait): [^ ]*(poll|pipe_read)' "and it is said where each waited"
# It was named with a line feed.
matches "$(cat /tmp/said)" ' there[\\]x0a +[^ ]' "a name begins no row"
is "$(grep -vc '^[# ]' /tmp/said)" 0 "nor is a row cut off"
