# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found

# Who issues requests, or has them queued for a thread of the kernel, which issues them, and in which system
# call? Those that the kernel writes back come of none.
kprof lat tp:block_rq_issue by=comm,syscall tp:block_rq_insert by=comm,syscall -a -d 2 --csv |
	tr -d '"' >who.csv
row=$(grep 'syscall=[0-9]' who.csv | sort -t , -k 4,4nr | head -n 1)
point=${row%%,*} point=tp:${point#tp:}
name=${row#*comm=} name=${name%%,*}
number=${row#*syscall=} number=${number%%,*}
answer process "$name"
answer call "$number"

# BYTES SECTOR CALLS, by sector; long enough for each place to come twice. Should the kernel have written
# a page of it back, the request is shorter: what comes most often counts.
kprof lat "$point" 'by=comm,+0x2c($arg1):u32,+0x30($arg1):u64' --comm "$name" -d 6 \
	--max-rows 2048 --csv -o kprof.data | tr -d '"' >requests.csv
sed -n 's/.*u32=\([0-9]*\),.*u64=\([0-9]*\),\([0-9]*\),.*/\1 \2 \3/p' requests.csv |
	sort -k 2,2n >all-requests
bytes=$(awk '{ n[$1] += $3 } END { for (i in n) print n[i], i }' all-requests | sort -n | tail -n 1)
bytes=${bytes#* }
awk -v bytes="$bytes" '$1 == bytes' all-requests >requests
answer bytes "$bytes"
answer first "$(sed -n 1p requests | cut -d ' ' -f 2)"
answer repeat "$(wc -l <requests)"
