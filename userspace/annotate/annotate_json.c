// SPDX-License-Identifier: GPL-2.0-only
/*
 * annotate_json.c - the instructions of a function and what was recorded there, as JSON
 */
#include <inttypes.h>

#include "annotate/annotate.h"
#include "lib/json.h"

static void put_address(struct json *j, const char *name, uint64_t addr)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	json_text(j, name, text);
}

/* The functions that an instruction belongs to, innermost first. */
static void put_functions(struct json *j, struct annotate_output *o, struct annotate *a,
			  uint64_t addr)
{
	size_t nr, i;
	const struct frame *frame = annotate_frames(a, addr, &nr);

	json_array(j, "functions", JSON_LINE);
	for (i = 0; i < nr; i++) {
		json_object(j, NULL, JSON_LINE);
		json_text(j, "name", frame[i].name);
		json_bool(j, "inlined", frame[i].is_inlined);
		if (frame[i].file && frame[i].line) {
			json_text(j, "file", frame[i].file);
			json_u64(j, "line", frame[i].line);
			json_text(j, "source", annotate_source_line(&o->source, frame[i].file,
								    frame[i].line));
		}
		json_close(j);
	}
	json_close(j);
}

static void put_insn(struct json *j, struct annotate_output *o, struct annotate *a,
		     const struct annotate_insn *insn)
{
	json_object(j, NULL, JSON_LINE);
	json_u64(j, "offset", insn->addr - a->symbol->start);
	json_text(j, "text", insn->text);
	json_u64(j, "self", insn->counts.self);
	json_u64(j, "samples", insn->counts.samples);
	json_u64(j, "under", insn->counts.under);
	json_u64(j, "calls", insn->counts.calls);
	if (a->has_counts && insn->ran != ANNOTATE_NOT_COUNTED)
		json_u64(j, "ran", insn->ran);
	else
		json_null(j, "ran");
	put_functions(j, o, a, insn->addr);
	json_close(j);
}

void annotate_print_json(struct annotate_output *o, struct annotate *a)
{
	struct json j = json_begin(o->out);
	size_t i;

	json_object(&j, NULL, JSON_LINES);
	json_text(&j, "function", a->symbol->name);
	json_text(&j, "module", a->symbol->module);
	json_bool(&j, "user", a->is_user);
	put_address(&j, "start", a->symbol->start);
	json_u64(&j, "size", a->symbol->size);
	json_text(&j, "unit", a->unit.name);
	json_u64(&j, "self", a->in.self);
	json_u64(&j, "samples", a->in.samples);
	json_u64(&j, "under", a->in.under);
	json_u64(&j, "calls", a->in.calls);
	if (a->has_counts)
		json_u64(&j, "counted_calls", a->counted_calls);
	else
		json_null(&j, "counted_calls");
	json_object(&j, "recorded", JSON_LINE);
	json_u64(&j, "self", a->all.self);
	json_u64(&j, "samples", a->all.samples);
	json_u64(&j, "calls", a->all.calls);
	json_u64(&j, "lost", a->lost);
	json_u64(&j, "without_address", a->no_address);
	json_close(&j);
	json_text(&j, "code", a->origin);
	json_text(&j, "no_instructions", *a->why ? a->why : NULL);
	json_text(&j, "no_lines", *a->why_no_lines ? a->why_no_lines : NULL);
	json_array(&j, "instructions", JSON_LINES);
	for (i = 0; i < a->nr; i++)
		put_insn(&j, o, a, &a->insn[i]);
	json_end(&j);
}
