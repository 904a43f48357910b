// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject_call.c - a system call at its entry: which it is, and having it skipped
 *
 * A thread that seccomp has stopped for its tracer makes the call whose number it has when it runs
 * on; -1 is none, and then what it returns is what the register for that holds.
 */
#include <elf.h>
#include <linux/audit.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "inject/inject.h"

bool inject_call_read(pid_t tid, struct inject_call *call)
{
	struct __ptrace_syscall_info info = { 0 };

	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) < 0 ||
	    info.op != PTRACE_SYSCALL_INFO_SECCOMP || info.seccomp.nr >= INJECT_SYSCALLS)
		return false;
	call->nr = info.seccomp.nr;
	call->abi = INJECT_NATIVE;
#if defined(__x86_64__)
	if (info.arch == AUDIT_ARCH_I386)
		call->abi = INJECT_32;
#endif
	return true;
}

#if defined(__x86_64__)
int inject_call_skip(pid_t tid, int64_t value)
{
	if (ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.orig_rax), -1L) ||
	    ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, regs.rax), value))
		return -1;
	return 0;
}
#elif defined(__aarch64__)
int inject_call_skip(pid_t tid, int64_t value)
{
	struct user_regs_struct regs;
	struct iovec io = { .iov_base = &regs, .iov_len = sizeof(regs) };
	int none = -1;

	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &io))
		return -1;
	regs.regs[0] = value;
	if (ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &io))
		return -1;
	io = (struct iovec){ .iov_base = &none, .iov_len = sizeof(none) };
	return ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &io) ? -1 : 0;
}
#endif
