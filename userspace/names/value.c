// SPDX-License-Identifier: GPL-2.0-only
/*
 * value.c - follow an expression such as "next->se.vruntime" through the types of BTF
 *
 *	EXPRESSION	ROOT [->MEMBER | .MEMBER | [INDEX]]...
 *	ROOT		ARGUMENT | $ARGUMENT | $arg1 .. $arg6 | $retval
 */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/nearest.h"
#include "lib/number.h"
#include "names/member.h"
#include "names/prototype.h"

#define MAX_DEREFS	4	/* as many as the module makes */

/**
 * struct walk - where an expression has got to
 * @at:		the rest of it
 * @id:		the type there
 * @is_place:	@base plus @offset is the address of the object, else @base is its value
 * @derefs:	dereferences in @base
 * @bit:	first bit of a bit field, from @offset on
 * @bits:	its size; 0: it is none
 */
struct walk {
	const struct prototype *p;
	const char *whole, *at, *end;
	struct buf *why;
	__u32 id;
	bool is_place;
	struct buf base;
	uint64_t offset;
	unsigned int derefs, bit, bits;
};

static int refuse(struct walk *w, const char *reason)
{
	buf_printf(w->why, "%s: '%.*s' %s", w->p->name, (int)(w->at - w->whole), w->whole, reason);
	return -EINVAL;
}

/* --- the root --- */

static size_t name_length(const struct walk *w)
{
	const char *p = w->at;

	while (p < w->end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return p - w->at;
}

/* The key or the argument that was probably meant; NULL if none was. */
static const char *nearest_root(const struct walk *w, const char *typed)
{
	const struct btf_param *param = btf_params(w->p->proto);
	const char *near = nearest_name(names_words, typed), *argument;
	unsigned int i, nr = btf_vlen(w->p->proto);
	int best = near ? nearest_distance(near, typed) : INT_MAX, d;

	for (i = w->p->first; i < nr; i++) {
		argument = prototype_string(w->p->btf, param[i].name_off);
		d = nearest_distance(argument, typed);
		if (d < best) {
			best = d;
			near = argument;
		}
	}
	return near;
}

/* Who meant none of the arguments looks for these. */
static void add_keys(struct buf *why)
{
	int i;

	for (i = 0; names_words[i]; i++)
		buf_printf(why, "%s%s", i ? ", " : "; keys: ", names_words[i]);
}

static int no_argument(struct walk *w, const char *name, size_t len)
{
	const struct btf_param *param = btf_params(w->p->proto);
	unsigned int i, nr = btf_vlen(w->p->proto);
	struct buf typed = { 0 };
	const char *near;

	buf_add(&typed, name, len);
	near = nearest_root(w, typed.data);
	buf_printf(w->why, "%s: no key and no argument has the name '%s'; %s%s%sarguments: ",
		   w->p->name, typed.data, near ? "did you mean '" : "", near ? near : "",
		   near ? "'? " : "");
	buf_free(&typed);
	if (nr == w->p->first)
		buf_printf(w->why, "none");
	for (i = w->p->first; i < nr; i++)
		buf_printf(w->why, "%s%s", i > w->p->first ? ", " : "",
			   prototype_string(w->p->btf, param[i].name_off));
	if (!near)
		add_keys(w->why);
	return -EINVAL;
}

static int take_argument(struct walk *w, unsigned int index)
{
	const struct btf_param *param = btf_params(w->p->proto);

	if (!w->p->has_args)
		return refuse(w, "is an argument, and those are gone when it returns: read them "
			      "where it begins");
	if (index >= prototype_words(w->p))
		return refuse(w, "cannot be read: it is in no register of its own, or not among the "
			      "first six arguments");
	w->id = param[w->p->first + index].type;
	buf_printf(&w->base, "$arg%u", index + 1);
	return 0;
}

static int take_retval(struct walk *w)
{
	if (!w->p->has_retval)
		return refuse(w, "is no value that a tracepoint has");
	w->id = w->p->proto->type;
	buf_printf(&w->base, "$retval");
	return 0;
}

static int take_root(struct walk *w)
{
	const struct btf_param *param = btf_params(w->p->proto);
	unsigned int i, nr = btf_vlen(w->p->proto);
	bool marked = *w->at == '$';
	const char *name;
	size_t len;

	w->at += marked;
	name = w->at;
	len = name_length(w);
	w->at += len;
	for (i = w->p->first; i < nr; i++) {
		const char *have = prototype_string(w->p->btf, param[i].name_off);

		if (strlen(have) == len && !memcmp(have, name, len))
			return take_argument(w, i - w->p->first);
	}
	if (marked && len == 4 && !memcmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '6')
		return take_argument(w, name[3] - '1');
	if (marked && len == 6 && !memcmp(name, "retval", 6))
		return take_retval(w);
	return no_argument(w, name, len);
}

/* --- steps --- */

/* From a place to the value that is there. */
static int load(struct walk *w)
{
	struct buf text = { 0 };

	if (!w->is_place)
		return 0;
	if (++w->derefs > MAX_DEREFS)
		return refuse(w, "takes more than 4 dereferences, which is the most that the module "
			      "makes");
	if (w->offset > INT32_MAX)
		return refuse(w, "is too far away from its beginning");
	buf_printf(&text, "+%" PRIu64 "(%s)", w->offset, w->base.data);
	buf_free(&w->base);
	w->base = text;
	w->offset = 0;
	w->is_place = false;
	return 0;
}

/* From a pointer to what it points to. */
static int follow(struct walk *w, const struct btf_type *pointer)
{
	int err = load(w);

	w->is_place = true;
	w->id = pointer->type;
	return err;
}

static int step_to_member(struct walk *w)
{
	const struct btf_type *t = prototype_plain(w->p->btf, &w->id);
	bool is_arrow = *w->at == '-';
	struct member m;
	size_t len;
	int err;

	if (t && btf_is_ptr(t) && !is_arrow)
		return refuse(w, "is a pointer: its members follow ->");
	if (t && btf_is_composite(t) && is_arrow)
		return refuse(w, "is no pointer: its members follow a .");
	if (t && btf_is_ptr(t)) {
		err = follow(w, t);
		if (err)
			return err;
		t = prototype_plain(w->p->btf, &w->id);
	}
	if (!t || !btf_is_composite(t))
		return refuse(w, t && btf_is_fwd(t) ? "is of a structure that BTF does not have" :
			      "is no structure, and has no members");
	if (!w->is_place)
		return refuse(w, "is a structure that is passed by value, and cannot be read");
	w->at += is_arrow ? 2 : 1;
	len = name_length(w);
	err = member_find(w->p->btf, t, w->at, len, &m, w->why);
	w->at += len;
	if (err)
		return err;
	w->id = m.type;
	w->offset += m.bit / 8;
	w->bit = m.bit % 8;
	w->bits = m.bits;
	return 0;
}

static int step_to_element(struct walk *w)
{
	const struct btf_type *t = prototype_plain(w->p->btf, &w->id);
	const char *end = w->at + 1;
	uint64_t index;
	int64_t size;
	int err = 0;

	if (!number_take(&end, NUMBER_DECIMAL, &index))
		return refuse(w, "has no element of that number");
	if (t && btf_is_array(t)) {
		const struct btf_array *array = btf_array(t);

		if (array->nelems && index >= array->nelems)
			return refuse(w, "has fewer elements than that");
		w->id = array->type;
	} else if (t && btf_is_ptr(t)) {
		err = follow(w, t);
	} else {
		return refuse(w, "is no array and no pointer, and has no elements");
	}
	if (err)
		return err;
	w->at = end + 1;
	size = btf__resolve_size(w->p->btf, w->id);
	if (size <= 0 || index > (uint64_t)(INT32_MAX / size))
		return refuse(w, "is an element of unknown size, or too far away");
	w->offset += index * size;
	return 0;
}

/* --- the end --- */

/* Is it text? A u8 is a number, so a char by another name is not. */
static bool is_char(const struct btf *btf, __u32 id)
{
	const struct btf_type *t = prototype_named(btf, &id);
	const char *name;

	if (!t || !btf_is_int(t) || t->size != 1)
		return false;
	name = prototype_string(btf, t->name_off);
	return !strcmp(name, "char") || !strcmp(name, "unsigned char");
}

/* Is a pointer marked as one to user space? Not all compilers put that into BTF. */
static bool is_user(const struct btf *btf, const struct btf_type *pointer)
{
	const struct btf_type *t = btf__type_by_id(btf, pointer->type);

	return t && btf_is_type_tag(t) && !strcmp(prototype_string(btf, t->name_off), "user");
}

static int end_as_text(struct walk *w, const struct btf_type *t, struct value *v)
{
	bool user = btf_is_ptr(t) && is_user(w->p->btf, t);
	int err = 0;

	snprintf(v->type, sizeof(v->type), user ? "ustring" : "string");
	/* The module does not dereference the last offset of a text: the text begins there. */
	if (!btf_is_array(t)) {
		err = load(w);
		w->is_place = w->derefs > 0;
	}
	if (!err && w->is_place)
		err = load(w);
	return err;
}

static int end_as_bits(struct walk *w, struct value *v)
{
	if (w->bit % 8 || v->type[0] == 's' || w->bits > 63) {
		refuse(w, "is a bit field, and the module cannot shift or sign it; ");
		buf_printf(w->why, "it is bits %u to %u of +%" PRIu64 "(%s)", w->bit,
			   w->bit + w->bits - 1, w->offset, w->base.data);
		return -EINVAL;
	}
	v->mask = (UINT64_C(1) << w->bits) - 1;
	return load(w);
}

static int end_as_number(struct walk *w, const struct btf_type *t, struct value *v)
{
	bool is_pointer = btf_is_ptr(t);
	unsigned int size = is_pointer ? 8 : t->size;
	bool is_signed = btf_is_int(t) ? btf_int_encoding(t) & BTF_INT_SIGNED :
			 btf_is_any_enum(t) && btf_kflag(t);

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return refuse(w, "is no number of 1, 2, 4 or 8 bytes");
	v->bits = 8 * size;
	/* The module knows about arguments that are pointers, such as those to tasks. */
	if (!is_pointer || w->is_place || w->derefs)
		snprintf(v->type, sizeof(v->type), "%c%u",
			 is_pointer ? 'x' : is_signed ? 's' : 'u', v->bits);
	return w->bits ? end_as_bits(w, v) : load(w);
}

static int finish(struct walk *w, enum value_form form, struct value *v)
{
	const struct btf *btf = w->p->btf;
	const struct btf_type *t = prototype_plain(btf, &w->id);
	__u32 element = 0;

	if (!t || btf_is_composite(t))
		return refuse(w, t ? "is a structure: name one of its members" : "has no value");
	if (btf_is_ptr(t))
		element = t->type;
	else if (btf_is_array(t))
		element = btf_array(t)->type;
	if (form == VALUE_TEXT || (form == VALUE_ANY && is_char(btf, element)))
		return end_as_text(w, t, v);
	if (!btf_is_ptr(t) && !btf_is_int(t) && !btf_is_any_enum(t))
		return refuse(w, btf_is_array(t) ? "is an array: name an element, as in [0]" :
			      "is no number and no text");
	if (form == VALUE_ADDRESS && !btf_is_ptr(t) && t->size != 8)
		return refuse(w, "is no address");
	return end_as_number(w, t, v);
}

int prototype_value(const struct prototype *p, const char *text, size_t len,
		    enum value_form form, struct value *v, struct buf *why)
{
	struct walk w = { .p = p, .whole = text, .at = text, .end = text + len, .why = why };
	int err = take_root(&w);

	*v = (struct value){ .mask = 0 };
	while (!err && w.at < w.end) {
		w.bits = 0;
		err = *w.at == '[' ? step_to_element(&w) : step_to_member(&w);
	}
	if (!err)
		err = finish(&w, form, v);
	v->fetch = w.base;
	return err;
}
