// SPDX-License-Identifier: GPL-2.0-only
/*
 * frame_rule.c - what an ELF file says of a frame, as a rule for the module
 *
 * Nearly all frames are described as a register plus a constant. Of the expressions that DWARF
 * allows, compilers, linkers and C libraries write the few that are recognised here.
 */
#include <dwarf.h>
#include <gelf.h>
#include <stdint.h>

#include "user/frame_rule.h"

/* The numbers that the ABI gives to registers. */
struct registers {
	unsigned char sp, fp, ra, pc;
	unsigned char kept;	/* in which vfork() keeps the address; 0: files tell of none */
	bool has_link;	/* @ra is a register of the machine, in which a call leaves the address */
	int saved_sp;	/* in a signal frame: offset from the stack pointer; 0: see extra_rules.c */
};

static const struct registers x86_64 = {
	.sp = 7, .fp = 6, .ra = 16, .pc = 16, .kept = 5, .saved_sp = 160,
};

static const struct registers arm64 = { .sp = 31, .fp = 29, .ra = 30, .pc = 32, .has_link = true };

static const struct registers *registers_of(int machine)
{
	return machine == EM_X86_64 ? &x86_64 : machine == EM_AARCH64 ? &arm64 : NULL;
}

bool frame_rule_has_machine(int machine)
{
	return registers_of(machine);
}

/* Is it register plus constant? */
static bool is_sum(const Dwarf_Op *op, int *reg, int64_t *constant)
{
	if (op->atom == DW_OP_bregx) {
		*reg = op->number < 255 ? (int)op->number : 255;
		*constant = op->number2;
		return true;
	}
	if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31)
		return false;
	*reg = op->atom - DW_OP_breg0;
	*constant = op->number;
	return true;
}

/*
 * The linker describes all of a function table (PLT) by one expression, as its entries are alike:
 * from a certain byte of each on, there is one more word on the stack.
 */
static bool is_table(const Dwarf_Op *op, size_t nr, const struct registers *regs, int *byte)
{
	static const unsigned char atoms[] = {
		DW_OP_lit15, DW_OP_and, 0, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus
	};
	int64_t constant;
	size_t i;
	int reg;

	if (nr != 9 || !is_sum(&op[0], &reg, &constant) || reg != regs->sp || constant != 8 ||
	    !is_sum(&op[1], &reg, &constant) || reg != regs->pc || constant)
		return false;
	for (i = 0; i < sizeof(atoms); i++)
		if (atoms[i] && op[2 + i].atom != atoms[i])
			return false;
	*byte = (int)op[4].atom - DW_OP_lit0;
	return *byte >= 0 && *byte < 16;
}

static void set_cfa(struct kprof_rule *rule, const Dwarf_Op *op, size_t nr, bool is_signal,
		    const struct registers *regs)
{
	int64_t constant;
	int reg, byte;

	if (!regs->has_link && is_table(op, nr, regs, &byte)) {
		rule->kind = KPROF_RULE_PLT;
		rule->cfa = byte;
		return;
	}
	if (!nr || nr > 2 || !is_sum(op, &reg, &constant) || (nr == 2 && op[1].atom != DW_OP_deref))
		return;
	if (nr == 2 && is_signal && regs->saved_sp && reg == regs->sp &&
	    constant == regs->saved_sp) {
		rule->kind = KPROF_RULE_SIGNAL;
		return;
	}
	if (is_signal || constant != (int32_t)constant)
		return;
	rule->cfa = (int32_t)constant;
	if (nr == 1 && reg == regs->sp)
		rule->kind = KPROF_RULE_SP;
	else if (reg == regs->fp)
		rule->kind = nr == 1 ? KPROF_RULE_FP : KPROF_RULE_FP_AT;
}

/* Where a register is saved. */
enum where {
	WHERE_SAME, WHERE_UNDEFINED, WHERE_SAVED, WHERE_AT_FP, WHERE_KEPT, WHERE_ELSE
};

static enum where find(Dwarf_Frame *frame, int reg, const struct registers *regs, int16_t *at)
{
	Dwarf_Op memory[3], *op;
	int64_t constant = 0;
	int base;
	size_t nr;

	if (dwarf_frame_register(frame, reg, memory, &op, &nr))
		return WHERE_ELSE;
	if (!nr)
		return op ? WHERE_UNDEFINED : WHERE_SAME;
	if (nr == 1 && op[0].atom == DW_OP_regx && regs->kept && op[0].number == regs->kept)
		return WHERE_KEPT;
	if (nr == 1 && is_sum(op, &base, &constant) && base == regs->fp && !constant)
		return WHERE_AT_FP;
	if (op[0].atom != DW_OP_call_frame_cfa || nr > 2 ||
	    (nr == 2 && op[1].atom != DW_OP_plus_uconst))
		return WHERE_ELSE;
	if (nr == 2)
		constant = (int64_t)op[1].number;
	/* The values above are those of KPROF_RULE_SAME and the like. */
	if (constant % 8 || constant < INT16_MIN || constant > INT16_MAX - 8)
		return WHERE_ELSE;
	*at = (int16_t)constant;
	return WHERE_SAVED;
}

static void set_ra(struct kprof_rule *rule, Dwarf_Frame *frame, const struct registers *regs)
{
	enum where where = find(frame, regs->ra, regs, &rule->ra);

	if (where == WHERE_KEPT || (where == WHERE_SAME && regs->has_link)) {
		rule->ra = KPROF_RULE_SAME;
		return;
	}
	switch (where) {
	case WHERE_SAVED:
		break;
	case WHERE_UNDEFINED:
		*rule = (struct kprof_rule) { .kind = KPROF_RULE_ROOT };
		break;
	default:	/* neither the stack nor a register that the module knows has it */
		*rule = (struct kprof_rule) { .kind = KPROF_RULE_UNKNOWN };
	}
}

static void set_fp(struct kprof_rule *rule, Dwarf_Frame *frame, const struct registers *regs)
{
	switch (find(frame, regs->fp, regs, &rule->fp)) {
	case WHERE_SAVED:
		break;
	case WHERE_SAME:
		rule->fp = KPROF_RULE_SAME;
		break;
	case WHERE_AT_FP:
		rule->fp = KPROF_RULE_AT_FP;
		break;
	default:
		rule->fp = KPROF_RULE_LOST;
	}
}

struct kprof_rule frame_rule(Dwarf_Frame *frame, int machine, bool is_signal)
{
	const struct registers *regs = registers_of(machine);
	struct kprof_rule rule = { .kind = KPROF_RULE_UNKNOWN };
	Dwarf_Op *op;
	size_t nr;

	if (!dwarf_frame_cfa(frame, &op, &nr))
		set_cfa(&rule, op, nr, is_signal, regs);
	if (rule.kind == KPROF_RULE_SIGNAL)
		return rule;
	if (rule.kind == KPROF_RULE_UNKNOWN) {
		/* A root may be described without a frame. */
		if (find(frame, regs->ra, regs, &rule.ra) == WHERE_UNDEFINED)
			rule.kind = KPROF_RULE_ROOT;
		return (struct kprof_rule) { .kind = rule.kind };
	}
	set_ra(&rule, frame, regs);
	if (rule.kind != KPROF_RULE_ROOT && rule.kind != KPROF_RULE_UNKNOWN)
		set_fp(&rule, frame, regs);
	return rule;
}
