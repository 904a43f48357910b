#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_bare - user stacks of programs without frame pointers
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

bare=/kprof/programs/bare
cd /tmp || exit

# record ARGUMENT...: in data
record() { kprof record -q -F 499 -U -o data "$@" 2>said || cat said; }

# share PATTERN BY: per cent of the samples whose line matches, of those that match BY
share() {
	kprof fold --samples data | awk -v pattern="$1" -v by="$2" '
		$0 ~ by { all += $NF }
		$0 ~ by && $0 ~ pattern { n += $NF }
		END { print (all > 20 ? int(100 * n / all + 0.5) : "none") }'
}

# settled KIND ROUNDS: record until all rules are there. The module keeps what it has; a reader
# that is slow needs a program that takes longer.
settled() {
	kind=$1 rounds=$2
	for _ in 1 2 3 4 5 6; do
		early=$(stat user.early)
		record -- $bare "$kind" "$rounds"
		[ "$(stat user.early)" != "$early" ] || [ -n "$(cat $KPROF/rules)" ] || return
		rounds=$((2 * rounds))
	done
}

# forget: empty the module's tables
forget() {
	echo 0 >$KPROF/enable
	echo 1 >$KPROF/reset
}

main='^bare;_start;[^;]*;[^;]*;main;'
to_spin='bare_back;bare_aligned;bare_alloca;bare_pushes;bare_spin '

plan 35

# Some of these programs are too short for a period that is doubled where the machine stood still.
insmod /kprof/kprof.ko enable=0 max_cpu=100
record -- $bare chain 1000
between "$(share "${main}bare_thread;$to_spin" 'bare_spin ')" 100 100 \
	"the rules of a command's program and libraries are there before its first sample"
settled chain 5000
between "$(stat user.rules)" 2 1000 "the module has the rules of the files that it asked for"
between "$(stat user.rules_bytes)" 1000 10000000 "and says what room they take"

between "$(share "${main}bare_thread;$to_spin" 'bare_spin ')" 100 100 \
	"each frame is named: data in the frame pointer, alloca, an aligned frame"
between "$(stat user.ruled)" 20 1000000 "and counted as found by rules"
settled library 10000
between "$(share "${main}bare_library;$to_spin" 'bare_spin ')" 100 100 "through a library"
settled calls 40000
between "$(share "${main}bare_calls(;bare_nothing|;[[]bare[]])? " '(bare_calls|bare_nothing|;[[]bare[]]) ')" 100 100 \
	"at every instruction of a function, and of the function table on the way"
settled silent 10000
if [ "$(uname -m)" = x86_64 ]; then
	between "$(share "${main}bare_silent;bare_silent_spin " 'bare_silent_spin ')" 100 100 \
		"in a function of which the file says nothing"
else
	skip "in a function of which the file says nothing" "arm64 does not tell where its stack pointer was"
fi
settled thread 5000
between "$(share "^bare;[^;]*;[^;]*;bare_thread;$to_spin" 'bare_spin ')" 100 100 "in a thread, up to its root"
for kind in signal altstack; do
	settled $kind 5000
	between "$(share "${main}bare_signal;bare_trap;[^;]*;bare_handler;bare_spin " 'bare_spin ')" 100 100 \
		"out of a signal handler, to the instruction that was interrupted: $kind"
done

bare=/kprof/programs/bare-static
settled chain 5000
between "$(share "^bare-static;_start;[^;]*;[^;]*;main;bare_thread;$to_spin" 'bare_spin ')" 100 100 \
	"of a static program, whose linker leaves no table of what .eh_frame describes"
bare=/kprof/programs/bare

record --unwind fp -- $bare chain 5000
between "$(share "main;bare_thread;$to_spin" 'bare_spin ')" 0 5 "--unwind fp goes by frame pointers only"
if [ "$(uname -m)" = x86_64 ]; then
	matches "$(kprof report data | grep 'before the root')" \
		"^# [1-9][0-9]* of [0-9]* user stacks \([0-9.]* %\) end before the root.*leave out --unwind fp" \
		"and the report says how many stacks end early"
else
	skip "and the report says how many stacks end early" "none does: arm64 marks the root's frame"
fi
is "$(cat $KPROF/rules_kb)" 32768 "and leaves the module as it was"

# --- expected files ---

cat >script <<END
#!/usr/bin/env -S NAME=value $bare
END
printf '#!%s chain\n' "$bare" >scripted
chmod +x script scripted
for command in ./script ./scripted; do
	echo 1 >$KPROF/reset
	record -d 0.2 -- $command 2>/dev/null
	matches "$(cat $KPROF/file_table)" " $bare\$" "the program of a script is expected: $(head -n 1 $command | cut -c 1-12)"
done
echo 1 >$KPROF/reset
record -- sh -c "$bare chain 1000; true"
between "$(stat user.early)" 1 1000000 "stacks of a program that it starts come before the rules, and are counted"
echo 1 >$KPROF/reset
$bare chain 1000000 &
spinner=$!
record -d 1 -p $spinner
is "$(stat user.early)" 0 "so are the files of a process that runs already"
between "$(share "${main}bare_thread;$to_spin" 'bare_spin ')" 100 100 "whose stacks are whole"
echo 1 >$KPROF/reset
kprof top -b -n 4 -d 2 -F 499 -U --comm bare >said 2>&1
is "$(awk '/ samples? in / { nr++ } nr == 4 && / bare_spin / { spins = 1 } nr == 4 && /unknown/ { partial = 1 }
	END { print spins + 0, partial + 0 }' said)" "1 0" "and those of kprof top are after a while"
kill $spinner
wait $spinner
$bare maps 500 $bare &
spinner=$!
has_mapped() { [ "$(grep -c "r-xp.*$bare\$" /proc/$spinner/maps)" -gt 2000 ]; }
eventually has_mapped >/dev/null
is "$(kprof record -q -g -o data -d 0.2 -p $spinner 2>&1; echo $?)" 0 \
	"a file that a process has mapped two thousand times is expected once"
kill $spinner
wait $spinner
echo 1 >$KPROF/reset
exec 3<$KPROF/pins
echo text >text
/kprof/programs/looks expect $bare $bare - text /tmp /dev/zero nothing <&3 >said
is "$(sed -n '1,2p' said | tr '\n' ' ')" "1 1 " "a file that is expected twice has one number"
is "$(sed -n '3p' said) $(awk '{ print $2 }' $KPROF/file_table | tr '\n' ' ')" "2 file vdso " "the vDSO has one, too"
is "$(sed -n '4,7p' said | sort | uniq -c | awk '{ printf "%s:%s,", $1, $NF }')" "1:descriptor,3:argument," \
	"what is no ELF file has none, nor has a descriptor that is none"
is "$(tr '\n' ' ' <$KPROF/rules)$(stat user.pins_held)" "1 2 0" "rules are wanted for them, and nothing is held"
exec 3<&-

# --- no room ---

echo 1 >$KPROF/reset
echo 2 >$KPROF/rules_kb
rounds=2000
for _ in 1 2 3 4 5 6; do	# until the program takes longer than the reader needs for its rules
	record -- $bare chain $rounds
	[ "$(stat user.rules_refused)" = 0 ] || break
	rounds=$((2 * rounds))
done
between "$(grep -c 'no room for the unwind rules of [0-9]* file' said)" 1 1 "the reader says that rules had no room"
between "$(stat user.rules_bytes)" 0 2048 "the module keeps to its limit"
between "$(stat user.rules_refused)" 1 1000 "and counts what it refused"
echo 32768 >$KPROF/rules_kb

# --- garbage ---

forget
echo user >$KPROF/stacks
echo 4999 >$KPROF/freq
echo 10 >$KPROF/max_cpu
for size in 1 47 48 49 64 4096 100000; do
	head -c $size /dev/urandom >garbage
	dd if=garbage of=$KPROF/rules bs=200000 2>/dev/null && echo "taken: $size"
done >said
is "$(cat said)" "" "random bytes are no rules"
matches "$(cat $KPROF/error)" '^rules.*: not a table of rules, or a damaged one' "and the error says so"
given=0
for seed in 1 2 3 4 5 6; do
	forget
	echo 1 >$KPROF/enable
	$bare chain 100
	$bare signal 3000 &
	/kprof/programs/user share 600 &
	given=$((given + $(/kprof/programs/forge $KPROF $seed)))
	$bare thread 3000
	wait
done
echo 0 >$KPROF/enable
between "$given" 12 1000 "rules that make no sense are taken"
between "$(stat user.ruled)" 1 10000000 "and followed"
between "$(stat user.unknown)" 1 10000000 "and where one says that it does not know, the stack ends"
is "$(unbalanced <$KPROF/stats)" "" "every sample is accounted for"
rmmod kprof
