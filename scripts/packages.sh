# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# packages.sh - download and unpack Debian packages of any suite, without installing them
#
# To be sourced. Nothing is installed: apt runs with separate lists and settings,
# dpkg only unpacks. The mirror is the one that this machine's apt uses.
# The script that sources this must define die().

if ! command -v dpkg >/dev/null || ! command -v apt-get >/dev/null; then
	die "this takes packages of Debian, and there is no dpkg and apt-get here to get them with"
fi
cache=${KPROF_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/kprof}
host_arch=$(dpkg --print-architecture)

# The first repository of this machine whose release matches a pattern (with v: does not match).
mirror() {
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' |
		awk -v pattern="$1" -v inverse="$2" '
			$3 == "main" && (($2 ~ pattern) != (inverse == "v")) { print $1; exit }'
}

# The lines of sources.list for a suite.
sources() {
	local suite=$1 main security
	main=$(mirror '-security|-updates|-backports' v)
	security=$(mirror '-security' '')
	[ -n "$main" ] || die "apt knows no Debian mirror: /etc/apt/sources.list needs a line for main"
	case $suite in
	sid|forky) ;;
	*-backports)
		echo "deb $main ${suite%-backports} main" ;;
	*)	[ -z "$security" ] || echo "deb $security $suite-security main" ;;
	esac
	echo "deb $main $suite main"
}

# Run apt-get or apt-cache with the state that prepare_apt has made.
private_apt() {
	local tool=$1
	shift
	APT_CONFIG=$state/apt.conf "$tool" -q "$@"
}

# prepare_apt SUITE ARCH: set what private_apt uses from here on
prepare_apt() {
	state=$cache/apt/$1-$2
	mkdir -p "$state/lists/partial" "$state/archives/partial"
	: >"$state/status"
	sources "$1" >"$state/sources.list"
	cat >"$state/apt.conf" <<-END
		Dir::State "$state";
		Dir::State::status "$state/status";
		Dir::Cache "$state";
		Dir::Etc::sourcelist "$state/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Acquire::Languages "none";
		Acquire::Retries "3";
		APT::Sandbox::User "";
		APT::Architecture "$2";
		APT::Architectures { "$2"; "$host_arch"; };
	END
	case $1 in
	*-backports) echo "APT::Default-Release \"$1\";" >>"$state/apt.conf" ;;
	esac
	private_apt apt-get update >"$state/update.log" 2>&1 ||
		die "apt cannot read the package lists of $1 for $2: $(tail -n 3 "$state/update.log")"
}

# The dependencies of a package's candidate version, one name per line.
depends_of() {
	private_apt apt-cache depends --no-recommends --no-suggests --no-conflicts \
		--no-breaks --no-replaces --no-enhances "$1" | sed -n 's/^ *Depends: //p'
}

# These packages and all their dependencies, one name per line.
closure_of() {
	private_apt apt-get install --simulate --no-install-recommends "$@" |
		sed -n 's/^Inst \([^ ]*\) .*/\1/p'
}

# Download packages into a directory and unpack them there, in ./tree.
unpack() {
	local where=$1 deb
	shift
	(cd "$where" && private_apt apt-get download "$@" >download.log 2>&1) ||
		die "download of $1 and others failed: $(tail -n 3 "$where/download.log")"
	for deb in "$where"/*.deb; do
		dpkg-deb -x "$deb" "$where/tree"
	done
	rm -f "$where"/*.deb "$where/download.log"
}

# Run a command under a lock, so that only one process fetches a thing: $1 is the lock's name.
locked() {
	local lock=$cache/$1.lock
	shift
	mkdir -p "$cache"
	(flock 9 && "$@") 9>"$lock"
}
