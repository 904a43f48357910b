// SPDX-License-Identifier: GPL-2.0-only
/*
 * uprobe.c - points in programs and libraries: finds their files, and attaches to them
 *
 *	PLACE	/PATH:0xOFFSET[@0xCOUNTER][%return]
 *
 * OFFSET and COUNTER are offsets in the file, not addresses: only the reader knows ELF. COUNTER is
 * the semaphore of a marker, a number that the kernel increments in each process while the point
 * is watched.
 *
 * Whoever owns a directory of PATH can have another file there by the time that the path is looked
 * up here, such as a link to libc, and a breakpoint would be inside an instruction. So the reader
 * tells by file= which file it has read the offset from: see check_identity().
 *
 * The kernel puts a breakpoint into each process that maps the file. The handlers run in
 * the context of the task, with its user registers, and with preemption enabled.
 */
#include <linux/fcntl.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/namei.h>
#include <linux/path.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "base/error.h"
#include "base/state.h"
#include "calls/calls.h"
#include "compat.h"
#include "points/point.h"

#ifdef CONFIG_UPROBES

/**
 * struct kprof_uprobe - where a point is in a file, and its probe
 * @consumer:	what the kernel calls
 * @point:	the point
 * @path:	the file; it, and its mount, are held
 * @inode:	held, where the probe is: a write makes overlayfs have another one at @path; NULL
 *		if it never was attached
 * @offset:	offset of the instruction in the file
 * @counter:	offset of a marker's semaphore; 0 if there is none
 * @file:	which of the target's different paths it has, from 0 on
 * @probe:	what the kernel returned; NULL if it is not attached
 */
struct kprof_uprobe {
	struct uprobe_consumer consumer;
	struct kprof_point *point;
	struct path path;
	struct inode *inode;
	loff_t offset;
	loff_t counter;
	u32 file;
	struct uprobe *probe;
};

/* A 32-bit process of x86 has its arguments on the stack, above the return address. */
static void read_arguments(struct pt_regs *regs, u64 *arg)
{
#ifdef CONFIG_X86
	u32 word[KPROF_NR_ARGS] = { };
	u32 i;

	if (!user_64bit_mode(regs)) {
		if (copy_from_user_nofault(word, (void __user *)(regs->sp + sizeof(*word)),
					   sizeof(word)))
			memset(word, 0, sizeof(word));
		for (i = 0; i < KPROF_NR_ARGS; i++)
			arg[i] = word[i];
		return;
	}
#endif
	kprof_read_arguments(regs, arg);
}

static KPROF_UPROBE_HANDLER(on_place)
{
	struct kprof_point *point = container_of(consumer, struct kprof_uprobe, consumer)->point;
	u64 arg[KPROF_NR_ARGS];
	struct kprof_entry at = {
		.arg = arg, .regs = regs, .caller = instruction_pointer(regs), .is_user = true,
		.at_user_entry = point->target->points->is_call,
	};

	preempt_disable_notrace();
	if (READ_ONCE(kprof_running)) {
		read_arguments(regs, arg);
		if (!point->target->points->is_call || kprof_user_call_enters(point, &at))
			kprof_point_pass(point, &at);
	}
	preempt_enable_notrace();
	return 0;
}

static KPROF_URETPROBE_HANDLER(on_return)
{
	struct kprof_point *point = container_of(consumer, struct kprof_uprobe, consumer)->point;
	static const u64 none[KPROF_NR_ARGS];
	struct kprof_entry at = {
		.arg = none, .retval = regs_return_value(regs), .regs = regs,
		.caller = instruction_pointer(regs), .is_user = true,
	};

	preempt_disable_notrace();
	if (READ_ONCE(kprof_running)) {
#ifdef CONFIG_X86
		if (!user_64bit_mode(regs))
			at.retval = (s32)at.retval;
#endif
		if (!point->target->points->is_call || kprof_user_call_returns(point, &at))
			kprof_point_pass(point, &at);
	}
	preempt_enable_notrace();
	return 0;
}

/* The part of a place behind the path: ":0xOFFSET[@0xCOUNTER][%return]". */
static int parse_offsets(struct kprof_point *point, const char *text, const char *spec)
{
	char room[64], *number = room, *counter, *word;
	unsigned long long offset, semaphore = 0;

	if (strscpy(room, text, sizeof(room)) < 0)
		*room = '\0';
	word = strchr(room, '%');
	if (word)
		*word++ = '\0';
	counter = strchr(room, '@');
	if (counter)
		*counter++ = '\0';
	if (!strstarts(number, "0x") || kstrtoull(number, 16, &offset) || offset > LLONG_MAX ||
	    (counter && (!strstarts(counter, "0x") || kstrtoull(counter, 16, &semaphore) ||
			 !semaphore || semaphore > LLONG_MAX || semaphore % sizeof(u16))))
		return kprof_refuse(-EINVAL, "target", spec,
				    "not /PATH:0xOFFSET, the offset in the file of an instruction, as uprobe_events takes it");
	if (word && strcmp(word, "return"))
		return kprof_refuse(-EINVAL, "target", spec, "only %%return may follow a function");
	point->kind = word ? KPROF_PLACE_URETURN : KPROF_PLACE_UPROBE;
	point->nr_args = word ? 0 : KPROF_NR_ARGS;
	point->uprobe->offset = offset;
	point->uprobe->counter = semaphore;
	return 0;
}

static struct inode *inode_of(const struct kprof_uprobe *uprobe)
{
	return d_real_inode(uprobe->path.dentry);
}

/* What file= says of the file of a point; NULL if it is not given. */
static const struct kprof_file_id *identity_of(const struct kprof_uprobe *uprobe)
{
	const struct kprof_keyset *keys = &uprobe->point->target->keys;

	return uprobe->file < keys->nr_files ? &keys->file[uprobe->file] : NULL;
}

/*
 * Is it the file that the offset was read from, and unchanged? Nobody can set the time of change,
 * and who replaces a file gets another inode.
 */
static int check_identity(const struct kprof_uprobe *uprobe, const char *name, const char *spec)
{
	const struct kprof_file_id *wanted = identity_of(uprobe);
	struct kstat stat;
	int err;

	if (!wanted)
		return 0;
	WRITE_ONCE(kprof_waits_for_files, true);
	err = vfs_getattr_nosec(&uprobe->path, &stat, STATX_BASIC_STATS, AT_STATX_SYNC_AS_STAT);
	WRITE_ONCE(kprof_waits_for_files, false);
	if (err)
		return kprof_refuse(err, "target", spec, "%s cannot be looked at (error %d)", name,
				    err);
	if (MAJOR(stat.dev) == wanted->major && MINOR(stat.dev) == wanted->minor &&
	    stat.ino == wanted->ino && stat.size == wanted->size &&
	    timespec64_to_ns(&stat.ctime) == wanted->ctime)
		return 0;
	return kprof_refuse(-ESTALE, "target", spec,
			    "%s is not the file of file=, but %u:%u:%llu:%llu:%lld: it was replaced or changed since its offsets were read; read them again",
			    name, MAJOR(stat.dev), MINOR(stat.dev), stat.ino, stat.size,
			    timespec64_to_ns(&stat.ctime));
}

static int find_file(struct kprof_uprobe *uprobe, const char *name, const char *spec)
{
	bool is_known = identity_of(uprobe);
	unsigned int flags = LOOKUP_FOLLOW | (is_known ? LOOKUP_NO_SYMLINKS : 0);
	struct inode *inode;
	int err;

	WRITE_ONCE(kprof_waits_for_files, true);
	/* Who gives file= has followed the links, and one that is there now was put there since. */
	err = kern_path(name, flags, &uprobe->path);
	WRITE_ONCE(kprof_waits_for_files, false);
	if (err == -ELOOP && is_known) {
		uprobe->path = (struct path) { };
		return kprof_refuse(err, "target", spec,
				    "%s leads through a link, which file= does not allow; give the path without links, as realpath prints it",
				    name);
	}
	if (err) {
		uprobe->path = (struct path) { };
		return kprof_refuse(err, "target", spec,
				    "no such file can be reached (error %d); give its path as this process sees it",
				    err);
	}
	inode = inode_of(uprobe);
	if (!S_ISREG(inode->i_mode))
		return kprof_refuse(-EINVAL, "target", spec,
				    "%s is no regular file; give a program or a library", name);
	if (uprobe->offset >= i_size_read(inode))
		return kprof_refuse(-EINVAL, "target", spec,
				    "the file has %lld bytes; give a smaller offset",
				    i_size_read(inode));
	if (uprobe->offset % UPROBE_SWBP_INSN_SIZE)
		return kprof_refuse(-EILSEQ, "target", spec,
				    "no instruction begins there; give a multiple of %d",
				    UPROBE_SWBP_INSN_SIZE);
	return check_identity(uprobe, name, spec);
}

static int explain(int err, const char *spec)
{
	switch (-err) {
	case ENOTSUPP:
		return kprof_refuse(-EOPNOTSUPP, "target", spec,
				    "the instruction there cannot be probed, or none begins there; give the first one of a function");
	case EINVAL:
		return kprof_refuse(-EOPNOTSUPP, "target", spec,
				    "no instruction begins there, or it is watched with another @COUNTER; give the first one of a function, and the same counter");
	case EIO:
		return kprof_refuse(err, "target", spec,
				    "the file system keeps no pages of the file, so its code cannot be probed; copy it to another one");
	default:
		return kprof_refuse(err, "target", spec,
				    "the kernel refused a probe there with error %d", err);
	}
}

/* The kernel reads the file, and changes memory of processes. */
static struct uprobe *put_probe(struct inode *inode, const struct kprof_uprobe *uprobe,
				struct uprobe_consumer *consumer)
{
	struct uprobe *probe;

	WRITE_ONCE(kprof_waits_for_files, true);
	probe = kprof_uprobe_register(inode, uprobe->offset, uprobe->counter, consumer);
	WRITE_ONCE(kprof_waits_for_files, false);
	return probe;
}

static void take_probe(struct inode *inode, const struct kprof_uprobe *uprobe,
		       struct uprobe *probe, struct uprobe_consumer *consumer)
{
	WRITE_ONCE(kprof_waits_for_files, true);
	kprof_uprobe_unregister_nosync(inode, uprobe->offset, probe, consumer);
	WRITE_ONCE(kprof_waits_for_files, false);
}

static KPROF_UPROBE_HANDLER(ignore)
{
	return 0;
}

/*
 * Only the kernel knows what it cannot probe, if some process maps it now. The target is not
 * complete yet, so this is not the point's own handler.
 */
static int try_once(const struct kprof_uprobe *uprobe, const char *spec)
{
	struct uprobe_consumer consumer = { .handler = ignore };
	struct inode *inode = inode_of(uprobe);
	struct uprobe *probe = put_probe(inode, uprobe, &consumer);

	if (IS_ERR(probe))
		return explain(PTR_ERR(probe), spec);
	take_probe(inode, uprobe, probe, &consumer);
	kprof_uprobe_sync();
	return 0;
}

static size_t path_length(const struct kprof_point *point)
{
	const char *colon = strrchr(point->place, ':');

	return colon ? colon - point->place : strlen(point->place);
}

static bool has_same_path(const struct kprof_point *a, const struct kprof_point *b)
{
	return path_length(a) == path_length(b) && !strncmp(a->place, b->place, path_length(a));
}

/* Paths are numbered in the order in which the target has each first. */
static u32 number_path(const struct kprof_point *point)
{
	const struct kprof_point *one = point->target->points->point;
	u32 nr = 0;

	for (; one != point; one++) {
		if (!kprof_point_is_user(one) || !one->uprobe)
			continue;
		if (has_same_path(one, point))
			return one->uprobe->file;
		nr = max(nr, one->uprobe->file + 1);
	}
	return nr;
}

/**
 * kprof_uprobe_file_number() - which of its target's different paths a point has
 * @point:	kprof_uprobe_find() has found it
 *
 * Context: kprof_mutex is held. Return: the number, from 0 on.
 */
u32 kprof_uprobe_file_number(const struct kprof_point *point)
{
	return point->uprobe ? point->uprobe->file : 0;
}

/**
 * kprof_uprobe_find() - find the file of a point, and check that it can be probed
 * @point:	its place is set
 * @spec:	the target as it was written, for errors
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno; kprof_refuse() has the
 * reason.
 */
int kprof_uprobe_find(struct kprof_point *point, const char *spec)
{
	char *colon = strrchr(point->place, ':');
	int err;

	point->uprobe = kzalloc(sizeof(*point->uprobe), GFP_KERNEL);
	if (!point->uprobe)
		return kprof_refuse(-ENOMEM, "target", spec, "no memory for its points");
	point->uprobe->point = point;
	point->uprobe->file = number_path(point);
	err = parse_offsets(point, colon ? colon + 1 : "", spec);
	if (err)
		return err;
	if (point->kind == KPROF_PLACE_URETURN)
		point->uprobe->consumer.ret_handler = on_return;
	else
		point->uprobe->consumer.handler = on_place;
	*colon = '\0';
	err = find_file(point->uprobe, point->place, spec);
	*colon = ':';
	return err ?: try_once(point->uprobe, spec);
}

/**
 * kprof_uprobe_attach() - attach to the file of a point
 * @point:	kprof_uprobe_find() has found it
 *
 * Context: sleeps; kprof_mutex is held. Return: 0 or an errno.
 */
int kprof_uprobe_attach(struct kprof_point *point)
{
	struct kprof_uprobe *uprobe = point->uprobe;

	iput(uprobe->inode);
	uprobe->inode = igrab(inode_of(uprobe));
	if (!uprobe->inode)
		return -ENOENT;
	uprobe->probe = put_probe(uprobe->inode, uprobe, &uprobe->consumer);
	if (IS_ERR(uprobe->probe)) {
		int err = PTR_ERR(uprobe->probe);

		uprobe->probe = NULL;
		return err;
	}
	point->is_attached = true;
	return 0;
}

/**
 * kprof_uprobe_detach() - detach from the file of a point
 * @point:	any point in a file
 *
 * Its handler may still run, until kprof_uprobe_sync().
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_uprobe_detach(struct kprof_point *point)
{
	struct kprof_uprobe *uprobe = point->uprobe;

	if (uprobe && uprobe->probe) {
		take_probe(uprobe->inode, uprobe, uprobe->probe, &uprobe->consumer);
		uprobe->probe = NULL;
	}
	point->is_attached = false;
}

/**
 * kprof_uprobe_forget() - let go of the file of a point
 * @point:	any point in a file; it is detached, and kprof_uprobe_sync() was called
 *
 * Context: sleeps; kprof_mutex is held.
 */
void kprof_uprobe_forget(struct kprof_point *point)
{
	if (!point->uprobe)
		return;
	iput(point->uprobe->inode);
	path_put(&point->uprobe->path);
	kfree(point->uprobe);
	point->uprobe = NULL;
}

#endif /* CONFIG_UPROBES */
