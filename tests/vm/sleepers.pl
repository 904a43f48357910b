#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# sleepers.pl - processes that sleep in one system call each, and say what it returned
#
# usage: perl sleepers.pl SECONDS
#
# Each sleeps for so long, unless it is disturbed, and then prints "NAME RESULT", where
# RESULT is "ok" if the call returned what it has to when its time is over, and what it
# returned otherwise. Before, there is a line "PIDS pid...".
#
# Numbers are those of x86-64. No module is used, strict and warnings neither: there is none
# in the guest.

my $seconds = shift;
my ($EAGAIN, $ETIMEDOUT) = (11, 110);
my $time = pack('qq', $seconds, 0);
my $zeroes = "\0" x 4096;

# Numbers that a call is given by address, or by value.
sub call { my $ret = syscall($_[0], @_[1 .. $#_]); return $ret < 0 ? -$! : $ret; }

# What a call returns when its time is over: 0, or an error.
my %sleeper = (
	nanosleep => [0, sub { call(35, $time, 0) }],
	poll => [0, sub { call(7, my $none = $zeroes, 0, 1000 * $seconds) }],
	select => [0, sub { call(23, 0, 0, 0, 0, my $left = $time) }],
	epoll_wait => [0, sub { call(232, call(291, 0), my $events = $zeroes, 16, 1000 * $seconds) }],
	semtimedop => [-$EAGAIN, sub {
		my $set = call(64, 0, 1, 0600);
		my $operation = pack('Sss', 0, -1, 0);
		return call(220, $set, $operation, 1, $time);
	}],
	io_getevents => [0, sub {
		my $context = pack('Q', 0);
		call(206, 16, $context);
		return call(208, unpack('Q', $context), 1, 16, my $events = $zeroes, $time);
	}],
	rt_sigtimedwait => [-$EAGAIN, sub {
		my $set = pack('Q', 1 << 9);
		return call(128, $set, 0, $time, 8);
	}],
	futex => [-$ETIMEDOUT, sub {
		my $word = pack('L', 1);
		return call(202, $word, 128, 1, $time, 0, 0);
	}],
	recvfrom => [-$EAGAIN, sub {
		socketpair(my $one, my $other, 1, 1, 0) or return -1;
		setsockopt($one, 1, 20, $time) or return -1;
		return call(45, fileno($one), my $buffer = $zeroes, 16, 0, 0, 0);
	}],
	# What has no time of its own is told by the parent, which writes or creates something.
	read_pipe => [1, sub { call(0, fileno($_[0]), my $buffer = $zeroes, 1) }],
	read_inotify => [32, sub {
		my $fd = call(294, 0);
		call(254, $fd, my $dir = "/tmp/sleepers\0", 0x100);
		return call(0, $fd, my $buffer = $zeroes, 4096);
	}],
);

$| = 1;
mkdir '/tmp/sleepers';
pipe(my $end, my $begin) or die;
my @pids;
for my $name (sort keys %sleeper) {
	my $pid = fork;
	if (!$pid) {
		my ($expected, $sub) = @{$sleeper{$name}};
		my $ret = $sub->($end);
		syswrite(STDOUT, "$name " . ($ret == $expected ? "ok" : $ret) . "\n");
		exit 0;
	}
	push @pids, $pid;
}
print "PIDS @pids\n";
# As long as the others, and a bit: then it is known that they have slept.
sleep $seconds + 1;
syswrite($begin, 'x');
open(my $file, '>', '/tmp/sleepers/file') or die;
waitpid($_, 0) for @pids;
unlink '/tmp/sleepers/file';
rmdir '/tmp/sleepers';
