#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_refusals - what is wrong is refused, says why, and changes nothing
# repeats
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

insmod $MODULES/kprof_known.ko

# refused DESCRIPTION ERRNO-TEXT LOG-PATTERN PARAMETER...: insmod fails so, and says so
refused() {
	what=$1 errno=$2 pattern=$3
	shift 3
	mark="<6>test_refusals: $what"
	echo "$mark" >/dev/kmsg
	said=$(insmod /kprof/kprof.ko "$@" 2>&1) && rmmod kprof
	case $said in
	*"$errno"*) ok "insmod fails: $what" ;;
	*) not_ok "insmod fails: $what"; diag "insmod said: $said"; diag "expected: $errno" ;;
	esac
	matches "$(dmesg | sed "1,/test_refusals: $what/d")" "kprof: $pattern" "and the log says why"
}

# unwritable DESCRIPTION FILE VALUE PATTERN: the write fails, and error says why
unwritable() {
	before=$(cat "$KPROF/$2")
	if echo "$3" 2>/dev/null >>"$KPROF/$2"; then
		not_ok "$1 is refused"
	else
		matches "$(cat $KPROF/error)" "$4" "$1 is refused, and error says why"
	fi
	is "$(cat "$KPROF/$2")" "$before" "and nothing has changed"
}

plan 104
refused "unknown function" "unknown symbol" "target=no_such: no such function.*kprof list" target=no_such
refused "function that may not be probed" "Invalid argument" \
	"target=$UNPROBEABLE: may not be probed.*blacklist" target=$UNPROBEABLE
refused "function that a sample needs" "Invalid argument" \
	"target=hrtimer_forward: kprof itself needs it" target=hrtimer_forward
refused "place in it" "Invalid argument" \
	"target=irq_work_queue.0x0: kprof itself needs it" target=irq_work_queue+0x0
refused "function of kprof" "Invalid argument" \
	"target=kprof_intern: kprof itself needs it" target=kprof_intern
refused "function of kprof, by its module" "Invalid argument" \
	"target=kprof:kprof_intern: kprof itself needs it" target=kprof:kprof_intern
refused "function that it measures itself with" "Invalid argument" \
	"target=kprof_probed: kprof itself needs it" target=kprof_probed
refused "freq=0" "" "freq=0: out of range; give 1 to 20000" freq=0
refused "freq=999999" "" "freq=999999: out of range; give 1 to 20000" freq=999999
refused "freq=fast" "Invalid argument" "freq=fast: not a number; give 1 to 20000" freq=fast
refused "cpus=9-3" "Invalid argument" "cpus=9-3: not a list of CPUs; give" cpus=9-3
refused "cpus=77" "" "cpus=77: " cpus=77
refused "pid=me" "Invalid argument" "pid=me: not a process id; give" pid=me
refused "event=cylces" "Invalid argument" "event=cylces: unknown; give one of: none, timer" event=cylces
refused "stacks=all" "Invalid argument" "stacks=all: unknown; give one of: none, kernel" stacks=all
refused "depth=0" "" "depth=0: out of range; give 1 to 127" depth=0
refused "ring_kb=1" "" "ring_kb=1: out of range; give 4 to" ring_kb=1
refused "enable=maybe" "Invalid argument" "enable=maybe: give 0 or 1" enable=maybe
refused "target twice" "" "target=vfs_read: already watched" target=vfs_read,vfs_read
refused "target by two names" "" "target=vfs_read\\+0x0: already watched as vfs_read" target=vfs_read,vfs_read+0x0
refused "a list of no target" "Invalid argument" "target=,,,: names no function; give one" target=,,,
refused "a list of no target, with keys" "Invalid argument" "target=;*: names no function" \
	target=,,, by=comm
# A name that two functions have: one for programs of 64 bits, one for those of 32.
if [ "$(grep -c ' load_elf_binary$' /proc/kallsyms)" = 2 ]; then
	refused "a name of two functions" "Invalid argument" \
		"target=load_elf_binary: 2 functions have that name; give load_elf_binary@1 or load_elf_binary@2" \
		target=load_elf_binary
	refused "the third of them" "unknown symbol" "target=load_elf_binary@3: no function of that name" \
		target=load_elf_binary@3
	refused "a name and another one's address" "unknown symbol" \
		"target=vfs_read@0x[0-9a-f]*: no function of that name" \
		"target=vfs_read@0x$(awk '$3 == "vfs_write" { print $1 }' /proc/kallsyms)"
	is "$(kprof list load_elf_binary | cut -f 1 | tr '\n' ' ')" "load_elf_binary@1 load_elf_binary@2 " \
		"list tells them apart"
	insmod /kprof/kprof.ko target=load_elf_binary@1,load_elf_binary@2
	for i in 1 2 3; do /bin/busybox true; done
	is "$(awk -F '\t' '$1 ~ /^load_elf_binary@[12]$/ { print ($3 > 2) }' $KPROF/latency | sort | tr '\n' ' ')" \
		"0 1 " "each of them can be chosen"
	echo "load_elf_binary@0x$(awk '$3 == "load_elf_binary" { print $1; exit }' /proc/kallsyms)" \
		2>/dev/null >>$KPROF/targets
	matches "$(cat $KPROF/error)" "already watched as load_elf_binary@1" "by its address, too"
	rmmod kprof
else
	for i in 1 2 3 4 5 6 7 8 9; do
		skip "a name of two functions ($i)" "this kernel has one load_elf_binary"
	done
fi
refused "one good and one bad target" "unknown symbol" "target=no_such: no such" target=vfs_read,no_such
refused "options in two places" "Invalid argument" \
	"target=known by=.*: has options of its own, and by=" target='"known by=$arg1"' min=1us
refused "a time of more than 64 bits of nanoseconds" "Invalid argument" \
	'target=known: at .18446744074s. .character 5 of the options.: expected a time of at most 18446744073s' \
	target=known min=18446744074s
refused "a time of more milliseconds than fit" "Invalid argument" \
	'target=known: at .18446744073710ms. .* expected a time of at most' target=known min=18446744073710ms
refused "bad offset" "Invalid argument" "target=vfs_read\\+zz: not an offset" target=vfs_read+zz
refused "not an instruction" "" "target=vfs_read\\+0x[0-9]+: not the first byte" \
	"target=vfs_read+0x1,vfs_read+0x2,vfs_read+0x3,vfs_read+0x6,vfs_read+0x7"
refused "address of data" "Invalid argument" "target=0xffff888000000000: may not be probed" \
	target=0xffff888000000000
refused "freq with event=none" "Invalid argument" "freq=99: contradicts event=none" \
	event=none freq=99
long=$(head -c 100000 /dev/zero | tr '\0' x)
refused "a list of 100 kB" "" "target=xxx.*\\.\\.\\.: 100000 characters are too long; give at most" \
	target="$long"
is "$(lsmod | grep -c '^kprof ')" 0 "no module is left"

insmod /kprof/kprof.ko target=vfs_read
unwritable "freq while it runs" freq 100 'freq=100: cannot change while sampling; write 0 to enable'
echo 0 >$KPROF/enable
unwritable "freq=0" freq 0 'freq=0: out of range'
unwritable "an unknown target" targets no_such 'target=no_such: no such function'
unwritable "removing what is not there" targets -no_such 'target=no_such: not watched'
unwritable "targets of which one is wrong" targets vfs_write,no_such 'target=no_such: no such function'
unwritable "a name of nothing" targets 'vfs_write as=' 'expected a name of letters, digits'
unwritable "a name that is too long" targets "vfs_write as=$(head -c 160 /dev/zero | tr '\0' x)" \
	'target=xxx.*: too long; a name has at most 159 characters'
unwritable "five dereferences" targets 'known_turn by=+0(+1(+2(+3(+4($arg1)))))' \
	'at .\+4.*character 16 of the options.: expected at most 4 dereferences'
points=$(printf '|vfs_write+0x0%.0s' 1 2 3 4 5 6 7)
unwritable "a span of eight points" targets "vfs_read..${points#?}" 'target=vfs_read.*: more than 7 points'
unwritable "64 KiB of nonsense" comm "$(head -c 65536 /dev/zero | tr '\0' y)" 'comm=: [0-9]+ bytes are too long'
unwritable "ends of lines" comm "$(printf 'a\nb\033%.0s' 1 2 3 4 5 6 7 8)" '^comm=a.nb.e.*too long'
is "$(wc -l <$KPROF/error)" 1 "and error stays one line"
unwritable "enable=2" enable 2 'enable=2: give 0 or 1'
echo 100 >$KPROF/freq
is "$(cat $KPROF/freq; cat $KPROF/error)" 100 "a good write works, and clears error"
echo 32 >$KPROF/depth
is "$(cat $KPROF/depth)" 32 "sizes can change while it is stopped"
attempted=$(echo 'known_turn by=comm;no_such' 2>&1 >>$KPROF/targets)
echo 'known_turn by=pid' >>$KPROF/targets
is "${attempted:+refused} $(cat $KPROF/error)" "refused " "a target that was refused keeps no options"
matches "$(cat $KPROF/targets)" '^known_turn by=pid' "and may have others"
rmmod kprof

# What is refused while it runs has seen nothing, which would be the next target's.
insmod /kprof/kprof.ko event=none probe=kretprobe target=known_turn
dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
refused=0
for _ in 1 2 3 4 5 6 7 8; do
	echo 'vfs_read by=end(pid)' 2>/dev/null >>$KPROF/targets || refused=$((refused + 1))
done
kill $!
why=$(cat $KPROF/error)
echo known_called >>$KPROF/targets
is "$why" "target=vfs_read: end(): only spans have that" "refused while it runs, though it is called all the time"
is "$refused $(stat known_called.fired)" "8 0" "targets refused while it runs"
is "$(grep -c known_called $KPROF/folded)" 0 "have left nothing to the next one"
rmmod kprof
rmmod kprof_known
