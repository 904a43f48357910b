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
# No module is used, strict and warnings neither: there is none in the guest.

my $seconds = shift;
my ($EAGAIN, $ETIMEDOUT) = (11, 110);
my $time = pack('qq', $seconds, 0);
my $zeroes = "\0" x 4096;

# System calls that both architectures have, and their numbers.
my @calls = qw(nanosleep ppoll pselect6 epoll_create1 epoll_pwait semget semtimedop io_setup
	io_getevents rt_sigtimedwait futex recvfrom read inotify_init1 inotify_add_watch);
my %nr;
@nr{@calls} = `uname -m` =~ /x86_64/ ?
	(35, 271, 270, 291, 281, 64, 220, 206, 208, 128, 202, 45, 0, 294, 254) :
	(101, 73, 72, 20, 22, 190, 192, 0, 4, 137, 98, 207, 63, 26, 27);

# Numbers that a call is given by address, or by value.
sub call { my $ret = syscall($nr{$_[0]}, @_[1 .. $#_]); return $ret < 0 ? -$! : $ret; }

# What a call returns when its time is over: 0, or an error.
my %sleeper = (
	nanosleep => [0, sub { call('nanosleep', $time, 0) }],
	poll => [0, sub { call('ppoll', my $none = $zeroes, 0, my $left = $time, 0, 8) }],
	select => [0, sub { call('pselect6', 0, 0, 0, 0, my $left = $time, 0) }],
	epoll_wait => [0, sub {
		my $epoll = call('epoll_create1', 0);
		return call('epoll_pwait', $epoll, my $events = $zeroes, 16, 1000 * $seconds, 0, 8);
	}],
	semtimedop => [-$EAGAIN, sub {
		my $set = call('semget', 0, 1, 0600);
		my $operation = pack('Sss', 0, -1, 0);
		return call('semtimedop', $set, $operation, 1, $time);
	}],
	io_getevents => [0, sub {
		my $context = pack('Q', 0);
		call('io_setup', 16, $context);
		return call('io_getevents', unpack('Q', $context), 1, 16, my $events = $zeroes, $time);
	}],
	rt_sigtimedwait => [-$EAGAIN, sub {
		my $set = pack('Q', 1 << 9);
		return call('rt_sigtimedwait', $set, 0, $time, 8);
	}],
	futex => [-$ETIMEDOUT, sub {
		my $word = pack('L', 1);
		return call('futex', $word, 128, 1, $time, 0, 0);
	}],
	recvfrom => [-$EAGAIN, sub {
		socketpair(my $one, my $other, 1, 1, 0) or return -1;
		setsockopt($one, 1, 20, $time) or return -1;
		return call('recvfrom', fileno($one), my $buffer = $zeroes, 16, 0, 0, 0);
	}],
	# What has no time of its own is told by the parent, which writes or creates something.
	read_pipe => [1, sub { call('read', fileno($_[0]), my $buffer = $zeroes, 1) }],
	read_inotify => [32, sub {
		my $fd = call('inotify_init1', 0);
		call('inotify_add_watch', $fd, my $dir = "/tmp/sleepers\0", 0x100);
		return call('read', $fd, my $buffer = $zeroes, 4096);
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
