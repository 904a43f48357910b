#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_resources - verbs that show what is used: page faults, memory
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# sum TEXT COLUMN: of the rows of /tmp/said that have the text, in CSV
sum() {
	awk -F , -v text="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		NR > 1 && index($0, text) { n += $at } END { print n + 0 }' /tmp/said
}

plan 8

# --- faults: a shell that fills memory, which is counted for it in /proc/self/stat ---
echo never >/sys/kernel/mm/transparent_hugepage/enabled
cat >/tmp/filler <<'END'
printf filler >/proc/self/comm
page=$(head -c 4095 /dev/zero | tr '\0' x)
read -r before </proc/$$/stat
text=$page
for i in 1 2 3 4 5 6 7 8 9 10; do text=$text$text; done
read -r after </proc/$$/stat
minor() { set -- $1; echo "${10}"; }
echo $(($(minor "$after") - $(minor "$before"))) >/tmp/minor
END
is "$(status kprof faults --csv -- sh /tmp/filler)" 0 "kprof faults of a command"
between "$(sum minor,filler faults)" "$(cat /tmp/minor)" $(($(cat /tmp/minor) + 400)) \
	"minor ones, as many as the kernel counts"
between "$(cat /tmp/minor)" 1000 100000 "of which there were many"
is "$(sum major,filler faults)" 0 "and no major ones"

# --- mem: what a module keeps ---
insmod $MODULES/kprof_spans.ko
is "$(status kprof mem --csv --max-rows 65535 -- sh -c 'echo 1000,9000 >/sys/module/kprof_spans/parameters/leak')" \
	0 "kprof mem of a command"
is "$(sum spans_allocate objects) $(sum spans_allocate bytes)" "1000 128000" \
	"exactly those live that nobody has freed"
status kprof mem --json --max-rows 65535 -- sh -c 'echo 10,0 >/sys/module/kprof_spans/parameters/leak' >/dev/null
matches "$(cat /tmp/said)" '"count": 10, "bytes": 1280, "oldest_ns": [0-9]+, "stack": \[.*"spans_allocate"' \
	"as JSON, with stacks"
echo 1010 >/sys/module/kprof_spans/parameters/free
rmmod kprof_spans

is "$(lsmod | grep -c '^kprof')" 0 "nothing stays"
