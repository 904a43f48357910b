# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # out and arm64_kernel are those of tests/system/run
#
# arm64.sh - labs on a machine for arm64: the small one, with a Debian's programs, compiler and headers
#
# To be sourced by tests/system/run. There is no complete system for arm64: its packages are only unpacked, as
# none of their scripts can be run here. So dkms has no part in this; where it puts the module, this one is put.

# arm64_packages RELEASE: what a student has to have, and what is in each Debian
arm64_packages() {
	echo bash binutils coreutils dash debianutils diffutils findutils grep gzip hostname kmod libc-bin mawk \
		mount procps sed tar util-linux
	scripts/deps --list reader module
	echo "linux-headers-$1"
}

# What scripts would do: links. No package is known as installed, so scripts/deps is to know of no packages.
arm64_configure() {
	rm -f "$1/usr/bin/dpkg-query"
	ln -sf mawk "$1/usr/bin/awk"
	ln -sf gcc "$1/usr/bin/cc"
	ln -sf dash "$1/bin/sh"
}

# kprof's module for this kernel, and one of Debian's that labs load
arm64_modules() {
	local to=$1/lib/modules/$2 from
	from=$(scripts/kernels path $arm64_kernel modules) || return
	scripts/build-module --kernel $arm64_kernel &&
		mkdir -p "$to/updates/dkms" "$to/kernel" &&
		cp "build/$arm64_kernel/kprof.ko" "$to/updates/dkms" &&
		/sbin/modprobe -d "$from" -S "$2" --show-depends null_blk | sed -n 's/^insmod //p' |
			xargs cp -t "$to/kernel" &&
		cp "$from/lib/modules/$2"/modules.{order,builtin,builtin.modinfo} "$to" &&
		/sbin/depmod -b "$1" "$2"
}

# The reader, as the compiler of the machine would build it: by the same name, with the machine's libraries.
arm64_reader() {
	local bin=$out/compiler
	mkdir -p "$bin"
	printf '#!/bin/sh\nexec aarch64-linux-gnu-gcc-12 --sysroot=%q "$@"\n' "$1" >"$bin/cc"
	printf '#!/bin/sh\nexec aarch64-linux-gnu-ar "$@"\n' >"$bin/ar"
	chmod 755 "$bin"/{cc,ar}
	PATH=$bin:$PATH make --no-print-directory -C "$1/srv/kprof/userspace" -j"$(nproc)"
}

# arm64_tree: what the machine has, as $out/arm64.tar
arm64_tree() {
	local tree=$out/tree release packages
	release=$(scripts/kernels path $arm64_kernel release) || return
	packages=$(arm64_packages "$release" | tr -s ' \n' ,)
	(
		die() { echo "$@" >&2; exit 1; }
		. scripts/packages.sh
		sources bookworm
	) >"$out/sources.list"
	rm -rf "$tree"
	mkdir -p "$tree"
	mmdebstrap --architectures=arm64 --variant=extract --include="${packages%,}" bookworm "$out/arm64.tar" \
		"$out/sources.list" &&
		tar -C "$tree" --no-same-owner --exclude='./dev/*' -xf "$out/arm64.tar" &&
		arm64_configure "$tree" &&
		arm64_modules "$tree" "$release" &&
		mkdir -p "$tree"/{kprof,srv} &&
		mv "$out/checkout" "$tree/srv/kprof" &&
		arm64_reader "$tree" &&
		cp -r tests/vm "$tree/kprof/tests" &&
		cp -r tests/system "$tree/kprof/system" &&
		tar -C "$tree" --owner=0 --group=0 -cf "$out/arm64.tar" .
}

# What the small machine runs; unshare wants a root that is a file system of its own. With a path, sh is not
# busybox, which would have its own programs for those of the Debian.
arm64_script() {
	cat <<-'END'
		mkdir /srv/tree
		mount -t tmpfs -o size=3g tree /srv/tree
		tar -C /srv/tree -xf /srv/arm64.tar
		rm /srv/arm64.tar
		ln -s /proc/self/fd /dev/fd
		for one in proc sys dev; do
			mount -o rbind /$one /srv/tree/$one
		done
		mount -t tmpfs run /srv/tree/run
		exec chroot /srv/tree /bin/sh /kprof/system/labs.sh
	END
}
