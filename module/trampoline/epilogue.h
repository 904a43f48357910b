/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * epilogue.h - how a call gets back to its caller without the trampoline
 */
#ifndef KPROF_EPILOGUE_H
#define KPROF_EPILOGUE_H

#include <linux/types.h>

/**
 * struct kprof_epilogue - places in the kernel's text; 0: none was found
 * @leave:	the end of a function with a frame pointer
 * @ret:	a return from a function that has nothing on the stack; where it is needed
 */
struct kprof_epilogue {
	unsigned long leave;
	unsigned long ret;
};

extern struct kprof_epilogue kprof_epilogue;

void kprof_epilogue_find(void);

bool kprof_epilogue_is_known(void);

#endif /* KPROF_EPILOGUE_H */
