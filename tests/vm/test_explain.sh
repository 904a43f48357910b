#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_explain - kprof explain on functions of which it is known what slows them down
# icount
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
known_file=/sys/module/kprof_known/parameters

plan 29
insmod $MODULES/kprof_known.ko

# A slow path for one pair of 200: 20 times 100 of 20,000 calls.
succeeds "explain of a command succeeds" \
	kprof explain known_path -- sh -c "echo 1000 >$known_file/path"
said=$(kprof explain known_path -- sh -c "echo 20000 >$known_file/path" 2>&1)
matches "$said" '^# known_path: 20,000 calls, ' "each call counts once"
is "$(echo "$said" | sed -n '/ explains  values/{ n; s/.* //p; }')" '$arg2,$arg3' \
	"the pair of arguments comes first"
matches "$said" '^ +(100\.0|9[0-9]\.[0-9]) %' "and explains nearly all"
matches "$said" '^\$arg2=3, \$arg3=5: 100 of 20,000 calls, (1[7-9]|2[01]) times slower, (8|9|10)\.[0-9] % of the total' \
	"with the values, how many, how much slower"
is "$(echo "$said" | grep -c '[0-9] times slower')" 1 "and no other values"
matches "$said" "kprof lat known_path 'by=\\\$arg2,\\\$arg3'" "and the command to look closer"
matches "$said" '^kprof explain: round 1 of at most 10: by \$arg1,' "its rounds are numbered"
is "$(echo "$said" | grep -c 'round .* functions that it calls')" 0 \
	"what a function calls is not measured where it calls nothing"
matches "$said" '^no function that known_path calls can be watched; how often each part of its code ran:
kprof blocks known_path -- ' "and that is said, with what to look at"
is "$(lsmod | grep -c '^kprof ')" 0 "the module is gone again"

# By given keys only; a condition.
said=$(kprof explain known_path '$arg2,cpu' 'if=$arg3==5' -- sh -c "echo 20000 >$known_file/path" 2>&1)
matches "$said" '^# known_path: 800 calls' "only calls for which a condition holds"
matches "$said" '^\$arg2=3: 100 of 800 calls' "one key may be enough"

# Time that has nothing to do with any key.
said=$(kprof explain known_chance -- sh -c "echo 20000 >$known_file/chance" 2>&1)
matches "$said" '^nothing explains it' "where nothing explains the time, that is said"
is "$(echo "$said" | grep -c ' times slower')" 0 "and no value is blamed"

# What makes it slow is the argument of a function that it calls. (With PREEMPT_RT, a call that is
# interrupted for long, which comes by chance, may look like what makes it slow.)
for _ in 1 2 3; do
	said=$(kprof explain known_outside -- sh -c "echo 20000 >$known_file/outside" 2>&1)
	! echo "$said" | grep -q '^where known_outside is slow' || break
done
matches "$said" '^where known_outside is slow, it is in (kprof_known:)?known_path, which it calls: (100|[5-9][0-9]) % of the time above' \
	"a callee that makes it slow is named"
matches "$said" "^kprof explain (kprof_known:)?known_path -- sh -c '" "with the next command, for the same workload"
is "$(echo "$said" | grep -c '^where')" 1 "and no other"
matches "$said" '^kprof explain: round [3-9] of at most 10: by the functions that it calls' "measured last"

# What makes it slow is a second call of a function further in, for one pair of its arguments.
said=$(kprof explain known_deeper --own --module /kprof/kprof.ko \
	-- sh -c "echo 10000 >$known_file/deeper" 2>&1)
matches "$said" '^\$arg1=4, \$arg2=7: 50 of 10,000 calls' "a pair that explains a part only is found"
matches "$said" '^known_deeper, with \$arg1=4, \$arg2=7, is slow in (kprof_known:)?known_check -> (kprof_known:)?known_path, called at known_check\+0x[0-9a-f]+: (100|9[0-9]|8[5-9]) %$' \
	"and followed from callee to callee, to the place of the call"
matches "$said" '^kprof blocks (kprof_known:)?known_path --own --module /kprof/kprof.ko -- sh -c' \
	"with the options that were given"
is "$(echo "$said" | grep -c 'functions that it calls\|functions that .*known_check calls')" 2 \
	"in a round for each step"
matches "$said" '^kprof explain: round [4-8] of at most 10: by .arg1,.arg2, and by the functions that (kprof_known:)?known_check calls' \
	"by the keys that were found"

# A range of values that begins inside of a power of two.
said=$(kprof explain known_range '$arg1,$arg2' -- sh -c "echo 16384 >$known_file/range" 2>&1)
matches "$said" '^\$arg2=\[384,448\): 128 of [0-9,]* of these; at the median ' "a range of values is found"
matches "$said" '^# round [0-9]: calls with .*\$arg1=5.* alone, in finer steps of \$arg2$' "of the calls with the values found"
matches "$said" 'as far as they$' "what is said of the rest does not deny it"

# What was recorded.
kprof lat -q known_path 'by=$arg2,$arg3,cpu' -o path.data -- sh -c "echo 20000 >$known_file/path"
matches "$(kprof explain path.data)" '^\$arg2=3, \$arg3=5: 100 of 20,000 calls' "a recording is explained"
insmod /kprof/kprof.ko
matches "$(kprof explain known_path -d 1 2>&1)" 'the module is loaded' \
	"a profile of somebody else's is not emptied"
rmmod kprof
rmmod kprof_known
