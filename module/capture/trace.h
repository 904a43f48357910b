/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - the trace events kprof:sample and kprof:call
 *
 * They carry what the rings carry, for trace-cmd, KernelShark, perf and bpftrace.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kprof

#if !defined(KPROF_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KPROF_TRACE_H

#include <linux/tracepoint.h>

#include "compat.h"
#include "uapi/kprof.h"

TRACE_EVENT(sample,
	TP_PROTO(const char *source, unsigned long ip, const struct kprof_record *rec),
	TP_ARGS(source, ip, rec),
	TP_STRUCT__entry(
		__string(source, source)
		__field(u64, weight)
		__field(unsigned long, ip)
		__field(u32, kstack)
		__field(u32, context)
	),
	TP_fast_assign(
		kprof_assign_str(source, source);
		__entry->weight = rec->weight;
		__entry->ip = ip;
		__entry->kstack = KPROF_KEY_KSTACK(rec->key);
		__entry->context = KPROF_INFO_CTX(rec->info);
	),
	TP_printk("source=%s ip=%pS kstack=%u context=%s weight=%llu",
		  __get_str(source), (void *)__entry->ip, __entry->kstack,
		  __print_symbolic(__entry->context,
				   { 0, "task" }, { 1, "softirq" },
				   { 2, "hardirq" }, { 3, "nmi" }),
		  __entry->weight)
);

TRACE_EVENT(call,
	TP_PROTO(const char *source, const struct kprof_record *rec),
	TP_ARGS(source, rec),
	TP_STRUCT__entry(
		__string(source, source)
		__field(u64, latency)
		__field(u32, kstack)
	),
	TP_fast_assign(
		kprof_assign_str(source, source);
		__entry->latency = rec->weight;
		__entry->kstack = KPROF_KEY_KSTACK(rec->key);
	),
	TP_printk("source=%s kstack=%u latency=%llu",
		  __get_str(source), __entry->kstack, __entry->latency)
);

#endif /* KPROF_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH capture
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
