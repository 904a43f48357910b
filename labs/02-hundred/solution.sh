# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
kprof lat kernel_clone 'by=+0($arg1):x64' --csv -o kprof.data -- hundred >calls.csv
# KEY=FLAGS,CALLS,MISSED,TOTAL,SELF,AVERAGE: one row, all have the same flags
row=$(sed -n '2s/^[^=]*=0x//p' calls.csv | tr -d '"')
flags=${row%%,*}
answer number "$(echo "$row" | cut -d , -f 2)"
answer each "$(echo "$row" | cut -d , -f 6)"
if [ $((0x$flags & 0x100)) = 0 ]; then
	answer kind processes
	answer function dup_mm
else
	answer kind threads
	answer function copy_process
fi
hundred &
sleep 0.5
answer resident "$(awk '$1 == "VmRSS:" { print $2 / 1024 }' /proc/$!/status)"
wait
