# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # the options and the paths are those of scripts/vm
#
# vm-system.sh - the large machine of scripts/vm: a complete Debian on a disk
#
# To be sourced by scripts/vm. build_system makes two disks: that of the system, $tmp/system or the
# file given with --disk; and $tmp/in, which vm.service in the machine unpacks. The latter has
# scripts/vm-system-init, the script, and the files of --add.

system_options() {
	case $kernel in
	6.1|6.1-cloud) ;;
	*) bad_usage "--kernel '$kernel': the system has 6.1 and 6.1-cloud" ;;
	esac
	[ $icount = 0 ] || bad_usage "--icount: the system starts too slowly for it"
	[ ${#bin[@]}${#try_bin[@]} = 00 ] || bad_usage "--bin: the system has its own programs"
	mem=${mem:-2048}
}

# Disable what would take a slow machine for a broken one, and logins on the console, which would
# mix with the messages of the kernel.
system_arguments() {
	echo "root=/dev/vda rw fsck.mode=skip systemd.default_timeout_start_sec=1800" \
		"systemd.default_timeout_stop_sec=600 udev.event_timeout=1800 rd.udev.event_timeout=1800" \
		"systemd.mask=serial-getty@ttyS0.service systemd.log_color=0 TERM=dumb"
}

# The disk of this run; the cached image is not changed.
system_disk() {
	local image=$1/disk
	if [ -z "$disk" ]; then
		disk=$tmp/system
	elif [ -f "$disk" ]; then
		return
	fi
	qemu-img create -q -f qcow2 -F raw -b "$image" "$disk"
}

build_system() {
	local where
	where=$("$top/scripts/system-image" path)
	system_disk "$where"
	cp "$where/vmlinuz-$kernel" "$where/initrd-$kernel" "$tmp"
	root=$tmp/files
	mkdir -p "$root"
	add_files
	root=$tmp/root
	mkdir -p "$root/etc/vm"
	add_script
	printf '%s\n' "${load[@]}" >"$root/etc/vm/modules"
	echo "$tty" >"$root/etc/vm/tty"
	[ -z "$out" ] || : >"$root/etc/vm/out"
	[ -z "$keep_disk" ] || : >"$root/etc/vm/keep"
	cp "$top/scripts/vm-system-init" "$root/etc/vm/init"
	tar -C "$tmp/files" --owner=0 --group=0 -cf "$root/etc/vm/files.tar" .
	tar -C "$root/etc/vm" --owner=0 --group=0 -cf "$tmp/in" .
}
