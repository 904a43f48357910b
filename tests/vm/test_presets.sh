#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_presets - targets that have a name, beside what the kernel itself counts: page faults,
# memory
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"

spans() { echo "$2" >"/sys/module/kprof_spans/parameters/$1"; }

# living TARGET PATTERN: objects and bytes of the rows of the file open that match
living() {
	awk -F '\t' -v target="$1" -v pattern="$2" '
		$1 == target && $2 ~ pattern { n += $3; bytes += $4 } END { print n + 0, bytes + 0 }' \
		$KPROF/open
}

# refused TARGET PATTERN: insmod refuses it, and says why
refused() {
	insmod /kprof/kprof.ko target="\"$1\"" 2>/dev/null && rmmod kprof
	matches "$(dmesg | grep 'kprof: ' | tail -n 1)" "$2" "refused: $1"
}

plan 21
insmod $MODULES/kprof_spans.ko

# --- @faults: what this shell does, and nobody else meanwhile ---
# minor LINE: the field of /proc/PID/stat
minor() { set -- $1; echo "${10}"; }

echo never >/sys/kernel/mm/transparent_hugepage/enabled
insmod /kprof/kprof.ko target=@faults pid=$$ record=0
echo 0 >$KPROF/enable
echo 1 >$KPROF/reset
page=$(head -c 4095 /dev/zero | tr '\0' x)
read -r outer_begin </proc/$$/stat
echo 1 >$KPROF/enable
read -r begin </proc/$$/stat
text=$page
for _ in 1 2 3 4 5 6 7 8 9 10; do text=$text$text; done
read -r end </proc/$$/stat
echo 0 >$KPROF/enable
read -r outer_end </proc/$$/stat
between "$(calls @faults fault=minor)" $(($(minor "$end") - $(minor "$begin"))) \
	$(($(minor "$outer_end") - $(minor "$outer_begin"))) "@faults: minor ones, as the kernel counts them"
between "$(calls @faults fault=minor)" 1000 100000 "of which there were many"
is "$(calls @faults fault=major)" 0 "and no major ones"
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
rmmod kprof
refused 'vfs_read by=fault' 'only calls of handle_mm_fault'
refused '@faults if=fault==1' 'another key than fault'

# --- @alloc: what lives ---
insmod /kprof/kprof.ko target=@alloc max_open=262144 record=0 max_rows=65535
spans leak 1000,9000
is "$(living @alloc 'spans_allocate')" "1000 128000" \
	"@alloc: exactly those live that nobody has freed, by stack"
is "$(calls @alloc 'spans_allocate')" 9000 "those that an interrupt has freed do not"
spans free 300
is "$(living @alloc 'spans_allocate')" "700 89600" "nor do those that are freed later"
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
echo 0 >$KPROF/enable
is "$(living @alloc 'spans_allocate')" "700 89600" "when it is stopped they can still be seen"
is "$(unaccounted @alloc)" 0 "and each allocation is accounted for"
echo 1 >$KPROF/enable
is "$(living @alloc 'spans_allocate') $(stat @alloc.dropped_table)" "0 0 0" "a new start begins anew"
rmmod kprof

# --- @pages ---
insmod /kprof/kprof.ko target='"@pages by=comm if=comm==holder"' max_open=65536 record=0
sh -c 'printf holder >/proc/self/comm; text=$(head -c 4000000 /dev/zero | tr "\0" x); sleep 300; :' &
pid=$!
# Some of the text lies where it had memory before.
holds() { [ "$(living @pages holder | cut -d ' ' -f 2)" -ge 3000000 ]; }
eventually holds >/dev/null
between "$(living @pages holder | cut -d ' ' -f 2)" 3000000 40000000 "@pages: what a process holds"
kill $pid
wait
rmmod kprof
refused 'tp:kfree($arg2,bytes=$arg1)' 'only what begins has bytes'
rmmod kprof_spans

# --- @irqsoff: who holds interrupts off, and for how long, less up to a period ---
insmod $MODULES/kprof_known.ko
# of_holder COLUMN: of the rows of what holds them off
of_holder() { awk -F '\t' -v at="$1" '$1 == "@irqsoff" && $2 ~ /known_irqs_off|do_irq_off/ { n += $at } END { printf "%d", n }' $KPROF/latency; }

# The period stays what it is, however busy the host is
insmod /kprof/kprof.ko target='"@irqsoff min=200ms"' freq=1000 max_cpu=100 pid=$$
before=$(uptime_ms)
known irq_off 300
after=$(uptime_ms)
echo 0 >$KPROF/enable
is "$(of_holder 3)" 1 "@irqsoff: interrupts were off once for that long, and where they came on is known"
between "$(of_holder 5)" 299000000 $(((after - before + 10) * 1000000)) "for that time, less a period at most"
between "$(awk '/^.@irqsoff.;/ && /;(known_irqs_off|do_irq_off)/ { print $NF }' $KPROF/folded_ns)" 299000000 \
	$(((after - before + 10) * 1000000)) "by whom, with stack and task"
is "$(unaccounted @irqsoff) $(unbalanced <$KPROF/stats)" "0 " "and the account adds up"
rmmod kprof
insmod /kprof/kprof.ko target=@irqsoff event=none
known irq_off 10
is "$(stat @irqsoff.fired)" 0 "without the timer, nobody comes late"
matches "$(dmesg | grep kprof: | tail -n 3)" 'kprof: @irqsoff sees nothing: the timer' "which the log says"
rmmod kprof
rmmod kprof_known
