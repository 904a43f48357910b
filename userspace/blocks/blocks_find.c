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

/* Without the name of a module, functions of all modules match. */
static bool is_named(const struct symbol *sym, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t len = colon ? (size_t)(colon - name) : 0;

	if (!colon)
		return !strcmp(sym->name, name);
	return sym->module && strlen(sym->module) == len && !strncmp(sym->module, name, len) &&
	       !strcmp(sym->name, colon + 1);
}

static int refuse_several(const struct blocks *b, const char *name)
{
	struct buf places = { 0 };
	size_t i;

	for (i = 0; i < b->names.symbols.nr; i++)
		if (is_named(&b->names.symbols.sym[i], name))
			buf_printf(&places, "%s%s@0x%" PRIx64, places.len ? ", " : "", name,
				   b->names.symbols.sym[i].start);
	msg_error("several functions are named %s; give one of: %s", name, places.data);
	buf_free(&places);
	return EXIT_ERROR;
}

static int refuse_none(const char *name)
{
	struct functions f = { 0 };
	struct buf names = { 0 };

	if (!functions_load(&f, FUNCTIONS_KALLSYMS))
		functions_nearest(&f, name, &names);
	msg_error("there is no function %s%s%s", name, names.len ? "; close to it: " : "",
		  names.len ? names.data : "");
	buf_free(&names);
	functions_free(&f);
	return EXIT_ERROR;
}

static int find(struct blocks *b, const char *name, const char *at)
{
	uint64_t addr = 0;
	size_t i;

	if (*at && (strncmp(at, "@0x", 3) || !number_parse(at + 3, NUMBER_HEX, &addr)))
		return msg_usage("'%s%s': behind @ comes an address, as in %s@0x1234", name, at,
				 name);
	for (i = 0; i < b->names.symbols.nr; i++) {
		const struct symbol *sym = &b->names.symbols.sym[i];

		if (!is_named(sym, name) || (*at && sym->start != addr))
			continue;
		if (b->symbol)
			return refuse_several(b, name);
		b->symbol = sym;
	}
	if (b->symbol)
		return EXIT_OK;
	return *at ? msg_error("no function %s is at %s", name, at + 1) : refuse_none(name);
}

int blocks_find(struct blocks *b, const char *name, const struct frames_options *options)
{
	const char *at = strchrnul(name, '@');
	struct buf bare = { 0 };
	int ret = load_names(b, options);

	buf_printf(&bare, "%.*s", (int)(at - name), name);
	if (!ret)
		ret = find(b, bare.data, at);
	buf_free(&bare);
	return ret;
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
