#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_user_inlined - what is inlined into programs whose calls and lines are known
# timeout: 300
# any kernel
# icount
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

programs=/kprof/programs
cd /tmp || exit

# record COMMAND...: in data
record() {
	kprof record -q -F 499 -U -o data -- "$@" 2>said || cat said
}

# share [--OPTION]... PATTERN BY: per cent of the samples whose line matches, of those that match BY
share() {
	options=
	while [ "${1#--}" != "$1" ]; do
		options="$options $1"
		shift
	done
	# shellcheck disable=SC2086 # options are words
	kprof fold --samples $options data | awk -v pattern="$1" -v by="$2" '
		$0 ~ by { all += $NF }
		$0 ~ by && $0 ~ pattern { n += $NF }
		END { print all ? int(100 * n / all + 0.5) : "none" }'
}

plan 16

# --- a program of C, three deep ---

record $programs/inlines 8000
is "$(cat said)" "" "nothing is left out"
between "$(share ';main;host;outer_[[]i];middle_[[]i];deepest_[[]i] ' ';host;')" 55 78 \
	"two thirds of the time where it is, through three inlined functions"
between "$(share ';main;host;outer_[[]i];middle_[[]i];leaf ' ';host;')" 22 45 \
	"a third in what is called from the second"
between "$(share ';main;host;outer_[[]i];middle_[[]i];(deepest_[[]i]|leaf) ' ';host')" 98 100 "and all in these"
between "$(share --no-inline ';main;host(;leaf)? ' ';host')" 98 100 "none is shown where none is wanted"
# shellcheck disable=SC2046 # numbers are words
set -- $($programs/inlines lines)
between "$(share --srcline ";host [(]inlines.c:$4[)];outer [(]inlines.c:$3[)]_[[]i];middle [(]inlines.c:$2[)]_[[]i];deepest" ';deepest')" \
	98 100 "each call has its line"
lines=
for line in $(($1 - 1)) "$1" $(($1 + 1)); do
	lines="$lines|$line"
done
between "$(share --srcline ";deepest [(]inlines.c:(${lines#|})[)]_[[]i] " ';deepest')" 98 100 "the work, too"
is "$(kprof report data 2>/dev/null | awk '$5 ~ /^(deepest|middle|outer)/ { print $5, $6 }' | sort)" \
	"$(printf '%s [inlines]\n' 'deepest_[i]' 'middle_[i]' 'outer_[i]')" "the report has them"
kprof script data | awk '/deepest \(inlined\)/ { n++; getline; if (/middle \(inlined\)/) getline
	if (/outer \(inlined\)/) getline; if (/ host\+0x[0-9a-f]+ \(inlines\)$/) good++ }
	END { print (n && n == good ? "good" : n " of which " good) }' >order
is "$(cat order)" good "the script, innermost first"
kprof annotate inlines:host data >annotated 2>&1
between "$(grep -c '; deepest_\[i\] (.*inlines.c:[0-9]*)' annotated)" 1 100 "annotate names them at their lines"

# --- on any machine ---

cp data kept
mv $programs/inlines moved
between "$(share ';main;host;outer_[[]i];middle_[[]i];deepest_[[]i] ' ';host;')" 55 78 \
	"a recording needs no program"
mv moved $programs/inlines

# --- debug information elsewhere ---

mkdir -p /usr/lib/debug$programs
mv $programs/inlines-stripped.debug /usr/lib/debug$programs/
record $programs/inlines-stripped 8000
between "$(share ';main;host;outer_[[]i];middle_[[]i];deepest_[[]i] ' ';host;')" 55 78 \
	"a stripped program, by its debug file elsewhere"
rm -r /usr/lib/debug/kprof
record $programs/inlines-stripped 2000
is "$(kprof fold data | grep -c "^inlines.*_\[i\]")" 0 "without, nothing is inlined"

# --- C++ ---

if [ -x $programs/templates ]; then
	record $programs/templates 30000
	fill='void shapes::fill<3>[(]shapes::box<long>&, long[)]_[[]i];shapes::box<long>::fill[(]long[)]_[[]i]'
	between "$(share ";main;void work<int>[(]int[)];$fill " ';void work<')" 13 37 \
		"a template of C++ and its inlined members, by readable names"
	between "$(share ";main;void work<long>[(]long[)];$fill " ';void work<')" 63 87 "and of another type"
	between "$(kprof fold --samples --symbol 'shapes::box<long>::fill*' data | awk '{ n += $NF } END { print n + 0 }')" \
		20 100000 "by which samples can be selected"
else
	skip "a template of C++" "there was no clang-14 to compile it"
	skip "and of another type" "there was no clang-14 to compile it"
	skip "by which samples can be selected" "there was no clang-14 to compile it"
fi
