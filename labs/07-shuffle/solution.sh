# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
seconds=3

# CALLS MIN of a function in the table of another kprof lat
of() { awk -F , -v name="slabs:lab_$1" '$1 == name { print $3, $8 }' calls.csv; }

# What is inside is not watched: that would make it longer.
kprof lat -t slabs:lab_amber -t slabs:lab_birch -a -d $seconds --csv -o kprof.data >calls.csv
amber=$(of amber) birch=$(of birch)
more=$((${birch#* } - ${amber#* }))
limit=$((${amber#* } / 100))

objects=$(cat /sys/kernel/slab/lab_amber/objs_per_slab)
kprof lat -t slabs:lab_amber -t slabs:lab_cedar -t slabs:lab_delta -a -d $seconds --csv >calls.csv
cedar=$(of cedar) delta=$(of delta)
slabs=$(((${cedar% *} + ${amber% *} / 2) / $(of amber | cut -d ' ' -f 1) / objects))
answer objects "$objects"
answer slabs $slabs

other=$((${delta#* } - ${cedar#* }))
cause=shuffle
[ $other -lt 10 ] && [ $other -gt -10 ] || cause=constructor
which=lab_birch
if [ $more -le $limit ] && [ $more -ge -$limit ]; then
	which=none cause=none more=0
elif [ $more -lt 0 ]; then
	which=lab_amber more=$((-more))
fi
answer which $which
answer cause $cause
answer price $((more / slabs))
answer each $((more / slabs / objects))
