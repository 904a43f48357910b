// SPDX-License-Identifier: GPL-2.0-only
/*
 * without_libbpf.c - what is left of prototype.h in a reader that was built without libbpf
 */
#include <errno.h>

#include "names/prototype.h"

int prototype_find(struct names *n, const char *place, struct prototype *p, struct buf *why)
{
	(void)n;
	(void)p;
	buf_printf(why, "%s: names of arguments are in BTF, and this kprof was built without libbpf, "
		   "which reads it" PROTOTYPE_ADVICE, place);
	return -EINVAL;
}

int prototype_value(const struct prototype *p, const char *text, size_t len,
		    enum value_form form, struct value *v, struct buf *why)
{
	(void)form;
	*v = (struct value){ .mask = 0 };
	buf_printf(why, "%s: '%.*s' is not known", p->name, (int)len, text);
	return -EINVAL;
}

int names_show(struct names *n, const char *place, FILE *out, struct buf *why)
{
	struct prototype p;

	(void)out;
	return prototype_find(n, place, &p, why);
}

int names_numbers(struct names *n, const char *place, void (*use)(const char *key, void *data),
		  void *data, struct buf *why)
{
	struct prototype p;

	(void)use;
	(void)data;
	return prototype_find(n, place, &p, why);
}

void names_free(struct names *n)
{
	symtab_free(&n->symbols);
}
