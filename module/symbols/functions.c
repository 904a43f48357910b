// SPDX-License-Identifier: GPL-2.0-only
/*
 * functions.c - finds the functions of the kernel that have a given name
 *
 * No exported function tells how many there are: kprobes take the first one. So
 * /proc/kallsyms is read, once for all names that are requested together. This takes
 * time, as it is a long text, but no memory except for the results.
 */
#include <linux/ctype.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/lockdep.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uio.h>

#include "symbols/functions.h"

#define BUFFER		(64 << 10)
#define BUCKETS		256	/* a power of two */

/* The requested names, from index 1 on; there are none while @symbol is NULL. */
static struct {
	struct kprof_symbol *symbol;
	char *text;
	u32 nr;
	bool is_counted;
	u32 first[BUCKETS];
} known;

static bool is_kept;	/* by kprof_symbols_keep() */

static u32 bucket_of(const char *name)
{
	u32 hash = 0;

	while (*name)
		hash = hash * 31 + *name++;
	return hash % BUCKETS;
}

static struct kprof_symbol *find(const char *name)
{
	u32 at;

	if (!known.symbol)
		return NULL;
	for (at = known.first[bucket_of(name)]; at; at = known.symbol[at].next)
		if (!strcmp(known.symbol[at].name, name))
			return &known.symbol[at];
	return NULL;
}

static void add_name(const char *name)
{
	u32 *first = &known.first[bucket_of(name)];

	if (find(name))
		return;
	known.symbol[++known.nr].name = name;
	known.symbol[known.nr].next = *first;
	*first = known.nr;
}

/* kprof's own functions cannot be targets. Code without a file (BPF, builtin) may not stay. */
static bool is_of_interest(char type, const char *owner)
{
	return strchr("tTwW", type) && !strstarts(owner, "[" KBUILD_MODNAME "]") &&
	       !strstarts(owner, "[__builtin__") && !strstarts(owner, "[bpf]");
}

/* Parses "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME<TAB>[MODULE]", and overwrites it. */
static void take_line(char *line)
{
	struct kprof_symbol *symbol;
	unsigned long addr;
	char *name, *owner;

	name = strchr(line, ' ');
	if (!name || !name[1] || name[2] != ' ')
		return;
	*name = '\0';
	owner = strchrnul(name + 3, '\t');
	if (*owner)
		*owner++ = '\0';
	symbol = find(name + 3);
	if (!symbol || !is_of_interest(name[1], owner) || kstrtoul(line, 16, &addr))
		return;
	if (symbol->count < KPROF_SAME_NAME)
		symbol->addr[symbol->count] = addr;
	symbol->count++;
}

/* Takes all complete lines. Return: number of bytes left, moved to the beginning. */
static size_t take_lines(char *text, size_t size)
{
	char *line = text, *end;

	text[size] = '\0';
	while ((end = strchr(line, '\n'))) {
		*end = '\0';
		take_line(line);
		line = end + 1;
	}
	size -= line - text;
	memmove(text, line, size);
	return size < BUFFER ? size : 0;
}

/*
 * The locks of all seq_files are of one class, and kprof's own files take kprof_mutex inside
 * theirs. This one is taken inside kprof_mutex; but nobody else has the file.
 */
static void set_lock_class(struct seq_file *seq)
{
	static struct lock_class_key key;

	lockdep_set_class(&seq->lock, &key);
}

/*
 * Opens the file as the init task sees it. kernel_read() cannot read it, as its read function
 * expects a buffer in user space. seq_read_iter() can.
 */
static struct file *open_kallsyms(void)
{
	struct dentry *dentry;
	struct file *file;
	struct path root;

	task_lock(&init_task);
	get_fs_root(init_task.fs, &root);
	task_unlock(&init_task);
	file = file_open_root(&root, "proc/kallsyms", O_RDONLY, 0);
	path_put(&root);
	if (IS_ERR(file))
		return NULL;
	dentry = file->f_path.dentry;
	/* Refuse anything else that somebody has put there. */
	if (dentry->d_sb->s_magic == PROC_SUPER_MAGIC && dentry->d_parent == dentry->d_sb->s_root &&
	    !strcmp(dentry->d_name.name, "kallsyms")) {
		set_lock_class(file->private_data);
		return file;
	}
	fput(file);
	return NULL;
}

static ssize_t read_some(struct file *file, loff_t *pos, char *to, size_t size)
{
	struct kvec vec = { .iov_base = to, .iov_len = size };
	struct iov_iter iter;
	struct kiocb kiocb;
	ssize_t done;

	init_sync_kiocb(&kiocb, file);
	kiocb.ki_pos = *pos;
	iov_iter_kvec(&iter, READ, &vec, 1, size);
	done = seq_read_iter(&kiocb, &iter);
	*pos = kiocb.ki_pos;
	return done;
}

static int by_address(const void *a, const void *b)
{
	unsigned long one = *(const unsigned long *)a, other = *(const unsigned long *)b;

	return one < other ? -1 : one > other;
}

/* Return: whether all symbols were read. */
static bool count(void)
{
	char *buffer = kvmalloc(BUFFER + 1, GFP_KERNEL);
	struct file *file = buffer ? open_kallsyms() : NULL;
	ssize_t more = -ENOMEM;
	size_t used = 0;
	loff_t pos = 0;
	u32 i;

	while (file && (more = read_some(file, &pos, buffer + used, BUFFER - used)) > 0) {
		used = take_lines(buffer, used + more);
		cond_resched();
	}
	for (i = 1; i <= known.nr; i++)
		sort(known.symbol[i].addr, min_t(u32, known.symbol[i].count, KPROF_SAME_NAME),
		     sizeof(unsigned long), by_address, NULL);
	if (file)
		fput(file);
	kvfree(buffer);
	return !more;
}

static bool is_part_of_name(char c)
{
	return isalnum(c) || c == '_' || c == '.';
}

static void forget(void)
{
	kvfree(known.symbol);
	kfree(known.text);
	memset(&known, 0, sizeof(known));
}

/* Words that are not names of functions do no harm. */
static void look(const char *text)
{
	char *at, *name;
	u32 names = 1;

	forget();
	known.text = kstrdup(text, GFP_KERNEL);
	if (!known.text)
		return;
	for (at = known.text; *at; at++)
		names += !is_part_of_name(*at);
	known.symbol = kvcalloc(names + 1, sizeof(*known.symbol), GFP_KERNEL);
	for (at = known.text; known.symbol && *at; ) {
		name = at;
		while (is_part_of_name(*at))
			at++;
		if (*at)
			*at++ = '\0';
		if (*name && !isdigit(*name))
			add_name(name);
	}
}

/**
 * kprof_symbols_look() - request all names in a text; they are looked up with the first one
 * @text:	targets as they were written, or any other text with names in it
 *
 * Does nothing while kprof_symbols_keep() has requested those of a longer text.
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_symbols_look(const char *text)
{
	if (!is_kept)
		look(text);
}

/**
 * kprof_symbols_keep() - request all names in a text, and keep the results
 * @text:	as of kprof_symbols_look()
 *
 * The symbols are then read once for all parts of the text that are handled one after the other.
 *
 * Context: sleeps; kprof_mutex is held until kprof_symbols_let_go().
 */
void kprof_symbols_keep(const char *text)
{
	look(text);
	is_kept = true;
}

/**
 * kprof_symbols_let_go() - free what kprof_symbols_keep() has kept
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_symbols_let_go(void)
{
	is_kept = false;
	forget();
}

/**
 * kprof_symbols_find() - find the functions that have a name
 * @name:	the name
 *
 * Context: sleeps; kprof_mutex is held. Return: the result, valid until other names are
 * requested; NULL if there is none because of an error.
 */
const struct kprof_symbol *kprof_symbols_find(const char *name)
{
	struct kprof_symbol *symbol = find(name);
	size_t size = strlen(name) + 1, used;
	char *all;
	u32 i;

	if (symbol && known.is_counted)
		return symbol;
	if (symbol)
		goto out;
	for (i = 1; i <= known.nr; i++)
		size += strlen(known.symbol[i].name) + 1;
	all = kvmalloc(size, GFP_KERNEL);
	if (!all)
		return NULL;
	used = scnprintf(all, size, "%s", name);
	for (i = 1; i <= known.nr; i++)
		used += scnprintf(all + used, size - used, " %s", known.symbol[i].name);
	look(all);
	kvfree(all);
out:
	known.is_counted = known.symbol && count();
	if (!known.is_counted)
		forget();
	return find(name);
}

/**
 * kprof_symbols_forget() - free the results, unless they are kept
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_symbols_forget(void)
{
	if (!is_kept)
		forget();
}
