// SPDX-License-Identifier: GPL-2.0-only
/*
 * show.c - print the prototype of a function or a tracepoint, and what can be a key
 */
#include <bpf/btf.h>
#include <inttypes.h>
#include <string.h>

#include "names/member.h"
#include "names/prototype.h"

#define MAX_DEPTH	16	/* of types in types */

/* --- types --- */

static void add_type(const struct btf *btf, __u32 id, struct buf *out, int depth);

static void add_pointer(const struct btf *btf, const struct btf_type *t, struct buf *out,
			int depth)
{
	__u32 id = t->type;
	const struct btf_type *to = prototype_plain(btf, &id);

	if (to && btf_is_func_proto(to)) {
		add_type(btf, to->type, out, depth);
		buf_printf(out, " (*)(...)");
		return;
	}
	add_type(btf, t->type, out, depth);
	buf_printf(out, "%s*", out->len && out->data[out->len - 1] == '*' ? "" : " ");
}

/* const is before what it is about, except behind a "*". */
static void add_const(const struct btf *btf, const struct btf_type *t, struct buf *out, int depth)
{
	const struct btf_type *of = btf__type_by_id(btf, t->type);
	bool behind = of && btf_is_ptr(of);

	buf_printf(out, "%s", behind ? "" : "const ");
	add_type(btf, t->type, out, depth);
	buf_printf(out, "%s", behind ? " const" : "");
}

static void add_type(const struct btf *btf, __u32 id, struct buf *out, int depth)
{
	const struct btf_type *t = id ? btf__type_by_id(btf, id) : NULL;
	const char *name = t ? prototype_string(btf, t->name_off) : "";
	bool is_union = t && (btf_is_union(t) || (btf_is_fwd(t) && btf_kflag(t)));

	if (!t || depth > MAX_DEPTH) {
		buf_printf(out, "%s", id ? "..." : "void");
	} else if (btf_is_ptr(t)) {
		add_pointer(btf, t, out, depth + 1);
	} else if (btf_is_const(t)) {
		add_const(btf, t, out, depth + 1);
	} else if (btf_is_mod(t)) {
		add_type(btf, t->type, out, depth + 1);
	} else if (btf_is_array(t)) {
		add_type(btf, btf_array(t)->type, out, depth + 1);
		buf_printf(out, "[%u]", btf_array(t)->nelems);
	} else {
		buf_printf(out, "%s%s", is_union ? "union " :
			   btf_is_composite(t) || btf_is_fwd(t) ? "struct " :
			   btf_is_any_enum(t) ? "enum " : "", *name ? name : "{...}");
	}
}

/* Append a type as C has it. */
static void show_type(const struct btf *btf, __u32 id, struct buf *out)
{
	add_type(btf, id, out, 0);
}

/* --- the prototype --- */

static void add_prototype(const struct prototype *p, struct buf *out)
{
	const struct btf_param *param = btf_params(p->proto);
	unsigned int i, nr = btf_vlen(p->proto);

	if (p->has_retval) {
		show_type(p->btf, p->proto->type, out);
		buf_printf(out, "%s", out->data[out->len - 1] == '*' ? "" : " ");
	}
	buf_printf(out, "%s(", p->name);
	for (i = p->first; i < nr; i++) {
		const char *name = prototype_string(p->btf, param[i].name_off);

		buf_printf(out, "%s", i > p->first ? ", " : "");
		if (param[i].type)
			show_type(p->btf, param[i].type, out);
		else
			buf_printf(out, "...");
		buf_printf(out, "%s%s", *name && out->data[out->len - 1] != '*' ? " " : "", name);
	}
	buf_printf(out, "%s)\n", nr == p->first ? "void" : "");
}

/* --- keys --- */

/**
 * struct keys - the lines of keys
 * @before:	what is before the name of a member: "file->"
 */
struct keys {
	const struct prototype *p;
	struct buf *out;
	const char *before;
};

/* A line: the key, its type, what the module takes for it. */
static void add_key(const struct keys *k, const char *name, __u32 type)
{
	struct buf text = { 0 }, of = { 0 }, why = { 0 };
	struct value v;

	buf_printf(&text, "%s%s", k->before, name);
	show_type(k->p->btf, type, &of);
	buf_printf(k->out, "  %-32s  %-28s", text.data, of.data);
	if (prototype_value(k->p, text.data, text.len, VALUE_ANY, &v, &why))
		buf_printf(k->out, "  -\n");
	else if (v.mask)
		buf_printf(k->out, "  %s&0x%" PRIx64 ":%s\n", v.fetch.data, v.mask, v.type);
	else
		buf_printf(k->out, "  %s%s%s\n", v.fetch.data, *v.type ? ":" : "", v.type);
	buf_free(&v.fetch);
	buf_free(&text);
	buf_free(&of);
	buf_free(&why);
}

static bool add_member(const char *name, const struct member *m, void *data)
{
	add_key(data, name, m->type);
	return false;
}

/* An argument, and the members of what it points to. */
static void add_argument(const struct prototype *p, const char *name, __u32 id, struct buf *out)
{
	struct keys k = { .p = p, .out = out, .before = "" };
	const struct btf_type *t;
	struct buf before = { 0 };

	add_key(&k, name, id);
	t = prototype_plain(p->btf, &id);
	id = t && btf_is_ptr(t) ? t->type : 0;
	t = prototype_plain(p->btf, &id);
	if (!t || !btf_is_composite(t))
		return;
	buf_printf(&before, "%s->", name);
	k.before = before.data;
	member_each(p->btf, t, add_member, &k);
	buf_free(&before);
}

int names_show(struct names *n, const char *place, FILE *out, struct buf *why)
{
	const struct btf_param *param;
	struct buf text = { 0 };
	struct prototype p;
	unsigned int i;
	int err = prototype_find(n, place, &p, why);

	if (err)
		return err;
	param = btf_params(p.proto);
	add_prototype(&p, &text);
	for (i = p.first; p.has_args && i < p.first + prototype_words(&p); i++)
		add_argument(&p, prototype_string(p.btf, param[i].name_off), param[i].type, &text);
	if (p.has_retval && p.proto->type)
		add_argument(&p, "$retval", p.proto->type, &text);
	fputs(text.data, out);
	buf_free(&text);
	return 0;
}
