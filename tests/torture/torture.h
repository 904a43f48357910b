/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * torture.h - what the tormentors share
 *
 * Each tormentor is a process with a stream of random numbers of its own, which
 * follows from the seed: what each of them does is the same in every run of a
 * seed, how they meet is the scheduler's.
 */
#ifndef TORTURE_H
#define TORTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KPROF		"/sys/kernel/debug/kprof"
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* random.c */
void random_seed(uint64_t seed);
uint64_t random_below(uint64_t n);
bool random_chance(uint32_t percent);
void random_bytes(void *to, size_t size);
void random_pause(uint32_t max_ms);
#define PICK(array)	((array)[random_below(COUNT(array))])

/* An address at which nothing is; volatile, so that the compiler does not see it. */
static inline void *nowhere(void)
{
	volatile uintptr_t address = 8;

	return (void *)address;
}

/* torture.c: say what is about to be done, and that it went wrong */
__attribute__((format(printf, 1, 2))) void doing(const char *format, ...);
__attribute__((format(printf, 1, 2))) void wrong(const char *format, ...);

/* Between these two the other tormentors begin no turn. Several may ask for it at once. */
void quiet_begin(void);
void quiet_end(void);

/* One turn of each tormentor. */
void torture_module(void);	/* op_module.c */
void torture_settings(void);	/* op_write.c */
void torture_garbage(void);	/* op_write.c */
void torture_reads(void);	/* op_read.c */
void torture_cpus(void);	/* op_system.c */
void torture_known(void);	/* op_watched.c */
void torture_spans(void);	/* op_watched.c */
void torture_inlined(void);	/* op_watched.c */
void torture_storm(void);	/* op_system.c */
void torture_suspend(void);	/* op_system.c */
void torture_ftrace(void);	/* op_hostile.c */
void torture_thread(void);	/* op_hostile.c */
void torture_patch(void);	/* op_hostile.c */
void torture_stopped(void);	/* op_hostile.c */
void torture_oops(void);	/* op_hostile.c */
void torture_sleepers(void);	/* op_process.c */
void torture_mappings(void);	/* op_process.c */
void torture_programs(void);	/* op_process.c */
void torture_mute(void);	/* op_process.c */
void torture_locked(void);	/* op_process.c */
void torture_namespaces(void);	/* op_process.c */

/* op_module.c: who has a file of a module open, or a probe in it, keeps it; that ends */
void module_unload(const char *module);
bool module_is_loaded(const char *module);

/* holders.c: print who keeps a module */
void holders_tell(const char *module);

/* files.c: the files that kprof has, found once */
void files_find(void);
const char *files_readable(void);
const char *files_writable(void);
int write_text(const char *path, const char *text);

/* account.c: complains through wrong() */
void account_check(char *stats);

/* exact.c: the same of other files, while nobody is between these two */
void torture_exact(void);
void exact_tell(void);
void writing_begins(void);
void writing_ends(void);

/* errors.c: is this errno one that the documentation knows */
bool documented(int err);

#endif /* TORTURE_H */
