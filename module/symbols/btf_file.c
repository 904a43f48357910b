// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_file.c - the BTF of the kernel and of its modules, read as anybody can
 *
 * It is read when the first target asks, and given back when all that were named at once
 * are there.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "symbols/btf.h"
#include "symbols/btf_file.h"
#include "symbols/file.h"

#define FOLDER		"/sys/kernel/btf/"
#define KERNEL		"vmlinux"

/* What is known of the kernel, or of a module, at the moment. */
struct known {
	char name[MODULE_NAME_LEN];	/* empty: of nothing */
	void *file;
	struct kprof_btf btf;
	bool is_good;
};

static struct known kernel, module;

static void forget(struct known *known)
{
	kprof_btf_end(&known->btf);
	vfree(known->file);
	memset(known, 0, sizeof(*known));
}

/* What cannot be read is known to be not good, and not asked for again. */
static bool learn(struct known *known, const char *name, const struct kprof_btf *base)
{
	char path[sizeof(FOLDER) + MODULE_NAME_LEN];
	size_t size;

	if (!strcmp(known->name, name))
		return known->is_good;
	forget(known);
	strscpy(known->name, name, sizeof(known->name));
	scnprintf(path, sizeof(path), FOLDER "%s", name);
	known->file = kprof_file_read(path, KPROF_BTF_MAX, &size);
	if (IS_ERR(known->file))
		known->file = NULL;
	else
		known->is_good = !kprof_btf_begin(&known->btf, known->file, size, base);
	return known->is_good;
}

/**
 * kprof_btf_of() - the BTF of the kernel or of a module
 * @owner:	the module; "": the kernel
 *
 * Context: sleeps; kprof_mutex is held. Return: good until kprof_btf_forget(), or until
 * another module is asked for; NULL if there is none.
 */
const struct kprof_btf *kprof_btf_of(const char *owner)
{
	if (!learn(&kernel, KERNEL, NULL))
		return NULL;
	if (!*owner)
		return &kernel.btf;
	return learn(&module, owner, &kernel.btf) ? &module.btf : NULL;
}

/**
 * kprof_btf_at() - the BTF in which a function is, if it is in any
 * @addr:	its entry
 * @name:	set to its name; room for KSYM_SYMBOL_LEN
 *
 * Context: sleeps; kprof_mutex is held. Return: as kprof_btf_of().
 */
const struct kprof_btf *kprof_btf_at(unsigned long addr, char *name)
{
	char *owner;

	sprint_symbol_no_offset(name, addr);
	owner = strchr(name, ' ') ?: "";	/* " [module]" */
	if (*owner) {
		*owner = '\0';
		owner += 2;
		owner[strcspn(owner, "]")] = '\0';
	}
	return kprof_btf_of(owner);
}

/**
 * kprof_btf_forget() - give back the memory that answers take
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_btf_forget(void)
{
	forget(&module);
	forget(&kernel);
}
