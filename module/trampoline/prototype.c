// SPDX-License-Identifier: GPL-2.0-only
/*
 * prototype.c - may the trampoline hand on the arguments of a function
 *
 * It copies so many words of the stack and no more. That a function takes no more of them
 * has to be proven: by the BTF of the kernel or of its module, read as anybody can. What
 * has none, is not in it, or has a name that more functions have, gets no trampoline.
 *
 * BTF is read when the first target asks, and given back when all that were named at once
 * are there.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/kallsyms.h>
#include <linux/path.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "trampoline/direct.h"
#include "trampoline/prototype.h"
#include "symbols/btf.h"
#include "symbols/symbols.h"

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

/*
 * As kernel_read_file_from_path_initns() opens it. Not by that: to say that a file is of no
 * kind that there is makes a security module warn.
 */
static struct file *open_first_root(const char *path)
{
	struct file *file;
	struct path root;

	task_lock(&init_task);
	get_fs_root(init_task.fs, &root);
	task_unlock(&init_task);
	file = file_open_root(&root, path, O_RDONLY, 0);
	path_put(&root);
	return file;
}

/* Return: what the file holds, for vfree(); NULL if it cannot be read. */
static void *read_whole(struct file *file, size_t *size)
{
	loff_t length = i_size_read(file_inode(file)), at = 0;
	void *text;
	ssize_t n;

	if (length <= 0 || length > KPROF_BTF_MAX)
		return NULL;
	text = vmalloc(length);
	while (text && at < length) {
		n = kernel_read(file, text + at, length - at, &at);
		if (n > 0)
			continue;
		vfree(text);
		text = NULL;
	}
	*size = length;
	return text;
}

static void *read_file(const char *path, size_t *size)
{
	struct file *file = open_first_root(path);
	void *text;

	if (IS_ERR(file))
		return NULL;
	text = read_whole(file, size);
	fput(file);
	return text;
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
	known->file = read_file(path, &size);
	if (known->file)
		known->is_good = !kprof_btf_begin(&known->btf, known->file, size, base);
	return known->is_good;
}

static const struct kprof_btf *btf_of(const char *owner)
{
	if (!learn(&kernel, KERNEL, NULL))
		return NULL;
	if (!*owner)
		return &kernel.btf;
	return learn(&module, owner, &kernel.btf) ? &module.btf : NULL;
}

/**
 * kprof_prototype_refuse() - why may a function not have the trampoline
 * @addr:	its entry
 *
 * Context: sleeps; kprof_mutex is held. Return: what is in the way; NULL if its arguments
 * are known, and fit.
 */
const char *kprof_prototype_refuse(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN], *owner;
	const struct kprof_btf *btf;
	int words;

	sprint_symbol_no_offset(name, addr);
	owner = strchr(name, ' ') ?: "";	/* " [module]" */
	if (*owner) {
		*owner = '\0';
		owner += 2;
		owner[strcspn(owner, "]")] = '\0';
	}
	btf = btf_of(owner);
	if (!btf)
		return "no BTF tells what arguments it takes";
	words = kprof_btf_stack_words(btf, name);
	if (words == -ENOENT)
		return "BTF does not tell what arguments it takes";
	if (words < 0)
		return "it takes any number of arguments, or nobody knows how many";
	if (words > KPROF_STACK_ARGS)
		return "it takes more arguments than the trampoline hands on";
	if (kprof_symbols_count(name) != 1)
		return "other functions, with other arguments, may have its name";
	return NULL;
}

/**
 * kprof_prototype_forget() - give back the memory that answers take
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_prototype_forget(void)
{
	forget(&module);
	forget(&kernel);
}
