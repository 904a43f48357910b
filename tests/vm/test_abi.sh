#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_abi - the running module has what Documentation/abi.rst says, and nothing else
# vm: --add Documentation/abi.rst:/kprof/abi.rst
# repeats
. /kprof/tests/lib.sh

# rows HEADING COLUMNS: of the tables below a heading
rows() {
	awk -v heading="$1" '
		/^(=+|-+)$/ && before != "" { on = before == heading; rules = 0 }
		/^=+( +=+)+$/ { rules++ }
		{ before = $0 }
		on && rules % 3 == 2 && /^``/' /kprof/abi.rst |
		sed -E 's/``//g; s/   */\t/g' | cut -f "$2"
}
sorted() { rows "$@" | sort; }

modes() {
	find $KPROF -type f | while read -r file; do
		printf '%s\t%04o\n' "${file#"$KPROF"/}" "0$(stat -c %a "$file")"
	done | sed 's,/cpu[0-9]*/,/cpuN/,' | sort -u
}

fields() {
	sed -nE 's/^\tfield:(.*) ([a-z]+)(\[[^;]*\])?;.*/\2\t\1/p' \
		"/sys/kernel/tracing/events/kprof/$1/format" | grep -v '^common_\|_type\|_flags' |
		sed 's/__data_loc char\[\]/string/' | sort
}

plan 7
# Each kind of probe, where the kernel has it, and a span.
insmod /kprof/kprof.ko enable=0 target=vfs_read,do_exit freq=99
echo kretprobe >$KPROF/probe
echo vfs_write >>$KPROF/targets
echo 'tp:softirq_entry(cpu)..tp:softirq_exit(cpu) as=span' >>$KPROF/targets
echo 1 >$KPROF/enable
# Only counters have count_EVENT, and not every machine has counters.
absent=count_EVENT
[ "$(awk '$1 == "vfs_read.probe:" { print substr($2, 1, 6) }' $KPROF/stats)" = direct ] ||
	absent="$absent|^probe.direct"
is "$(ls /sys/module/kprof/parameters)" "$(sorted Parameters 1)" "the parameters"
is "$(modes)" "$(sorted Files 1,2 | grep "$(printf '\t')0")" "the files and their modes"
is "$(sed -E 's/:.*//; s/^(timer|vfs_read|vfs_write|do_exit|span)\./SOURCE./' $KPROF/stats | sort -u)" \
	"$(sorted stats 1 | grep -vE "$absent")" "the lines of stats"
is "$(head -n 1 $KPROF/latency | tr '\t' '\n')" "$(rows latency 1)" "the columns of latency, in order"
is "$(head -n 1 $KPROF/buckets | tr '\t' '\n')" "$(rows buckets 1)" "the columns of buckets, in order"
is "$(fields sample)" "$(sorted sample 1,2)" "the fields of kprof:sample"
is "$(fields call)" "$(sorted call 1,2)" "the fields of kprof:call"
rmmod kprof
