# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
kprof use -d 5 --csv | tr -d '"' >use.csv

# figure RESOURCE WHAT, and whether it is above a number
figure() {
	awk -F , -v resource="$1" -v what="$2" '$1 == resource && $2 == what { print $3 }' use.csv
}
above() { awk -v value="$1" -v than="$2" 'BEGIN { exit !(value > than) }'; }

for one in "cpu cpu0 utilisation" "memory memory utilisation" "disk disk+lab utilisation" \
	"locks locks saturation"; do
	# shellcheck disable=SC2086
	set -- $one
	value=$(figure "$(echo "$2" | tr + ' ')" "$3")
	answer "$1" "${value:-0}"
done

# task_of FUNCTION: who calls it most, by a recording that stays
task_of() {
	kprof lat "$1" by=comm -a -d 3 --csv -o kprof.data | tr -d '"' |
		sed -n 's/.*comm=\([^,]*\),\([0-9]*\),.*/\2 \1/p' | sort -n | sed -n '$s/.* //p'
}

# found CAUSE TASK FUNCTION
found() {
	answer cause "$1"
	answer task "$2"
	answer function "$3"
}

# What runs, and for whom: below what is most of it?
find_on_cpu() {
	kprof record -q -a -F 999 -d 5
	kprof fold kprof.data >stacks
	for name in lab_grove lab_heath copy_process handle_mm_fault; do
		echo "$(grep -w "$name" stacks | awk '{ n += $NF } END { print n + 0 }') $name"
	done | sort -n >by-function
	function=$(sed -n '$s/.* //p' by-function)
	task=$(grep -w "$function" stacks | awk -F '[; ]' '{ n[$1] += $NF }
		END { for (i in n) print n[i], i }' | sort -n | sed -n '$s/.* //p')
	case $function in
	lab_*)
		found 1 "${task%%/*}" "$function" ;;
	copy_process) found 2 "$task" "$function" ;;
	*) found 3 "$task" "$function" ;;
	esac
}

if above "$(answered locks)" 2; then
	answer resource locks
	answer source kprof
	found 4 "$(task_of mutex_lock)" mutex_lock
elif above "$(answered disk)" 50; then
	answer resource disk
	answer source diskstats
	found 5 "$(task_of submit_bio)" submit_bio
elif above "$(answered cpu)" 40; then
	answer resource cpu
	answer source stat
	find_on_cpu
else
	answer resource none
	answer source none
	task=$(task_of bprm_execve)
	if [ -n "$task" ]; then
		found 6 "$task" bprm_execve
	else
		found 4 "$(task_of msleep)" msleep
	fi
fi
