// SPDX-License-Identifier: GPL-2.0-only
/*
 * peers.c - map the commands of perf, bcc and FlameGraph to those of kprof
 *
 * Documentation/recipes.rst has more of these. The commands there are tested.
 */
#include <stddef.h>
#include <string.h>

#include "cmd/peers.h"

static const struct {
	const char *tool, *says;
} peers[] = {
	{ "annotate",
	  "no instructions; lines of the kernel: kprof index, then kprof report --srcline" },
	{ "argdist", "kprof lat FUNCTION 'by=$arg1' -a --sort calls" },
	{ "biolatency", "kprof io -a -H" },
	{ "biosnoop", "kprof io --each -a" },
	{ "difffolded", "kprof flame A B > differential.svg" },
	{ "execsnoop", "kprof trace tp:sched_process_exec by=comm -a" },
	{ "fileslower", "kprof trace vfs_read by=comm min=10ms -a" },
	{ "flamegraph", "kprof flame kprof.data > flame.svg" },
	{ "funccount", "kprof lat 'vfs_*' -a --sort calls" },
	{ "funclatency", "kprof lat FUNCTION -a -H" },
	{ "funcslower", "kprof trace FUNCTION min=1ms -a" },
	{ "hardirqs", "kprof irq -a" },
	{ "kmem", "kprof mem -a" },
	{ "lock", "kprof locks -a" },
	{ "memleak", "kprof mem -a" },
	{ "offcputime", "kprof offcpu -a --stacks" },
	{ "offwaketime", "kprof wakeup -a --stacks" },
	{ "opensnoop", "kprof trace do_sys_openat2 'by=$arg2:ustring,$retval' -a" },
	{ "probe", "kprof trace FUNCTION" },
	{ "profile", "kprof record -a -g" },
	{ "runqlat", "kprof runq -a -H" },
	{ "sched", "kprof runq -a; kprof offcpu -a; kprof wakeup -a" },
	{ "softirqs", "kprof irq -a" },
	{ "stackcollapse", "kprof fold" },
	{ "stackcount", "kprof lat FUNCTION by=stack -a --sort calls" },
	{ "syscount", "kprof syscalls -a" },
	{ "top", "kprof record -a -d 5; kprof report; each second: kprof lat FUNCTION -a -i 1" },
	{ "wakeuptime", "kprof wakeup -a --stacks" },
};

const char *peers_find(const char *tool)
{
	size_t i;

	for (i = 0; i < sizeof(peers) / sizeof(*peers); i++)
		if (!strcmp(peers[i].tool, tool))
			return peers[i].says;
	return NULL;
}
