#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_block - requests to a disk that takes as long as it is told, beside the kernel's own account
# vm: --load null_blk --load configfs --load ext4 --load mq-deadline
. /kprof/tests/lib.sh
. /kprof/tests/module.sh
. /kprof/tests/events.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"
null=/sys/kernel/config/nullb/slow
mount -t configfs none /sys/kernel/config 2>/dev/null
ls /sys/block >/tmp/others

# make_disk NANOSECONDS SCHEDULER: make it again, so that a request takes that long
make_disk() {
	echo 0 >$null/power
	echo "$1" >$null/completion_nsec && echo 1 >$null/power || return 1
	for disk in /sys/block/*; do
		disk=${disk##*/}
		grep -qxF -e "$disk" /tmp/others || break
	done
	echo "$2" >"/sys/block/$disk/queue/scheduler"
	echo 0 >"/sys/block/$disk/queue/read_ahead_kb"
}

# It works on four requests at a time, and a timer's interrupt completes each.
mkdir $null 2>/dev/null && echo 2 >$null/irqmode && echo 64 >$null/size &&
	echo 1 >$null/submit_queues && echo 4 >$null/hw_queue_depth && make_disk 10000000 none ||
	skip_all "there is no null_blk that can be told how long to take"
insmod /kprof/kprof.ko enable=0

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# column NAME: its number in the CSV of /tmp/said
column() { head -n 1 /tmp/said | tr , '\n' | grep -nx -e "$1" | cut -d : -f 1; }

# sum PATTERN NAME: of the rows of /tmp/said that match, that column
sum() { awk -F , -v pattern="$1" -v at="$(column "$2")" 'NR > 1 && $0 ~ pattern { n += $at } END { print n + 0 }' /tmp/said; }

# values NAME: the different ones in that column of /tmp/said
values() { awk -F , -v at="$(column "$1")" 'NR > 1 { print $at }' /tmp/said | sort -u | tr '\n' ' '; }

# What the kernel has counted when nothing is under way: fields of the disk's stat.
idle() { [ "$(tr -s ' ' <"/sys/block/$disk/inflight")" = " 0 0" ]; }
mark() {
	eventually idle >/dev/null
	# shellcheck disable=SC2046 # fields
	set -- $(cat "/sys/block/$disk/stat")
	requests=$(($1 + $5)) merged=$(($2 + $6)) sectors=$(($3 + $7))
}
begin() { mark; requests_0=$requests merged_0=$merged sectors_0=$sectors; }
counted() { mark; echo "$((requests - requests_0)) $(((sectors - sectors_0) * 512))"; }

# Four are in the disk and one waits before it, where nothing merges any more.
# merging COMMAND...: until the requests of the program have met, which a slow machine may prevent
merging() {
	for _try in 1 2 3 4 5 6; do
		begin
		"$@" /kprof/programs/merges "/dev/$disk" 5 >/tmp/said 2>/tmp/errors
		mark
		[ $((merged - merged_0)) != 2 ] || return 0
	done
}

plan 21

# --- the table ---
is "$(status kprof io --csv -- dd if="/dev/$disk" of=/dev/null bs=4096 count=20)" 0 "kprof io of a command"
is "$(sum "device,$disk,read,.*4096,8192" count)" 20 "requests, of their type and size"
status kprof io --json -H -- dd if="/dev/$disk" of=/dev/null bs=4096 skip=20 count=20 >/dev/null
is "$(grep -o '"high_ns": [0-9]*' /tmp/said | awk '{ n++; if ($2 < 9900000) short++ } END { print (n > 0), short + 0 }')" \
	"1 0" "none is in a bucket of less time than they take"

# --- a line for each ---
begin
is "$(status kprof io --each --csv --start-time --end-time -- dd if="/dev/$disk" of=/dev/null bs=4096 skip=40 count=20)" \
	0 "kprof io --each"
is "$(sum . pid | awk '{ print ($1 > 0) }') $(($(wc -l </tmp/said) - 1)) $(sum . bytes)" "1 $(counted)" \
	"as many lines and bytes as the kernel has counted"
is "$(values block | tr ' ' '\n' | sort -n | tr '\n' ' ' | sed 's/^ //')" "$(seq -s ' ' 320 8 472) " "each has its place on the disk"
is "$(values comm)$(values type | sed 's/RA/R/')$(values disk)" "dd R $disk " "its task, its type and the disk"
is "$(awk -F , 'NR > 1 { off = ($2 - $1) * 1000 - $NF; if ($NF < 9.9 || off > 0.01 || off < -0.01) print }' /tmp/said)" "" \
	"and the time between its beginning and its end"
status kprof io --each --type '*W*' -- dd if="/dev/$disk" of=/dev/null bs=4096 skip=60 count=5 >/dev/null
is "$(sed 's/  */ /g' /tmp/said)" "#COMM PID TYPE DEV BLOCK BYTES LATms
# lost: 0" "others are left out by their type, and the account is below"
is "$(status kprof io --each --histogram) $(grep -c -e '--histogram' /tmp/errors)" "2 1" "what is for tables is refused"

# --- many pages become few requests ---
begin
is "$(status kprof io --each --csv -- dd if=/dev/zero of="/dev/$disk" bs=1M count=1 conv=fsync)" 0 "a file is written"
is "$(($(wc -l </tmp/said) - 1)) $(sum . bytes) $(values comm)$(values type)" "$(counted) dd WS " \
	"what is merged is counted once, as the kernel does"

# --- requests that meet in the queue, which somebody else gives to the disk when it has room ---
make_disk 500000000 mq-deadline
merging kprof io --csv --
is "$(sum device count) $(sum queue count)" "6 6" "one that is merged into another is no request"
between "$(sum queue 'usecs max' | cut -d . -f 1)" 1 60000000 "time in the queue is apart"
merging kprof io --each --csv --queued --
is "$(values comm)$(sum . bytes) $(sum ',8000,' bytes)" "merges $((8 * 4096)) 12288" \
	"each is of the task that queued it, and has grown meanwhile"
merging kprof io --each --csv -a --comm 'kworker/*,swapper/*,ksoftirqd/*' --
is "$(wc -l </tmp/said) $((merged - merged_0))" "1 2" "and not of the thread that only gives it to the disk"
rmmod kprof
insmod /kprof/kprof.ko target='"@block;@block_queue;@block_total"'
merging env
is "$(stat @block.unended) $(stat @block_queue.unended) $(stat @block_total.unended)" \
	"$(stat @block.unended) $(stat @block.unended) $(stat @block.unended)" "what is forgotten is accounted for"
is "$(unaccounted @block) $(unaccounted @block_queue) $(unaccounted @block_total) $(unbalanced <$KPROF/stats)" "0 0 0 " \
	"and the accounts add up"
rmmod kprof

# --- a file system: every line beside the event that the kernel has of it ---
echo 0 >$null/power
echo 1 >$null/memory_backed
make_disk 100000 none
mke2fs "/dev/$disk" >/dev/null 2>&1
sync
mkdir -p /tmp/disk
cat >/tmp/use <<END
mount -t ext4 /dev/$disk /tmp/disk || exit
dd if=/dev/zero of=/tmp/disk/one bs=64k count=8 conv=fsync
cp /tmp/disk/one /tmp/disk/two
umount /tmp/disk
mount -t ext4 /dev/$disk /tmp/disk
cat /tmp/disk/two >/dev/null
umount /tmp/disk
END
is "$(io_beside_events sh /tmp/use; echo $?)" 0 \
	"of a file system that is mounted, written to and read each line has an event with its type, sector and bytes, and each event a line"
between "$(grep -c ^1 /tmp/events)" 10 10000 "the kernel has events of it"
is "$(awk '/^R/ { r = 1 } /^W/ { w = 1 } /^[A-Z]*M / { m = 1 } END { print r + w + m }' /tmp/lines)" 3 \
	"reads, writes and metadata"
echo 0 >$null/power
rmdir $null
# Its data for each CPU is in the way of test_holes, unless it is of the kernel itself.
! grep -q '^ext4 ' /proc/modules || rmmod ext4
