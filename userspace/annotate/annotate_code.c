// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_code.c - the code of a function: kept in the recording, or of the running kernel
 */
#include <stdio.h>
#include <string.h>

#include "annotate/annotate.h"
#include "code/running.h"
#include "lib/number.h"
#include "symbols/functions.h"

#define NOTES		"/sys/kernel/notes"

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Append bytes that are written as pairs of hexadecimal digits, up to what is none. Each
 * instruction takes many times its bytes, so of too many the rest is left out.
 */
static void add_bytes(struct buf *out, const char *hex, size_t len)
{
	size_t i;

	if (len / 2 > ANNOTATE_CODE_MAX)
		len = 2 * ANNOTATE_CODE_MAX;
	for (i = 0; i + 1 < len && digit(hex[i]) >= 0 && digit(hex[i + 1]) >= 0; i += 2) {
		const char byte = digit(hex[i]) << 4 | digit(hex[i + 1]);

		buf_add(out, &byte, 1);
	}
}

/* Lines are "START HEX". */
bool annotate_find_kept_code(struct annotate *a)
{
	const char *at = a->data->text[DATA_BYTES].data, *line, *p;
	uint64_t start;
	size_t len;

	while (!a->code.len && buf_next_line(&at, &line, &len)) {
		p = line;
		if (number_take(&p, NUMBER_HEX, &start) && *p++ == ' ' &&
		    start == a->symbol->start)
			add_bytes(&a->code, p, line + len - p);
	}
	if (a->code.len > a->symbol->size)
		a->code.len = a->symbol->size;
	if (a->code.len)
		a->origin = "kept in the recording";
	return a->code.len;
}

/* Is it the kernel of the recording that runs? Its notes have its build id. */
static bool is_running(const struct annotate *a)
{
	const struct buf *recorded = &a->data->text[DATA_NOTES];
	struct buf notes = { 0 };
	bool is = !buf_read_file(&notes, NOTES) && recorded->len && notes.len == recorded->len &&
		  !memcmp(notes.data, recorded->data, notes.len);

	buf_free(&notes);
	return is;
}

/* After another boot the kernel, and after loading it again a module, is at another address. */
static bool is_in_place(const struct annotate *a)
{
	struct functions f = { 0 };
	const struct symbol *sym;
	bool is = false;

	if (!functions_load(&f, FUNCTIONS_KALLSYMS)) {
		sym = symtab_find(&f.symbols, a->symbol->start);
		is = sym && sym->start == a->symbol->start && sym->size == a->symbol->size &&
		     !strcmp(sym->name, a->symbol->name);
	}
	functions_free(&f);
	return is;
}

static bool read_running(struct annotate *a)
{
	struct code_running kernel = { 0 };
	int ret;

	buf_reserve(&a->code, a->symbol->size);
	ret = code_running_read(&kernel, a->symbol->start, a->code.data, a->symbol->size, a->why);
	code_running_close(&kernel);
	if (!ret)
		a->code.len = a->symbol->size;
	return !ret;
}

void annotate_find_code(struct annotate *a)
{
	if (annotate_find_kept_code(a))
		return;
	if (a->symbol->size > ANNOTATE_CODE_MAX)
		snprintf(a->why, sizeof(a->why), "it has more than %u bytes", ANNOTATE_CODE_MAX);
	else if (!is_running(a) || !is_in_place(a))
		snprintf(a->why, sizeof(a->why),
			 "the recording does not have its code, and another kernel runs here");
	else if (read_running(a))
		a->origin = "of the running kernel";
}
