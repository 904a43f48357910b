// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks_find.c - find a function of the running kernel, and read its code
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "blocks/blocks.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "symbols/functions.h"
#include "symbols/named.h"

#define PROBES	"/sys/kernel/debug/kprobes/list"

static int load_names(struct blocks *b, const struct frames_options *options)
{
	struct utsname uts;

	if (symtab_load_kallsyms(&b->names.symbols, FUNCTIONS_KALLSYMS))
		return msg_error("cannot read " FUNCTIONS_KALLSYMS ": %s", errno == EACCES ?
				 "it shows no addresses: run as root" : strerror(errno));
	uname(&uts);
	buf_printf(&b->names.text[DATA_META], "kernel: %s\n", uts.release);
	/* Without it no index can be matched, which frames_open() then says. */
	buf_read_file(&b->names.text[DATA_NOTES], "/sys/kernel/notes");
	return frames_open(&b->names, options, "the running kernel");
}

int blocks_find(struct blocks *b, const char *name, const struct frames_options *options)
{
	int ret = load_names(b, options);

	if (!ret)
		ret = blocks_find_host(&b->names, name, &b->symbol);
	return ret || b->symbol ? ret : named_find(&b->names.symbols, name, "", &b->symbol);
}

int blocks_take_words(char ***word, const char **function, struct buf *keys)
{
	buf_add(keys, "", 0);
	for (; **word && strcmp(**word, "--"); ++*word) {
		bool is_option = !strncmp(**word, "by=", 3) || !strncmp(**word, "if=", 3);

		if (is_option)
			buf_printf(keys, " %s", **word);
		else if (*function)
			return msg_usage("one function at a time: not also '%s'", **word);
		if (!is_option)
			*function = **word;
	}
	*word += !!**word;
	if (!*function)
		return msg_usage("no function is given");
	if (strpbrk(keys->data, "$"))
		return msg_usage("'%s': blocks have no arguments; keys are comm, pid and the like",
				 keys->data + 1);
	return EXIT_OK;
}

/* --- code --- */

static bool is_inside(const struct code_function *f, uint64_t addr)
{
	uint32_t i;

	for (i = 0; i < f->nr_parts; i++)
		if (addr - f->part[i].symbol->start < f->part[i].symbol->size)
			return true;
	return false;
}

/*
 * A probe of somebody else overwrites an instruction. Probes by ftrace do not: where they are, the
 * compiler has left room. A line is "ADDRESS TYPE NAME [FTRACE][DISABLED]".
 */
static int refuse_probes(const struct blocks *b)
{
	struct buf text = { 0 };
	const char *at, *line, *p;
	int ret = EXIT_OK;
	uint64_t addr;
	size_t len;

	if (buf_read_file(&text, PROBES))
		buf_add(&text, "", 0);
	for (at = text.data; !ret && buf_next_line(&at, &line, &len); ) {
		p = line;
		if (!number_take(&p, NUMBER_HEX, &addr) || !is_inside(&b->function, addr) ||
		    memmem(line, len, "[FTRACE]", 8) || memmem(line, len, "[DISABLED]", 10))
			continue;
		ret = msg_error("somebody else has a kprobe at %s+0x%" PRIx64
				", so the code cannot be read: remove it first", b->symbol->name,
				addr - b->symbol->start);
	}
	buf_free(&text);
	return ret;
}

int blocks_read(struct blocks *b)
{
	char error[256];
	size_t nr;
	int ret = code_function_read(&b->function, &b->kernel, &b->names.symbols, b->symbol,
				     error);

	code_running_close(&b->kernel);
	/* What a probe has overwritten may be no instruction. */
	if (refuse_probes(b))
		return EXIT_ERROR;
	if (ret)
		return msg_error("%s: %s", b->symbol->name, error);
	graph_make(&b->graph, &b->function);
	nest_make(&b->nest, &b->graph, &b->function, &b->names);
	nr = b->graph.nr + 1;
	b->counted = mem_zalloc(nr, sizeof(*b->counted));
	b->probed = mem_zalloc(nr, sizeof(*b->probed));
	return EXIT_OK;
}

void blocks_free(struct blocks *b)
{
	code_running_close(&b->kernel);
	code_function_free(&b->function);
	graph_free(&b->graph);
	nest_free(&b->nest);
	free(b->counted);
	free(b->probed);
	buf_free(&b->refusal);
	data_close(&b->names);
	*b = (struct blocks){ .nr_counted = 0 };
}

void blocks_place(const struct blocks *b, uint32_t block, struct buf *out)
{
	uint32_t first = b->graph.block[block].first;
	const struct symbol *symbol = code_function_part(&b->function, first)->symbol;

	buf_printf(out, "%s+0x%" PRIx64, symbol == b->symbol ? "" : symbol->name,
		   b->function.insn[first].addr - symbol->start);
}

void blocks_function(const struct blocks *b, uint32_t block, struct buf *out)
{
	const struct code_insn *insn = &b->function.insn[b->graph.block[block].first];
	size_t nr;

	frame_print(frames_at(&b->names, insn->addr, &nr), out);
	if (b->graph.block[block].is_stray)
		buf_printf(out, " (no jump leads here)");
}
