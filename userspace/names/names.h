/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - names of arguments and members as keys of a target: next->pid, rq->__data_len
 *
 * The module reads memory by offsets. The kernel's BTF has the offsets, sizes and signs that
 * belong to names; they are looked up here, before a target goes to the module. Depends on lib
 * and symbols. Without libbpf, names are refused, and everything else works.
 */
#ifndef KPROF_NAMES_H
#define KPROF_NAMES_H

#include <stdio.h>

#include "lib/buf.h"
#include "symbols/symtab.h"

#define NAMES_BTF	"/sys/kernel/btf"

struct btf;

/**
 * struct names - where names are looked up; zero-initialise
 * @dir:	directory with the BTF of the kernel and of its modules; NULL: NAMES_BTF
 * @kallsyms:	file with the symbols; NULL: /proc/kallsyms
 * @symbols:	private, as are the rest; read when the first name is met
 * @kernel:	BTF of the kernel
 * @module:	BTF of the module that was asked about last
 * @module_name: its name
 */
struct names {
	const char *dir, *kallsyms;
	struct symtab symbols;
	struct btf *kernel, *module;
	char module_name[64];
};

/*
 * Translate a target with its options, as the user gave it, into what the module takes. Keys of
 * by= keep the user's text as their name. Appends to @out. Returns 0, or a negative errno after it
 * has appended the reason to @why: -ENOENT if there is no such function or tracepoint.
 */
int names_translate(struct names *n, const char *line, struct buf *out, struct buf *why);

/*
 * Print the prototype of a function or of "tp:NAME", what can be a key, and what the module
 * takes for it. Returns 0 or a negative errno, as names_translate().
 */
int names_show(struct names *n, const char *place, FILE *out, struct buf *why);

/*
 * Call @use for each key at a function that may be a number: its arguments, then members of what
 * these point to, those of structures inside of them last. Returns as names_translate().
 */
int names_numbers(struct names *n, const char *place, void (*use)(const char *key, void *data),
		  void *data, struct buf *why);

void names_free(struct names *n);

#endif /* KPROF_NAMES_H */
