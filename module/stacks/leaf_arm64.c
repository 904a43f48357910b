// SPDX-License-Identifier: GPL-2.0-only
/*
 * leaf_arm64.c - is the caller of an interrupted function still in its link register
 *
 * A function that calls nobody makes no frame record on arm64, and one that
 * does has none before its prologue and after its epilogue: there the return
 * address is in the link register alone. Elsewhere the register holds what the
 * function's own last call left there, an address inside the function, or
 * whatever the compiler used it for.
 *
 * So, where the two are near each other, it takes the bounds of the interrupted
 * function to tell. They come from the kernel's symbols, which is slow, and are
 * kept for each address.
 *
 * What cannot be told: a return address inside the function itself, which is
 * left over or that of a recursive call not yet past its prologue (taken to be
 * left over), and one in a part of the function that the compiler moved away
 * (NAME.cold; it shows as a caller).
 */
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <asm/insn.h>

#include "stacks/leaf_arm64.h"

/*
 * Where in its function an address is, as one word that is read and written
 * whole; both distances are 0 where that is not known.
 *
 *   63     32 31        16 15         0
 *   |  tag   |  to start  |  to end   |	distances in instructions
 *
 * tag	the address's low bits: kernel and modules lie close enough together
 */
#define MAX_DISTANCE	U16_MAX
#define PLACE_BITS	13
#define NR_PLACES	(1 << PLACE_BITS)

/* Read by every CPU, and hardly ever written once it is warm. */
static u64 places[NR_PLACES];

static u32 tag_of(unsigned long pc)
{
	return pc / AARCH64_INSN_SIZE;
}

/* Ask the kernel's symbols; safe in an NMI, they are read without a lock. */
static u64 look_up(unsigned long pc, bool *lasting)
{
	unsigned long offset, size, start, end;
	char name[KSYM_SYMBOL_LEN], *plus;

	sprint_symbol(name, pc);
	/* Code of BPF comes and goes without a word. */
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

/* From a bl to where it goes; the kernel's own decoder is not exported. */
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
	/* What is not known might be. */
	if (!(place & U16_MAX))
		return true;
	return distance >= -(long)((place >> 16) & U16_MAX) && distance < (long)(place & U16_MAX);
}

/**
 * kprof_leaf_called_from() - is the link register the interrupted function's caller
 * @pc:		the interrupted address
 * @lr:		the link register, without authentication code
 * @recorded:	the return address in the next frame record, 0 if there is none
 *
 * Context: any, NMI included. Return: whether the function of @pc returns to @lr,
 * and its frame record is not there to say so.
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
		/* On its first instruction a function has called nobody. */
		if (call + branch_offset(insn) == pc)
			return true;
	} else if (!aarch64_insn_is_blr(insn)) {
		return false;
	}
	/* A record just made, and no call since. */
	return lr != recorded && !is_inside(call, pc);
}

/* A module's addresses may be another's tomorrow. */
static int module_event(struct notifier_block *block, unsigned long event, void *data)
{
	u32 i;

	if (event != MODULE_STATE_COMING && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	for (i = 0; i < NR_PLACES; i++)
		WRITE_ONCE(places[i], 0);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = {
	.notifier_call = module_event,
};

/**
 * kprof_leaf_init() - get ready to tell
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
 * Context: sleeps; nothing may unwind any more.
 */
void kprof_leaf_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
