#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_explore - kprof explore on a function of which it is known what can be reached
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

choose=/sys/module/kprof_blocks/parameters/choose
cd /tmp || exit

# place TEXT CALLEE: the block that calls it, of what kprof blocks --instructions says
place() {
	echo "$1" | awk -v text="<$2>" '
		/^# [0-9]+  / { at = $3 }
		index($0, text) { print at }'
}

# never TEXT: the blocks that were never reached
never() { echo "$1" | awk '/^# never reached/ { on = 1; next } /^#/ { next } on { print $2 }'; }

# enough TEXT: "AGAIN STATUS VALUES" of each try that is needed
enough() {
	echo "$1" | awk '/^# try / { on = 1; next } /^#/ { on = 0 } on { $1 = $2 = ""; print }' | sed 's/^ *//'
}

plan 13
insmod $MODULES/kprof_blocks.ko

listing=$(kprof blocks blocks_choose --instructions --idle -- sh -c "echo 1,a >$choose")
said=$(kprof explore blocks_choose --tries 90 -- sh -c "echo '{n:1..65536},{f:a,b,c}' >$choose" 2>&1)
if has_capstone; then
	is "$(never "$said")" "$(place "$listing" blocks_never)" "only what cannot be reached is not"
	matches "$said" "^# blocks_choose \[kprof_blocks\]: ([0-9]+) of [0-9]+ blocks reached" "it is said how many blocks were"
	matches "$(enough "$said")" "all 0 n=31337 f=" "a number that the code has is among the values"
else
	skip "only what cannot be reached is not" "kprof was built without capstone"
	skip "it is said how many blocks were" "kprof was built without capstone"
	skip "a number that the code has is among the values" "kprof was built without capstone"
fi
is "$(enough "$said" | grep -v '^all 0 ')" "" "the tries that are needed reach the same again"
# These values, without explore, reach what they are said to.
count=0
for values in $(enough "$said" | sed 's/.*n=\([0-9]*\) f=\(.\)/\1,\2/'); do
	count=$((count + 1))
	kprof blocks blocks_choose -- sh -c "echo $values >$choose" | awk '!/^#/ { print $6 }'
done | sort -u >reached
kprof blocks blocks_choose --idle -- true | awk '!/^#/ { print $6 }' | sort -u >all
is "$(grep -vxFf reached all)" "$(never "$said" | sort)" "and together what was reached"

# A hole that is a whole argument, and whose value is empty, is no argument.
cat >count <<'END'
#!/bin/sh
echo "$#" >>/tmp/arguments
[ $# = 3 ] || echo 1,a >/sys/module/kprof_blocks/parameters/choose
END
chmod +x count
said=$(kprof explore blocks_choose -- ./count '{x:,1,2}' '{y:,1}' z 2>&1)
matches "$said" '^# tried: 6 of 6 ways to fill the holes, which are all' "all ways are tried if there are few"
is "$(sort arguments | uniq -c | awk '{ printf "%s:%s ", $2, $1 }')" "1:2 2:3 3:2 " "empty values are left out"

said=$(kprof explore blocks_choose by=comm --json -- \
	sh -c "printf work{n:1..3} >/proc/\$\$/comm; echo {n},a >$choose")
is "$(echo "$said" | sed -n 's/.*"context": "\(comm[^}]*\)}.*/\1/p' | sort | tr -d '\\')" \
	"$(for n in 1 2 3; do echo "comm=\"work$n\"\", \"tries\": [$n]"; done)" "contexts, and the tries that reached them"
is "$(echo "$said" | sed -n '/"enough"/,/\]$/s/.*"not_again": \([0-9]*\), "command": .*work\([0-9]\) .*/\1 \2/p' | tr '\n' ,)" \
	"0 1,0 2,0 3," "a new context makes a try worth keeping"

# A try that takes too long is ended with all that it has started.
# A shell that is slow may not have come to its work by then.
for seconds in 1 4 16; do
	said=$(kprof explore blocks_choose -d $seconds -- sh -c "echo {n:1,2},a >$choose; sleep 1000 & sleep 1000")
	! enough "$said" | grep -qx 'all late n=1' || break
done
matches "$(enough "$said")" '^all late n=1$' "a try that does not end in time"
are_gone() { ! ps | grep '[s]leep 1000'; }
succeeds "is ended with what it left behind" eventually are_gone

kprof explore blocks_choose -- /no/such/command '{n:1,2}' >said 2>&1
is "$?" 127 "a command that is not there"
is "$(lsmod | grep '^kprof '; grep blocks_choose /sys/kernel/debug/kprobes/list)" "" "nothing is left"
rmmod kprof_blocks
