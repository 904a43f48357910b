// SPDX-License-Identifier: GPL-2.0-only
/*
 * peers.c - map the commands of perf, bcc and FlameGraph to those of kprof
 *
 * Documentation/recipes.rst has more of these. tests/tools/recipes checks the commands, and that
 * both say the same. What goes for a tool with several uses is separated by "; ".
 */
#include <stddef.h>
#include <string.h>

#include "cmd/peers.h"
#include "lib/opt.h"

#define FUNCTIONS_OF_PROGRAMS \
	"no such script; functions of programs are targets: kprof trace FILE:FUNCTION -a"

static const struct peer peers[] = {
	{ "archive buildid", NULL, "a recording has all that reading it takes, on any machine" },
	{ "argdist",
	  "kprof lat FUNCTION 'by=$arg1' -a --sort calls; kprof lat FUNCTION 'by=log2($arg1)' -a",
	  NULL },
	{ "biolatency biolatpcts iolatency", "kprof io -a -H", NULL },
	{ "biosnoop iosnoop", "kprof io --each -a", NULL },
	{ "biotop", "kprof io -a -i 1", NULL },
	{ "bitesize", "kprof lat tp:block_rq_issue 'by=comm,log2(rq->__data_len)' -a --sort calls",
	  NULL },
	{ "c2c", NULL,
	  "no addresses of data are sampled; kprof record -e cache-misses -a shows functions" },
	{ "cachestat", "kprof lat -t folio_mark_accessed -t filemap_add_folio -a --sort calls",
	  "pages that were used, and those that had to be added" },
	{ "cachetop",
	  "kprof lat -t 'folio_mark_accessed by=comm' -t 'filemap_add_folio by=comm' -a --sort calls",
	  "pages that were used, and those that had to be added" },
	{ "capable", "kprof trace cap_capable by=comm,cap -a", NULL },
	{ "compactsnoop", "kprof trace tp:mm_compaction_begin..tp:mm_compaction_end by=comm -a",
	  NULL },
	{ "cpudist",
	  "kprof lat 'tp:sched_switch($arg3)..tp:sched_switch($arg2)' 'if=next->pid!=0' -a -H",
	  "how long tasks run at a time" },
	{ "criticalstat", NULL, "it takes tracepoints that kernels of distributions lack" },
	{ "dcstat dcsnoop",
	  "kprof lat -t 'lookup_fast by=comm' -t 'd_lookup by=comm' -a --sort calls",
	  NULL },
	{ "difffolded", "kprof flame A B > differential.svg", NULL },
	{ "drsnoop",
	  "kprof trace tp:mm_vmscan_direct_reclaim_begin..tp:mm_vmscan_direct_reclaim_end by=comm -a",
	  NULL },
	{ "evlist", NULL, "the heading of kprof report has what was recorded" },
	{ "execsnoop", "kprof trace tp:sched_process_exec 'by=bprm->filename:string' -a", NULL },
	{ "exitsnoop", "kprof trace tp:sched_process_exit by=comm -a", NULL },
	{ "ext4dist btrfsdist nfsdist xfsdist", "kprof lat 'ext4_file_*' -a -H",
	  "or xfs_file_* and the like" },
	{ "ext4slower btrfsslower nfsslower xfsslower", "kprof trace -t 'ext4_file_* min=10ms' -a",
	  "or xfs_file_* and the like" },
	{ "filegone", "kprof trace vfs_unlink 'by=comm,dentry->d_name.name' -a", NULL },
	{ "filelife",
	  "kprof trace 'security_inode_create(dentry)..vfs_unlink(dentry)' 'by=dentry->d_name.name' -a",
	  NULL },
	{ "fileslower", "kprof trace vfs_read 'by=comm,file->f_path.dentry->d_name.name' min=10ms -a",
	  NULL },
	{ "filetop", "kprof lat vfs_read 'by=comm,file->f_path.dentry->d_name.name' -a -i 1",
	  NULL },
	{ "flamegraph", "kprof flame kprof.data > flame.svg", NULL },
	{ "ftrace", "kprof trace FUNCTION -a; kprof lat FUNCTION -a -H", NULL },
	{ "funccount", "kprof lat 'vfs_*' -a --sort calls", NULL },
	{ "funcinterval", "kprof lat FUNCTION..FUNCTION -a -H", "calls by the same task" },
	{ "funclatency", "kprof lat FUNCTION -a -H", NULL },
	{ "funcslower", "kprof trace FUNCTION min=1ms -a", NULL },
	{ "functrace kprobe", "kprof trace FUNCTION -a", NULL },
	{ "hardirqs softirqs", "kprof irq -a", NULL },
	{ "iostat mpstat runqlen vmstat", "kprof use -i 1", NULL },
	{ "killsnoop sigsnoop", "kprof trace tp:signal_generate 'by=comm,sig,task->comm' -a",
	  NULL },
	{ "klockstat lock", "kprof locks -a", NULL },
	{ "kmem memleak", "kprof mem -a", NULL },
	{ "kvm", NULL, "of a guest's kernel nothing is seen from outside: run kprof in the guest" },
	{ "kwork",
	  "kprof irq -a; kprof lat tp:workqueue_execute_start..tp:workqueue_execute_end -a", NULL },
	{ "llcstat", "kprof stat -a -e cache-references,cache-misses", NULL },
	{ "ltrace", "kprof calls -- COMMAND", NULL },
	{ "mountsnoop", "kprof trace path_mount by=comm,type_page:string -a", NULL },
	{ "offcputime", "kprof offcpu -a --stacks", NULL },
	{ "offwaketime wakeuptime", "kprof wakeup -a --stacks", NULL },
	{ "oomkill", "kprof trace oom_kill_process 'by=comm,oc->chosen->comm' -a", NULL },
	{ "opensnoop", "kprof trace do_sys_openat2 'by=filename:ustring,$retval' -a", NULL },
	{ "perf", NULL, "leave that word out: kprof record, kprof report" },
	{ "perf_to_profile pprof", "kprof export --format pprof -o profile.pb.gz kprof.data",
	  NULL },
	{ "pidpersec", "kprof lat tp:sched_process_fork -a -i 1", NULL },
	{ "probe", "kprof record -t FUNCTION -a", NULL },
	{ "profile", "kprof record -q -a -g -F 99 -d 5 -o - | kprof fold -", NULL },
	{ "runqlat", "kprof runq -a -H", NULL },
	{ "runqslower", "kprof trace @runqueue min=10ms -a", NULL },
	{ "sched", "kprof runq -a --by-process; kprof trace '@offcpu by=state' -a; kprof wakeup -a",
	  NULL },
	{ "slabratetop", "kprof lat tp:kmem_cache_alloc 'by=s->name' -a --sort calls -i 1", NULL },
	{ "solisten", "kprof trace inet_listen by=comm,backlog -a", NULL },
	{ "stackcollapse", "kprof fold", NULL },
	{ "stackcount", "kprof lat FUNCTION by=stack -a --sort calls", NULL },
	{ "statsnoop", "kprof trace vfs_statx 'by=comm,filename->name:string' -a", NULL },
	{ "strace",
	  "kprof syscalls -- COMMAND; kprof inject -e fault=read:error=EIO:when=3 -- COMMAND",
	  NULL },
	{ "syncsnoop", "kprof trace ksys_sync by=comm -a", NULL },
	{ "syscount", "kprof syscalls -a", NULL },
	{ "tcpaccept", "kprof trace inet_csk_accept by=comm -a", NULL },
	{ "tcpconnect", "kprof trace tcp_connect 'by=comm,sk->__sk_common.skc_daddr:x32' -a",
	  "the address as it is in memory" },
	{ "tcpconnlat", "kprof lat 'tcp_v4_connect(sk)..tcp_finish_connect(sk)' -a -H", NULL },
	{ "tcpdrop", "kprof lat tp:kfree_skb by=reason,stack -a --sort calls", NULL },
	{ "tcpretrans", "kprof trace tp:tcp_retransmit_skb 'by=sk->__sk_common.skc_daddr:x32' -a",
	  "the address as it is in memory" },
	{ "tcpstates", "kprof trace tp:inet_sock_set_state by=comm,oldstate,newstate -a", NULL },
	{ "timechart", "kprof record --wall -a -d 5 -o wall.data; kprof report --states wall.data",
	  NULL },
	{ "top", "kprof top", NULL },
	{ "tplist", "kprof list 'tp:*'", NULL },
	{ "version", "kprof --version", NULL },
	{ "vfscount vfsstat", "kprof lat 'vfs_*' -a --sort calls", NULL },
	{ "wqlat",
	  "kprof lat 'tp:workqueue_queue_work(work)..tp:workqueue_execute_start(work)' -a -H",
	  NULL },
	{ "tcplife tcprtt tcptop tcptracer", NULL,
	  "nothing is kept for each connection; by task: kprof lat tcp_sendmsg by=comm -a" },
	{ "bashreadline dbslower dbstat deadlock gethostlatency mysqld_qslower sslsniff", NULL,
	  FUNCTIONS_OF_PROGRAMS },
	{ "threadsnoop ucalls uflow ugc uobjnew uprobe ustat uthreads", NULL,
	  FUNCTIONS_OF_PROGRAMS },
	{ NULL, NULL, NULL }
};

const struct peer *peers_find(const char *tool)
{
	/* flamegraph.pl; Debian's funclatency-bpfcc; stackcollapse-perf.pl and its kind */
	size_t len = strcspn(tool, ".-");
	const struct peer *p;

	for (p = peers; p->tools; p++)
		if (opt_is_listed(p->tools, tool, len))
			return p;
	return NULL;
}
