// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep_code.c - the code of functions that were sampled, for the recording
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code/calls.h"
#include "code/running.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "record/keep_code.h"

#define MODULES	"/proc/modules"

void keep_code_of(struct keep_code *k, const struct symtab *symbols, uint64_t addr)
{
	const struct symbol *sym = symtab_find(symbols, addr);
	size_t at = sym ? sym - symbols->sym : 0;

	if (!k->noted) {
		k->noted = mem_zalloc(symbols->nr + 1, sizeof(*k->noted));
		k->nr = symbols->nr;
	}
	if (sym && at < k->nr && k->noted[at])
		return;
	if (sym && at < k->nr)
		k->noted[at] = true;
	buf_add(&k->addr, &addr, sizeof(addr));
}

/* What is being written. */
struct writer {
	const struct symtab *symbols;
	struct code_running kernel;
	struct buf modules;		/* MODULES */
	struct buf bytes, lines;	/* of a function; of all */
	bool *called;			/* by index of the symbol */
	size_t total;
};

/*
 * Is the module still there? Something else may be at its place. Lines are
 * "NAME SIZE USERS USED_BY STATE 0xADDRESS".
 */
static bool is_loaded(const struct writer *w, const struct symbol *sym)
{
	const char *at = w->modules.data, *line, *p;
	size_t name = strlen(sym->module), len;
	uint64_t size, base;

	while (buf_next_line(&at, &line, &len)) {
		p = line + name + 1;
		if (len <= name || memcmp(line, sym->module, name) || line[name] != ' ' ||
		    !number_take(&p, NUMBER_DECIMAL, &size))
			continue;
		p = memmem(line, len, " 0x", 3);
		p = p ? p + 3 : "";
		return number_take(&p, NUMBER_HEX, &base) && sym->start - base < size;
	}
	return false;
}

/* Memory that is not there may read as zeroes. */
static bool is_empty(const struct buf *bytes)
{
	size_t i;

	for (i = 0; i < bytes->len; i++)
		if (bytes->data[i])
			return false;
	return true;
}

static bool read_code(struct writer *w, const struct symbol *sym)
{
	char error[256];

	if (sym->size > KEEP_CODE_FUNCTION || w->total + sym->size > KEEP_CODE_MAX ||
	    (sym->module && !is_loaded(w, sym)))
		return false;
	w->bytes.len = 0;
	buf_reserve(&w->bytes, sym->size);
	if (code_running_read(&w->kernel, sym->start, w->bytes.data, sym->size, error))
		return false;
	w->bytes.len = sym->size;
	return !is_empty(&w->bytes);
}

static void note_call(uint64_t target, void *arg)
{
	struct writer *w = arg;
	const struct symbol *sym = symtab_find(w->symbols, target);

	if (sym && sym->start == target)
		w->called[sym - w->symbols->sym] = true;
}

void keep_code_line(struct buf *lines, uint64_t start, const struct buf *bytes)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	buf_printf(lines, "%" PRIx64 " ", start);
	for (i = 0; i < bytes->len; i++) {
		unsigned char byte = bytes->data[i];
		const char text[] = { digits[byte >> 4], digits[byte & 15] };

		buf_add(lines, text, sizeof(text));
	}
	buf_add(lines, "\n", 1);
}

static void add_code(struct writer *w, const struct symbol *sym)
{
	if (!read_code(w, sym))
		return;
	w->total += sym->size;
	keep_code_line(&w->lines, sym->start, &w->bytes);
	code_each_call((const uint8_t *)w->bytes.data, w->bytes.len, sym->start, note_call, w);
}

void keep_code_write(struct keep_code *k, const struct symtab *symbols, struct data_writer *out)
{
	const uint64_t *addr = (const void *)k->addr.data;
	struct writer w = { .symbols = symbols };
	struct buf names = { 0 };
	bool *sampled = mem_zalloc(symbols->nr + 1, sizeof(*sampled));
	size_t i;

	w.called = mem_zalloc(symbols->nr + 1, sizeof(*w.called));
	buf_read_file(&w.modules, MODULES);
	for (i = 0; i < k->addr.len / sizeof(*addr); i++) {
		const struct symbol *sym = symtab_find(symbols, addr[i]);

		if (sym && !sampled[sym - symbols->sym])
			add_code(&w, sym);
		if (sym)
			sampled[sym - symbols->sym] = true;
	}
	for (i = 0; i < symbols->nr; i++)
		if (w.called[i] && !sampled[i])
			symtab_print(&names, &symbols->sym[i]);
	if (names.len)
		data_write(out, DATA_SYMBOLS, 0, names.data, names.len, true);
	if (w.lines.len)
		data_write(out, DATA_BYTES, 0, w.lines.data, w.lines.len, true);
	code_running_close(&w.kernel);
	buf_free(&w.modules);
	buf_free(&w.bytes);
	buf_free(&w.lines);
	buf_free(&names);
	free(w.called);
	free(sampled);
}

void keep_code_free(struct keep_code *k)
{
	buf_free(&k->addr);
	free(k->noted);
	*k = (struct keep_code){ .nr = 0 };
}
