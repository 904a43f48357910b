// SPDX-License-Identifier: GPL-2.0-only
/*
 * script.c - print the samples of a recording one by one, in the format of perf script
 *
 *	COMM PID [CPU] SECONDS: WEIGHT EVENT:
 *		ADDRESS SYMBOL+0xOFFSET ([MODULE])
 *
 * followed by an empty line. Parsers of perf's output are strict: the name of an event must not
 * have spaces, and an unknown symbol must not be in brackets.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/cgroups.h"
#include "data/data_fold.h"
#include "data/frames.h"
#include "lib/buf.h"
#include "lib/escape.h"
#include "lib/mem.h"
#include "report/script.h"

struct moment {
	const struct kprof_record *rec;
	size_t order;		/* order in which it was read */
};

struct moments {
	struct moment *moment;
	size_t nr, room;
};

static int by_time(const void *va, const void *vb)
{
	const struct moment *a = va, *b = vb;

	if (a->rec->time != b->rec->time)
		return a->rec->time < b->rec->time ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static void gather(struct moments *m, const struct data *d, const struct tally_query *query,
		   uint32_t source)
{
	size_t c, i;

	for (c = 0; c < d->nr_chunks; c++)
		for (i = 0; i < d->chunk[c].nr; i++) {
			const struct kprof_record *rec = &d->chunk[c].rec[i];

			if (!tally_wants(query, source, rec))
				continue;
			m->moment = mem_grow(m->moment, &m->room, m->nr + 1, sizeof(*m->moment));
			m->moment[m->nr] = (struct moment){ rec, m->nr };
			m->nr++;
		}
	if (m->nr)
		qsort(m->moment, m->nr, sizeof(*m->moment), by_time);
}

/* Several counters: print the name of the leading one. The end of a call is a separate event. */
static void print_event(const struct data *d, const struct kprof_record *rec, FILE *out)
{
	const char *name = data_source_name(d, KPROF_KEY_SOURCE(rec->key));
	size_t i, len = strcspn(name, ",");

	for (i = 0; i < len; i++)
		fputc(name[i] == ' ' || name[i] == '\t' ? '_' : name[i], out);
	fputs(KPROF_INFO_KIND(rec->info) == KPROF_REC_CALL ? "__return:" : ":", out);
}

/*
 * Print a name so that a parser finds its ends. Blanks there are "\x20", and a backslash that would
 * make such a text of what is no blank is "\x5c"; perf_script.c undoes both.
 */
static void print_name(const char *name, FILE *out)
{
	size_t len = strlen(name), first = strspn(name, " "), last = len, i;

	while (last > first && name[last - 1] == ' ')
		last--;
	for (i = 0; i < len; i++) {
		if (i < first || i >= last)
			fputs("\\x20", out);
		else if (!strncmp(name + i, "\\x20", 4) || !strncmp(name + i, "\\x5c", 4))
			fputs("\\x5c", out);
		else
			fputc(name[i], out);
	}
}

/* The same, escaped: names come from files and from processes, and may have line feeds. */
static void print_escaped(const char *name, FILE *out)
{
	struct buf text = { 0 };

	escape_add(&text, name, strlen(name));
	print_name(text.data, out);
	buf_free(&text);
}

/* What a parser would take for the end of the file's name is escaped. */
static void print_file(const char *file, FILE *out)
{
	const char *p;
	int depth = 0;

	for (p = file; *p && depth >= 0; p++)
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
	if (!depth) {
		escape_print(file, out);
		return;
	}
	for (p = file; *p; p++)
		fputs(*p == '(' ? "\\x28" : *p == ')' ? "\\x29" :
		      (const char []){ *p, '\0' }, out);
}

static void print_frames(const struct data *d, uint64_t ip, bool leaf, FILE *out)
{
	uint64_t addr = leaf ? ip : ip - 1;
	size_t nr, i;
	const struct frame *frame = frames_at(d, addr, &nr);
	bool user = frame->is_user;
	const struct symbol *sym = symtab_find(user ? &d->code : &d->symbols, addr);

	for (i = 0; i < nr; i++) {
		fprintf(out, "\t%16" PRIx64 " ", ip);
		print_escaped(frame[i].name, out);
		if (frame[i].is_inlined) {
			fputs(" (inlined)\n", out);
			continue;
		}
		if (sym)
			fprintf(out, "+0x%" PRIx64, ip - sym->start);
		/* Brackets mean kernel code. */
		fputs(user ? " (" : " ([", out);
		print_file(frame[i].module ? frame[i].module : user ? "unknown" : "kernel.kallsyms",
			   out);
		fputs(user ? ")\n" : "])\n", out);
	}
}

static void print_special(const char *name, FILE *out)
{
	fprintf(out, "\t%16x %s (%s)\n", 0, name, name);
}

static void print_stack(const struct data *d, const struct data_stack *part, FILE *out)
{
	const struct kprof_stack *stack = part->stack;
	int i;

	if (!stack) {
		print_special(part->special, out);
		return;
	}
	for (i = 0; i < stack->nr; i++)
		print_frames(d, stack->ip[i], !i, out);
	if (stack->flags & KPROF_STACK_CUT)
		print_special("[cut]", out);
	else if (stack->flags & KPROF_STACK_PARTIAL)
		print_special("[unknown]", out);
}

static void print_stacks(const struct data *d, const struct kprof_record *rec, FILE *out)
{
	const struct tally_row row = { .key = rec->key, .info = rec->info };
	struct data_stack stacks[DATA_ROW_STACKS];
	int nr = data_row_stacks(d, &row, stacks), i;

	for (i = 0; i < nr; i++)
		print_stack(d, &stacks[i], out);
}

static void print_record(const struct data *d, const struct kprof_record *rec, bool cgroups,
			 FILE *out)
{
	uint32_t source = KPROF_KEY_SOURCE(rec->key);
	bool entry = data_is_target(d, source) &&
		     KPROF_INFO_KIND(rec->info) != KPROF_REC_CALL;

	/* Scripts want a number, and the id that a thread outside has is another thread's here. */
	uint32_t pid = rec->pid & KPROF_PID_OUTSIDE ? 0 : rec->pid;

	print_escaped(data_task_name(d, KPROF_KEY_TASK(rec->key)), out);
	fprintf(out, " %7u [%03u] %5llu.%09llu: %10llu ", pid, KPROF_INFO_CPU(rec->info),
		rec->time / 1000000000, rec->time % 1000000000, entry ? 1 : rec->weight);
	print_event(d, rec, out);
	if (cgroups) {
		fputc(' ', out);
		escape_print(cgroups_name(d, KPROF_KEY_TASK(rec->key)), out);
	}
	fputc('\n', out);
	print_stacks(d, rec, out);
	fputc('\n', out);
}

int64_t script_print(const struct data *d, const struct tally_query *query, bool cgroups,
		     FILE *out)
{
	struct moments m = { 0 };
	uint32_t source = 0;
	size_t i;

	if (query->source) {
		source = tally_source(d, query->source);
		if (!source)
			return -1;
	}
	gather(&m, d, query, source);
	for (i = 0; i < m.nr; i++)
		print_record(d, m.moment[i].rec, cgroups, out);
	free(m.moment);
	return m.nr;
}
