// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_code.c - the code of a function: kept in the recording, or of the running kernel
 */
#include <stdio.h>
#include <string.h>

#include "annotate/annotate.h"
#include "code/running.h"
#include "data/kept_code.h"
#include "symbols/functions.h"

#define NOTES		"/sys/kernel/notes"

bool annotate_find_kept_code(struct annotate *a)
{
	const struct kept_function *f;
	struct kept_code kept = { 0 };

	kept_code_open(&kept, a->data);
	f = kept_code_find(&kept, a->symbol->start);
	if (f && f->start == a->symbol->start)
		kept_code_add(f, ANNOTATE_CODE_MAX, &a->code);
	kept_code_close(&kept);
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
