#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lat - kprof lat and kprof diff, as a user would use them
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit

known_file=/sys/module/kprof_known/parameters
work="echo 1,500 >$known_file/loop; echo 4,400 >$known_file/loop; echo 13,300 >$known_file/loop"

# status COMMAND...: its exit status, and nothing else
status() { "$@" >/tmp/said 2>&1; echo $?; }

# by_context: context and calls of known_loop in CSV, by context
by_context() { awk -F , '$1 == "known_loop" { print $2, $3 }' | sort; }

settings() {
	for file in enable event record idle pid comm cpus clock max_rows maxactive targets; do
		cut -f 1 $KPROF/$file | sed "s/^/$file /"
	done
}

rows='$arg2=1 500
$arg2=13 300
$arg2=4 400'

plan 45
insmod $MODULES/kprof_known.ko

is "$(status kprof lat known_loop 'by=$arg2' -o a.data --csv -- sh -c "$work")" 0 \
	"lat of a command succeeds"
is "$(by_context </tmp/said)" "$rows" "each call is in the row of its context"
is "$(lsmod | grep -c '^kprof ')" 0 "the module that was loaded is unloaded"
is "$(kprof report --csv a.data | by_context)" "$rows" "report shows the same"
matches "$(kprof report a.data)" '^# probe: [a-z_]+, for known_loop: [^,]*[0-9]' \
	"with how it was watched, and what that cost"
matches "$(kprof report a.data)" '^# lost: 0 calls' "and that nothing was lost"
is "$(kprof report --json a.data | grep -c '"buckets": \[\[')" 3 "and buckets for each row"
# Four turns are no great difference to either.
is "$(kprof report --csv a.data | awk -F , '$1 == "known_loop" { split($2, k, "="); print k[2], $8 }' |
	grep -v '^4 ' | sort -n | awk '$2 < last { bad = 1 } { last = $2 } END { print bad + 0, NR }')" "0 2" \
	"more turns take longer, at least"

# A row is a row, whatever the others are.
is "$(status kprof lat known_loop 'by=hits(known_turn)' --csv -- sh -c "$work")" 0 \
	"a target that counts in another one"
is "$(awk -F , '$1 == "known_turn" { print $3 }' /tmp/said)" $((500 + 1600 + 3900)) "the inner one"
is "$(awk -F , '$1 == "known_loop" { print $3 }' /tmp/said | sort -n | tr '\n' ' ')" "300 400 500 " \
	"and the outer one, by its turns"
is "$(status kprof lat known_loop 'by=$arg2' 'if=$arg2>3' --csv -- sh -c "$work")" 0 "with a condition"
is "$(by_context </tmp/said)" "$(echo "$rows" | grep -v '=1 ')" "other calls are left out"

# That nobody called a function may be what matters.
is "$(status kprof lat known_loop,known_tail,known_sleeper -- sh -c "$work")" 0 "targets of which some are not called"
matches "$(cat /tmp/said)" '^# no call of known_tail, known_sleeper$' "are named"
is "$(status kprof lat known_tail -- true) $(grep -c 'nobody called it' /tmp/said)" "0 1" "one alone is, too"
# A timer that comes late because the machine stands still is one that @irqsoff sees.
for _ in 1 2 3 4 5 6 7 8; do
	status=$(status kprof lat @irqsoff -- true)
	! grep -q 'only where that takes' /tmp/said || break
done
is "$status $(grep -c 'only where that takes' /tmp/said)" "0 1" "and what @irqsoff does not see"

# Two stacks that differ in offsets only read alike.
is "$(status kprof lat known_twice by=stack -o twice.data --csv -- sh -c "echo 30 >$known_file/twice")" 0 \
	"stacks that differ in offsets only"
is "$(awk -F , '$1 == "known_twice" { print $3 }' /tmp/said)" 60 "are one row, with all calls"
is "$(kprof report --csv twice.data | awk -F , '$1 == "known_twice" { print $3 }')" 60 \
	"and in the recording"

# Without what the probe takes.
is "$(status kprof lat known_twice --net --json -- sh -c "echo 30 >$known_file/twice")" 0 "lat --net"
matches "$(cat /tmp/said)" '"target": "known_twice", .*"calls": 60, .*"net": true, "less_ns": [0-9]+,' \
	"takes the probe off, and says how sure that is"
is "$(kprof report --net --csv twice.data | awk -F , '$1 == "known_twice" { net = $5 }
	END { print (net < '"$(kprof report --csv twice.data | awk -F , '$1 == "known_twice" { print $5 }')"') }')" \
	1 "what is left is less"

# Only the command's calls; or everybody's.
sh -c "while :; do echo 4,1 >$known_file/loop; done" &
other=$!
is "$(status kprof lat known_loop --csv -- sh -c "$work")" 0 "beside others that call it"
is "$(awk -F , '$1 == "known_loop" { print $3 }' /tmp/said)" 1200 "only the command's calls count"
# In each there should be a call, where its CPU does not stand still for as long.
for seconds in 1 4 16; do
	status=$(status kprof lat -a known_loop -i $seconds --interval-count 3 --csv)
	[ "$(awk -F , 'NR > 1 { print $1 }' /tmp/said | tr '\n' ' ')" != "1 2 3 " ] || break
done
is "$status" 0 "intervals end with --interval-count"
is "$(awk -F , 'NR > 1 { print $1 }' /tmp/said | tr '\n' ' ')" "1 2 3 " "and have a table each"
kill $other
wait $other 2>/dev/null

# A module that was there: settings and older calls.
insmod /kprof/kprof.ko target=known_recursive freq=49 comm='nobody*'
before=$(settings)
is "$(status kprof lat known_loop 'by=$arg2' --csv -- sh -c "$work; $work")" 0 "with the module loaded"
is "$(awk -F , '$1 == "known_loop" { n += $3 } END { print n }' /tmp/said)" 2400 "two rounds of work"
is "$(status kprof lat known_loop 'by=$arg2' -o b.data --csv -- sh -c "$work")" 0 "and again"
is "$(by_context </tmp/said)" "$rows" "calls of before are not in the table"
is "$(settings)" "$before" "settings are as before"
is "$(status kprof lat known_loop by=comm --csv -- sh -c "$work")" 0 "and with other keys"
is "$(awk -F , '$1 == "known_loop" { n += $3 } END { print n }' /tmp/said)" 1200 "all calls are in the table"
matches "$(cat /tmp/said)" "^kprof lat: the profile of the module, .* had calls of 'known_loop by=comm'" \
	"and what is lost for that is told"
is "$(settings)" "$before" "settings are as before"
rmmod kprof
# shellcheck disable=SC2016 # a key of kprof
insmod /kprof/kprof.ko target='known_loop by=$arg2' freq=49
before=$(settings)
sh -c "$work"
is "$(status kprof lat known_loop --skip-missing by=comm --csv -- sh -c "$work")" 0 \
	"where the module has a target of that name, with other keys"
is "$(awk -F , '$1 == "known_loop" { n += $3 } END { print n }' /tmp/said)" 1200 "likewise"
is "$(settings)" "$before" "and its own keys are there again"
rmmod kprof

is "$(KPROF_MODULE=missing.ko status kprof lat known_loop -- true)" 1 "KPROF_MODULE names the module"
matches "$(cat /tmp/said)" 'cannot find the module: tried missing.ko' "which is not there"

is "$(status kprof lat known_loop 'by=$arg9' -d 1)" 1 "a wrong key is refused"
matches "$(cat /tmp/said)" 'expected a number from 1 to 6 after \$arg' "and what would be right is said"

# The same kernel, the same work.
is "$(status kprof diff a.data b.data)" 0 "diff compares them"
matches "$(kprof diff --csv a.data b.data)" '^known_loop,\$arg2=13,(same|slower|faster),.*,300,300,' \
	"row by row"
rmmod kprof_known
