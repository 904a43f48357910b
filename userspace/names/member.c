// SPDX-License-Identifier: GPL-2.0-only
/*
 * member.c - the members of structures and unions, by BTF
 */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "lib/nearest.h"
#include "names/member.h"
#include "names/prototype.h"

/* BTF that is damaged may have structures that contain themselves. */
#define MAX_DEPTH	16
#define MAX_MEMBERS	100000

/**
 * struct visit - a walk over all members
 * @depth:	structures without a name that it is inside of
 * @nr:		members visited, of all structures
 */
struct visit {
	const struct btf *btf;
	bool (*use)(const char *name, const struct member *m, void *data);
	void *data;
	unsigned int depth, nr;
};

static bool visit_all(struct visit *v, const struct btf_type *structure, uint64_t bit);

static bool visit_member(struct visit *v, const struct btf_type *structure, unsigned int i,
			 uint64_t bit)
{
	const struct btf_member *of_this = btf_members(structure) + i;
	const char *name = prototype_string(v->btf, of_this->name_off);
	struct member m = { .type = of_this->type };
	const struct btf_type *t;
	__u32 id = m.type;
	bool is_found;

	m.bit = bit + btf_member_bit_offset(structure, i);
	m.bits = btf_member_bitfield_size(structure, i);
	if (*name)
		return v->use(name, &m, v->data);
	t = prototype_plain(v->btf, &id);
	if (!t || !btf_is_composite(t) || v->depth == MAX_DEPTH)
		return false;
	v->depth++;
	is_found = visit_all(v, t, m.bit);
	v->depth--;
	return is_found;
}

static bool visit_all(struct visit *v, const struct btf_type *structure, uint64_t bit)
{
	unsigned int i;

	for (i = 0; i < btf_vlen(structure) && v->nr < MAX_MEMBERS; i++) {
		v->nr++;
		if (visit_member(v, structure, i, bit))
			return true;
	}
	return false;
}

void member_each(const struct btf *btf, const struct btf_type *structure,
		 bool (*use)(const char *name, const struct member *m, void *data), void *data)
{
	struct visit v = { .btf = btf, .use = use, .data = data };

	visit_all(&v, structure, 0);
}

/* --- one of them --- */

struct search {
	const char *name;
	size_t len;
	struct member *found;
	bool is_found;
};

static bool is_it(const char *name, const struct member *m, void *data)
{
	struct search *s = data;

	if (strlen(name) != s->len || memcmp(name, s->name, s->len))
		return false;
	*s->found = *m;
	s->is_found = true;
	return true;
}

/* --- those that are near --- */

#define MAX_NEAR	3
#define MAX_LISTED	8	/* members that are listed if none is near */

struct near {
	const char *typed;
	const char *name[MAX_NEAR];
	int distance[MAX_NEAR];
	size_t nr, nr_all;
	const char *all[MAX_LISTED];
};

/* Insert it among those found so far, nearest first. */
static bool compare(const char *name, const struct member *m, void *data)
{
	struct near *n = data;
	int d = nearest_distance(name, n->typed);
	size_t i;

	(void)m;
	if (n->nr_all++ < MAX_LISTED)
		n->all[n->nr_all - 1] = name;
	if (d == INT_MAX || (n->nr == MAX_NEAR && d >= n->distance[MAX_NEAR - 1]))
		return false;
	n->nr += n->nr < MAX_NEAR;
	for (i = n->nr - 1; i && n->distance[i - 1] > d; i--) {
		n->distance[i] = n->distance[i - 1];
		n->name[i] = n->name[i - 1];
	}
	n->distance[i] = d;
	n->name[i] = name;
	return false;
}

static void list(const char *before, const char *const *name, size_t nr, struct buf *why)
{
	size_t i;

	for (i = 0; i < nr; i++)
		buf_printf(why, "%s%s", i ? ", " : before, name[i]);
}

static int no_member(const struct btf *btf, const struct btf_type *structure, const char *name,
		     size_t len, struct buf *why)
{
	const char *of = prototype_string(btf, structure->name_off);
	struct near n = { .nr = 0 };
	char typed[128];

	snprintf(typed, sizeof(typed), "%.*s", (int)len, name);
	n.typed = typed;
	member_each(btf, structure, compare, &n);
	buf_printf(why, "%s %s has no member '%s'", btf_is_union(structure) ? "union" : "struct",
		   *of ? of : "{...}", typed);
	if (n.nr)
		list("; close to it: ", n.name, n.nr, why);
	else if (n.nr_all <= MAX_LISTED)
		list("; it has ", n.all, n.nr_all, why);
	return -EINVAL;
}

int member_find(const struct btf *btf, const struct btf_type *structure, const char *name,
		size_t len, struct member *found, struct buf *why)
{
	struct search s = { .name = name, .len = len, .found = found };

	member_each(btf, structure, is_it, &s);
	return s.is_found ? 0 : no_member(btf, structure, name, len, why);
}
