#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# packages - after a reboot kprof is loaded as it was set up; then kprof from Debian packages:
# one that was there before, a new kernel, an upgrade
. /kprof/system/lib.sh

apt() { DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Options::=--force-unsafe-io "$@"; }

# modules: of which version and for which kernels dkms has installed kprof
modules() { dkms status | sed -n 's/^kprof\/\([^,]*\), \([^,]*\),.*: installed.*/\1 \2/p' | sort; }

plan 16
is "$(is_loaded && echo loaded)" loaded "kprof was loaded at boot"
is "$(cat $KPROF/freq $KPROF/comm | tr '\n' ' ')" "77 redis* " "with the options of modprobe.d"
succeeds "rmmod" rmmod kprof
succeeds "what dkms has installed goes" dkms remove "kprof/$VERSION" --all
rm -r "/usr/src/kprof-$VERSION"
here=$(uname -r)
new=$(cd /boot && echo vmlinuz-*-cloud-amd64 | sed 's/^vmlinuz-//')

succeeds "an older package is installed" apt install /srv/new/kprof-dkms_0.0.1_all.deb
is "$(modules)" "0.0.1 $here" "and its module for this kernel"
succeeds "a new kernel's headers are installed" apt install /srv/packages/linux-headers-*.deb
is "$(modules)" "0.0.1 $here
0.0.1 $new" "and the module for that kernel, too"
succeeds "both packages are installed, the module's as an upgrade" \
	apt install "/srv/new/kprof-dkms_${VERSION}_all.deb" "/srv/new/kprof_${VERSION}_amd64.deb"
is "$(modules)" "$VERSION $here
$VERSION $new" "the new version is installed for both kernels, the old for none"
is "$(ls -d /usr/src/kprof-*)" "/usr/src/kprof-$VERSION" "so is its source"
succeeds "modprobe kprof" modprobe kprof
is "$(kprof --version | grep -cwF "$VERSION")" 1 "the program is on the PATH, and says its version"
matches "$(bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader kprof; complete -p kprof' 2>&1)" \
	'-F _kprof kprof$' "bash completes it"
is "$(ls /usr/share/man/man1/kprof.1.gz)" /usr/share/man/man1/kprof.1.gz "it has its manual page"
is "$(kprof --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p' | while read -r verb; do
	[ -e "/usr/share/man/man1/kprof-$verb.1.gz" ] || echo "$verb"
done)" "" "and one for each verb"
sync
