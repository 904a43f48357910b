#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_secrets - addresses of the kernel only for those who may see them, files only for root
# vm: --bin setpriv
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

TABLE=$KPROF/stack_table

open_by() {
	if "$@" cat $TABLE >/dev/null 2>/tmp/said; then
		echo opened
	else
		sed 's/.*: //' /tmp/said
	fi
}

# Files that somebody who is not root can open, be it to read or to write. (Not by ":",
# of which a failure ends the shell.)
open_to_all() {
	find $KPROF -type f | /usr/bin/setpriv --reuid=65534 --clear-groups sh -c '
		while read -r file; do
			{ true <"$file"; } 2>/dev/null && echo "$file"
			{ true >>"$file"; } 2>/dev/null && echo "$file"
		done'
}

plan 8
insmod /kprof/kprof.ko freq=999
has_stacks() { grep -q ';' $KPROF/folded; }
eventually has_stacks >/dev/null
before=$(cat /proc/sys/kernel/kptr_restrict)
echo 1 >/proc/sys/kernel/kptr_restrict
is "$(open_by env)" opened "root opens stack_table"
is "$(open_by /usr/bin/setpriv --bounding-set=-syslog)" "Operation not permitted" \
	"root without CAP_SYSLOG does not"
echo 2 >/proc/sys/kernel/kptr_restrict
is "$(open_by env)" "Operation not permitted" "nobody does where kptr_restrict is 2"
is "$(grep -c 'ffff[0-9a-f]\{12\}' $KPROF/folded $KPROF/stats $KPROF/sources | grep -v ':0$')" "" \
	"the text files have no addresses"
between "$(grep -c ';' $KPROF/folded)" 1 100000 "but stacks"
echo 0 >/proc/sys/kernel/kptr_restrict
is "$(open_by env)" opened "root does where it is 0"
echo "$before" >/proc/sys/kernel/kptr_restrict
chmod 755 /sys/kernel/debug
succeeds "who is not root sees the directory" /usr/bin/setpriv --reuid=65534 --clear-groups ls /sys/kernel/debug
is "$(open_to_all)" "" "and can open none of the files"
chmod 700 /sys/kernel/debug
rmmod kprof
