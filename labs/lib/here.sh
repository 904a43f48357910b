# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the variables of labs/run
#
# here.sh - a lab on this machine, where kprof is installed, and not in one that is booted for it
#
# To be sourced by labs/run. It uses top, out, tmp, lab and seed, and find_lab, check_seed, check, die and bad_usage.
# What the lab puts here is in a mount namespace of its own, or noted in $state, so that all of it goes again.

state=/run/kprof-lab
places=(/lab /etc/lab /kprof)	# where the lab's files are, in its namespace
settings=(/proc/sys/vm/dirty_writeback_centisecs /proc/sys/vm/dirty_expire_centisecs
	/proc/sys/debug/exception-trace)

is_module() { grep -q "^$1 " /proc/modules; }

# The kernel's modules that the lab's machine has
modules_of() { sed -n 's/.*--load \([a-z_]*\).*/\1/p' "$top/labs/$lab/machine"; }

# Can this lab be done here at all? Its file "here" says so: what machine it needs, or why it needs its own.
refuse_lab() {
	local here_least=1 here_most=9999 here_not="nobody has tried it elsewhere" cpus
	# shellcheck source=/dev/null
	[ ! -e "$top/labs/$lab/here" ] || . "$top/labs/$lab/here"
	[ -z "$here_not" ] ||
		die "$lab needs a machine of its own: $here_not. 'make lab LAB=$lab SEED=$seed' boots one"
	cpus=$(nproc --all)
	[ ! -e /sys/devices/system/cpu/online ] || cpus=$(getconf _NPROCESSORS_ONLN)
	[ "$cpus" -ge "$here_least" ] || die "$lab needs $here_least CPUs, and there is $cpus here"
	[ "$cpus" -le "$here_most" ] ||
		die "$lab needs a machine with $here_most CPU, and $cpus are on here. To turn the others off:" \
			"echo 0 | sudo tee /sys/devices/system/cpu/cpu[1-9]*/online"
}

# What the machine has to have; kprof is what the student is to install.
refuse_machine() {
	local one
	[ "$(id -u)" = 0 ] || die "a lab on this machine loads modules: run it as root, by sudo"
	[ ! -e "$state" ] || die "there is a lab on this machine already, or the rest of one: labs/run here --end ends it"
	modinfo -n kprof >/dev/null 2>&1 ||
		die "there is no module kprof for $(uname -r): install the package kprof-dkms, or by dkms," \
			"as Documentation/install.rst says"
	[ ! -d "$top/labs/$lab/module" ] || [ -e "/lib/modules/$(uname -r)/build/Makefile" ] ||
		die "the lab's module has to be built: install linux-headers-$(uname -r)"
	for one in "${places[@]}"; do
		[ ! -e "$one" ] || die "there is a $one on this machine, where the lab's is to be"
	done
	for one in $(modules_of); do
		! is_module "$one" || die "the lab needs $one as it is when it is loaded: rmmod $one first"
	done
}

# The lab's checker and what it runs, with the compiler and the headers of this machine.
build_here() {
	local log=$out/build.log
	if ! build_all_here >"$log" 2>&1; then
		tail -n 20 "$log" >&2
		die "cannot be built; all of it: $log"
	fi
}

build_all_here() {
	local from=$out/here arch=amd64 targets
	[ "$(uname -m)" != aarch64 ] || arch=arm64
	targets=("../../build/labs/checkers/$lab" "../../build/labs/guest-$arch/seal")
	[ ! -d "$top/labs/$lab/program" ] || targets+=("../../build/labs/guest-$arch/$lab")
	guest=$out/guest-$arch
	"$top/scripts/deps" reader module && "$top/scripts/build-reader" &&
		make --no-print-directory -C "$top/labs/lib" ARCH=$arch GUEST_CC=gcc "${targets[@]}" || return
	[ -d "$top/labs/$lab/module" ] || return 0
	rm -rf "$from"
	mkdir -p "$from/labs" "$from/module" &&
		cp "$top/module/compat.h" "$from/module" &&
		cp -r "$top/labs/lib" "$top/labs/$lab" "$from/labs" &&
		make --no-print-directory -C "/lib/modules/$(uname -r)/build" M="$from/labs/$lab/module"
}

# What the namespace has in /etc/lab
prepare_files() {
	local files=$state/files module file
	mkdir -p "$files/bin"
	check --token >"$files/token"
	echo 1 >"$files/boot"
	cp "$top/labs/guest/"{profile,answering,inside} "$files"
	for file in kprof insmod modprobe; do
		cp "$top/labs/guest/bin/kprof" "$files/bin/$file"
	done
	cp "$guest/seal" "$files/bin"
	[ ! -d "$top/labs/$lab/program" ] || cp "$guest/$lab" "$files/bin/${lab#*-}"
	for file in begin end; do
		[ ! -e "$top/labs/$lab/$file" ] || cp "$top/labs/$lab/$file" "$files"
	done
	[ -z "$1" ] || cp "$1" "$files/script"
	[ -d "$top/labs/$lab/module" ] || return 0
	module=$(echo "$out/here/labs/$lab/module/"*.ko)
	strip --strip-debug -o "$files/module.ko" "$module"
	basename "$module" .ko >"$files/name"
}

# Note what is to be as it was, and make it what the lab's machine has.
prepare_machine() {
	local one
	! is_module kprof || : >"$state/had-kprof"
	for one in "${settings[@]}"; do
		echo "$(cat "$one") $one"
	done >"$state/settings"
	for one in $(modules_of); do
		echo "$one" >>"$state/modules"
		modprobe "$one" || die "cannot load $one"
	done
	mkdir "${places[@]}"
}

# Each process that has the lab's files is of the lab; it is asked first, then ended.
end_processes() {
	local signal pid some
	for signal in TERM TERM KILL; do
		some=0
		for pid in /proc/[0-9]*; do
			[ -e "$pid/root/etc/lab/token" ] || continue
			kill -$signal "${pid#/proc/}" 2>/dev/null && some=1
		done
		[ $some = 1 ] || return 0
		sleep 1
	done
}

unload() {
	! is_module "$1" || rmmod "$1" || echo "labs: $1 is still loaded: rmmod $1" >&2
}

end_here() {
	local value file one dir
	[ -e "$state" ] || return 0
	end_processes
	[ ! -e "$state/files/name" ] || unload "$(cat "$state/files/name")"
	[ -e "$state/had-kprof" ] || unload kprof
	[ ! -e "$state/modules" ] || while read -r one; do unload "$one"; done <"$state/modules"
	[ ! -e "$state/settings" ] || while read -r value file; do
		echo "$value" >"$file"
	done <"$state/settings"
	rmdir "${places[@]}" 2>/dev/null || :
	dir=$(cat "$state/dir")
	rm -f "$dir/README"
	# They are the student's, not root's.
	[ -z "${SUDO_UID:-}" ] || chown -hR "$SUDO_UID:$SUDO_GID" "$top/build" "$top/userspace/kprof"
	rm -rf "$state"
}

run_here() {
	local script='' dir guest status=0
	if [ "${1:-}" = --end ]; then
		[ "$(id -u)" = 0 ] || die "run it as root, by sudo"
		end_here
		return
	fi
	while [ $# -gt 2 ]; do
		case $1 in
		--script) script=$2 ;;
		*) bad_usage "no option '$1'" ;;
		esac
		shift 2
	done
	[ $# = 2 ] || bad_usage "expected LAB and SEED"
	[ -z "$script" ] || [ -f "$script" ] || die "--script '$script': is no file"
	find_lab "$1"
	check_seed "$2"
	refuse_lab
	refuse_machine
	[ -n "$script" ] || [ -t 0 ] || die "a lab needs a terminal, and its input is none; --script runs a script"
	build_here
	dir=$out/$lab-$seed
	mkdir -p "$dir"
	mkdir -m 700 "$state"
	echo "$dir" >"$state/dir"
	trap 'end_here; rm -rf "$tmp"' EXIT
	prepare_files "$script"
	prepare_machine
	[ -e "$dir/answers.txt" ] || check --template >"$dir/answers.txt"
	cp "$top/labs/$lab/README" "$dir"
	unshare --mount --propagation private bash "$state/files/inside" "$state/files" "$dir" \
		"$(command -v kprof || echo "$top/userspace/kprof")" || status=$?
	[ -z "$script" ] || return $status
	echo "labs: /lab is in $dir now"
}
