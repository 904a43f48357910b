// SPDX-License-Identifier: GPL-2.0-only
/*
 * inject_filter.c - the seccomp filter: only system calls of the plan stop, all others run on
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "inject/inject.h"
#include "lib/mem.h"

#if defined(__x86_64__)
static const uint32_t audit_arch[INJECT_ABIS] = { AUDIT_ARCH_X86_64, AUDIT_ARCH_I386 };
#elif defined(__aarch64__)
static const uint32_t audit_arch[INJECT_ABIS] = { AUDIT_ARCH_AARCH64, 0 };
#else
#error "which audit architecture is this?"
#endif

#define LOAD(member) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action)	BPF_STMT(BPF_RET | BPF_K, action)

static void add(struct sock_fprog *f, struct sock_filter insn)
{
	f->filter[f->len++] = insn;
}

/* Two instructions for each system call: jumps are short then, however many there are. */
static void add_abi(struct sock_fprog *f, const struct inject_plan *plan, enum inject_abi abi)
{
	uint16_t jump;
	uint32_t nr;
	size_t i;

	add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit_arch[abi], 1, 0));
	jump = f->len;
	add(f, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
	add(f, (struct sock_filter)LOAD(nr));
	for (i = 0; i < plan->nr_slots; i++) {
		if (plan->slot[i].abi != abi)
			continue;
		nr = plan->slot[i].nr;
		add(f, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1));
		add(f, (struct sock_filter)RETURN(SECCOMP_RET_TRACE));
	}
	add(f, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
	f->filter[jump].k = f->len - jump - 1;
}

struct sock_fprog inject_filter(const struct inject_plan *plan)
{
	struct sock_fprog f = { 0 };
	int abi;

	f.filter = mem_zalloc(2 + 4 * INJECT_ABIS + 2 * plan->nr_slots, sizeof(*f.filter));
	add(&f, (struct sock_filter)LOAD(arch));
	for (abi = 0; abi < INJECT_ABIS; abi++)
		if (audit_arch[abi])
			add_abi(&f, plan, abi);
	add(&f, (struct sock_filter)RETURN(SECCOMP_RET_ALLOW));
	return f;
}

/*
 * Who may not administer the system may filter only processes that gain no privileges by exec. One
 * that is traced gains none anyway.
 */
int inject_filter_apply(const struct sock_fprog *filter)
{
	if (!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0))
		return 0;
	if (errno != EACCES || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter, 0, 0);
}
