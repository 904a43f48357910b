# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# lib.sh - what the scripts of tests/system have in common, beside tests/vm/lib.sh
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# shellcheck disable=SC2034 # the scripts use it
VERSION=$(sed -n s/PACKAGE_VERSION=//p /srv/kprof/dkms.conf)

is_loaded() { grep -q '^kprof ' /proc/modules; }
