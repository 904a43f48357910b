// SPDX-License-Identifier: GPL-2.0-only
/*
 * btf.c - reads the arguments of functions and tracepoints from BTF
 *
 * BTF is the kernel's own description of its types, which its trampolines for BPF rely
 * on, too. It is not trusted to be valid: whatever does not fit is refused, and what is
 * not understood proves nothing.
 *
 * The number of stack words that arguments take follows the rules of x86-64 or arm64. If it
 * depends on something that is not in BTF, such as whether a structure is packed, the worst
 * case is assumed: too much, never too little.
 */
#include <linux/btf.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "symbols/btf.h"

#define WORD		8
#ifdef CONFIG_ARM64
#define ARGUMENT_REGS	8
#define IS_ARM64	true
#else
#define ARGUMENT_REGS	6
#define IS_ARM64	false
#endif
#define MAX_MODIFIERS	32	/* maximum number of const, typedef, ... before a type */
#define MAX_WORDS	64	/* no need to count further */
#define HEADER_BYTES	24	/* what is read of a header; later versions have more */

/* Bytes that follow a type; -1 if its kind is not known. */
static long bytes_behind(const struct btf_type *type)
{
	u32 nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (long)nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return (long)nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return (long)nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return (long)nr * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return (long)nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

/* Where the type at an offset ends; 0 if it does not fit. */
static u32 end_of(const struct kprof_btf *btf, u32 at)
{
	const struct btf_type *type = (const struct btf_type *)(btf->type + at);
	long behind;

	if (btf->type_bytes - at < sizeof(*type))
		return 0;
	behind = bytes_behind(type);
	if (behind < 0 || btf->type_bytes - at - sizeof(*type) < (size_t)behind)
		return 0;
	return at + sizeof(*type) + behind;
}

/* Iterates over all types, and stores their offsets if there is a table for them. */
static int look_through(struct kprof_btf *btf)
{
	u32 at = 0, end, nr = 0;

	while (at < btf->type_bytes) {
		end = end_of(btf, at);
		if (!end)
			return -EINVAL;
		if (btf->offset)
			btf->offset[nr] = at;
		nr++;
		at = end;
	}
	btf->nr_types = nr;
	return 0;
}

static int check_header(struct kprof_btf *btf, const u8 *data, size_t size)
{
	const struct btf_header *header = (const struct btf_header *)data;
	size_t rest;

	if (size < HEADER_BYTES || size > KPROF_BTF_MAX || header->hdr_len < HEADER_BYTES ||
	    header->hdr_len > size || header->magic != BTF_MAGIC || header->version != BTF_VERSION)
		return -EINVAL;
	rest = size - header->hdr_len;
	if (header->type_off > rest || header->type_len > rest - header->type_off ||
	    header->str_off > rest || header->str_len > rest - header->str_off ||
	    (header->hdr_len + header->type_off) % sizeof(u32) || !header->str_len)
		return -EINVAL;
	btf->type = data + header->hdr_len + header->type_off;
	btf->type_bytes = header->type_len;
	btf->string = (const char *)data + header->hdr_len + header->str_off;
	btf->string_bytes = header->str_len;
	return btf->string[btf->string_bytes - 1] ? -EINVAL : 0;
}

/**
 * kprof_btf_begin() - check and index BTF
 * @btf:	filled in
 * @data:	the BTF, aligned; must stay in place until kprof_btf_end()
 * @size:	its size in bytes
 * @base:	the kernel's BTF, if this is a module's; else NULL
 *
 * Context: sleeps. Return: 0, -ENOMEM, or -EINVAL if this is not BTF, or is damaged.
 */
int kprof_btf_begin(struct kprof_btf *btf, const void *data, size_t size,
		    const struct kprof_btf *base)
{
	int err;

	memset(btf, 0, sizeof(*btf));
	btf->base = base;
	btf->first_id = base ? base->first_id + base->nr_types : 1;	/* 0 is void */
	btf->first_string = base ? base->first_string + base->string_bytes : 0;
	err = check_header(btf, data, size);
	if (!err)
		err = look_through(btf);
	if (err)
		return err;
	btf->offset = kvmalloc_array(btf->nr_types + 1, sizeof(*btf->offset), GFP_KERNEL);
	if (!btf->offset)
		return -ENOMEM;
	return look_through(btf);
}

/**
 * kprof_btf_end() - free what kprof_btf_begin() allocated
 * @btf:	all zeroes, or passed to kprof_btf_begin(), whatever that returned
 *
 * Context: sleeps.
 */
void kprof_btf_end(struct kprof_btf *btf)
{
	kvfree(btf->offset);
	memset(btf, 0, sizeof(*btf));
}

static const struct btf_type *type_of(const struct kprof_btf *btf, u32 id)
{
	if (btf->base && id < btf->first_id)
		btf = btf->base;
	if (id < btf->first_id || id - btf->first_id >= btf->nr_types)
		return NULL;
	return (const struct btf_type *)(btf->type + btf->offset[id - btf->first_id]);
}

static const char *string_of(const struct kprof_btf *btf, u32 at)
{
	if (btf->base && at < btf->first_string)
		btf = btf->base;
	if (at < btf->first_string || at - btf->first_string >= btf->string_bytes)
		return "";
	return btf->string + at - btf->first_string;
}

/* Skips typedef, const and the like; NULL if there is nothing behind them, or no end. */
static const struct btf_type *plain_type(const struct kprof_btf *btf, u32 id)
{
	const struct btf_type *type;
	int i;

	for (i = 0; i < MAX_MODIFIERS; i++) {
		type = type_of(btf, id);
		if (!type)
			return NULL;
		switch (BTF_INFO_KIND(type->info)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = type->type;
			break;
		default:
			return type;
		}
	}
	return NULL;
}

/* The next type of a kind and a name, or NULL. @at is a cursor, 0 at first. */
static const struct btf_type *next_of(const struct kprof_btf *btf, u32 kind, const char *name,
				      u32 *at)
{
	const struct btf_type *type;

	while (*at < btf->nr_types) {
		type = (const struct btf_type *)(btf->type + btf->offset[(*at)++]);
		if (BTF_INFO_KIND(type->info) == kind &&
		    !strcmp(string_of(btf, type->name_off), name))
			return type;
	}
	return NULL;
}

/**
 * struct room - where arguments can still be passed
 * @regs:	argument registers that are certainly free
 * @stack:	words of the stack that may be in use
 */
struct room {
	u32 regs;
	u32 stack;
};

/* An integer or a pointer is passed in a register if one is free. */
static void take_word(struct room *room)
{
	if (room->regs)
		room->regs--;
	else
		room->stack++;
}

/*
 * Anything else may be passed in memory or in registers. Its alignment divides its size. The
 * trampoline's copy has the same alignment as the original up to 16 bytes, and no more.
 */
static bool take_bytes(struct room *room, u32 size)
{
	u32 words = size / WORD + !!(size % WORD);

	if (!size)
		return true;
	if (words > MAX_WORDS || (words > 2 && !(size % (4 * WORD))))
		return false;
	if (words <= 2)
		room->regs -= min(room->regs, words);
	room->stack += words + !(size % (2 * WORD));
	return true;
}

/*
 * The same on arm64. Up to two words are passed in registers, possibly after one that is left
 * unused; or on the stack, and then no more registers are used. The caller copies larger ones.
 */
static bool take_bytes_arm64(struct room *room, u32 size)
{
	u32 words = size / WORD + !!(size % WORD);
	u32 spare = words == 2;

	if (words > 2) {
		take_word(room);
	} else if (room->regs >= words + spare) {
		room->regs -= words + spare;
	} else {
		room->regs = 0;
		room->stack += words + spare;
	}
	return true;
}

static bool take(struct room *room, const struct btf_type *type)
{
	if (!type)
		return false;
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		take_word(room);
		return true;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		if (!type->size || type->size > 2 * WORD)
			return false;
		if (type->size > WORD)
			return IS_ARM64 ? take_bytes_arm64(room, type->size) :
					  take_bytes(room, type->size);
		take_word(room);
		return true;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FLOAT:
		return IS_ARM64 ? take_bytes_arm64(room, type->size) : take_bytes(room, type->size);
	default:
		return false;
	}
}

/* Maximum number of stack words; -E2BIG if any number is possible. */
static int words_of(const struct kprof_btf *btf, const struct btf_type *func)
{
	const struct btf_type *proto = type_of(btf, func->type), *type;
	struct room room = { .regs = ARGUMENT_REGS };
	const struct btf_param *param;
	u32 i;

	if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO)
		return -E2BIG;
	/* A result that does not fit into registers is stored where the first one points to. */
	type = proto->type ? plain_type(btf, proto->type) : NULL;
	if (proto->type && !type)
		return -E2BIG;
	if (type && !IS_ARM64 && BTF_INFO_KIND(type->info) != BTF_KIND_PTR && type->size > WORD)
		room.regs--;
	param = (const struct btf_param *)(proto + 1);
	for (i = 0; i < BTF_INFO_VLEN(proto->info); i++) {
		/* A last parameter without a type stands for "...". */
		if (!param[i].type || !take(&room, plain_type(btf, param[i].type)) ||
		    room.stack > MAX_WORDS)
			return -E2BIG;
	}
	return room.stack;
}

/**
 * kprof_btf_stack_words() - number of stack words that a function's arguments take
 * @btf:	where to look; its base is not searched
 * @name:	name of the function
 *
 * Context: any. Return: the maximum number; -ENOENT if there is no such function;
 * -E2BIG if it takes any number of arguments, or the number is not known.
 */
int kprof_btf_stack_words(const struct kprof_btf *btf, const char *name)
{
	const struct btf_type *type;
	int words = -ENOENT, of_this;
	u32 at = 0;

	while ((type = next_of(btf, BTF_KIND_FUNC, name, &at))) {
		/* If there are several, use the largest number. */
		of_this = words_of(btf, type);
		if (of_this < 0)
			return of_this;
		words = max(words, of_this);
	}
	return words;
}

static bool is_task(const struct kprof_btf *btf, const struct btf_type *pointer)
{
	const struct btf_type *type = plain_type(btf, pointer->type);

	return type && BTF_INFO_KIND(type->info) == BTF_KIND_STRUCT &&
	       !strcmp(string_of(btf, type->name_off), "task_struct");
}

/**
 * kprof_btf_offset() - the offset of a member in a structure
 * @btf:	where to look; its base is not searched
 * @name:	name of the structure
 * @member:	name of the member; not in an unnamed structure inside, nor a bit field
 *
 * Context: any. Return: the offset in bytes; -ENOENT if there is no such member.
 */
int kprof_btf_offset(const struct kprof_btf *btf, const char *name, const char *member)
{
	const struct btf_member *of_this;
	const struct btf_type *type;
	u32 at = 0, nr;

	while ((type = next_of(btf, BTF_KIND_STRUCT, name, &at))) {
		of_this = (const struct btf_member *)(type + 1);
		for (nr = BTF_INFO_VLEN(type->info); nr; nr--, of_this++)
			if (!strcmp(string_of(btf, of_this->name_off), member))
				return (BTF_INFO_KFLAG(type->info) ?
					BTF_MEMBER_BIT_OFFSET(of_this->offset) :
					of_this->offset) / 8;
	}
	return -ENOENT;
}

/* Describe an argument that is passed in one word, wherever that is. */
static bool describe(const struct kprof_btf *btf, const struct btf_type *type,
		     struct kprof_btf_arg *arg)
{
	if (!type)
		return false;
	*arg = (struct kprof_btf_arg) { .size = WORD };
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		arg->is_pointer = true;
		arg->is_task = is_task(btf, type);
		return true;
	case BTF_KIND_INT:
		arg->is_signed = BTF_INT_ENCODING(*(const u32 *)(type + 1)) & BTF_INT_SIGNED;
		break;
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		arg->is_signed = BTF_INFO_KFLAG(type->info);
		break;
	default:
		return false;
	}
	arg->size = type->size;
	return type->size == 1 || type->size == 2 || type->size == 4 || type->size == 8;
}

/* Describe parameters from @first on, until one is not a single word. Return: their number. */
static u32 describe_all(const struct kprof_btf *btf, const struct btf_type *proto, u32 first,
			struct kprof_btf_arg *arg, u32 max)
{
	const struct btf_param *param = (const struct btf_param *)(proto + 1);
	u32 nr = BTF_INFO_VLEN(proto->info), i;

	for (i = 0; i < max && i + first < nr; i++)
		if (!describe(btf, plain_type(btf, param[i + first].type), &arg[i]))
			break;
	return i;
}

/**
 * kprof_btf_function() - look up the arguments of a function
 * @btf:	where to look; its base is not searched
 * @name:	name of the function
 * @arg:	filled in
 * @max:	maximum number of arguments to look up
 * @is_all:	set to whether the function has no other arguments than those returned
 *
 * Arguments after one that is not a single word are not known.
 *
 * Context: any. Return: number of arguments known; -ENOENT if there is no such function, or
 * more than one.
 */
int kprof_btf_function(const struct kprof_btf *btf, const char *name, struct kprof_btf_arg *arg,
		       u32 max, bool *is_all)
{
	const struct btf_type *type, *proto;
	u32 at = 0, nr;

	type = next_of(btf, BTF_KIND_FUNC, name, &at);
	if (!type || next_of(btf, BTF_KIND_FUNC, name, &at))
		return -ENOENT;
	proto = type_of(btf, type->type);
	if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO)
		return -ENOENT;
	nr = describe_all(btf, proto, 0, arg, max);
	*is_all = nr == BTF_INFO_VLEN(proto->info);
	return nr;
}

/* Finds the prototype in "typedef void (*btf_trace_NAME)(void *data, ARGUMENTS)". */
static const struct btf_type *prototype_of(const struct kprof_btf *btf, const char *name)
{
	static const char prefix[] = "btf_trace_";
	const struct btf_type *type;
	const char *text;
	u32 i;

	for (i = 0; i < btf->nr_types; i++) {
		type = (const struct btf_type *)(btf->type + btf->offset[i]);
		if (BTF_INFO_KIND(type->info) != BTF_KIND_TYPEDEF)
			continue;
		text = string_of(btf, type->name_off);
		if (strncmp(text, prefix, sizeof(prefix) - 1) ||
		    strcmp(text + sizeof(prefix) - 1, name))
			continue;
		type = plain_type(btf, type->type);
		if (!type || BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
			return NULL;
		type = plain_type(btf, type->type);
		return type && BTF_INFO_KIND(type->info) == BTF_KIND_FUNC_PROTO ? type : NULL;
	}
	return NULL;
}

/**
 * kprof_btf_tracepoint() - look up the arguments of a tracepoint
 * @btf:	where to look; its base is not searched
 * @name:	name of the tracepoint
 * @arg:	filled in
 * @max:	maximum number of arguments to look up
 *
 * Context: any. Return: as kprof_btf_function().
 */
int kprof_btf_tracepoint(const struct kprof_btf *btf, const char *name,
			 struct kprof_btf_arg *arg, u32 max)
{
	const struct btf_type *proto = prototype_of(btf, name);

	/* The first parameter is the probe's own data. */
	return proto ? (int)describe_all(btf, proto, 1, arg, max) : -ENOENT;
}
