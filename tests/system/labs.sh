#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# labs - labs on this machine, with kprof from dkms: solutions, wrong answers, and that nothing is left
[ ! -f /srv/built.tar ] || tar -C /srv -xf /srv/built.tar
. /kprof/system/lib.sh

SEED=7

# here LAB SCRIPT...: the lab, with scripts of its own in the shell's place, which leave kprof loaded
here() {
	lab=$1
	shift
	{
		echo guess
		cd /srv/kprof/labs/"$lab" && cat "$@"
		echo modprobe kprof
	} >/var/tmp/script
	cd /srv/kprof || exit
	labs/run here --script /var/tmp/script "$lab" $SEED >/var/tmp/said 2>&1
	echo "status $?: $(tail -n 20 /var/tmp/said)" >/var/tmp/here
}

# grade LAB: points, and what is wrong
grade() {
	labs/run grade "$1" $SEED >/var/tmp/graded 2>&1
	sed -n 's/^ *"points": \([0-9]*\),$/\1/p' "build/labs/$1-$SEED/grade.json" | head -n 1
	sed -n 's/.*"name": "\([a-z]*\)".*"right": false.*/\1/p' "build/labs/$1-$SEED/grade.json"
}

# lab LAB: its solution has all points, and its first wrong answer loses what it says
lab() {
	here "$1" solution.sh
	points=$(grade "$1" | tr '\n' ' ')
	is "$points" "100 " "$1: the solution has all points"
	[ "$points" = "100 " ] || diag "$(cat /var/tmp/here /var/tmp/graded)"
	here "$1" wrong-1.sh
	is "$(grade "$1" | sed 1d | sort | tr '\n' ' ')" \
		"$(sed -n 's/^# loses: *//p' "labs/$1/wrong-1.sh" | tr ' ' '\n' | sort | tr '\n' ' ')" \
		"$1: a wrong answer loses its points"
	is "$(ls -d /lab /etc/lab /kprof/bin /run/kprof-lab 2>/dev/null; left)" "$before" "$1: nothing is left"
}

# left: modules, mounts and settings that a lab might have changed
left() {
	cut -d ' ' -f 1 /proc/modules | grep -e '^kprof$' -e null_blk -e '^load$' -e '^stutter$'
	cat /proc/sys/vm/dirty_writeback_centisecs /proc/sys/vm/dirty_expire_centisecs
	grep -e lab /proc/mounts
	for one in amber birch cedar; do
		pgrep -l $one
	done
}

# refused LAB PATTERN DESCRIPTION
refused() { matches "$(labs/run here "$1" $SEED </dev/null 2>&1; echo "status $?")" "$2" "$3"; }

cd /srv/kprof || exit
plan 21
# What the tests are in here is where a lab has kprof.
mv /kprof /kprof-tests
if ! modinfo -n kprof >/dev/null 2>&1; then
	refused 6 'there is no module kprof' "without kprof no lab begins"
	succeeds "dkms takes what it has built elsewhere" dkms ldtarball /srv/kprof-dkms.tar.gz
	succeeds "dkms installs kprof" dkms install "kprof/$VERSION"
else
	skip "without kprof no lab begins" "it is there"
	skip "dkms takes what it has built elsewhere" "it is there"
	skip "dkms installs kprof" "it is there"
fi
rmmod kprof 2>/dev/null
before=$(left)
refused 2 '02-hundred needs a machine of its own: its answer is a number of instructions' \
	"a lab that counts instructions says that it needs its own machine"
refused 4 '04-load-without-work needs a machine with 1 CPU, and 2 are on' "and one for a CPU says so"
refused 6 'needs a terminal' "without a terminal there is no shell"
for one in 06-bad-elf 10-try-again 01-stutter 05-who-writes; do
	lab $one
done
echo 0 >/sys/devices/system/cpu/cpu1/online
lab 04-load-without-work
echo 1 >/sys/devices/system/cpu/cpu1/online
mv /kprof-tests /kprof
