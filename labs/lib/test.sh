# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the variables of labs/run
#
# test.sh - each lab's solution and wrong answers, in machines, as KTAP
#
# To be sourced by labs/run. It uses top, out, tmp, lab, seed and options, and prepare, build, check and what grades.

count=0 failed=0
point() {
	count=$((count + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $count - $3"
	else
		failed=1
		echo "not ok $count - $3"
		echo "# got: $1"
		echo "# expected: $2"
	fi
}

# The questions of which a script's answers have lost the points, in their order.
lost() {
	show_recording "$1"
	grade_dir "$1" --csv 2>&1 | sed 's/.*,//'
}

# prepared SEED KERNEL BOOT: what the machine of a seed is given, as text: options, and the sums of files. Not
# its token, and not what its kernel is told: a lab that says something there hides it.
prepared() {
	local seed=$1 i
	rm -rf "$tmp/nobody"
	mkdir "$tmp/nobody"
	prepare "$2" "$tmp/nobody" "$3"
	check --template
	for ((i = 0; i < ${#options[@]}; i++)); do
		case ${options[i]} in
		*:/etc/lab/token) echo token ;;
		--append) i=$((i + 1)) ;;
		*:/*) echo "${options[i]#*:} $(sha256sum <"${options[i]%%:*}")" ;;
		*) echo "${options[i]}" ;;
		esac
	done
}

# To be compared with the first of a machine's seeds: its others, and two with other answers, it is to be hoped.
other_seeds() { echo "${group[@]:1}" "${group[0]}-a" "${group[0]}-b"; }

# What the student of a seed begins with: the token, and files of /lab.
begin_student() {
	local dir=$tmp/students/$lab-$seed
	mkdir -p "$dir/lab"
	check --token >"$dir/token"
	cp "$top/labs/$lab/README" "$dir/lab"
	[ -e "$dir/lab/answers.txt" ] || check --template >"$dir/lab/answers.txt"
}

# try_scripts KERNEL BOOT: $tmp/scripts by the students of $tmp/students, in a machine
try_scripts() {
	local seed
	for seed in "${group[@]}"; do
		begin_student
	done
	seed=${group[0]}
	prepare "$1" "$tmp/students/$lab-$seed/lab" "$2"
	rm -rf "$tmp/out"
	for seed in $(other_seeds); do
		check --token
	done >"$tmp/tokens"
	"$top/scripts/vm" "${options[@]}" --timeout $((1800 * ${#group[@]})) \
		--add "$tmp/students:/etc/lab/students" --add "$tmp/scripts:/etc/lab/scripts" \
		--add "$tmp/tokens:/etc/lab/tokens" --add "$top/labs/guest/look:/etc/lab/look" \
		--add "$top/labs/guest/answering:/etc/lab/answering" \
		--add "$top/tests/vm/logcheck:/etc/lab/logcheck" \
		--add "$top/tests/vm/logcheck.allow:/etc/lab/logcheck.allow" \
		"$top/labs/guest/try"
}

# A lab's scripts; those of one with two boots begin with what first.sh leaves of the first.
try_lab() {
	local dir=$top/labs/$lab boot=1 seed
	rm -rf "$tmp/students" "$tmp/scripts" "$tmp/looks-first"
	mkdir "$tmp/students" "$tmp/scripts"
	if [ -e "$dir/first.sh" ]; then
		boot=2
		cp "$dir/first.sh" "$tmp/scripts/solution.sh"
		try_scripts "$1" 1 || return
		mv "$tmp/out/looks" "$tmp/looks-first"
		for seed in "${group[@]}"; do
			cp "$tmp/out/$lab-$seed/solution/"* "$tmp/students/$lab-$seed/lab"
		done
	fi
	cp "$dir"/{solution,wrong-*}.sh "$tmp/scripts"
	try_scripts "$1" $boot
}

# What the student gets does not depend on the answers, and neither does what can be seen at once, in either boot.
test_secrecy() {
	local kernel=$1 other seed word said='' of=$2
	prepared "${group[0]}" "$kernel" 1 >"$tmp/given"
	[ "$(grep -c '^/.* [0-9a-f]\{64\} ' "$tmp/given")" -gt 0 ] || said="nothing is given"
	for other in $(other_seeds); do
		said+=$(prepared "$other" "$kernel" 1 | diff "$tmp/given" -) || :
	done
	point "$said" "" "$of: all seeds get the same, but for the token"
	said=$(diff "$tmp/tried/looks-other" "$tmp/tried/looks" 2>&1) || :
	[ ! -e "$tmp/looks-first" ] || said+=$(diff "$tmp/looks-first" "$tmp/tried/looks") || :
	[ "$(wc -l <"$tmp/tried/looks")" -gt 20 ] || said="nothing is seen"
	for seed in "${group[@]}"; do
		for word in $(check --append 1; check --append 2); do
			[ "$word" != quiet ] || continue
			! grep -qF -e "$word" "$tmp/tried/looks" || said+=" $word can be seen"
			! "$top/userspace/kprof" report --json "$tmp/tried/$lab-$seed/solution/kprof.data" \
				2>/dev/null | grep -qF -e "$word" || said+=" $word is in the recording"
		done
	done
	point "$said" "" "$of: what can be seen at once says nothing"
}

# Of a seed: each of its scripts against what it says it loses.
test_seed() {
	local script name expected dir of="$lab, seed $seed, $1"
	point "$(cat "$tmp/tried/$lab-$seed/log" 2>&1)" "" "$of: the kernel log is clean"
	for script in "$tmp"/scripts/*.sh; do
		name=$(basename "$script" .sh)
		expected=$(sed -n 's/^# loses: *//p' "$script")
		dir=$tmp/tried/$lab-$seed/$name
		point "$(lost "$dir")" "$expected" "$of: $name"
		[ $failed = 0 ] || sed 's/^/# /' "$dir/answers.txt" 2>/dev/null | grep -v '^# \(#\|$\|guess\)' || :
	done
}

# A lab on a kernel for the seeds of a group: all its scripts for one after the other, in one machine.
test_group() {
	local kernel=$1 status=0 begin=$SECONDS of
	of="$lab, seed ${group[*]}, $kernel"
	try_lab "$kernel" >"$tmp/said" 2>&1 || status=$?
	sed 's/^/# /' "$tmp/said"
	rm -rf "$tmp/tried"
	mkdir -p "$tmp/out"
	cp -r "$tmp/out" "$tmp/tried"
	point $status 0 "$of: all scripts ran"
	test_secrecy "$kernel" "$of"
	for seed in "${group[@]}"; do
		test_seed "$kernel"
	done
	mkdir -p "$out/last"
	for seed in "${group[@]}"; do
		[ ! -e "$tmp/tried/$lab-$seed" ] || cp -r "$tmp/tried/$lab-$seed" "$out/last"
	done
	echo "# $of: $((SECONDS - begin)) s"
}

# The seeds to test a lab with, of those that run_test was told.
seeds_of() {
	{
		[ ${#seeds[@]} = 0 ] || printf '%s\n' "${seeds[@]}"
		[ -z "$cover" ] || "$out/covers/$lab" "$lab" "$cover" | cut -d " " -f 1
	} | awk '!had[$0]++'
}

# Those of a machine, a line each: at most $together, whose kernel is told the same.
groups_of() {
	local seed
	for seed in $(seeds_of); do
		echo "$seed $(check --append 1)/$(check --append 2)"
	done | awk -v most="$together" '
		{ seed = $1; $1 = ""; if (nr[$0]++ % most == 0) group[$0] = ++groups
		  seeds[group[$0]] = seeds[group[$0]] " " seed }
		END { for (i = 1; i <= groups; i++) print substr(seeds[i], 2) }'
}

# The number of points of $lab: a few of each machine, and of each of its seeds.
points_of() {
	local of_seed nr_groups nr_seeds
	of_seed=$((1 + $(cd "$top/labs/$lab" && ls solution.sh wrong-*.sh | wc -l)))
	read -r nr_groups nr_seeds _ < <(groups_of | wc)
	echo $((3 * nr_groups + of_seed * nr_seeds))
}

run_test() {
	local kernels=() labs=() seeds=() cover='' together=1 kernel points=0 groups=()
	while [ $# -gt 0 ]; do
		case $1 in
		--kernel) kernels+=("${2:-}"); shift ;;
		--seed) check_seed "${2:-}"; seeds+=("$seed"); shift ;;
		--seeds)
			[[ ${2:-} =~ ^([1-9][0-9]{0,5})(-([1-9][0-9]{0,5}))?$ ]] ||
				bad_usage "SEEDS=${2:-}: expected a number above 0, or two: 11-20"
			if [ -n "${BASH_REMATCH[3]}" ]; then
				mapfile -t seeds < <(seq "${BASH_REMATCH[1]}" "${BASH_REMATCH[3]}")
			else
				mapfile -t seeds < <(seq "$2")
			fi
			[ ${#seeds[@]} -gt 0 ] || bad_usage "SEEDS=$2: there is none"
			shift ;;
		--cover)
			[[ ${2:-} =~ ^[1-9][0-9]{0,2}$ ]] ||
				bad_usage "--cover '${2:-}': expected a number of seeds, 1 to 999"
			cover=$2
			shift ;;
		--together)
			[[ ${2:-} =~ ^[1-9][0-9]?$ ]] ||
				bad_usage "--together '${2:-}': expected a number of seeds, 1 to 99"
			together=$2
			shift ;;
		*) find_lab "$1"; labs+=("$lab") ;;
		esac
		shift
	done
	[ ${#seeds[@]} -gt 0 ] || [ -n "$cover" ] || seeds=(1)
	[ ${#kernels[@]} -gt 0 ] || kernels=(6.1)
	[ ${#labs[@]} -gt 0 ] || mapfile -t labs < <(cd "$top/labs" && ls -d [0-9]*)
	echo "KTAP version 1"
	"$top/scripts/deps" --kernel="${kernels[0]}" reader module vm || return
	lab=
	build
	for lab in "${labs[@]}"; do
		points=$((points + $(points_of)))
	done
	echo "1..$((points * ${#kernels[@]}))"
	for kernel in "${kernels[@]}"; do
		for lab in "${labs[@]}"; do
			build "$kernel"
			rm -rf "$out/last/$lab-"*
			mapfile -t groups < <(groups_of)
			for group in "${groups[@]}"; do
				read -ra group <<<"$group"
				test_group "$kernel"
			done
		done
	done
	return $failed
}
