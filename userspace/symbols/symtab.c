// SPDX-License-Identifier: GPL-2.0-only
/*
 * symtab.c - the symbol table of a kernel, from /proc/kallsyms or from a recording
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/input.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "symbols/symtab.h"

/* Maximum size of the last symbol of a module if no symbol follows closely. */
#define LAST_SIZE_MAX	(16 * 1024)

static struct symbol *add(struct symtab *s)
{
	s->sym = mem_grow(s->sym, &s->room, s->nr + 1, sizeof(*s->sym));
	s->sym[s->nr] = (struct symbol){ 0 };
	return &s->sym[s->nr++];
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Split the next word off a line; NULL at the end of the line. This is done for half a million
 * words before anything is recorded: strspn() would take several times as long.
 */
static char *word(char **line)
{
	char *p = *line, *end;

	while (is_blank(*p))
		p++;
	if (!*p)
		return NULL;
	for (end = p; *end && !is_blank(*end); )
		end++;
	*line = *end ? end + 1 : end;
	*end = '\0';
	return p;
}

static bool hex(const char *text, uint64_t *value)
{
	return text && number_parse(text, NUMBER_HEX, value);
}

/* Strip the brackets of "[ext4]". */
static const char *module_name(char *text)
{
	size_t len = text ? strlen(text) : 0;

	if (len < 3 || text[0] != '[' || text[len - 1] != ']')
		return NULL;
	text[len - 1] = '\0';
	return text + 1;
}

/*
 * The rank of a symbol, stored in its size until sizes are known: 0 for data, which only bounds
 * text; 1 for text symbols that are usually the callee's name; 2 for other text symbols. If an
 * address has several names, those of rank 1 come first: a system call without arguments has the
 * names __do_sys_NAME and, for the system call table, __x64_sys_NAME.
 */
static uint64_t rank(char type, const char *name)
{
	if (!strchr("tTwW", type))
		return 0;
	return type == 't' || !strncmp(name, "__ia32_", 7) ? 2 : 1;
}

/* The same if data is what is looked for. */
static uint64_t rank_data(char type, const char *name)
{
	(void)name;
	return strchr("dDbBrRvV", type) ? 1 : 0;
}

static bool take_kallsyms_line(struct symtab *s, char *line,
			       uint64_t (*rank_of)(char type, const char *name))
{
	uint64_t start;
	char *addr = word(&line), *type = word(&line), *name = word(&line);
	struct symbol *sym;

	if (!hex(addr, &start) || !type || !name)
		return false;
	if (*name == '$')	/* arm64 mapping symbols */
		return true;
	sym = add(s);
	sym->start = start;
	sym->name = name;
	sym->module = module_name(word(&line));
	sym->size = rank_of(*type, name);
	return true;
}

static bool parse_kallsyms_line(struct symtab *s, char *line)
{
	return take_kallsyms_line(s, line, rank);
}

static bool parse_data_line(struct symtab *s, char *line)
{
	return take_kallsyms_line(s, line, rank_data);
}

static bool parse_own_line(struct symtab *s, char *line)
{
	uint64_t start, size;
	char *addr = word(&line), *len = word(&line), *name = word(&line);
	struct symbol *sym;

	if (!hex(addr, &start) || !hex(len, &size) || !size || !name)
		return false;
	if (start + size < start)
		return false;
	sym = add(s);
	*sym = (struct symbol){ start, size, name, module_name(word(&line)) };
	return true;
}

static bool parse_code_line(struct symtab *s, char *line)
{
	const char *at = line;
	uint64_t start, size;
	char *file = strchr(line, '\t'), *name = file ? strchr(file + 1, '\t') : NULL;

	if (!name || !number_take(&at, NUMBER_HEX, &start) || *at++ != ' ' ||
	    !number_take(&at, NUMBER_HEX, &size) || at != file || !size || start == UINT64_MAX)
		return false;
	/* Programs say how large their functions are. */
	if (size > UINT64_MAX - start)
		size = UINT64_MAX - start;
	*name++ = '\0';
	*add(s) = (struct symbol){ start, size, name, file + 1 };
	return true;
}

static int parse_lines(struct symtab *s, char *text, bool (*line)(struct symtab *, char *))
{
	char *next;

	for (; text && *text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		if (!line(s, text))
			return -1;
	}
	return 0;
}

/* Sort by address; names of one address keep their order in the file. */
static int by_start(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static int by_start_and_rank(const void *va, const void *vb)
{
	const struct symbol *a = va, *b = vb;

	if (a->start != b->start || a->size == b->size)
		return by_start(va, vb);
	return a->size < b->size ? -1 : 1;
}

/* What a recording has is in order already. */
static void sort(struct symtab *s, int (*compare)(const void *, const void *))
{
	size_t i;

	for (i = 1; i < s->nr; i++)
		if (compare(&s->sym[i - 1], &s->sym[i]) > 0)
			break;
	if (i < s->nr)
		qsort(s->sym, s->nr, sizeof(*s->sym), compare);
}

static bool same_module(const struct symbol *a, const struct symbol *b)
{
	if (!a->module || !b->module)
		return a->module == b->module;
	return !strcmp(a->module, b->module);
}

/* A symbol extends to the next one. Those of rank 0 only bound others, and are dropped here. */
static void set_sizes(struct symtab *s)
{
	size_t i, next, kept = 0;

	for (i = 0, next = 0; i < s->nr; i++) {
		struct symbol sym = s->sym[i];

		while (next < s->nr && s->sym[next].start <= sym.start)
			next++;
		if (!sym.size)
			continue;
		sym.size = next < s->nr ? s->sym[next].start - sym.start : LAST_SIZE_MAX;
		if ((next == s->nr || !same_module(&sym, &s->sym[next])) &&
		    sym.size > LAST_SIZE_MAX)
			sym.size = LAST_SIZE_MAX;
		s->sym[kept++] = sym;
	}
	s->nr = kept;
}

static int load_kallsyms(struct symtab *s, const char *path, bool (*line)(struct symtab *, char *))
{
	struct buf text = { 0 };
	char error[256];

	errno = EINVAL;
	if (input_load(path, &text, error)) {
		buf_free(&text);
		return -1;
	}
	s->text = text.data;
	if (parse_lines(s, s->text, line)) {
		errno = EINVAL;
		return -1;
	}
	sort(s, by_start_and_rank);
	if (s->nr && !s->sym[s->nr - 1].start) {
		errno = EACCES;
		return -1;
	}
	set_sizes(s);
	return 0;
}

int symtab_load_kallsyms(struct symtab *s, const char *path)
{
	return load_kallsyms(s, path, parse_kallsyms_line);
}

int symtab_load_kallsyms_data(struct symtab *s, const char *path)
{
	return load_kallsyms(s, path, parse_data_line);
}

/* Does one of the lines "[MODULE:]NAME[@...] ..." have this name? */
static bool is_listed(const char *name, const char *lines)
{
	size_t len = strlen(name);
	const char *at;

	for (at = strstr(lines, name); at; at = strstr(at + 1, name))
		if ((at == lines || at[-1] == '\n' || at[-1] == ':') &&
		    (!at[len] || strchr(" \t\n@", at[len])))
			return true;
	return false;
}

void symtab_prefer(struct symtab *s, const char *lines)
{
	struct symbol *first = s->sym, first_was;
	size_t i;

	for (i = 1; i < s->nr; i++) {
		struct symbol *sym = &s->sym[i];

		if (sym->start != first->start) {
			first = sym;
		} else if (is_listed(sym->name, lines) && !is_listed(first->name, lines)) {
			first_was = *first;
			*first = *sym;
			*sym = first_was;
		}
	}
}

void symtab_print(struct buf *out, const struct symbol *sym)
{
	buf_printf(out, "%" PRIx64 " %" PRIx64 " %s", sym->start, sym->size, sym->name);
	if (sym->module)
		buf_printf(out, " [%s]", sym->module);
	buf_add(out, "\n", 1);
}

static int parse_text(struct symtab *s, struct buf *text, bool (*line)(struct symtab *, char *))
{
	s->text = text->data;
	*text = (struct buf){ 0 };
	if (parse_lines(s, s->text, line))
		return -1;
	sort(s, by_start);
	return 0;
}

int symtab_parse(struct symtab *s, struct buf *text)
{
	return parse_text(s, text, parse_own_line);
}

int symtab_parse_code(struct symtab *s, struct buf *text)
{
	return parse_text(s, text, parse_code_line);
}

/* The first symbol that starts at @addr or above. */
static size_t lower_bound(const struct symtab *s, uint64_t addr)
{
	size_t low = 0, high = s->nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->sym[mid].start < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct symbol *symtab_find(const struct symtab *s, uint64_t addr)
{
	size_t i = lower_bound(s, addr);

	if (i == s->nr || s->sym[i].start != addr) {
		if (!i)
			return NULL;
		/* The symbol before @addr may have aliases: take the first one. */
		i = lower_bound(s, s->sym[i - 1].start);
	}
	return addr - s->sym[i].start < s->sym[i].size ? &s->sym[i] : NULL;
}

void symtab_free(struct symtab *s)
{
	free(s->sym);
	free(s->text);
	*s = (struct symtab){ 0 };
}
