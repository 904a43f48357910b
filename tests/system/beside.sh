# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# beside.sh - the same program profiled by kprof and by perf: do they say the same?
#
# To be sourced after lib.sh; KPROF_READER is kprof.

# differences: of the ten functions of programs with the largest shares in /tmp/kprof.csv or in
# /tmp/perf.txt, those whose shares differ by more than 2 points and three standard deviations, which
# is what few samples differ by anyway, or that only one of them has. Code without a symbol is one
# function for each file, as kprof has it. The kernel is left out, because perf's own work is there:
# at each switch to a task it begins to sample it anew.
differences() {
	awk -F, '
		FNR == 1 { file++ }
		file == 1 && /^ +[0-9.]+%/ {
			split($0, word, " +")
			name = $0
			sub(/.*\[[.k]\] /, "", name)
			sub(/ +$/, "", name)
			if (name ~ /^0x/)
				name = "[" word[4] "]"
			if (/ \[\.\] /)
				add(perf, 1, word[4] " " name, word[3])
			is_user[word[4]] = is_user[word[4]] || / \[\.\] /
		}
		file == 2 && FNR > 1 && is_user[$6] { add(kprof, 2, $6 " " $7, $4) }
		function add(of, file, name, n) {
			of[name] += n
			samples[file] += n
			all[name]
		}
		function share(of, file, one) { return 100 * of[one] / samples[file] }
		function rank(of, one,   n, other) {
			for (other in of)
				n += of[other] > of[one]
			return n + 0
		}
		function is_of_ten(of, one) { return one in of && rank(of, one) < 10 }
		function variance(percent, n) { return percent * (100 - percent) / n }
		END {
			if (samples[1] < 1000 || samples[2] < 1000) {
				print "too few samples: " samples[2] + 0 " of kprof, " samples[1] + 0 " of perf"
				exit
			}
			for (one in all) {
				if (!is_of_ten(kprof, one) && !is_of_ten(perf, one))
					continue
				a = share(kprof, 2, one)
				b = share(perf, 1, one)
				chance = 3 * sqrt(variance(a, samples[2]) + variance(b, samples[1]))
				printf "# %6.2f %6.2f %s\n", a, b, one | "sort -rn -k 2 >&2"
				if (a - b > 2 + chance || b - a > 2 + chance ||
				    (!a && b / 100 * samples[2] > 20) || (!b && a / 100 * samples[1] > 20))
					print one ": " a " % by kprof, " b " % by perf"
			}
		}' /tmp/perf.txt /tmp/kprof.csv
}

# beside NAME OPTION COMMAND...: profile a task of this name while COMMAND runs, once by each.
# OPTION is --pid=PID of the task, or '' where COMMAND is it.
beside() {
	name=$1 option=$2
	shift 2
	succeeds "kprof record of $name, with its functions" \
		"$KPROF_READER" record -F 1999 -g --comm "$name" $option -o /tmp/data -- "$@"
	"$KPROF_READER" report --sort module,sym --samples --csv /tmp/data >/tmp/kprof.csv
	succeeds "perf record of $name" \
		perf record -q -F 1999 -e cpu-clock --call-graph dwarf $option -o /tmp/perf.data -- "$@"
	perf report -i /tmp/perf.data --comms "$name" --percentage relative --no-children -g none -n \
		--stdio --sort dso,sym >/tmp/perf.txt 2>/dev/null
	is "$(differences)" "" "kprof and perf have the same ten functions of $name, with the same shares"
	rm -f /tmp/data* /tmp/perf.data*
}
