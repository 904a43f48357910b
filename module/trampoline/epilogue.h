/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * epilogue.h - code by which a call can return to its caller without the trampoline
 */
#ifndef KPROF_EPILOGUE_H
#define KPROF_EPILOGUE_H

#include <linux/types.h>

/**
 * struct kprof_epilogue - addresses in the kernel's text; 0 if none was found
 * @leave:	the end of a function with a frame pointer
 * @ret:	the return of a function that has nothing on the stack; not needed on arm64
 */
struct kprof_epilogue {
	unsigned long leave;
	unsigned long ret;
};

extern struct kprof_epilogue kprof_epilogue;

void kprof_epilogue_find(void);

bool kprof_epilogue_is_known(void);

#endif /* KPROF_EPILOGUE_H */
