#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_symbols - where the names of programs' functions are: symbols compressed in the file, the vDSO
# timeout: 300
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

user=/kprof/programs/user
cd /tmp || exit

# share PATTERN BY: per cent of the samples whose line matches, of those that match BY
share() {
	kprof fold --samples data | awk -v pattern="$1" -v by="$2" '
		$0 ~ by { all += $NF }
		$0 ~ by && $0 ~ pattern { n += $NF }
		END { print all ? int(100 * n / all + 0.5) : "none" }'
}

plan 4

# --- .gnu_debugdata ---

kprof record -q -U -F 499 -o data -- /kprof/programs/mini 3000
between "$(share ';main;mini_work;mini_spin ' '^mini;')" 80 100 "symbols compressed in the file: a program"
cp /kprof/programs/mini removed
kprof record -q -U -F 499 -o data -- sh -c './removed 3000 & sleep 0.5; rm removed; wait'
between "$(share ';main;mini_work;mini_spin ' '^removed;')" 80 100 "and where it was removed meanwhile"

# --- the vDSO ---

kprof record -q -U -F 499 -o data -- $user clock 3000000
between "$(share ';[[]vdso] ' ';user_clock')" 0 1 "functions of the vDSO have names"
between "$(kprof report --sort module,sym data 2>/dev/null | grep -c '[[]vdso]  *[^[]*clock_gettime')" 1 9 \
	"which are those of what was called"
