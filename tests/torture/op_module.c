// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_module.c - load kprof with random parameters, right and wrong, and unload it
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "torture.h"

#define MAX_ARGS	4096

#define INDEX		"index=/kprof/modules/kprof_inlined.index"
#define SPANS		"spans_begin($arg1)..spans_end($arg1)"

static const char * const right[] = {
	"event=timer", "freq=1", "freq=99", "freq=999", "freq=4000", "freq=20000",
	"pid=1", "pid=1,2,3", "comm=torture*", "comm=*[a-m]*,sh", "cpus=0", "cpus=0-1",
	"cpus=all", "idle=0", "idle=1", "stacks=none", "stacks=kernel", "unwind=cache",
	"unwind=kernel", "unwind=check", "depth=1", "depth=64", "depth=127",
	"max_stacks=16", "max_stacks=100", "max_stacks=16384", "ring_kb=4", "ring_kb=7",
	"ring_kb=1024", "maxactive=1", "maxactive=64", "enable=0", "enable=1",
	"target=vfs_read", "target=vfs_write,vfs_read", "target=schedule",
	"target=kmem_cache_alloc,kmem_cache_free", "target=do_sys_openat2+0x0",
	"target=hrtimer_interrupt", "target=finish_task_switch", "target=handle_mm_fault",
	"target=known_called,known_recursive", "target=kprof_known:known_leaf",
	"target=hostile_outer;hostile_oops", "target=hostile_main,known_called",
	"target=\"hostile_outer by=hits(exit_signals)\"", "target=do_nanosleep,get_signal",
	"target=known_called", "target=known_called,known_leaf",
	"stacks=user", "stacks=both", "max_open=8", "max_open=16", "max_open=8192",
	INDEX, INDEX " target=inlined_once,inlined_thrice,inlined_forty",
	INDEX " target=\"inlined_partly by=caller;inlined_wait min=400us\"",
	"target=@offcpu,@runqueue", "target=@wakeup", "target=@syscalls", "target=@irq,@softirq",
	"target=@faults", "target=@alloc", "target=@pages,@locks",
	"target=@block,@block_queue,@block_total",
	"target=\"tp:sched_wakeup($arg1)|tp:sched_switch($arg2,restart)..tp:sched_switch($arg3) as=on by=comm,each(pid)\"",
	"target=\"tp:sched_wakeup($arg1,keep)..tp:sched_switch($arg3)|tp:sched_switch($arg2,forget) as=kept\"",
	"target=@offcpu,@runqueue,@wakeup,@syscalls,@irq,@softirq,@locks",
	"target=\"@offcpu min=1ms;@syscalls by=comm,syscall\"", "target=\"@irqsoff by=comm\"",
	"target=\"" SPANS " as=pairs by=log2($arg1);" SPANS " as=again\"",
	"target=\"spans_begin($arg1)..spans_end%return as=odd\"",
	"target=\"vfs_read..vfs_read%return as=reads by=comm;vfs_read\"",
	"target=\"tp:sched_switch by=state if=state!=dead;tp:kprof_spans:known_point by=$arg1\"",
	"target=tp:sched_process_exit,tp:irq_handler_entry", "target=known_called%return",
};

/* May be refused in the end: what of it is right depends on the rest. */
static const char * const wrong_ones[] = {
	"freq=0", "freq=20001", "freq=-1", "freq=99999999999999999999", "freq=", "freq=x",
	"event=none", "event=nothing", "pid=0", "pid=-5", "pid=,,,", "pid=a",
	"comm=0123456789012345678901234567890123456789", "comm=", "cpus=9-3", "cpus=77",
	"cpus=-", "cpus=0-99999999", "idle=2", "stacks=users", "unwind=", "depth=0",
	"depth=128", "max_stacks=15", "max_stacks=999999999", "ring_kb=3", "ring_kb=4294967296",
	"maxactive=0", "maxactive=65537", "enable=2", "target=no_such_function",
	"target=vfs_read+1", "target=vfs_read+", "target=vfs_read+0xffffffffffff",
	"target=0x0", "target=0xffffffffffffffff", "target=0xffff888000000000", "target=:",
	"target=a:b:c", "target=,,", "target=vfs_read,vfs_read", "target=do_int3",
	"target=no_module:vfs_read", "target=-vfs_read", "target=@nothing", "target=tp:nothing",
	"target=tp:", "target=tp:sched_switch(keep)", "target=@", "target=vfs_read..", "target=..vfs_read",
	"target=inlined_nowhere",
	"target=\"@offcpu by=end(hits(vfs_read))\"", "target=\"tp:sched_switch min=1ms\"",
	"max_open=0", "max_open=7", "max_open=99999999", "index=", "index=nothing",
	"index=/nowhere", "index=/kprof/kprof.ko",
};

static void random_args(char *args)
{
	size_t used = 0, n = random_below(6), i;

	args[0] = '\0';
	for (i = 0; i < n; i++)
		used += snprintf(args + used, MAX_ARGS - used, "%s ",
				 random_chance(90) ? PICK(right) : PICK(wrong_ones));
	if (random_chance(2)) {
		memset(args, 'x', MAX_ARGS - 1);
		memcpy(args, "target=", 7);
		args[MAX_ARGS - 1] = '\0';
	}
}

static bool load(void)
{
	char args[MAX_ARGS];
	int fd = open("/kprof/kprof.ko", O_RDONLY | O_CLOEXEC);
	bool loaded;

	random_args(args);
	doing("insmod kprof.ko %s", args);
	loaded = !syscall(SYS_finit_module, fd, args, 0);
	if (!loaded && !documented(errno))
		wrong("insmod kprof.ko %s: %s", args, strerror(errno));
	close(fd);
	return loaded;
}

bool module_is_loaded(const char *module)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s/refcnt", module);
	return !access(path, F_OK);
}

/* Try for some time. Return: 0 or an errno. */
static int try_to_unload(const char *module, int tries)
{
	for (; tries; tries--) {
		if (!syscall(SYS_delete_module, module, O_NONBLOCK))
			return 0;
		/* EINTR: a machine that is suspended wakes who waits for the kernel's mutex. */
		if (errno != EWOULDBLOCK && errno != EBUSY && errno != EINTR)
			return errno;
		usleep(1000);
	}
	return errno;
}

/*
 * Where somebody is always inside of a watched function, the module is in use, and unloading it is
 * refused for as long. It must succeed when all have left.
 */
void module_unload(const char *module)
{
	int error;

	doing("rmmod %s", module);
	error = try_to_unload(module, 10000);
	if (error) {
		quiet_begin();
		error = try_to_unload(module, 20000);
		quiet_end();
	}
	if (!error)
		return;
	wrong("rmmod %s: %s", module, strerror(error));
	holders_tell(module);
}

void torture_module(void)
{
	if (!load())
		return;
	random_pause(2000);
	if (random_chance(50))
		torture_exact();
	module_unload("kprof");
}
