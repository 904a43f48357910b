#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_marked - the part of a program that it asks for by kprof_start() and kprof_stop()
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

program=/kprof/programs/marked
cd /tmp || exit 1

# ticks FUNCTION: samples of the timer in it
ticks() { awk -v name="burn_$1" 'is_timer && index($2, name "+") == 1 { n++ } /^[^\t]/ { is_timer = / timer:$/ }
	END { print n + 0 }' script; }

# account SOURCE: fired, filtered and captured
account() { awk -v name="$1" '$5 == name { print $1, $2, $3 }' said; }

plan 25

# Parts of some fifty milliseconds are too short for a period that is doubled where the machine stood
# still in the timer.
insmod /kprof/kprof.ko enable=0 max_cpu=100
kprof record -g -F 499 --marked -t $program:called -o marked.data $program 100 >said 2>&1
kprof script --no-pager -i marked.data >script 2>>said
for name in part thread child own exec; do
	between "$(ticks $name)" 1 100000 "samples of what is started: $name"
done
is "$(ticks before) $(ticks behind) $(ticks twice)" "0 0 0" \
	"and of nothing that is not, among it what follows two starts and one stop"
is "$(account $program:called)" "98 39 59" "each call that is watched is in the account"
is "$(grep -c "$program:called:\$" script) $(grep -c "$program:called__return:\$" script)" "59 59" \
	"and those of the part are there, with their returns"
is "$(account kprof:start) / $(account kprof:stop)" "4 0 4 / 2 0 2" "so are the marks"
outside=$(sed -n 's/.*[ ,]\([0-9]*\) outside of kprof_start.*/\1/p' said)
between "$outside" $((39 + 15)) 100000 "what was left out is counted"
filtered=$(account timer | cut -d ' ' -f 2)
is "$(($(account timer | cut -d ' ' -f 3) + filtered))" "$(account timer | cut -d ' ' -f 1)" \
	"and nothing was lost"

# The module is still there, with what it has seen.
kprof record -g -F 499 -o all.data $program 100 >said 2>&1
kprof script --no-pager -i all.data >script 2>>said
between "$(ticks before)" 1 100000 "without the option all of it is there"
kprof report --no-pager all.data >said 2>&1
is "$(grep -c -e kprof:start -e "$program:called" said) $(grep -c burn_before said)" "0 1" \
	"and what was recorded before is none of it"
rmmod kprof

kprof record -F 499 --marked -o never.data $program never 100 >said 2>&1
is "$? $(grep -c 'nothing called kprof_start()' said)" "0 1" "a program that never starts is told"
is "$(kprof record --marked /kprof/programs/hog 2>&1; echo $?)" \
	"kprof record: '/kprof/programs/hog' has no kprof_start() of kprof.h, which --marked goes by: give the program that has it, not one that runs it
1" "so is one that cannot"
is "$(lsmod | grep -c '^kprof ')" 0 "nothing is left"

# Counted, too, and without the module.
# faults OPTION...: page faults of the program, and the exit status
faults() { kprof stat --json -o - -e page-faults "$@" 2>said | sed -n 's/.*"value": \([0-9]*\).*/\1/p'; }
between "$(faults -- $program pages 1)" 3800 4300 "all that a program does"
between "$(faults --marked -- $program pages 1)" 800 1100 "and what it does between start and stop, with its child"
between "$(faults --marked -r 3 -- $program pages 1)" 800 1100 "in each of several runs"
between "$(faults --marked -a -- $program pages 1)" 800 2000 "the whole system's in that time"
is "$(faults --marked -e '{page-faults,minor-faults}' -- $program pages 1 | awk '$1 >= 800 && $1 <= 1100' | wc -l)" 3 \
	"of a group, too"
# On a busy machine an interval may last as long as the program.
for _ in 1 2 3 4 5 6 7 8; do
	kprof stat --marked -I 10 -x , -e page-faults -- $program pages 5 >said 2>&1
	! grep -q '<not counted>' said || break
done
between "$(awk -F , '$2 ~ /^[0-9]/ { sum += $2 } END { print sum + 0 }' said)" 4000 4400 \
	"in intervals, too, which add up"
is "$(cut -d , -f 2,4 said | grep '^<' | sort -u)" "<not counted>,page-faults" "one without such a part has nothing"
kprof stat --marked -- $program never 1 >said 2>&1
is "$? $(grep -c 'nothing called kprof_start()' said)" "1 1" "a program that never starts is told of here, too"
(kprof stat --marked -e page-faults -- sh -c "exec $program pages 1" >said 2>&1)
is "$? $(grep -c 'has no kprof_start()' said)" "1 1" "and one that only runs it"
