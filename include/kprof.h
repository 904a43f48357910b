/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * kprof.h - marks regions of a program, which "kprof calls --regions" counts and times by name, and
 * the part of it that "kprof record --marked" keeps and "kprof stat --marked" counts
 *
 *	#define KPROF_IMPLEMENTATION		in one file of the program
 *	#include <kprof.h>
 *
 *	struct kprof_region region;
 *
 *	kprof_begin(&region, "parse");
 *	parse();
 *	kprof_end(&region);
 *
 *	load();
 *	kprof_start();
 *	work();					all that "kprof record --marked" is about
 *	kprof_stop();
 *
 * While nobody watches, each is a function call that reads one number. While somebody does,
 * each is a breakpoint. Nothing has to be linked or loaded. Regions may be nested, may overlap, and
 * may be passed by any number of threads; a region ends in the thread that began it, and not in a
 * child that it forks. On other machines than x86-64 and arm64, they do nothing.
 */
#ifndef KPROF_H
#define KPROF_H

#ifdef __cplusplus
extern "C" {
#endif

/* A region under way, usually a variable of the function that it is in. */
struct kprof_region {
	unsigned long id;	/* 0: nobody watched when it began */
};

/*
 * @name is what the region is called: 31 characters of it count. It need not be valid afterwards.
 * Any context of a program, signal handlers included; errno is not changed.
 */
void kprof_begin(struct kprof_region *region, const char *name);
void kprof_end(struct kprof_region *region);

/*
 * From here on, and up to here, is what is to be profiled, in all threads and in the processes that
 * are forked. It is one switch for all of them, whose last setting holds: a second start does
 * nothing, and one stop ends both; exec and exit change nothing. At the beginning it is off. Any
 * context, as above.
 */
void kprof_start(void);
void kprof_stop(void);

#ifdef __cplusplus
}
#endif

#ifdef KPROF_IMPLEMENTATION
#if defined(__linux__) && defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))

/* The kernel increments it in each process while the markers are watched. */
extern unsigned short kprof_watched;
__attribute__((section(".probes"), used, visibility("hidden"))) unsigned short kprof_watched;

#define KPROF_NAME_MAX	31

/* A marker as <sys/sdt.h> has it: an instruction that does nothing, and a note that tells of it. */
#define KPROF_MARKER(name, one, other) \
	(__extension__({ \
	__asm__ __volatile__("990:	nop\n" \
			     ".pushsection .note.stapsdt, \"\", %%note\n" \
			     ".balign 4\n" \
			     ".4byte 992f - 991f, 994f - 993f, 3\n" \
			     "991:	.asciz \"stapsdt\"\n" \
			     "992:	.balign 4\n" \
			     "993:	.8byte 990b, _.stapsdt.base, kprof_watched\n" \
			     ".asciz \"kprof\", \"" name "\", \"8@%0 8@%1\"\n" \
			     "994:	.balign 4\n" \
			     ".popsection\n" \
			     ".ifndef _.stapsdt.base\n" \
			     ".pushsection .stapsdt.base, \"aG\", %%progbits, .stapsdt.base, comdat\n" \
			     ".weak _.stapsdt.base\n" \
			     ".hidden _.stapsdt.base\n" \
			     "_.stapsdt.base: .space 1\n" \
			     ".size _.stapsdt.base, 1\n" \
			     ".popsection\n" \
			     ".endif\n" : : "r"(one), "r"(other) : "memory"); \
	}))

/* The id need not tell threads apart: those who watch join a beginning and an end by the thread. */
__attribute__((noinline)) void kprof_begin(struct kprof_region *region, const char *name)
{
	int i;

	region->id = 0;
	if (!__atomic_load_n(&kprof_watched, __ATOMIC_RELAXED))
		return;
	region->id = (unsigned long)region;
	/* Only what is in memory can be read at the marker. */
	for (i = 0; i < KPROF_NAME_MAX && __atomic_load_n(name + i, __ATOMIC_RELAXED); i++)
		;
	KPROF_MARKER("begin", region->id, name);
}

__attribute__((noinline)) void kprof_end(struct kprof_region *region)
{
	if (region->id)
		KPROF_MARKER("end", region->id, region);
}

__attribute__((noinline)) void kprof_start(void)
{
	if (__atomic_load_n(&kprof_watched, __ATOMIC_RELAXED))
		KPROF_MARKER("start", 0UL, 0UL);
}

__attribute__((noinline)) void kprof_stop(void)
{
	if (__atomic_load_n(&kprof_watched, __ATOMIC_RELAXED))
		KPROF_MARKER("stop", 0UL, 0UL);
}

#undef KPROF_MARKER
#undef KPROF_NAME_MAX

#else

void kprof_begin(struct kprof_region *region, const char *name)
{
	(void)name;
	region->id = 0;
}

void kprof_end(struct kprof_region *region)
{
	(void)region;
}

void kprof_start(void)
{
}

void kprof_stop(void)
{
}

#endif
#endif /* KPROF_IMPLEMENTATION */
#endif /* KPROF_H */
