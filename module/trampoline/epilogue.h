/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * epilogue.h - how a call gets back to its caller without the trampoline
 */
#ifndef KPROF_EPILOGUE_H
#define KPROF_EPILOGUE_H

#include <linux/types.h>

/**
 * struct kprof_epilogue - two places in the kernel's text
 * @leave:	"leave" and a return: the end of a function with a frame pointer
 * @ret:	a return from a function that has nothing on the stack; 0: none was found
 */
struct kprof_epilogue {
	unsigned long leave;
	unsigned long ret;
};

extern struct kprof_epilogue kprof_epilogue;

void kprof_epilogue_find(void);

bool kprof_epilogue_is_known(void);

#endif /* KPROF_EPILOGUE_H */
