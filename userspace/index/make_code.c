// SPDX-License-Identifier: GPL-2.0-only
/*
 * make_code.c - the instructions of a function and their control flow
 *
 * The kernel can patch jumps in and out, and continue elsewhere after a fault. The tables of these
 * places are read, too.
 */
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include "index/make_code.h"
#include "code/decode.h"
#include "lib/mem.h"

#define INSNS_MAX	65536	/* per function */

/* An edge between two addresses. For a relocation, the target may be in another file. */
struct edge {
	uint64_t from, to;
	bool is_elsewhere, is_return;
};

struct edges {
	struct edge *edge;
	size_t nr, room;
};

struct reader {
	struct make_code code;		/* the first member */
	const struct make *m;
	struct elf_input *elf;
	Elf *file;
	GElf_Addr bias;
	const struct code_machine *machine;
	void *state;			/* the machine's */
	struct edges moves;		/* relocations, by the address of the field */
	struct edges tables;		/* additional successors of instructions */
	size_t insn_room, before_room, first_room;
};

static int by_from(const void *va, const void *vb)
{
	const struct edge *a = va, *b = vb;

	return a->from < b->from ? -1 : a->from > b->from;
}

static void sort(struct edges *e)
{
	if (e->nr)
		qsort(e->edge, e->nr, sizeof(*e->edge), by_from);
}

static void add_edge(struct edges *e, struct edge edge)
{
	e->edge = mem_grow(e->edge, &e->room, e->nr + 1, sizeof(*e->edge));
	e->edge[e->nr++] = edge;
}

/* The first edge from an address within @size bytes, or NULL. */
static const struct edge *find_edge(const struct edges *e, uint64_t addr, size_t size)
{
	size_t low = 0, high = e->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (e->edge[mid].from < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < e->nr && e->edge[low].from - addr < size ? &e->edge[low] : NULL;
}

/* --- the file --- */

/* The bytes from an address up to the end of its section; NULL if there are none. */
static const uint8_t *bytes_at(const struct reader *r, uint64_t addr, size_t *left)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	Elf_Data *data;

	while ((section = elf_nextscn(r->file, section))) {
		uint64_t start;

		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		start = header.sh_addr + r->bias;
		if (addr < start || addr - start >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		if (!data || data->d_size < header.sh_size)
			return NULL;
		*left = header.sh_size - (addr - start);
		return (const uint8_t *)data->d_buf + (addr - start);
	}
	return NULL;
}

static void add_move(struct reader *r, Elf_Scn *symbols, const GElf_Shdr *target,
		     const GElf_Rela *rela)
{
	struct edge edge = { .from = target->sh_addr + r->bias + rela->r_offset };
	GElf_Shdr table, section;
	GElf_Sym sym;

	if (!r->machine->is_distance(GELF_R_TYPE(rela->r_info)))
		return;
	if (!gelf_getshdr(symbols, &table) ||
	    !gelf_getsym(elf_getdata(symbols, NULL), GELF_R_SYM(rela->r_info), &sym))
		return;
	edge.is_elsewhere = sym.st_shndx == SHN_UNDEF || sym.st_shndx >= SHN_LORESERVE;
	if (edge.is_elsewhere)
		edge.is_return = code_is_return_thunk(elf_strptr(r->file, table.sh_link,
								 sym.st_name));
	else if (gelf_getshdr(elf_getscn(r->file, sym.st_shndx), &section))
		edge.to = section.sh_addr + r->bias + sym.st_value + rela->r_addend;
	add_edge(&r->moves, edge);
}

/* In a module, the targets of jumps to other sections are known from relocations only. */
static void read_moves(struct reader *r)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header, target;
	GElf_Rela rela;
	size_t i;

	while ((section = elf_nextscn(r->file, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
		    !gelf_getshdr(elf_getscn(r->file, header.sh_info), &target) ||
		    !(target.sh_flags & SHF_ALLOC))
			continue;
		for (i = 0; gelf_getrela(elf_getdata(section, NULL), i, &rela); i++)
			add_move(r, elf_getscn(r->file, header.sh_link), &target, &rela);
	}
	sort(&r->moves);
}

/* Complete a decoded instruction: apply its relocation, and recognise return thunks. */
static void settle(const struct reader *r, struct code_insn *insn)
{
	const struct edge *move = find_edge(&r->moves, insn->addr, insn->size);
	const struct elf_function *f;
	bool is_return;

	if (insn->flow != FLOW_JUMP && insn->flow != FLOW_BRANCH)
		return;
	if (move)
		insn->target = move->is_elsewhere ? UINT64_MAX : move->to + r->machine->past;
	f = elf_function_at(r->elf, insn->target);
	is_return = move && move->is_elsewhere ? move->is_return :
		    f && code_is_return_thunk(f->name);
	if (is_return && insn->flow == FLOW_JUMP)
		insn->flow = FLOW_RETURN;
}

/* The target of a 32-bit field that is relative to its own address. */
static uint64_t field_target(const struct reader *r, uint64_t at, const uint8_t *bytes)
{
	const struct edge *move = find_edge(&r->moves, at, 4);
	int32_t distance;

	if (move)
		return move->to;
	memcpy(&distance, bytes, sizeof(distance));
	return at + (int64_t)distance;
}

/* The bytes of a table; NULL if the table is not within one section. */
static const uint8_t *table_at(const struct reader *r, uint64_t start, uint64_t end)
{
	size_t left;
	const uint8_t *bytes = bytes_at(r, start, &left);

	return bytes && end >= start && end - start <= left ? bytes : NULL;
}

static void read_table_at(struct reader *r, uint64_t start, uint64_t end, size_t step)
{
	const uint8_t *row = table_at(r, start, end);
	uint64_t at;

	for (at = start; row && end - at >= step; at += step, row += step)
		add_edge(&r->tables, (struct edge) {
			.from = field_target(r, at, row), .to = field_target(r, at + 4, row + 4),
		});
}

static uint64_t symbol_address(const struct reader *r, const char *name)
{
	size_t i;

	for (i = 0; i < r->elf->nr_functions; i++)
		if (!strcmp(r->elf->function[i].name, name))
			return r->elf->function[i].start;
	return 0;
}

static bool find_section(const struct reader *r, const char *name, uint64_t *start, uint64_t *end)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	while (!elf_getshdrstrndx(r->file, &names) && (section = elf_nextscn(r->file, section))) {
		const char *text;

		if (!gelf_getshdr(section, &header))
			continue;
		text = elf_strptr(r->file, names, header.sh_name);
		if (!text || strcmp(text, name))
			continue;
		*start = header.sh_addr + r->bias;
		*end = *start + header.sh_size;
		return true;
	}
	return false;
}

/* Read a table: a section of a module, or the range between two symbols of the kernel. */
static void read_table(struct reader *r, const char *name, size_t step)
{
	char first[32], last[32];
	uint64_t start, end;

	if (!r->moves.nr) {
		snprintf(first, sizeof(first), "__start_%s", name);
		snprintf(last, sizeof(last), "__stop_%s", name);
		read_table_at(r, symbol_address(r, first), symbol_address(r, last), step);
	} else if (find_section(r, name, &start, &end)) {
		read_table_at(r, start, end, step);
	}
}

/*
 * Add the control flow of an instruction's replacement: a jump, or the next instruction. Jumps
 * within the replacement are relocated with it. If there is no replacement, a callback of the
 * kernel writes the new instruction. As for jumps, it only replaces a jump by another instruction.
 */
static void add_alternative(struct reader *r, uint64_t from, uint64_t with, size_t offset,
			    size_t length)
{
	struct edge edge = { .from = from };
	const uint8_t *bytes = NULL;
	struct code_insn insn;
	size_t left;

	if (length)
		bytes = bytes_at(r, with, &left);
	edge.to = from + 4;
	if (bytes && r->machine->decode(r->state, bytes, left, with, &insn)) {
		settle(r, &insn);
		if (insn.flow == FLOW_JUMP || insn.flow == FLOW_BRANCH)
			edge.to = insn.target - (with - offset) < length ?
				  insn.target - (with - offset) + (from - offset) : insn.target;
	}
	add_edge(&r->tables, edge);
}

/* Rows of arm64: original, replacement, CPU capability (2 bytes), lengths of both (1 byte each). */
static void read_alternatives(struct reader *r)
{
	const uint8_t *row;
	uint64_t at, end;
	size_t i;

	if (!find_section(r, ".altinstructions", &at, &end))
		return;
	row = table_at(r, at, end);
	for (; row && end - at >= 12; at += 12, row += 12)
		for (i = 0; i < row[10]; i += 4)
			add_alternative(r, field_target(r, at, row) + i,
					field_target(r, at + 4, row + 4) + i, i, row[11]);
}

struct make_code *make_code_open(const struct make *m, struct elf_input *elf)
{
	struct reader *r;
	GElf_Ehdr header;

	if (m->machine != EM_X86_64 && m->machine != EM_AARCH64)
		return NULL;
	r = mem_zalloc(1, sizeof(*r));
	r->m = m;
	r->elf = elf;
	r->machine = m->machine == EM_X86_64 ? &code_x86 : &code_arm64;
	r->file = dwfl_module_getelf(elf->module, &r->bias);
	if (r->file && gelf_getehdr(r->file, &header))
		r->state = r->machine->open();
	if (!r->state) {
		free(r);
		return NULL;
	}
	if (header.e_type == ET_REL)
		read_moves(r);
	read_table(r, "__jump_table", 16);
	read_table(r, "__ex_table", 12);
	if (r->machine == &code_arm64)
		read_alternatives(r);
	sort(&r->tables);
	return &r->code;
}

void make_code_close(struct make_code *code)
{
	struct reader *r = (struct reader *)code;

	if (!code)
		return;
	r->machine->close(r->state);
	free(r->moves.edge);
	free(r->tables.edge);
	free(code->insn);
	free(code->before);
	free(code->first_before);
	free(r);
}

/* --- instructions --- */

static bool read_part(struct reader *r, const struct make_host *host)
{
	struct make_code *code = &r->code;
	uint64_t addr = host->start;
	size_t left;
	const uint8_t *bytes = bytes_at(r, addr, &left);
	struct code_insn insn;

	if (!bytes)
		return false;
	left = left > host->end - addr ? host->end - addr : left;
	while (left && code->nr < INSNS_MAX &&
	       r->machine->decode(r->state, bytes, left, addr, &insn) && insn.flow != FLOW_TABLE) {
		settle(r, &insn);
		code->insn = mem_grow(code->insn, &r->insn_room, code->nr + 1, sizeof(*code->insn));
		code->insn[code->nr++] = insn;
		bytes += insn.size;
		left -= insn.size;
		addr += insn.size;
	}
	return !left;
}

static int by_address(const void *va, const void *vb)
{
	const struct code_insn *a = va, *b = vb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

uint32_t make_code_find(const struct make_code *code, uint64_t addr)
{
	return code_insn_find(code->insn, code->nr, addr);
}

static void lead(struct code_insn *insn, uint32_t to)
{
	if (to != CODE_NOWHERE)
		insn->to[insn->nr_to++] = to;
}

static void connect(struct reader *r)
{
	struct make_code *code = &r->code;
	uint32_t i, to;

	for (i = 0; i < code->nr; i++) {
		struct code_insn *insn = &code->insn[i];
		const struct edge *table = find_edge(&r->tables, insn->addr, 1);
		bool goes_on = insn->flow == FLOW_ON || insn->flow == FLOW_BRANCH || table;

		if (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH) {
			to = make_code_find(code, insn->target);
			if (to == CODE_NOWHERE)
				insn->flow = FLOW_TAIL;
			lead(insn, to);
		}
		/* The last instruction of a part may be a call that never returns. */
		if (i + 1 < code->nr && insn->addr + insn->size == insn[1].addr && goes_on)
			lead(insn, i + 1);
		if (table)
			lead(insn, make_code_find(code, table->to));
	}
}

/* Compute the predecessors of each instruction from the successors. */
static void turn_round(struct reader *r)
{
	struct make_code *code = &r->code;
	uint32_t i, k, nr = 0, *first;

	code->first_before = mem_grow(code->first_before, &r->first_room, code->nr + 2,
				      sizeof(*code->first_before));
	first = code->first_before;
	memset(first, 0, (code->nr + 2) * sizeof(*first));
	for (i = 0; i < code->nr; i++)
		for (k = 0; k < code->insn[i].nr_to; k++, nr++)
			first[code->insn[i].to[k] + 2]++;
	for (i = 2; i <= code->nr; i++)
		first[i] += first[i - 1];
	code->before = mem_grow(code->before, &r->before_room, nr + 1, sizeof(*code->before));
	for (i = 0; i < code->nr; i++)
		for (k = 0; k < code->insn[i].nr_to; k++)
			code->before[first[code->insn[i].to[k] + 1]++] = i;
}

static bool is_cold(const struct reader *r, const struct make_host *host)
{
	return strstr(r->m->symbols.name[host->name].text, ".cold");
}

bool make_code_read(struct make_code *code, const struct make_host *host, size_t nr)
{
	struct reader *r = (struct reader *)code;
	uint64_t start = host->start;
	size_t i;

	code->nr = 0;
	for (i = 0; i < nr; i++)
		if (!read_part(r, &host[i]))
			return false;
	for (i = 0; i < nr; i++)
		if (!is_cold(r, &host[i])) {
			start = host[i].start;
			break;
		}
	qsort(code->insn, code->nr, sizeof(*code->insn), by_address);
	code->start = make_code_find(code, start);
	connect(r);
	turn_round(r);
	return code->start != CODE_NOWHERE;
}
