#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# build - in a chroot of the system: /srv/kprof built, and its module by dkms for the system's kernel
#
# What dkms has built is /srv/kprof-dkms.tar.gz, which dkms in the machine takes as it is.
set -e

cd /srv/kprof
scripts/build-reader
version=$(sed -n s/PACKAGE_VERSION=//p dkms.conf)
release=$(cd /lib/modules && echo *[0-9]-amd64)
mkdir -p "/usr/src/kprof-$version"
git archive HEAD | tar -x -C "/usr/src/kprof-$version"
dkms build "kprof/$version" -k "$release"
dkms mktarball "kprof/$version" -k "$release" --archive kprof-dkms.tar.gz
mv "/var/lib/dkms/kprof/$version/tarball/kprof-dkms.tar.gz" /srv
