/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - what the code of this machine may call, without a decoder
 */
#ifndef KPROF_CODE_CALLS_H
#define KPROF_CODE_CALLS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Call @found for the target of each call and each long jump in the code at @addr. On x86-64, where
 * an instruction may begin at any byte, some are none: use only targets where something is.
 */
void code_each_call(const uint8_t *bytes, size_t size, uint64_t addr,
		    void (*found)(uint64_t target, void *arg), void *arg);

#endif /* KPROF_CODE_CALLS_H */
