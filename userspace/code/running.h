/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * running.h - the code of the running kernel, as it is in memory
 *
 * The kernel patches its code: static branches, mitigations, ftrace's calls. So what runs is not
 * what is in the file of the kernel. /proc/kcore shows it to root, unless the kernel is locked
 * down.
 */
#ifndef KPROF_CODE_RUNNING_H
#define KPROF_CODE_RUNNING_H

#include <stddef.h>
#include <stdint.h>

#define CODE_KCORE	"/proc/kcore"

/* Zero-initialise; it is opened when it is first read. */
struct code_running {
	const char *path;	/* NULL: CODE_KCORE */
	int fd;
	struct code_segment *segment;
	size_t nr;
};

/*
 * Read @size bytes of the kernel's memory. Returns 0, or -1 with @error set: no permission, or
 * nothing is mapped there.
 */
int code_running_read(struct code_running *r, uint64_t addr, void *to, size_t size,
		      char error[256]);
void code_running_close(struct code_running *r);

#endif /* KPROF_CODE_RUNNING_H */
