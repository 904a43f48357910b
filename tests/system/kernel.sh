#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# kernel - the kernel that came after kprof has it; then all of it is removed without a trace
. /kprof/system/lib.sh

# traces: files that packages of kprof, or dkms for them, have left; perf keeps each module that it
# has seen in ~/.debug
traces() {
	find / -xdev \( -path /root/.debug -o -path /srv -o -path /kprof -o -path /proc -o -path /var/cache -o -path /var/log \) \
		-prune -o -name '*kprof*' -print | grep -v -x -e /etc/modules-load.d/kprof.conf \
		-e /etc/modprobe.d/kprof.conf
	dpkg-query -W 'kprof*' 2>/dev/null
	grep kprof /lib/modules/*/modules.dep
}

plan 8
matches "$(uname -r)" '-cloud-amd64$' "this is the new kernel"
is "$(is_loaded && echo loaded)" loaded "kprof was loaded at boot"
is "$(cat $KPROF/freq)" 77 "with its options"
succeeds "rmmod" rmmod kprof
succeeds "a recording" kprof record -F 499 -o /tmp/data -- redis-benchmark -q -n 500 -t set
rm -rf /tmp/data /tmp/files
succeeds "the packages are purged" \
	env DEBIAN_FRONTEND=noninteractive apt-get -q -y purge kprof kprof-dkms
is "$(traces)" "" "and nothing of them is left"
is "$(modprobe -n kprof >/dev/null 2>&1; echo $?)" 1 "modprobe does not find kprof any more"
