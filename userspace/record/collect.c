// SPDX-License-Identifier: GPL-2.0-only
/*
 * collect.c - copy the module's rings and tables into a recording
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/frames.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "record/collect.h"
#include "record/gone_files.h"
#include "record/keep_inlined.h"
#include "record/keep_user.h"
#include "record/kmod.h"
#include "record/pins.h"
#include "record/sources.h"

static int open_file(const char *file, int *fd)
{
	char *path = kmod_path(file);
	int ret = EXIT_OK;

	*fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (*fd < 0)
		ret = msg_error("cannot open %s: %s", path, strerror(errno));
	free(path);
	return ret;
}

static int open_ring(struct collect *c, uint32_t cpu)
{
	struct collect_ring *ring = mem_zalloc(1, sizeof(*ring));
	char file[64];

	c->ring = mem_realloc(c->ring, c->nr_rings + 1, sizeof(*c->ring));
	c->ring[c->nr_rings++] = ring;
	ring->cpu = cpu;
	snprintf(file, sizeof(file), "per_cpu/cpu%u/ring", cpu);
	return open_file(file, &ring->fd);
}

static int open_rings(struct collect *c)
{
	char *path = kmod_path("per_cpu");
	DIR *dir = opendir(path);
	struct dirent *entry;
	int64_t cpu;
	int ret = EXIT_OK;

	if (!dir)
		ret = msg_error("cannot open %s: %s", path, strerror(errno));
	while (!ret && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "cpu", 3))
			continue;
		cpu = number_up_to(entry->d_name + 3, UINT32_MAX);
		if (cpu >= 0)
			ret = open_ring(c, cpu);
	}
	if (dir)
		closedir(dir);
	free(path);
	return ret;
}

/* Read into the ring's buffer. *got: number of bytes; 0 if there is nothing now, or no more. */
static int fill(struct collect *c, struct collect_ring *ring, size_t *got)
{
	ssize_t len = read(ring->fd, &ring->rec[ring->nr],
			   (COLLECT_CHUNK - ring->nr) * sizeof(*ring->rec));

	*got = 0;
	if (len < 0 && errno != EAGAIN && errno != EINTR)
		return msg_error("cannot read the ring of CPU %u: %s", ring->cpu,
				 strerror(errno));
	if (len > 0)
		*got = len;
	c->stopped = c->stopped || !len;
	if (*got % sizeof(*ring->rec))
		return msg_error("the ring of CPU %u gave half a record", ring->cpu);
	return EXIT_OK;
}

static int discard(struct collect *c, struct collect_ring *ring)
{
	size_t got;
	int ret;

	do
		ret = fill(c, ring, &got);
	while (!ret && got);
	return ret;
}

/* Make symbols use the names of functions that the user has given as targets. */
static int prefer_targets(struct symtab *s)
{
	struct buf targets = { 0 };
	int ret = kmod_read("targets", &targets);

	if (!ret && targets.len)
		symtab_prefer(s, targets.data);
	buf_free(&targets);
	return ret;
}

static int load_symbols(struct symtab *s)
{
	if (!symtab_load_kallsyms(s, "/proc/kallsyms"))
		return prefer_targets(s);
	if (errno == EACCES)
		return msg_error("/proc/kallsyms shows no addresses: run as root, with "
				 "sysctl kernel.kptr_restrict=1 or 0");
	return msg_error("cannot read /proc/kallsyms: %s", strerror(errno));
}

/* The rings of a later module may have records of a kind that would be counted as samples. */
static int check_abi(const struct buf *stats)
{
	uint64_t abi = data_text_number(stats, "abi");

	if (abi <= KPROF_ABI_VERSION)
		return EXIT_OK;
	return msg_error("the module that is loaded has abi %" PRIu64 ", and this kprof reads up to %d: "
			 "use the kprof that came with the module", abi, KPROF_ABI_VERSION);
}

int collect_open(struct collect *c, int out_fd)
{
	int i, ret;

	*c = (struct collect){ .stacks.fd = -1, .tasks.fd = -1, .pins = -1 };
	data_write_header(&c->out, out_fd);
	ret = load_symbols(&c->symbols);
	c->symbol_done = mem_zalloc(c->symbols.nr, sizeof(*c->symbol_done));
	if (ret || open_rings(c) || open_file("stack_table", &c->stacks.fd) ||
	    open_file("task_table", &c->tasks.fd) ||
	    kmod_read("stats", &c->meta.text[DATA_STATS_BEFORE]) ||
	    check_abi(&c->meta.text[DATA_STATS_BEFORE]) || sources_removed(&c->earlier))
		return EXIT_ERROR;
	for (i = 0; i < c->nr_rings; i++)
		if (discard(c, c->ring[i]))
			return EXIT_ERROR;
	c->stopped = false;
	return EXIT_OK;
}

void collect_pin_files(struct collect *c)
{
	c->pins = pins_open();
	c->user.are_held = c->pins >= 0;
}

static int take_files(struct collect *c)
{
	bool some;
	int ret = pins_take(c->pins, &c->user, &some);

	c->has_new_files |= some;
	return ret;
}

int collect_wait(struct collect *c, struct pollfd *other, int nr, int timeout_ms)
{
	struct pollfd *fds = mem_zalloc(nr + c->nr_rings + 1, sizeof(*fds));
	int i, ret;

	memcpy(fds, other, nr * sizeof(*fds));
	for (i = 0; i < c->nr_rings; i++)
		fds[nr + i] = (struct pollfd){ .fd = c->ring[i]->fd, .events = POLLIN };
	fds[nr + c->nr_rings] = (struct pollfd){ .fd = c->pins, .events = POLLIN };
	ret = poll(fds, nr + c->nr_rings + 1, timeout_ms);
	memcpy(other, fds, nr * sizeof(*fds));
	free(fds);
	if (ret < 0 && errno != EINTR)
		return msg_error("cannot wait for samples: %s", strerror(errno));
	return take_files(c);
}

bool collect_met_files(struct collect *c)
{
	bool has_new = c->has_new_files;

	c->has_new_files = false;
	return has_new;
}

int collect_drain(struct collect *c)
{
	size_t got;
	int i;

	for (i = 0; i < c->nr_rings; i++) {
		struct collect_ring *ring = c->ring[i];

		do {
			if (ring->nr == COLLECT_CHUNK && (c->take ? c->take(c) : collect_flush(c)))
				return EXIT_ERROR;
			if (fill(c, ring, &got))
				return EXIT_ERROR;
			got /= sizeof(*ring->rec);
			account_count(&c->counts, ring->rec + ring->nr, got);
			gone_files_records(&c->gone, ring->rec + ring->nr, got);
			ring->nr += got;
		} while (ring->nr == COLLECT_CHUNK);
	}
	return EXIT_OK;
}

/* New stacks consist mostly of known addresses. This cache avoids most symbol lookups. */
static bool is_noted(struct collect *c, uint64_t addr)
{
	uint64_t hash = (addr >> 2) * 0x9e3779b97f4a7c15ULL >> 32;
	uint64_t *noted = &c->noted[hash & (COLLECT_NOTED - 1)];
	bool is = *noted == addr;

	*noted = addr;
	return is;
}

/* A place in a file that is not known yet waits until the table of files is read again. */
static void want_place(struct collect *c, uint64_t place)
{
	if (!user_files_want(&c->user, place))
		buf_add(&c->places, &place, sizeof(place));
}

/* Add the symbol of an address to the recording, once. */
static void want_symbol(struct collect *c, struct buf *out, uint64_t addr)
{
	const struct symbol *sym;

	if (is_noted(c, addr))
		return;
	sym = symtab_find(&c->symbols, addr);
	if (!sym && frames_is_place(addr)) {
		want_place(c, addr);
	} else if (!sym) {
		buf_add(&c->unresolved, &addr, sizeof(addr));
	} else if (!c->symbol_done[sym - c->symbols.sym]) {
		c->symbol_done[sym - c->symbols.sym] = true;
		symtab_print(out, sym);
	}
}

/* Returns the size of the complete stacks at the start of @text. Adds their symbols to @symbols. */
static size_t walk_stacks(struct collect *c, const struct buf *text, struct buf *symbols)
{
	size_t at = 0;
	int i;

	while (text->len - at >= sizeof(struct kprof_stack)) {
		const struct kprof_stack *stack = (const void *)(text->data + at);
		size_t size = sizeof(*stack) + stack->nr * sizeof(stack->ip[0]);

		if (text->len - at < size)
			break;
		gone_files_stack(&c->gone, stack);
		if (stack->nr)
			keep_code_of(&c->code, &c->symbols, stack->ip[0]);
		for (i = 0; i < stack->nr; i++)
			want_symbol(c, symbols, stack->ip[i] - !!i);
		at += size;
	}
	return at;
}

static void write_pending(struct collect *c, struct collect_table *table,
			  enum data_section_type type, size_t size)
{
	if (!size)
		return;
	data_write(&c->out, type, 0, table->pending.data, size, false);
	table->pending.len -= size;
	memmove(table->pending.data, table->pending.data + size, table->pending.len);
}

static int read_table(struct collect_table *table, const char *name)
{
	if (buf_read_fd(&table->pending, table->fd) && errno != EAGAIN)
		return msg_error("cannot read %s: %s", name, strerror(errno));
	return EXIT_OK;
}

/* Open new files now, as those that the module does not hold may be deleted soon. */
static int flush_places(struct collect *c)
{
	const uint64_t *place = (const void *)c->places.data;
	size_t i, nr = c->places.len / sizeof(*place);
	struct buf text = { 0 };
	int ret = take_files(c);

	if (!nr || ret)
		return ret;
	ret = kmod_read("file_table", &text);
	if (!ret && user_files_update(&c->user, &text))
		ret = msg_error("the module's file_table is not what this kprof reads");
	buf_free(&text);
	for (i = 0; i < nr && !ret; i++)
		user_files_want(&c->user, place[i]);
	c->places.len = 0;
	return ret;
}

/* The cgroups of new tasks: the module's text only grows, as its tasks do. */
static int flush_cgroups(struct collect *c)
{
	struct buf text = { 0 };
	int ret = kmod_read("task_cgroups", &text);

	if (!ret && text.len > c->cgroups_done) {
		data_write(&c->out, DATA_CGROUPS, 0, text.data + c->cgroups_done,
			   text.len - c->cgroups_done, true);
		c->cgroups_done = text.len;
	}
	buf_free(&text);
	return ret;
}

static int flush_tables(struct collect *c)
{
	struct buf symbols = { 0 };
	size_t tasks;

	if (read_table(&c->stacks, "stack_table") || read_table(&c->tasks, "task_table"))
		return EXIT_ERROR;
	write_pending(c, &c->stacks, DATA_STACKS, walk_stacks(c, &c->stacks.pending, &symbols));
	tasks = c->tasks.pending.len / sizeof(struct kprof_task) * sizeof(struct kprof_task);
	write_pending(c, &c->tasks, DATA_TASKS, tasks);
	if (symbols.len)
		data_write(&c->out, DATA_SYMBOLS, 0, symbols.data, symbols.len, true);
	buf_free(&symbols);
	if (tasks && c->of_cgroups && flush_cgroups(c))
		return EXIT_ERROR;
	return flush_places(c);
}

int collect_flush(struct collect *c)
{
	int i;

	/* Tables first: if the recording is cut off here, it has the stacks of all its samples. */
	if (flush_tables(c))
		return EXIT_ERROR;
	for (i = 0; i < c->nr_rings; i++) {
		struct collect_ring *ring = c->ring[i];

		if (ring->nr)
			data_write(&c->out, DATA_RING, ring->cpu, ring->rec,
				   ring->nr * sizeof(*ring->rec), false);
		ring->nr = 0;
	}
	if (c->out.error)
		return msg_error("cannot write the recording: %s", strerror(c->out.error));
	return EXIT_OK;
}

/* Look up addresses again: they may be in modules that were loaded meanwhile. */
static int flush_unresolved(struct collect *c)
{
	const uint64_t *addr = (const void *)c->unresolved.data;
	size_t i, nr = c->unresolved.len / sizeof(*addr);
	struct buf text = { 0 };
	int ret;

	if (!nr)
		return EXIT_OK;
	symtab_free(&c->symbols);
	ret = load_symbols(&c->symbols);
	for (i = 0; i < nr && !ret; i++) {
		const struct symbol *sym = symtab_find(&c->symbols, addr[i]);

		if (sym)
			symtab_print(&text, sym);
	}
	if (text.len)
		data_write(&c->out, DATA_SYMBOLS, 0, text.data, text.len, true);
	buf_free(&text);
	return ret;
}

static void write_system_file(struct collect *c, enum data_section_type type, const char *path)
{
	struct buf text = { 0 };

	if (!buf_read_file(&text, path))
		data_write(&c->out, type, 0, text.data, text.len, true);
	buf_free(&text);
}

static int write_module_text(struct collect *c, enum data_section_type type, const char *file)
{
	struct buf *text = &c->meta.text[type];

	text->len = 0;
	if (kmod_read(file, text))
		return EXIT_ERROR;
	data_write(&c->out, type, 0, text->data, text->len, true);
	return EXIT_OK;
}

int collect_write_sources(struct collect *c)
{
	struct buf *text = &c->meta.text[DATA_SOURCES];

	if (sources_read(text, &c->earlier))
		return EXIT_ERROR;
	data_write(&c->out, DATA_SOURCES, 0, text->data, text->len, true);
	return EXIT_OK;
}

/* Symbols of user code are looked up after sampling, so that the lookup is not sampled. */
static void write_code(struct collect *c)
{
	struct buf text = { 0 };

	if (!c->user.nr)
		return;
	user_files_name(&c->user, &text);
	data_write(&c->out, DATA_FILES, 0, c->user.text.data, c->user.text.len, true);
	data_write(&c->out, DATA_CODE, 0, text.data, text.len, true);
	keep_inlined_write(&c->user, &c->out);
	keep_user_write(&c->user, &c->code.addr, &text, &c->out);
	gone_files_write(&c->gone, &c->user, &c->out);
	buf_free(&text);
}

int collect_finish(struct collect *c)
{
	struct buf *before = &c->meta.text[DATA_STATS_BEFORE];

	/* Not before sampling has ended, so that it is not sampled. */
	if (collect_drain(c) || collect_flush(c) || flush_unresolved(c))
		return EXIT_ERROR;
	write_code(c);
	keep_code_write(&c->code, &c->symbols, &c->out);
	data_write(&c->out, DATA_STATS_BEFORE, 0, before->data, before->len, true);
	if (write_module_text(c, DATA_STATS, "stats") ||
	    collect_write_sources(c) ||
	    write_module_text(c, DATA_LATENCY, "latency"))
		return EXIT_ERROR;
	write_system_file(c, DATA_MODULES, "/proc/modules");
	write_system_file(c, DATA_NOTES, "/sys/kernel/notes");
	data_write(&c->out, DATA_END, 0, NULL, 0, false);
	if (c->out.error)
		return msg_error("cannot write the recording: %s", strerror(c->out.error));
	if (data_parse_sources(&c->meta))
		return msg_error("cannot read the module's sources: %s", c->meta.error);
	return EXIT_OK;
}

static void close_table(struct collect_table *table)
{
	if (table->fd >= 0)
		close(table->fd);
	buf_free(&table->pending);
}

void collect_close(struct collect *c)
{
	int i;

	for (i = 0; i < c->nr_rings; i++) {
		if (c->ring[i]->fd >= 0)
			close(c->ring[i]->fd);
		free(c->ring[i]);
	}
	free(c->ring);
	close_table(&c->stacks);
	close_table(&c->tasks);
	if (c->pins >= 0)
		close(c->pins);
	symtab_free(&c->symbols);
	free(c->symbol_done);
	buf_free(&c->unresolved);
	keep_code_free(&c->code);
	buf_free(&c->places);
	buf_free(&c->earlier);
	gone_files_free(&c->gone);
	user_files_free(&c->user);
	data_close(&c->meta);
}
