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
	prepare "$2" "$tmp/fresh" "$3"
	rm -rf "$tmp/out"
	check --template
	for ((i = 0; i < ${#options[@]}; i++)); do
		case ${options[i]} in
		*:/etc/lab/token|*:/etc/lab/tokens) echo token ;;
		--append) i=$((i + 1)) ;;
		*:/*) echo "${options[i]#*:} $(sha256sum <"${options[i]%%:*}")" ;;
		*) echo "${options[i]}" ;;
		esac
	done
}

# Tokens of other seeds, with other answers, it is to be hoped.
other_seeds() { echo "$seed-a" "$seed-b"; }

# try_scripts KERNEL BOOT: a machine for a student who has the files of $tmp/fresh, with $tmp/scripts
try_scripts() {
	prepare "$1" "$tmp/fresh" "$2"
	rm -rf "$tmp/out"
	for other in $(other_seeds); do
		seed=$other check --token
	done >"$tmp/tokens"
	"$top/scripts/vm" "${options[@]}" --timeout 1800 --add "$tmp/scripts:/etc/lab/scripts" \
		--add "$tmp/tokens:/etc/lab/tokens" --add "$top/labs/guest/look:/etc/lab/look" \
		--add "$top/labs/guest/answering:/etc/lab/answering" \
		--add "$top/tests/vm/logcheck:/etc/lab/logcheck" \
		--add "$top/tests/vm/logcheck.allow:/etc/lab/logcheck.allow" \
		"$top/labs/guest/try"
}

# A lab's scripts; those of one with two boots begin with what first.sh leaves of the first.
try_lab() {
	local dir=$top/labs/$lab boot=1
	rm -rf "$tmp/fresh" "$tmp/scripts"
	mkdir "$tmp/fresh" "$tmp/scripts"
	if [ -e "$dir/first.sh" ]; then
		boot=2
		cp "$dir/first.sh" "$tmp/scripts/solution.sh"
		try_scripts "$1" 1 || return
		cp "$tmp"/out/solution/* "$tmp/fresh"
	fi
	cp "$dir"/{solution,wrong-*}.sh "$tmp/scripts"
	try_scripts "$1" $boot
}

# What the student gets does not depend on the answers, and neither does what can be seen at once.
test_secrecy() {
	local kernel=$1 other word said=''
	prepared "$seed" "$kernel" 1 >"$tmp/given"
	[ "$(grep -c '^/.* [0-9a-f]\{64\} ' "$tmp/given")" -gt 0 ] || said="nothing is given"
	for other in $(other_seeds); do
		said+=$(prepared "$other" "$kernel" 1 | diff "$tmp/given" -) || :
	done
	point "$said" "" "$lab, seed $seed, $kernel: all seeds get the same, but for the token"
	said=$(diff "$tmp/tried/looks-other" "$tmp/tried/looks" 2>&1) || :
	[ "$(wc -l <"$tmp/tried/looks")" -gt 20 ] || said="nothing is seen"
	for word in $(check --append 1; check --append 2); do
		[ "$word" != quiet ] || continue
		! grep -qF -e "$word" "$tmp/tried/looks" || said+=" $word can be seen"
		! "$top/userspace/kprof" report --json "$tmp/tried/solution/kprof.data" 2>/dev/null |
			grep -qF -e "$word" || said+=" $word is in the recording"
	done
	point "$said" "" "$lab, seed $seed, $kernel: what can be seen at once says nothing"
}

# A lab for a seed on a kernel: all its scripts in one machine, each against what it says it loses.
test_lab() {
	local kernel=$1 script name expected dir status=0 begin=$SECONDS
	try_lab "$kernel" >"$tmp/said" 2>&1 || status=$?
	sed 's/^/# /' "$tmp/said"
	rm -rf "$tmp/tried"
	cp -r "$tmp/out" "$tmp/tried"
	point $status 0 "$lab, seed $seed, $kernel: all scripts ran"
	point "$(cat "$tmp/out/log" 2>&1)" "" "$lab, seed $seed, $kernel: the kernel log is clean"
	test_secrecy "$kernel"
	for script in "$tmp"/scripts/*.sh; do
		name=$(basename "$script" .sh)
		expected=$(sed -n 's/^# loses: *//p' "$script")
		dir=$tmp/tried/$name
		point "$(lost "$dir")" "$expected" "$lab, seed $seed, $kernel: $name"
		[ $failed = 0 ] || sed 's/^/# /' "$dir/answers.txt" 2>/dev/null | grep -v '^# \(#\|$\|guess\)' || :
	done
	rm -rf "$out/last/$lab"
	mkdir -p "$out/last"
	cp -r "$tmp/tried" "$out/last/$lab"
	echo "# $lab, seed $seed, $kernel: $((SECONDS - begin)) s"
}

# The number of test_lab's points
points_of() { echo $((4 + $(cd "$top/labs/$lab" && ls solution.sh wrong-*.sh | wc -l))); }

# The seeds to test a lab with, of those that run_test was told.
seeds_of() {
	{
		[ ${#seeds[@]} = 0 ] || printf '%s\n' "${seeds[@]}"
		[ -z "$cover" ] || "$out/covers/$lab" "$lab" "$cover" | cut -d " " -f 1
	} | awk '!had[$0]++'
}

run_test() {
	local kernels=() labs=() seeds=() cover='' kernel points=0
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
		*) find_lab "$1"; labs+=("$lab") ;;
		esac
		shift
	done
	[ ${#seeds[@]} -gt 0 ] || [ -n "$cover" ] || seeds=(1)
	[ ${#kernels[@]} -gt 0 ] || kernels=(6.1)
	[ ${#labs[@]} -gt 0 ] || mapfile -t labs < <(cd "$top/labs" && ls -d [0-9]*)
	echo "KTAP version 1"
	[ -z "$cover" ] || build
	for lab in "${labs[@]}"; do
		points=$((points + $(seeds_of | wc -l) * $(points_of)))
	done
	echo "1..$((points * ${#kernels[@]}))"
	for kernel in "${kernels[@]}"; do
		for lab in "${labs[@]}"; do
			build "$kernel"
			for seed in $(seeds_of); do
				test_lab "$kernel"
			done
		done
	done
	return $failed
}
