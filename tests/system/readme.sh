#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# readme - the README and install.rst on real machines, word for word; real programs, beside perf;
# fifty loads
. /kprof/system/lib.sh
. /kprof/system/beside.sh
. /kprof/tests/events.sh

# Each paragraph of commands in README's section and in install.rst, numbered: lines that are
# set in by four.
paragraphs() {
	awk -v to=/tmp/readme '
		FNR == 1 { on = FILENAME ~ /install/; open = 0 }
		/^## / { on = $0 == "## On a real machine"; open = 0 }
		!on { next }
		/^    / {
			if (!open) { n++; open = 1 }
			print substr($0, 5) >(to "/" n)
			next
		}
		{ open = 0 }
		END { print n + 0 }' README.md Documentation/install.rst
}

# try NUMBER: a shell like a person at work, who stops where something fails.
try() {
	first=$(head -n 1 "/tmp/readme/$1")
	said=$(bash -e -o pipefail "/tmp/readme/$1" 2>&1)
	status=$?
	if [ $status != 0 ] && grep -q -e '-e cycles' "/tmp/readme/$1" && ! has_cycles; then
		skip "README: $first" "this machine does not count cycles"
		return
	fi
	if [ $status = 0 ]; then
		ok "README: $first"
		return
	fi
	not_ok "README: $first"
	diag "a command ended with status $status; what was said last:"
	diag "$(printf '%s\n' "$said" | tail -n 30)"
	! is_loaded || rmmod kprof
}

has_cycles() { [ -d /sys/bus/event_source/devices/cpu/events ]; }

# Modules of Debian's that have per-CPU data of their own, and some that have none.
OTHERS="nft_ct dccp br_netfilter erofs dummy nf_dup_netdev crc8 veth act_mirred 8021q"

# fifty: which load or unload does not succeed, if any
fifty() {
	for round in $(seq 50); do
		other=$(echo $OTHERS | cut -d ' ' -f $((1 + round % 10)))
		next=$(echo $OTHERS | cut -d ' ' -f $((1 + (round + 3) % 10)))
		modprobe kprof freq=199 || { echo "load $round"; return 1; }
		modprobe "$other" || { echo "$other in round $round"; return 1; }
		rmmod kprof || { echo "unload $round"; return 1; }
		modprobe "$next" || { echo "$next in round $round"; return 1; }
		modprobe -r "$other" || { echo "without $other in round $round"; return 1; }
	done
}

# profile NAME OPTION COMMAND...: a recording of COMMAND has samples of NAME. OPTION is -a where NAME
# is no child of COMMAND's, such as a service: without it only COMMAND and its children are recorded.
profile() {
	name=$1 option=$2
	shift 2
	succeeds "kprof record of $name" $KPROF_READER record -F 499 $option -o /tmp/data -- "$@"
	matches "$($KPROF_READER fold /tmp/data 2>&1)" "^$name;.* [0-9]+$" "there are samples of $name"
	succeeds "a report of it" $KPROF_READER report /tmp/data
	matches "$($KPROF_READER flame /tmp/data 2>&1 | tail -n 1)" '</svg>' "a flame graph of it"
}

cd /srv/kprof || exit
KPROF_READER=/srv/kprof/userspace/kprof
rm -rf /tmp/readme
mkdir /tmp/readme
n=$(paragraphs)
plan $((n + 30))
matches "$n" '^([6-9]|1[0-9])$' "the texts have their paragraphs of commands"
for one in $(seq "$n"); do
	try "$one"
done
is "$(is_loaded && echo loaded)" "" "nothing of that has left kprof loaded"
is "$(find /usr/local "/lib/modules/$(uname -r)/updates" -name '*kprof*' ! -path '*/dkms/*')" "" \
	"make uninstall leaves nothing of make install"
matches "$(dkms status)" "^kprof/$VERSION, $(uname -r), x86_64: installed" "dkms has installed the module"
is "$(modinfo -n kprof)" "/lib/modules/$(uname -r)/updates/dkms/kprof.ko" "modprobe finds it"

is "$(fifty 2>&1)" "" "loaded and unloaded fifty times, between other modules"

mkdir -p /tmp/files
echo "test:0:*:6b70726f66" >/tmp/signatures.ndb
cp /bin/tar /bin/grep /usr/bin/perl /tmp/files
profile clamscan '' clamscan --no-summary -i -d /tmp/signatures.ndb /tmp/files
profile redis-server -a redis-benchmark -q -n 2000 -t set,get,lpush
profile cc1 '' gcc -O2 -c -o /tmp/opt.o -DKPROF_VERSION='"0"' -D_GNU_SOURCE -Iuserspace \
	-Imodule/uapi userspace/lib/opt.c

# perf must not slow down by itself when it takes too much time.
modprobe kprof enable=0
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
find /usr/bin -type f -size +250k | sort | head -n 30 | while read -r file; do cp "$file" /tmp/files; done
beside clamscan '' clamscan --no-summary -i -d /tmp/signatures.ndb /tmp/files
beside redis-server "--pid=$(pidof redis-server)" redis-benchmark -q -n 20000 -t set,get,lpush

# The disk of this machine, with its own file system, on a virtio device.
cat >/tmp/use <<END
dd if=/dev/zero of=/var/tmp/one bs=64k count=64 conv=fsync
for one in 1 2 3 4 5 6 7 8; do cp /var/tmp/one /var/tmp/many-\$one; done
sync
echo 3 >/proc/sys/vm/drop_caches
cat /var/tmp/many-* >/var/tmp/all
rm /var/tmp/one /var/tmp/many-* /var/tmp/all
sync
END
is "$(io_beside_events sh /tmp/use; echo $?)" 0 \
	"kprof io: each line has an event of the kernel, and each event a line"
matches "$(grep -c ^1 /tmp/events)" '^[1-9][0-9]' "there are many"
rmmod kprof

modprobe kprof target=vfs_read,vfs_write freq=99 event=timer
redis-benchmark -q -n 500 -t set >/dev/null
echo 0 >$KPROF/enable
matches "$(latency vfs_read calls)" '^[1-9]' "functions are watched while a database works"
matches "$(stat timer.fired)" '^[1-9]' "and samples are taken"
is "$(unbalanced <$KPROF/stats)" "" "fired = recorded + dropped"
succeeds "rmmod" eventually rmmod kprof

echo kprof >/etc/modules-load.d/kprof.conf
echo "options kprof freq=77 comm=redis*" >/etc/modprobe.d/kprof.conf
sync
