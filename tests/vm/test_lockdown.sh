#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_lockdown - a kernel that is locked down closes what it has to
# alone
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

LOCKDOWN=/sys/kernel/security/lockdown

# openable: the files that can be opened, to read or to write (not ":", which ends the shell)
openable() {
	for file in $(find $KPROF -type f -perm -400 | sort); do
		{ true <"$file"; } 2>/dev/null && echo "$file"
	done
	for file in $(find $KPROF -type f -perm -200 | sort); do
		{ true >>"$file"; } 2>/dev/null && echo "$file, to write"
	done
}

mount -t securityfs securityfs /sys/kernel/security 2>/dev/null
if [ ! -w $LOCKDOWN ]; then
	skip_all "this kernel has no lockdown"
fi

plan 9
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko freq=999 target=known_called
known call 10
between "$(openable | wc -l)" 40 200 "without lockdown root opens everything"

echo integrity >$LOCKDOWN
between "$(openable | wc -l)" 10 30 "lockdown=integrity leaves some files"
is "$(openable | grep write)" "" "but none to write"
is "$(openable | grep -c 'pins$\|hold$')" 0 "nor those that do something when they are opened"
is "$(latency known_called calls)" $((10 * $(nproc))) "latency is one that is left"
is "$(openable | grep -c stack_table)" 1 "addresses are, too: they are no matter of integrity"

echo confidentiality >$LOCKDOWN
is "$(openable)" $KPROF/error "lockdown=confidentiality leaves none but error"
succeeds "kprof can still be unloaded" rmmod kprof
is "$(insmod /kprof/kprof.ko 2>&1; lsmod | grep -c '^kprof ')" \
	"insmod: can't insert '/kprof/kprof.ko': Operation not permitted
0" "a module that nobody has signed cannot be loaded"
rmmod kprof_known
