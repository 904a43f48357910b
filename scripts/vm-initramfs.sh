# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the options and the paths are those of scripts/vm
#
# vm-initramfs.sh - the small machine of scripts/vm: an initramfs with busybox
#
# To be sourced by scripts/vm. build_initramfs makes $tmp/initramfs. It uses the variables of
# options (add, bin, try_bin, load, script, run, kernel, arch), and die, kernel_path, add_files
# and add_script of scripts/vm.

# The shared libraries of a program, and those that kprof loads by itself. For a program of another
# architecture, ldd cannot be run, so names of libraries are looked up in the sysroot.
libraries() {
	local loaded
	loaded=$(grep -aoE 'libcapstone\.so\.[0-9]+' "$1" | head -n 1) || :
	if [ "$arch" = "$host_arch" ]; then
		{ ldd "$1" 2>/dev/null || :; } | grep -o '/[^ ]*' || :
		[ -z "$loaded" ] || /sbin/ldconfig -p |
			sed -n "s|^\t$loaded (libc6,[^)]*64).*=> ||p"
	else
		{
			foreign_libraries "$1"
			[ -z "$loaded" ] || foreign_library "$1" "$loaded"
		} | sort -u
	fi
}

foreign_libraries() {
	local name
	readelf -ld "$1" 2>/dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p; s|.*interpreter: .*/\(.*\)\]|\1|p' |
		while read -r name; do
			foreign_library "$1" "$name"
		done
}

# foreign_library PROGRAM NAME: a library that the program needs, and those that this one needs
foreign_library() {
	local file
	file=$(find "$sysroot/lib" "$sysroot/usr/lib" -name "$2" -print -quit)
	[ -n "$file" ] || die "$1 needs $2, which is not in $sysroot"
	echo "$file"
	foreign_libraries "$file"
}

# Add a program, and the shared libraries that it needs, at the paths where it looks for them.
add_program() {
	local program=$1 to=$root$2 lib
	mkdir -p "$(dirname "$to")"
	cp -L "$program" "$to"
	libraries "$program" | while read -r lib; do
		if [ "$arch" = "$host_arch" ]; then
			to=$root$lib
		else
			to=$root/lib/${lib##*/}
		fi
		mkdir -p "$(dirname "$to")"
		cp -Lu "$lib" "$to"
	done
}

add_programs() {
	local program path
	sysroot=$(kernel_path sysroot)
	if [ -n "$reader" ]; then
		[ -x "$reader" ] || die "--reader $reader: there is no such program"
	elif [ "$arch" = "$host_arch" ]; then
		reader=$top/userspace/kprof
	else
		reader=$top/build/userspace-$arch/kprof
	fi
	for program in "${bin[@]}"; do
		path=$(PATH=$(guest_path) command -v "$program") ||
			die "--bin $program: there is no such program for $arch"
		add_program "$path" "/usr/bin/$(basename "$path")"
	done
	for program in "${try_bin[@]}"; do
		path=$(PATH=$(guest_path) command -v "$program") || continue
		add_program "$path" "/usr/bin/$(basename "$path")"
	done
	if [ -x "$reader" ]; then
		add_program "$reader" /kprof/bin/kprof
	fi
}

# The directories of programs that can run in the guest.
guest_path() {
	if [ "$arch" = "$host_arch" ]; then
		echo "$PATH"
	else
		echo "$sysroot/usr/bin:$sysroot/usr/sbin:$sysroot/bin:$sysroot/sbin"
	fi
}

# The kernel's own modules, unpacked, and their order in /etc/vm/modules.
add_modules() {
	local module word file
	: >"$root/etc/vm/modules"
	for module in "${load[@]}"; do
		/sbin/modprobe -d "$(kernel_path modules)" -S "$(kernel_path release)" \
			--show-depends "$module" >"$tmp/depends" ||
			die "--load $module: kernel $kernel has no such module"
		while read -r word file _; do
			[ "$word" = insmod ] || continue
			add_module "$file"
		done <"$tmp/depends"
	done
}

add_module() {
	local to=/lib/modules/${1##*/}
	case $1 in
	*.xz) to=${to%.xz}; xz -dc "$1" >"$root$to" ;;
	*) cp "$1" "$root$to" ;;
	esac
	grep -qxF "$to" "$root/etc/vm/modules" || echo "$to" >>"$root/etc/vm/modules"
}

add_busybox() {
	local box applet
	box=$(kernel_path busybox)
	mkdir -p "$root"/{bin,dev,etc/vm,kprof/bin,lib/modules,out,proc,root,sbin,sys,tmp,usr/bin,var}
	cp "$box" "$root/bin/busybox"
	for applet in $("$(command -v busybox)" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	cp "$top/scripts/vm-init" "$root/init"
	echo "root:x:0:0:root:/root:/bin/sh" >"$root/etc/passwd"
	echo "root:x:0:" >"$root/etc/group"
}

# Without its debug information, as one that is installed: that is nine tenths of what each insmod reads.
strip_module() {
	local tool=strip
	[ "$arch" = "$host_arch" ] || tool=aarch64-linux-gnu-strip
	! command -v $tool >/dev/null || $tool --strip-debug "$1"
}

build_initramfs() {
	root=$tmp/root
	host_arch=$(dpkg --print-architecture)
	[ -z "$out" ] || load=(virtio_pci virtio_blk "${load[@]}")
	add_busybox
	add_files
	if [ -f "$top/build/$kernel/kprof.ko" ]; then
		cp "$top/build/$kernel/kprof.ko" "$root/kprof/"
		strip_module "$root/kprof/kprof.ko"
	fi
	add_programs
	add_modules
	add_script
	echo "$tty" >"$root/etc/vm/tty"
	[ -z "$out" ] || : >"$root/etc/vm/out"
	chmod 755 "$root/init" "$root"
	(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$tmp/initramfs"
}
