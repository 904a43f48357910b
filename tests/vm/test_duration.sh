#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_duration - the time of a measurement is that in which it counted, not what beginning and ending took
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh
plan 4

# ms FILE: how long a recording says that it was
ms() { kprof report --json "$1" | sed -n 's/.*"duration_ns": *\([0-9]*\)[0-9]\{6\},.*/\1/p' | head -n 1; }

# To watch many functions, and to let go of them, takes a part of what is measured.
kprof lat -q 'vfs_f*' -a -d 1 -o /tmp/lat.data >/dev/null 2>&1
between "$(ms /tmp/lat.data)" 1000 1050 "kprof lat says how long it counted"
kprof record -q -t 'vfs_f*' -a -d 1 -o /tmp/record.data >/dev/null 2>&1
between "$(ms /tmp/record.data)" 1000 1050 "kprof record does, too"
between "$(kprof syscalls -a -d 1 2>&1 | sed -n 's/.*measured for: \([0-9]*\)\.\([0-9]*\) s.*/\1\2/p')" 1000 1050 \
	"and the table of kprof syscalls"
# Of a command, it is what the command took.
kprof lat -q 'vfs_f*' -o /tmp/sleep.data -- sleep 0.5 >/dev/null 2>&1
between "$(ms /tmp/sleep.data)" 500 550 "and of a command, how long it ran"
