# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the variables of labs/run
#
# grade.sh - what was handed in: what it is worth, and a hint
#
# To be sourced by labs/run. It uses top, out, tmp, lab and seed, and check, build, die and bad_usage.

# What a recording shows, as text: the checker looks in it for names of functions, and for task_NAME. Who names
# tasks or files can have any word in a recording: names of tasks are marked, other texts left out. It is in
# $tmp/seen, not beside what was handed in. A report, which may say that something was lost (3), takes nothing
# but recordings; fold takes text.
show_recording() {
	: >"$tmp/seen"
	[ -f "$1/kprof.data" ] || return 0
	"$top/userspace/kprof" report --csv "$1/kprof.data" >"$tmp/report" 2>/dev/null || [ $? = 3 ] || return 0
	awk '
		{ while (match($0, /(comm=)?""[^"]*""/)) {
			name = ""
			if (substr($0, RSTART, 4) == "comm")
				name = substr($0, RSTART + 7, RLENGTH - 9)
			gsub(/[^A-Za-z0-9_]/, "_", name)
			$0 = substr($0, 1, RSTART - 1) " task_" name " " substr($0, RSTART + RLENGTH)
		  }
		  print }' "$tmp/report" >"$tmp/seen"
	# The name of the task comes first; there may be no stack, and the weight is behind it then.
	"$top/userspace/kprof" fold "$1/kprof.data" 2>/dev/null | awk '
		{ name = $0
		  sub(/ [0-9]+$/, "", name)
		  sub(/;.*/, "", name)
		  stack = substr($0, length(name) + 1)
		  gsub(/[^A-Za-z0-9_]/, "_", name)
		  print "task_" name, stack }' >>"$tmp/seen" || :
}

# grade_dir DIR OPTION...: of a folder that was handed in
grade_dir() {
	local dir=$1 taken=''
	shift
	[ ! -f "$dir/hints" ] || taken=$(head -c 65536 "$dir/hints" | tr -d '\0')
	check --dir "$dir" --seen "$tmp/seen" --taken "$taken" "$@"
}

# take_answers FILE DIR: put it there, once it is known that it can be graded; what was there is kept
take_answers() {
	[ -f "$1" ] || die "ANSWERS=$1: is no file"
	[ -r "$1" ] || die "ANSWERS=$1: cannot be read"
	cp "$1" "$tmp/answers"
	check --dir "$2" --answers "$1" --csv >"$tmp/row"
	! cmp -s "$tmp/answers" "$2/answers.txt" || return 0
	if [ -e "$2/answers.txt" ]; then
		mv -fT "$2/answers.txt" "$2/answers.txt.old"
		echo "labs: the answers that were there are $2/answers.txt.old now" >&2
	fi
	mv -fT "$tmp/answers" "$2/answers.txt"
}

# Whether the machine of the lab in DIR runs: it writes /lab back when it ends.
is_running() { [ -e "$1/.running" ] && ! flock -n "$1/.running" true; }

run_grade() {
	local answers='' hint='' dir
	while [ $# -gt 2 ]; do
		case $1 in
		--answers) answers=$2 ;;
		--hint) hint=$2 ;;
		*) bad_usage "no option '$1'" ;;
		esac
		shift 2
	done
	[ $# = 2 ] || bad_usage "expected LAB and SEED"
	find_lab "$1"
	check_seed "$2"
	build
	dir=$out/$lab-$seed
	mkdir -p "$dir"
	: >"$tmp/seen"
	! is_running "$dir" || echo "labs: the machine of this lab still runs: what is there has no answers" \
		"before it ends, by exit" >&2
	[ -z "$answers" ] || take_answers "$answers" "$dir"
	if [ -n "$hint" ]; then
		grade_dir "$dir" --hint "$hint" || return
		[ ! -f "$dir/hints" ] || cat "$dir/hints" >"$tmp/hints"
		echo "$hint" >>"$tmp/hints"
		mv -fT "$tmp/hints" "$dir/hints"
		return
	fi
	[ -e "$dir/answers.txt" ] || die "$dir/answers.txt is not there: begin with make lab"
	show_recording "$dir"
	grade_dir "$dir" --json >"$tmp/grade.json"
	mv -fT "$tmp/grade.json" "$dir/grade.json"	# whatever it was: a link is not followed
	grade_dir "$dir"
}

# Lab and seed of a folder that was handed in. Both may have a "-".
split_name() {
	for lab in $(cd "$top/labs" && echo [0-9]*); do
		seed=${1#"$lab"-}
		[ "$seed" = "$1" ] || [[ ! $seed =~ ^[A-Za-z0-9._@+-]+$ ]] || return 0
	done
	return 1
}

# ungraded DIR WHY...: a row of a folder that was handed in, so that nobody is missing
ungraded() {
	local dir=$1 lab=$lab seed=$seed
	shift
	echo "labs: ${dir@Q}: $*" >&2
	# Any checker will do: it prints what it is given.
	"$out/checkers/01-stutter" --ungraded --student "$student" -- "$lab" "$seed"
}

# grade_folder DIR TOP: a row of it; fails if it cannot be graded
grade_folder() {
	local dir=$1 name lab seed student
	name=$(basename "$(realpath "$dir")")
	student=$(basename "$(dirname "$(realpath "$dir")")")
	if ! split_name "$name"; then
		lab=$name seed=''
		# It lies where those of students do.
		[ "$(dirname "$dir")" != "$2" ] || student=$name lab=''
		ungraded "$dir" "expected a folder named LAB-SEED, such as 01-stutter-42, with answers.txt in it"
		return 1
	fi
	if [ ! -e "$dir/answers.txt" ]; then
		ungraded "$dir" "there is no answers.txt"
		return 1
	fi
	show_recording "$dir"
	if ! grade_dir "$dir" --csv --student "$student"; then
		ungraded "$dir" "it cannot be graded"
		return 1
	fi
}

# is_handed_in DIR TOP: has it, or should it have, a row? So has one with a number in front, as labs have.
is_handed_in() {
	local around=$1
	[ ! -e "$1/answers.txt" ] || return 0
	! split_name "$(basename "$1")" || return 0
	[[ $1 = */+([0-9])-* ]] && [ -z "$(find "$1" -mindepth 1 -type d -print -quit)" ] || return 1
	# What is in the folder of a lab is its student's.
	while [ "$around" != "$2" ]; do
		around=$(dirname "$around")
		[ ! -e "$around/answers.txt" ] && ! split_name "$(basename "$around")" || return 1
	done
}

run_grade_all() {
	local dir dirs from student lab='' seed='' failed=0
	local -A has_row=()
	[ $# = 1 ] || bad_usage "expected DIR"
	[ -d "$1" ] || die "DIR=$1: is no directory"
	from=$(realpath "$1")
	build
	echo "student,lab,seed,points,of,sealed,hints,wrong"
	mapfile -t -d '' dirs < <(find "$from" -mindepth 1 -name '.*' -prune -o -type d -print0 | LC_ALL=C sort -z)
	for dir in "${dirs[@]}"; do
		is_handed_in "$dir" "$from" || continue
		student=${dir#"$from"/}
		has_row[of ${student%%/*}]=1
		grade_folder "$dir" "$from" || failed=1
	done
	lab='' seed=''
	for dir in "${dirs[@]}"; do
		student=${dir#"$from"/}
		[ "$dir" != "$from" ] && [[ $student != */* ]] && [ -z "${has_row[of $student]:-}" ] || continue
		ungraded "$dir" "expected folders named LAB-SEED, such as 01-stutter-42, in it"
		failed=1
	done
	[ ${#has_row[@]} -gt 0 ] || [ $failed = 1 ] || die "DIR=$1: there is nothing in it"
	return $failed
}
