#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# jit - Debian's own node, java and go: does each function have its name, its share and its callers?
tar -C /srv -xf /srv/built.tar
. /kprof/system/lib.sh

# record COMMAND...: in data
record() { kprof record -q -F 199 -U -o data -- "$@" >said 2>&1 || cat said; }

# share PATTERN BY: per cent of the samples whose line matches, of those that match BY
share() {
	kprof fold --samples data | awk -v pattern="$1" -v by="$2" '
		$0 ~ by { all += $NF }
		$0 ~ by && $0 ~ pattern { n += $NF }
		END { print (all >= 100 ? int(100 * n / all + 0.5) : "none") }'
}

# shares BEFORE BEHIND DESCRIPTION: half, quarter and other, as leaves
shares() {
	all="$1(half|quarter|other)$2"
	between "$(share "$1half$2" "$all")" 42 58 "$3: half of the time"
	between "$(share "$1quarter$2" "$all")" 17 33 "$3: a quarter"
}

# As many seconds as that has of a processor are enough for any of these.
time=20
cd /srv/apps || exit
plan 17
succeeds "dkms takes what it has built elsewhere" dkms ldtarball /srv/kprof-dkms.tar.gz
succeeds "dkms installs kprof" dkms install "kprof/$VERSION"
PATH=/srv/kprof/userspace:$PATH
modprobe kprof enable=0 max_cpu=100

# --- node ---

for option in --perf-basic-prof --perf-prof; do
	record node $option app.js $time
	shares ';LazyCompile:.' ' /srv/apps/app[.]js:[0-9]+ ' "node $option"
	between "$(share '[[]anon[]] ' .)" 0 3 "and next to nothing that node has generated is without a name"
done

# --- java ---

for option in + -; do
	record java -XX:TieredStopAtLevel=1 -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit \
		-XX:${option}PreserveFramePointer -XX:CompileCommand=quiet \
		-XX:CompileCommand=dontinline,App.* -cp . App $time
	shares ';int App[.]' '[(]int[)] ' "java with ${option}PreserveFramePointer"
	[ $option = - ] || between "$(share ';(Interpreter|void App[.]main.*);int App[.]run[(]int[)];int App[.](half|quarter|other)' \
		'int App[.](half|quarter|other)')" 95 100 "and their callers"
done

# --- go ---

record ./cgo $time
between "$(share ';main[.]quarter;main[.]spin ' ';main[.](quarter|other);main[.]spin ')" 35 65 "go: one of two alike"
between "$(share ';main[.]main[.]func1;main[.]run;main[.](quarter|other);' ';main[.](quarter|other);')" 97 100 \
	"and their callers"
between "$(share ';c_half;c_spin ' ';c_spin ')" 97 100 "a function in C has its caller in C"
between "$(share ';(main[.]half|_cgo_[^;]*_Cfunc_c_half|main[.]_Cfunc_c_half[^;]*);c_half;c_spin ' ';c_spin ')" 97 100 \
	"and the one in go, or what stands for it on the other stack"
rmmod kprof
