// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaf_arm64.c - is the caller of an interrupted function still in its link register
 *
 * On arm64, a function that calls nothing makes no frame record. A function that
 * makes one has none before its prologue and after its epilogue. In these places
 * only the link register has the return address. Elsewhere the register holds what
 * the function's own last call left there, which is an address inside the function,
 * or whatever the compiler used it for.
 *
 * So if the two addresses are near each other, the bounds of the interrupted
 * function decide. Finding them in kallsyms is slow, so they are cached by
 * address.
 *
 * Two cases cannot be decided. A return address inside the function itself may be left
 * over, or be that of a recursive call that has not passed its prologue yet (it is
 * taken to be left over). A return address in a part of the function that the compiler
 * moved away (NAME.cold) shows as a caller.
 */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "stacks/leaf_arm64.h"

/*
 * Where an address lies in its function, in one word that is read and written
 * atomically. Both distances are 0 if that is not known.
 *
 *   63     32 31        16 15         0
 *   |  tag   |  to start  |  to end   |	distances in instructions
 *
 * tag	low bits of the address; kernel and modules are close enough for this to be unique
 */
#define MAX_DISTANCE	U16_MAX
#define PLACE_BITS	13
#define NR_PLACES	(1 << PLACE_BITS)

/* Read by every CPU, rarely written once it is warm. */
static u64 places[NR_PLACES];

static u32 tag_of(unsigned long pc)
{
	return pc / AARCH64_INSN_SIZE;
}

/* Ask kallsyms. Safe in an NMI: it is read without a lock. */
static u64 look_up(unsigned long pc, bool *lasting)
{
	unsigned long offset, size, start, end;
	char name[KSYM_SYMBOL_LEN], *plus;

	sprint_symbol(name, pc);
	/* BPF code comes and goes without notification. */
	*lasting = !strstr(name, " [bpf");
	plus = strrchr(name, '+');
	if (!plus || sscanf(plus, "+%lx/%lx", &offset, &size) != 2)
		return 0;
	start = offset / AARCH64_INSN_SIZE;
	end = (size - offset) / AARCH64_INSN_SIZE;
	return start > MAX_DISTANCE || end > MAX_DISTANCE ? 0 : (start << 16) | end;
}

static u64 find_place(unsigned long pc)
{
	u64 *slot = &places[hash_long(pc, PLACE_BITS)];
	u64 place = READ_ONCE(*slot);
	bool lasting;

	if (place >> 32 == tag_of(pc))
		return place;
	place = ((u64)tag_of(pc) << 32) | look_up(pc, &lasting);
	if (lasting)
		WRITE_ONCE(*slot, place);
	return place;
}

/* The byte offset of a bl instruction's target; the kernel's decoder is not exported. */
static long branch_offset(u32 insn)
{
	return (long)sign_extend32(insn, 25) * AARCH64_INSN_SIZE;
}

/* Is the address within the function of @pc? */
static bool is_inside(unsigned long addr, unsigned long pc)
{
	long distance = (long)(addr - pc) / AARCH64_INSN_SIZE;
	u64 place;

	/* No function is that large. */
	if (distance > MAX_DISTANCE || distance < -MAX_DISTANCE)
		return false;
	place = find_place(pc);
	/* If the bounds are not known, assume that it is. */
	if (!(place & U16_MAX))
		return true;
	return distance >= -(long)((place >> 16) & U16_MAX) && distance < (long)(place & U16_MAX);
}

/**
 * kprof_leaf_called_from() - does the link register hold the interrupted function's caller
 * @pc:		the interrupted address
 * @lr:		the link register, without authentication code
 * @recorded:	the return address in the next frame record, 0 if there is none
 *
 * Context: any, NMI included. Return: whether the function of @pc returns to @lr
 * and has no frame record that says so.
 */
bool kprof_leaf_called_from(unsigned long pc, unsigned long lr, unsigned long recorded)
{
	unsigned long call = lr - AARCH64_INSN_SIZE;
	u32 insn;

	/* The register may hold anything. */
	if (lr % AARCH64_INSN_SIZE || copy_from_kernel_nofault(&insn, (void *)call, sizeof(insn)))
		return false;
	insn = le32_to_cpu((__force __le32)insn);
	if (aarch64_insn_is_bl(insn)) {
		/* On its first instruction a function has made no call yet. */
		if (call + branch_offset(insn) == pc)
			return true;
	} else if (!aarch64_insn_is_blr(insn)) {
		return false;
	}
	/* If @lr is in the record, the prologue has just run and no call was made since. */
	return lr != recorded && !is_inside(call, pc);
}

/* A module's addresses may be reused: all, or those of its init functions once it is live. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	u32 i;

	for (i = 0; i < NR_PLACES; i++)
		WRITE_ONCE(places[i], 0);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_leaf_init() - start watching modules come and go
 *
 * Context: sleeps. Return: 0 or an errno.
 */
int kprof_leaf_init(void)
{
	return register_module_notifier(&module_notifier);
}

/**
 * kprof_leaf_exit() - undo kprof_leaf_init()
 *
 * Context: sleeps; nothing may unwind from here on.
 */
void kprof_leaf_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
