#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_jit - names of code that programs generate: in any memory, in containers, from hostile files
# timeout: 600
# any kernel
. /kprof/tests/lib.sh

jit=/kprof/programs/jit
cd /tmp || exit

# record COMMAND...: in data
record() { timeout 120 kprof record -q -F 499 -U -o data -- "$@" 2>said || echo "record: $? $(cat said)"; }

# share PATTERN: per cent of the samples below jit_call whose line matches
share() {
	kprof fold --samples data | awk -v pattern="$1" '
		/;jit_call;/ { all += $NF }
		/;jit_call;/ && $0 ~ pattern { n += $NF }
		END { print (all >= 20 ? int(100 * n / all + 0.5) : "none") }'
}

# named: are the three functions there, with their shares? Until the reader has made the rules of the
# program, stacks end early.
named() {
	first=$(share ';jit_call;Jit::First.int..Tier1. ')
	second=$(share ';jit_call;Jit::Second.int..Tier1. ')
	third=$(share ';jit_call;Jit::Third.int..Tier1. ')
	if [ "$first" -ge 10 ] && [ "$second" -ge 10 ] && [ "$third" -ge 30 ] &&
	   [ $((first + second + third)) -ge 97 ]; then
		echo named
	else
		kprof fold --samples data
	fi
}

# unnamed: is no sample named by what the program has written?
unnamed() {
	if [ "$(share 'Jit::|First|Second|Third')" = 0 ]; then
		echo unnamed
	else
		kprof fold --samples data
	fi
}

plan 23
insmod /kprof/kprof.ko enable=0 max_cpu=100

# --- where the code is ---

for memory in anon shared memfd zero sysv deleted file; do
	record $jit $memory first
	is "$(named)" named "code in memory of the kind $memory"
done
record $jit memfd never
is "$(unnamed)" unnamed "without a map, none has a name"
between "$(share ';jit_call;[[]memfd:jit [(]deleted[)]')" 97 100 "but that of what it is in"
record $jit memfd first fork
between "$(share 'Jit::')" 30 70 "a child that has generated nothing has no names"

# --- when the map is written, and how ---

record $jit memfd last
is "$(named)" named "a map that is written at the end"
record $jit memfd prefix
is "$(named)" named "numbers with 0x"
record $jit memfd first replace
between "$(share ';Jit::Fourth[(]int[)][[]Tier1[]] [[]or Jit::Third[(]int[)][[]Tier1[]][]] ')" 30 70 \
	"code that was replaced has both names"
between "$(share ';Jit::(First|Second).int..Tier1. ')" 30 70 "and what was not, its own"

# --- in namespaces of its own ---

# shellcheck disable=SC2016 # for the other shell
record unshare -p -f -m sh -c 'mount -t tmpfs none /tmp && cd /tmp && "$0" memfd first long' $jit
is "$(named)" named "a process in namespaces that are gone by the end"

# --- maps that are no maps ---

for kind in garbage escapes; do
	record $jit memfd $kind
	[ $kind = garbage ] || break
	is "$(named)" named "lines between garbage"
done
between "$(share ';jit_call;.x1b.31m(First|Second|Third):[^;]*.x7f ')" 97 100 "names are made harmless"
for kind in link other fifo dir old; do
	record $jit memfd $kind
	is "$(unnamed)" unnamed "a map of the kind $kind is not read"
	rm -rf perf-*.map
done
record $jit memfd huge
matches "$(unnamed) $(cat said)" '^unnamed .*perf-[0-9]*[.]map is not read.*too large' \
	"nor one of a terabyte, and a warning says so"
rm -f perf-*.map linked.map
rmmod kprof
