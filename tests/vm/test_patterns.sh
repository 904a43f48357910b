#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_patterns - targets by patterns, what cannot be watched, and names that are near
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
known_file=/sys/module/kprof_known/parameters

# status COMMAND...: its exit status; what it says goes to said
status() { "$@" >/tmp/said 2>&1; echo $?; }

plan 21
insmod $MODULES/kprof_known.ko

# Every function of the module that is no trigger is watched, and one is called.
is "$(status kprof lat 'kprof_known:known_*' --csv -- \
	sh -c "grep -c ^kprof_known:known_ $KPROF/targets >/tmp/watched; echo 10 >$known_file/recurse")" 0 \
	"lat takes a pattern of a module"
between "$(cat /tmp/watched)" 10 40 "many functions are watched"
is "$(awk -F , '$1 == "kprof_known:known_recursive" { print $3 }' /tmp/said)" 10 "each call of one counts"
is "$(status kprof lat 'known_recurs*' 'by=comm' --csv -- sh -c "echo 3 >$known_file/recurse")" 0 \
	"options hold for what a pattern matches"
is "$(awk -F , '$2 ~ /^.?comm=/ { print $3 }' /tmp/said)" 3 "so calls have their contexts"
is "$(status kprof record -q -t 'known_recurs*' -o p.data -- sh -c "echo 5 >$known_file/recurse")" 0 \
	"record takes one, too"
is "$(kprof fold --samples p.data | awk '{ n += $NF } END { print n }')" 5 "each call is recorded"
is "$(status kprof lat 'known_recurs*' -t 'kprof_known:known_recursive by=comm' --csv -- \
	sh -c "echo 4 >$known_file/recurse")" 0 "one of those that match is given by its name, too"
is "$(grep -c 'left out' /tmp/said) $(awk -F , '$2 ~ /^.?comm=/ { print $3 }' /tmp/said)" "0 4" \
	"it is watched as is said there, and none is left out"

# What cannot be watched is left out, or is an error.
is "$(status kprof lat known_recursive $UNPROBEABLE -d 0.1)" 1 "a function that cannot be watched is an error"
is "$(status kprof lat --skip-missing known_recursive $UNPROBEABLE -d 0.1)" 0 "or left out"
matches "$(cat /tmp/said)" "left out: 1 of 2 functions.*target=$UNPROBEABLE: " "with a line"
# Wrong ones among many: the program writes all of them at once.
watched='known_called;known_eight;known_recursive;known_sleeper;known_turn;'
is "$(status kprof lat --skip-missing known_called $UNPROBEABLE known_eight known_recursive \
	kprof_no_such_function known_sleeper $UNPROBEABLE+0x1 known_turn kprof_not_there -- \
	sh -c "cut -f 1 $KPROF/targets | tr '\n' ';' >/tmp/watched")" 0 "several that cannot be watched are left out"
is "$(cat /tmp/watched)" "$watched" "wherever they stand, and no other"
matches "$(cat /tmp/said)" "left out: 4 of 9 functions.*target=$UNPROBEABLE: " "and counted"
insmod /kprof/kprof.ko enable=0
printf '%s\n' known_called known_eight kprof_no_such_function known_turn 2>/dev/null >$KPROF/targets
is "$(cut -f 1 $KPROF/targets | tr '\n' ';') $(cut -d : -f 1 $KPROF/error)" \
	"known_called;known_eight; target=kprof_no_such_function" \
	"the module takes lines up to the one that is wrong, and names that"
rmmod kprof
is "$(status kprof lat 'a*' -d 0.1)" 1 "a pattern that matches too many is refused"
status kprof lat known_recursvie -d 0.1 >/dev/null
matches "$(cat /tmp/said)" "close to 'known_recursvie': (kprof_known:)?known_recursive" "a misspelt name has near ones told"

# What was watched before is put back, up to a target that is no more there.
insmod /kprof/kprof.ko enable=0 target=vfs_read,kprof_known:known_called,vfs_write
rmmod kprof_known
status kprof lat vfs_open -d 0.1 >/dev/null
matches "$(cat /tmp/said)" '^kprof lat: target=kprof_known:known_called: ' "it is said why a target cannot be put back"
is "$(cut -f 1 $KPROF/targets | head -n 1)" vfs_read "those in front of it are there again"
rmmod kprof
insmod $MODULES/kprof_known.ko

# A list is what can be given back.
# shellcheck disable=SC2046 # a word for each
is "$(status kprof lat $(kprof list 'known_recurs*') -d 0.1)" 0 "a list of names is a list of targets"
rmmod kprof_known
