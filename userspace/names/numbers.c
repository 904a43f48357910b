// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers.c - the keys at a function that may be a number
 */
#include <bpf/btf.h>
#include <string.h>

#include "names/member.h"
#include "names/prototype.h"

#define LEVELS	3	/* arguments, members of what they point to, members of these */

/**
 * struct numbers - a walk over one level; each begins anew, so that what is near comes first
 * @level:	of the keys that are wanted; 0: arguments
 * @at:		where it is
 * @before:	what is before the name of a member: "s->oo."
 */
struct numbers {
	const struct prototype *p;
	void (*use)(const char *key, void *data);
	void *data;
	int level, at;
	const char *before;
};

static bool is_number(const struct btf_type *t)
{
	return btf_is_int(t) || btf_is_any_enum(t);
}

/* Can the module read it? Some bit fields it cannot. */
static bool can_be_key(const struct prototype *p, const struct buf *key)
{
	struct buf why = { 0 };
	struct value v;
	bool can = !prototype_value(p, key->data, key->len, VALUE_NUMBER, &v, &why);

	buf_free(&v.fetch);
	buf_free(&why);
	return can;
}

static bool look_at_member(const char *name, const struct member *m, void *data)
{
	struct numbers *n = data, below = *n;
	struct buf key = { 0 };
	__u32 id = m->type;
	const struct btf_type *t = prototype_plain(n->p->btf, &id);

	buf_printf(&key, "%s%s", n->before, name);
	if (t && n->at == n->level && is_number(t)) {
		if (can_be_key(n->p, &key))
			n->use(key.data, n->data);
	} else if (t && n->at < n->level && btf_is_composite(t)) {
		buf_printf(&key, ".");
		below.before = key.data;
		below.at++;
		member_each(n->p->btf, t, look_at_member, &below);
	}
	buf_free(&key);
	return false;
}

/* An argument that has no name, or the name of a key of the module, goes by its number. */
static void use_argument(const struct numbers *n, const char *name, unsigned int nr)
{
	struct buf key = { 0 };
	bool is_taken = !*name;
	size_t i;

	for (i = 0; names_words[i] && !is_taken; i++)
		is_taken = !strcmp(names_words[i], name);
	if (is_taken && !n->p->first)
		buf_printf(&key, "$arg%u", nr + 1);
	n->use(is_taken && key.len ? key.data : name, n->data);
	buf_free(&key);
}

static void look_at_argument(struct numbers *n, const char *name, unsigned int nr, __u32 id)
{
	const struct btf_type *t = prototype_plain(n->p->btf, &id);
	struct buf before = { 0 };

	if (!n->level) {
		use_argument(n, name, nr);
		return;
	}
	id = t && btf_is_ptr(t) ? t->type : 0;
	t = prototype_plain(n->p->btf, &id);
	if (!t || !btf_is_composite(t))
		return;
	buf_printf(&before, "%s->", name);
	n->before = before.data;
	member_each(n->p->btf, t, look_at_member, n);
	buf_free(&before);
}

int names_numbers(struct names *names, const char *place,
		  void (*use)(const char *key, void *data), void *data, struct buf *why)
{
	struct prototype p;
	int err = prototype_find(names, place, &p, why);
	const struct btf_param *param = err ? NULL : btf_params(p.proto);
	unsigned int i;

	if (err)
		return err;
	for (int level = 0; level < LEVELS; level++) {
		struct numbers n = {
			.p = &p, .use = use, .data = data, .level = level, .at = 1,
		};

		for (i = p.first; i < p.first + prototype_words(&p); i++)
			look_at_argument(&n, prototype_string(p.btf, param[i].name_off), i,
					 param[i].type);
	}
	return 0;
}
