// SPDX-License-Identifier: GPL-2.0-only
/*
 * place.c - where the kernel and the modules of an index are, or were, in memory
 *
 * The kernel is relocated as a whole when it starts, and each section of a module separately.
 * By how much follows from symbols, whose addresses are known both here and in the index.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/notes.h"
#include "index/place.h"
#include "lib/mem.h"
#include "lib/strtab.h"

/* --- build ids --- */

static void print_hex(const void *bytes, size_t nr, char *text)
{
	const unsigned char *byte = bytes;
	size_t i;

	*text = '\0';
	for (i = 0; i < nr; i++)
		sprintf(text + 2 * i, "%02x", byte[i]);
}

/* --- relocation --- */

static const char *owner_of(const struct symbol *sym)
{
	return sym->module ? sym->module : "vmlinux";
}

static uint32_t section_of(const struct index_object *o, uint32_t start)
{
	uint32_t i;

	for (i = 0; i < o->nr_sections; i++)
		if (start >= o->section[i].start &&
		    start - o->section[i].start < o->section[i].size)
			return i;
	return 0;
}

#define SEVERAL	UINT32_MAX

/* Map the names of hosts, by their number in @names, to a host or SEVERAL. */
static uint32_t *hosts_by_name(const struct index_object *o, struct strtab *names)
{
	uint32_t *host = mem_zalloc(o->nr_hosts + 1, sizeof(*host)), i, id, nr;

	for (i = 0; i < o->nr_hosts; i++) {
		const char *name = index_string(o, o->host[i].name);

		nr = names->nr;
		id = strtab_add(names, name, strlen(name));
		host[id] = id == nr ? i : SEVERAL;
	}
	return host;
}

/* Boyer-Moore majority vote: what more than half of the symbols say remains in the end. */
static void vote(struct place_move *move, uint64_t by)
{
	if (!move->votes)
		move->by = by;
	if (move->by == by)
		move->votes++;
	else
		move->votes--;
}

/* Call vote() for all symbols that both have; or, if @counting, count those that agree with it. */
static size_t compare(struct place *p, const struct symtab *symbols, const struct strtab *names,
		      const uint32_t *host, bool counting)
{
	const struct index_object *o = p->object;
	size_t i, nr = 0;

	for (i = 0; i < symbols->nr; i++) {
		const struct symbol *sym = &symbols->sym[i];
		struct place_move *move;
		uint64_t by;
		uint32_t id;

		if (strcmp(owner_of(sym), o->header->owner))
			continue;
		id = strtab_find(names, sym->name, strlen(sym->name));
		if (id == STRTAB_NONE || host[id] == SEVERAL)
			continue;
		by = sym->start - o->header->base - o->host[host[id]].start;
		move = &p->move[p->nr_moves == 1 ? 0 : section_of(o, o->host[host[id]].start)];
		if (!counting)
			vote(move, by);
		nr += !counting || move->by == by;
	}
	return nr;
}

/* Do the symbols agree with the index? A few may have the same name as others. */
static bool find_moves(struct place *p, const struct symtab *symbols)
{
	struct strtab names = { 0 };
	uint32_t *host = hosts_by_name(p->object, &names);
	size_t all = compare(p, symbols, &names, host, false);
	size_t same = compare(p, symbols, &names, host, true);

	free(host);
	strtab_free(&names);
	return same && all - same <= all / 8;
}

static void add_place(struct places *p, const struct index_object *o, const struct symtab *symbols)
{
	bool is_whole = !strcmp(o->header->owner, "vmlinux");
	struct place place = {
		.object = o, .nr_moves = is_whole || !o->nr_sections ? 1 : o->nr_sections,
	};

	place.move = mem_zalloc(place.nr_moves, sizeof(*place.move));
	if (!find_moves(&place, symbols)) {
		free(place.move);
		return;
	}
	p->place = mem_realloc(p->place, p->nr + 1, sizeof(*p->place));
	p->place[p->nr++] = place;
}

int places_make(struct places *p, const struct index *index, const struct symtab *symbols,
		const struct buf *notes, char error[256])
{
	const struct index_object *kernel = index_find(index, "vmlinux");
	char has[65], wants[65];
	const unsigned char *wanted;
	size_t size, i;

	wanted = notes_build_id(notes, &size);
	print_hex(wanted, size, wants);
	if (!*wants) {
		snprintf(error, 256, "there is no build id by which to know the kernel");
		return -1;
	}
	print_hex(kernel ? kernel->header->build_id : NULL,
		  kernel ? kernel->header->build_id_size : 0, has);
	if (strcmp(has, wants)) {
		snprintf(error, 256, "made of another kernel: its build id is %.40s, not %.40s",
			 kernel ? has : "(no kernel)", wants);
		return -1;
	}
	for (i = 0; i < index->nr; i++)
		add_place(p, &index->object[i], symbols);
	return 0;
}

void places_free(struct places *p)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		free(p->place[i].move);
	free(p->place);
	*p = (struct places){ 0 };
}

static const struct place *find_place(const struct places *p, const char *owner)
{
	size_t i;

	for (i = 0; i < p->nr; i++)
		if (!strcmp(p->place[i].object->header->owner, owner))
			return &p->place[i];
	return NULL;
}

int places_frames(const struct places *p, const struct symbol *sym, uint64_t addr,
		  struct index_frame frame[KPROF_INDEX_DEPTH + 1])
{
	const struct place *place = find_place(p, owner_of(sym));
	const struct kprof_index_host *host;
	uint64_t offset;
	uint32_t i;

	for (i = 0; place && i < place->nr_moves; i++) {
		if (!place->move[i].votes)
			continue;
		offset = addr - place->object->header->base - place->move[i].by;
		host = index_host(place->object, offset);
		if (host && (place->nr_moves == 1 || section_of(place->object, host->start) == i))
			return index_frames(place->object, host, offset - host->start, frame);
	}
	return 0;
}

/* --- inlined functions --- */

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool is_at_boot(const struct index_object *o, const struct kprof_index_host *host)
{
	const char *section = !o->nr_sections ? "" :
			      index_string(o, o->section[section_of(o, host->start)].name);

	return begins(section, ".init") ||
	       (begins(section, ".exit") && !strcmp(o->header->owner, "vmlinux"));
}

static void entries_of_host(const struct place *place, const struct kprof_index_host *host,
			    void (*entry)(const struct place_entry *entry, void *arg), void *arg)
{
	const struct index_object *o = place->object;
	const struct place_move *move =
		&place->move[place->nr_moves == 1 ? 0 : section_of(o, host->start)];
	struct kprof_index_inline in = { .depth = KPROF_INDEX_NONE };
	struct kprof_index_list list;
	uint32_t start, end;

	if (!move->votes || host->inlines == KPROF_INDEX_NONE ||
	    !kprof_index_list(&list, o->header, &o->header->part[KPROF_INDEX_INLINES],
			      host->inlines))
		return;
	while (kprof_index_inline(&list, &in, o->nr_names, o->nr_files)) {
		if (in.entry < host->size)
			entry(&(struct place_entry) {
				.addr = o->header->base + host->start + in.entry + move->by,
				.name = index_string(o, o->name[in.name].text),
				.owner = o->header->owner, .line = in.line,
				.file = index_string(o, o->file[in.file]),
				.at_boot = is_at_boot(o, host),
			}, arg);
		while (in.ranges)
			if (!kprof_index_range(&list, &in, host->size, &start, &end))
				return;
	}
}

void places_each_entry(const struct places *p,
		       void (*entry)(const struct place_entry *entry, void *arg), void *arg)
{
	uint32_t h;
	size_t i;

	for (i = 0; i < p->nr; i++)
		for (h = 0; h < p->place[i].object->nr_hosts; h++)
			entries_of_host(&p->place[i], &p->place[i].object->host[h], entry, arg);
}
