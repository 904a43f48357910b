// SPDX-License-Identifier: GPL-2.0-only
/*
 * prototype.c - find the prototype of a function or a tracepoint in the BTF of its module
 *
 * BTF of a tracepoint has two parts: the typedef btf_trace_NAME has no names, so the function
 * __traceiter_NAME, which has the same parameters, is used.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "names/prototype.h"
#include "symbols/functions.h"

#define MAX_MODIFIERS	32	/* as many as libbpf itself follows */

const char *prototype_string(const struct btf *btf, __u32 offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

static const struct btf_type *follow(const struct btf *btf, __u32 *id, bool typedefs)
{
	const struct btf_type *t;
	int i;

	for (i = 0; *id && i < MAX_MODIFIERS; i++) {
		t = btf__type_by_id(btf, *id);
		if (!t || !(btf_is_mod(t) || (typedefs && btf_is_typedef(t))))
			return t;
		*id = t->type;
	}
	return NULL;
}

const struct btf_type *prototype_plain(const struct btf *btf, __u32 *id)
{
	return follow(btf, id, true);
}

const struct btf_type *prototype_named(const struct btf *btf, __u32 *id)
{
	return follow(btf, id, false);
}

/* --- a place of a target --- */

/**
 * struct wanted - what a place of a target names
 * @module:	its module; "": not given
 * @symbol:	the symbol to look for
 * @is_tracepoint: it is a tracepoint
 * @is_return:	it is the return of a function
 */
struct wanted {
	char module[64];
	char symbol[128];
	bool is_tracepoint, is_return;
};

static int no_names(const char *place, const char *reason, struct buf *why)
{
	buf_printf(why, "%s: %s, so the names of its arguments are not known" PROTOTYPE_ADVICE,
		   place, reason);
	return -EINVAL;
}

/* [tp:][MODULE:]NAME[%return] */
static int take_apart(const char *place, struct wanted *w, struct buf *why)
{
	const char *name = place, *colon, *end;

	*w = (struct wanted){ .is_tracepoint = !strncmp(place, "tp:", 3) };
	name += w->is_tracepoint ? 3 : 0;
	if (*name == '@')
		return no_names(place, "it is a preset", why);
	if (strpbrk(name, "@"))
		return no_names(place, "several functions have that name", why);
	if (!strncmp(name, "0x", 2) || strchr(name, '+'))
		return no_names(place, "it is a place inside a function", why);
	colon = strchr(name, ':');
	if (colon) {
		snprintf(w->module, sizeof(w->module), "%.*s", (int)(colon - name), name);
		name = colon + 1;
	}
	end = strchr(name, '%');
	w->is_return = end;
	if (strchr(name, '.'))
		return no_names(place, "it is a variant made by the compiler: arguments may be gone",
				why);
	snprintf(w->symbol, sizeof(w->symbol), "%s%.*s", w->is_tracepoint ? "__traceiter_" : "",
		 (int)(end ? (size_t)(end - name) : strlen(name)), name);
	return 0;
}

static bool is_variant_of(const char *name, const char *of)
{
	size_t len = strlen(of);

	return !strncmp(name, of, len) && name[len] == '.' && function_is_variant(name);
}

static int load_symbols(struct names *n, struct buf *why)
{
	const char *path = n->kallsyms ? n->kallsyms : FUNCTIONS_KALLSYMS;

	/* Hidden addresses do not matter here. */
	if (n->symbols.nr || !symtab_load_kallsyms(&n->symbols, path) || errno == EACCES)
		return 0;
	buf_printf(why, "cannot read %s, to find whose arguments are meant: %s", path,
		   strerror(errno));
	return -EINVAL;
}

/* The only symbol of a name. BTF does not tell functions of the same name apart. */
static const struct symbol *find_symbol(const struct names *n, const struct wanted *w,
					const char *place, struct buf *why, int *err)
{
	const struct symbol *found = NULL;
	bool is_variant = false;
	size_t i, nr = 0;

	for (i = 0; i < n->symbols.nr; i++) {
		const struct symbol *sym = &n->symbols.sym[i];

		if (*w->module && (!sym->module || strcmp(sym->module, w->module)))
			continue;
		is_variant |= is_variant_of(sym->name, w->symbol);
		if (strcmp(sym->name, w->symbol))
			continue;
		found = sym;
		nr++;
	}
	if (nr == 1)
		return found;
	*err = -EINVAL;
	if (nr) {
		no_names(place, "several functions have that name", why);
	} else if (is_variant) {
		no_names(place, "the compiler made a variant of it: arguments may be gone", why);
	} else {
		if (w->is_tracepoint)
			buf_printf(why, "no tracepoint %s", place);
		else
			buf_printf(why, "no function %s; of one that is inlined no arguments can be read",
				   place);
		*err = -ENOENT;
	}
	return NULL;
}

/* --- BTF --- */

static struct btf *load(const struct names *n, const char *module, struct btf *base,
			struct buf *why)
{
	struct buf path = { 0 };
	struct btf *btf;

	libbpf_set_print(NULL);
	buf_printf(&path, "%s/%s", n->dir ? n->dir : NAMES_BTF, module);
	btf = btf__parse_split(path.data, base);
	if (!btf)
		buf_printf(why, "names of arguments are in BTF, and there is none: %s: %s"
			   PROTOTYPE_ADVICE, path.data, strerror(errno));
	buf_free(&path);
	return btf;
}

static const struct btf *btf_of(struct names *n, const char *module, struct buf *why)
{
	if (!n->kernel)
		n->kernel = load(n, "vmlinux", NULL, why);
	if (!n->kernel || !module)
		return n->kernel;
	if (n->module && !strcmp(n->module_name, module))
		return n->module;
	btf__free(n->module);
	snprintf(n->module_name, sizeof(n->module_name), "%s", module);
	n->module = load(n, module, n->kernel, why);
	return n->module;
}

/* The prototype of the only function of a name. The types of @base are not searched. */
static const struct btf_type *find_proto(const struct btf *btf, const char *name)
{
	const struct btf *base = btf__base_btf(btf);
	const struct btf_type *t, *found = NULL;
	__u32 id;

	for (id = base ? btf__type_cnt(base) : 1; id < btf__type_cnt(btf); id++) {
		t = btf__type_by_id(btf, id);
		if (!t || !btf_is_func(t) || strcmp(prototype_string(btf, t->name_off), name))
			continue;
		if (found)
			return NULL;
		found = btf__type_by_id(btf, t->type);
		if (!found || !btf_is_func_proto(found))
			return NULL;
	}
	return found;
}

int prototype_find(struct names *n, const char *place, struct prototype *p, struct buf *why)
{
	const struct symbol *sym;
	struct wanted w;
	int err = take_apart(place, &w, why);

	if (!err)
		err = load_symbols(n, why);
	if (err)
		return err;
	sym = find_symbol(n, &w, place, why, &err);
	if (!sym)
		return err;
	*p = (struct prototype){
		.first = w.is_tracepoint, .has_args = !w.is_return, .has_retval = !w.is_tracepoint,
	};
	snprintf(p->name, sizeof(p->name), "%s", place);
	p->btf = btf_of(n, sym->module, why);
	if (!p->btf)
		return -EINVAL;
	p->proto = find_proto(p->btf, w.symbol);
	if (!p->proto || btf_vlen(p->proto) < p->first)
		return no_names(place, "BTF does not have it, or has several of them", why);
	return 0;
}

/* Is it passed in one register? */
static bool is_word(const struct btf_type *t)
{
	return btf_is_ptr(t) || ((btf_is_int(t) || btf_is_any_enum(t)) && t->size <= 8);
}

unsigned int prototype_words(const struct prototype *p)
{
	const struct btf_param *param = btf_params(p->proto);
	unsigned int i;

	for (i = p->first; i < btf_vlen(p->proto); i++) {
		__u32 id = param[i].type;
		const struct btf_type *t = prototype_plain(p->btf, &id);

		if (!t || !is_word(t))
			break;
	}
	return i - p->first < PROTOTYPE_WORDS ? i - p->first : PROTOTYPE_WORDS;
}

void names_free(struct names *n)
{
	btf__free(n->module);
	btf__free(n->kernel);
	symtab_free(&n->symbols);
	*n = (struct names){ .dir = n->dir, .kallsyms = n->kallsyms };
}
