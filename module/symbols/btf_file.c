// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf_file.c - reads the BTF files of the kernel and of its modules
 *
 * They are read when the first target needs them, and freed when all targets of the same request
 * have been added.
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

/* The BTF of the kernel, or of a module, as far as it was read. */
struct known {
	char name[MODULE_NAME_LEN];	/* empty: none was read */
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

/* A file that cannot be read is remembered as not good, and not read again. */
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
 * @owner:	name of the module; "" for the kernel
 *
 * Context: sleeps; kprof_mutex is held. Return: the BTF, valid until kprof_btf_forget(), or
 * until another module's is requested; NULL if there is none.
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
 * kprof_btf_at() - the BTF that a function should be in
 * @addr:	its entry
 * @name:	set to the function's name; has room for KSYM_SYMBOL_LEN
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
 * kprof_btf_forget() - free the BTF that was read
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_btf_forget(void)
{
	forget(&module);
	forget(&kernel);
}
