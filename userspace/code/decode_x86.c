// SPDX-License-Identifier: GPL-2.0-only
/*
 * decode_x86.c - decode the control flow of x86-64 instructions with capstone
 */
#include <stdlib.h>
#include <string.h>

#include "code/capstone.h"
#include "code/decode.h"
#include "lib/mem.h"
#include "lib/number.h"

struct state {
	const struct capstone *capstone;
	csh handle;
	cs_insn *insn;
};

static void *open_x86(void)
{
	struct state *s = mem_zalloc(1, sizeof(*s));

	s->capstone = capstone_load();
	if (!s->capstone || s->capstone->cs_open(CS_ARCH_X86, CS_MODE_64, &s->handle)) {
		free(s);
		return NULL;
	}
	s->capstone->cs_option(s->handle, CS_OPT_DETAIL, CS_OPT_ON);
	s->insn = s->capstone->cs_malloc(s->handle);
	if (!s->insn)
		mem_exhausted(1, sizeof(*s->insn));
	return s;
}

static void close_x86(void *state)
{
	struct state *s = state;

	s->capstone->cs_free(s->insn, 1);
	s->capstone->cs_close(&s->handle);
	free(s);
}

static bool is_branch(unsigned int id)
{
	switch (id) {
	case X86_INS_JAE: case X86_INS_JA: case X86_INS_JBE: case X86_INS_JB:
	case X86_INS_JCXZ: case X86_INS_JECXZ: case X86_INS_JE: case X86_INS_JGE:
	case X86_INS_JG: case X86_INS_JLE: case X86_INS_JL: case X86_INS_JNE:
	case X86_INS_JNO: case X86_INS_JNP: case X86_INS_JNS: case X86_INS_JO:
	case X86_INS_JP: case X86_INS_JRCXZ: case X86_INS_JS: case X86_INS_LOOP:
	case X86_INS_LOOPE: case X86_INS_LOOPNE:
		return true;
	default:
		return false;
	}
}

/* The target of a jump through a register or memory is not known. */
static enum code_flow jump(const cs_insn *i, enum code_flow flow, uint64_t *target)
{
	return !strncmp(i->op_str, "0x", 2) && number_parse(i->op_str + 2, NUMBER_HEX, target) ?
	       flow : FLOW_TAIL;
}

static enum code_flow flow_of(const cs_insn *i, uint64_t *target)
{
	switch (i->id) {
	case X86_INS_JMP:
	case X86_INS_LJMP:
		return jump(i, FLOW_JUMP, target);
	case X86_INS_RET:
	case X86_INS_RETF:
	case X86_INS_RETFQ:
		return FLOW_RETURN;
	case X86_INS_IRET:
	case X86_INS_IRETD:
	case X86_INS_IRETQ:
	case X86_INS_SYSRET:
		return FLOW_TAIL;
	case X86_INS_INT3:
		return FLOW_STOP;	/* after a return, against straight-line speculation */
	default:
		/* ud2 can continue: it does for a WARN(). */
		return is_branch(i->id) ? jump(i, FLOW_BRANCH, target) : FLOW_ON;
	}
}

/* Registers are saved on the stack by whom the compiler likes, and when. */
static bool stores(const cs_x86_op *op)
{
	return op->type == X86_OP_MEM && (op->access & CS_AC_WRITE) && op->mem.base != X86_REG_RSP;
}

static bool acts(const cs_insn *i)
{
	const cs_detail *detail = i->detail;
	int k;

	for (k = 0; k < detail->groups_count; k++)
		if (detail->groups[k] == X86_GRP_CALL || detail->groups[k] == X86_GRP_INT ||
		    detail->groups[k] == X86_GRP_PRIVILEGE)
			return true;
	for (k = 0; k < detail->x86.op_count; k++)
		if (stores(&detail->x86.operands[k]))
			return true;
	/* For lock cmpxchg capstone has no write. ud2 is that of a WARN(). */
	return detail->x86.prefix[0] == X86_PREFIX_LOCK || i->id == X86_INS_UD2;
}

/* sti and popf; calls of a hypervisor's functions for it are patched to these. */
static bool opens(const cs_insn *i)
{
	return i->id == X86_INS_STI || i->id == X86_INS_POPF || i->id == X86_INS_POPFD ||
	       i->id == X86_INS_POPFQ;
}

static bool decode(void *state, const uint8_t *bytes, size_t left, uint64_t addr,
		   struct code_insn *insn)
{
	struct state *s = state;

	if (!s->capstone->cs_disasm_iter(s->handle, &bytes, &left, &addr, s->insn))
		return false;
	*insn = (struct code_insn){ .addr = s->insn->address, .size = s->insn->size };
	insn->flow = flow_of(s->insn, &insn->target);
	insn->is_idle = s->insn->id == X86_INS_NOP;
	insn->acts = acts(s->insn);
	insn->opens = opens(s->insn);
	return true;
}

/* R_X86_64_PC32 and R_X86_64_PLT32 */
static bool is_distance(uint32_t relocation) { return relocation == 2 || relocation == 4; }

const struct code_machine code_x86 = {
	.open = open_x86,
	.close = close_x86,
	.decode = decode,
	.is_distance = is_distance,
	.past = 4,	/* jumps count from the end of the instruction, 4 bytes after the field */
};
