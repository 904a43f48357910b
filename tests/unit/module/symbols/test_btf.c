// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_btf.c - words of arguments are those of the function, never too few; and
 * whatever BTF is damaged or makes no sense proves nothing, and breaks nothing
 */
#include <linux/btf.h>
#include <stdlib.h>

#include "unit.h"
#include "symbols/btf.c"

#define VOID		0
#define FLIPS		20000

/* What a test makes, and its id of the next type and place of the next string. */
static struct {
	u32 word[4096];
	char string[4096];
	u32 nr_words, nr_types, string_bytes, first_id, first_string;
} made;

static u8 file[2 * sizeof(made)] __attribute__((aligned(8)));

static void begin(const struct kprof_btf *base)
{
	memset(&made, 0, sizeof(made));
	made.first_id = base ? base->first_id + base->nr_types : 1;
	made.first_string = base ? base->first_string + base->string_bytes : 0;
	made.string_bytes = 1;
}

static u32 add_string(const char *text)
{
	u32 at = made.string_bytes;

	strcpy(made.string + at, text);
	made.string_bytes += strlen(text) + 1;
	return made.first_string + at;
}

static void add_word(u32 word)
{
	made.word[made.nr_words++] = word;
}

/* A type without what is behind it. Return: its id. */
static u32 add_type(u32 kind, const char *name, u32 nr, u32 size_or_type)
{
	add_word(*name ? add_string(name) : 0);
	add_word(kind << 24 | nr);
	add_word(size_or_type);
	return made.first_id + made.nr_types++;
}

static u32 add_int(u32 size)
{
	u32 id = add_type(BTF_KIND_INT, "int", 0, size);

	add_word(size * 8);
	return id;
}

static u32 add_struct(u32 size)
{
	return add_type(BTF_KIND_STRUCT, "some", 0, size);
}

/* A function with so many arguments of a type, and one more of another if that is not VOID. */
static void add_function(const char *name, u32 returned, u32 nr, u32 type, u32 last)
{
	u32 proto = add_type(BTF_KIND_FUNC_PROTO, "", nr + !!last, returned), i;

	for (i = 0; i < nr; i++) {
		add_word(0);
		add_word(type);
	}
	if (last) {
		add_word(0);
		add_word(last);
	}
	add_type(BTF_KIND_FUNC, name, 0, proto);
}

static void add_variadic(const char *name, u32 type)
{
	u32 proto = add_type(BTF_KIND_FUNC_PROTO, "", 2, VOID);

	add_word(0);
	add_word(type);
	add_word(0);
	add_word(VOID);
	add_type(BTF_KIND_FUNC, name, 0, proto);
}

/* Return: bytes of the file. */
static size_t finish(void)
{
	struct btf_header *header = (struct btf_header *)file;
	u32 type_bytes = made.nr_words * sizeof(u32);

	*header = (struct btf_header) {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(*header),
		.type_len = type_bytes, .str_off = type_bytes, .str_len = made.string_bytes,
	};
	memcpy(header + 1, made.word, type_bytes);
	memcpy((u8 *)(header + 1) + type_bytes, made.string, made.string_bytes);
	return sizeof(*header) + type_bytes + made.string_bytes;
}

static void words_of_integers(void)
{
	static const struct {
		const char *name;
		u32 nr;
	} function[] = {
		{ "none", 0 }, { "six", 6 }, { "seven", 7 }, { "fourteen", 14 }, { "fifteen", 15 },
		{ "sixteen", 16 }, { "thirty", 30 },
	};
	struct kprof_btf btf;
	u32 type, i;

	begin(NULL);
	type = add_type(BTF_KIND_TYPEDEF, "long_t", 0, add_int(8));
	for (i = 0; i < ARRAY_SIZE(function); i++)
		add_function(function[i].name, VOID, function[i].nr, type, VOID);
	CHECK_INT(kprof_btf_begin(&btf, file, finish(), NULL), 0);
	for (i = 0; i < ARRAY_SIZE(function); i++)
		CHECK_INT(kprof_btf_stack_words(&btf, function[i].name),
			  function[i].nr > 6 ? function[i].nr - 6 : 0);
	CHECK_INT(kprof_btf_stack_words(&btf, "other"), -ENOENT);
	CHECK_INT(kprof_btf_stack_words(&btf, "long_t"), -ENOENT);
	kprof_btf_end(&btf);
}

/* One of so many bytes after so many words. */
static int words_with_struct(u32 nr, u32 size)
{
	struct kprof_btf btf;
	u32 type;
	int words;

	begin(NULL);
	type = add_int(8);
	add_function("f", VOID, nr, type, add_struct(size));
	CHECK_INT(kprof_btf_begin(&btf, file, finish(), NULL), 0);
	words = kprof_btf_stack_words(&btf, "f");
	kprof_btf_end(&btf);
	return words;
}

static void words_of_structures(void)
{
	u32 nr;

	/* At least what it takes if it comes in memory, be it packed or not. */
	for (nr = 0; nr <= 6; nr++) {
		CHECK(words_with_struct(nr, 4) >= 1 && words_with_struct(nr, 4) <= 2);
		CHECK(words_with_struct(nr, 16) >= 2 && words_with_struct(nr, 16) <= 3);
		CHECK_INT(words_with_struct(nr, 24), 3);
		CHECK_INT(words_with_struct(nr, 72), 9);
	}
	CHECK_INT(words_with_struct(3, 0), 0);
	CHECK_INT(words_with_struct(8, 40), 7);
	CHECK_INT(words_with_struct(0, 48), 7);		/* may be one of 16 bytes' alignment */
	CHECK_INT(words_with_struct(0, 64), -E2BIG);	/* may be one of more */
	CHECK_INT(words_with_struct(0, 1 << 30), -E2BIG);
	CHECK_INT(words_with_struct(0, ~0u), -E2BIG);
}

static void words_of_the_rest(void)
{
	u32 type, array, loop, wide, pointer;
	struct kprof_btf btf;

	begin(NULL);
	type = add_int(8);
	wide = add_int(16);
	pointer = add_type(BTF_KIND_PTR, "", 0, 12345);	/* of what is all the same */
	array = add_type(BTF_KIND_ARRAY, "", 0, 0);
	add_word(type);
	add_word(type);
	add_word(3);
	loop = add_type(BTF_KIND_CONST, "", 0, made.nr_types + 1);
	add_variadic("variadic", type);
	add_function("of_array", VOID, 1, array, VOID);
	add_function("of_loop", VOID, 1, loop, VOID);
	add_function("of_nothing", VOID, 1, 54321, VOID);
	add_function("of_pointers", VOID, 8, pointer, VOID);
	add_function("of_void", VOID, 6, type, add_type(BTF_KIND_TYPEDEF, "v", 0, VOID));
	add_function("of_wide", VOID, 6, type, wide);
	add_function("returns_much", add_struct(24), 6, type, VOID);
	add_function("returns_nothing_known", 54321, 1, type, VOID);
	add_function("twice", VOID, 8, type, VOID);
	add_function("twice", VOID, 10, type, VOID);
	add_function("twice", VOID, 9, type, VOID);
	add_function("twice_and_variadic", VOID, 8, type, VOID);
	add_variadic("twice_and_variadic", type);
	add_type(BTF_KIND_FUNC, "of_no_kind", 0, type);
	CHECK_INT(kprof_btf_begin(&btf, file, finish(), NULL), 0);
	CHECK_INT(kprof_btf_stack_words(&btf, "variadic"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_array"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_loop"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_nothing"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_pointers"), 2);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_void"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_wide"), 3);
	CHECK_INT(kprof_btf_stack_words(&btf, "returns_much"), 1);
	CHECK_INT(kprof_btf_stack_words(&btf, "returns_nothing_known"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "twice"), 4);
	CHECK_INT(kprof_btf_stack_words(&btf, "twice_and_variadic"), -E2BIG);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_no_kind"), -E2BIG);
	kprof_btf_end(&btf);
}

/* Which are pointers, and whether there are more than is known. */
static void arguments_of_functions(void)
{
	struct kprof_btf_arg arg[6];
	struct kprof_btf btf;
	u32 type, wide, pointer;
	bool is_all;

	begin(NULL);
	type = add_int(4);
	wide = add_int(16);
	pointer = add_type(BTF_KIND_PTR, "", 0, type);
	add_function("f", VOID, 2, type, pointer);
	add_function("none", VOID, 0, type, VOID);
	add_function("of_wide", VOID, 1, type, wide);
	add_function("eight", VOID, 8, pointer, VOID);
	add_variadic("variadic", type);
	add_function("twice", VOID, 1, type, VOID);
	add_function("twice", VOID, 1, type, VOID);
	CHECK_INT(kprof_btf_begin(&btf, file, finish(), NULL), 0);
	CHECK_INT(kprof_btf_function(&btf, "f", arg, 6, &is_all), 3);
	CHECK(is_all && !arg[0].is_pointer && !arg[1].is_pointer && arg[2].is_pointer);
	CHECK_INT(arg[0].size, 4);
	CHECK_INT(arg[2].size, 8);
	CHECK_INT(kprof_btf_function(&btf, "none", arg, 6, &is_all), 0);
	CHECK(is_all);
	CHECK_INT(kprof_btf_function(&btf, "of_wide", arg, 6, &is_all), 1);
	CHECK(!is_all);
	CHECK_INT(kprof_btf_function(&btf, "eight", arg, 6, &is_all), 6);
	CHECK(!is_all && arg[5].is_pointer);
	CHECK_INT(kprof_btf_function(&btf, "variadic", arg, 6, &is_all), 1);
	CHECK(!is_all);
	CHECK_INT(kprof_btf_function(&btf, "twice", arg, 6, &is_all), -ENOENT);
	CHECK_INT(kprof_btf_function(&btf, "other", arg, 6, &is_all), -ENOENT);
	kprof_btf_end(&btf);
}

/* A module's: types and strings go on where the kernel's end. */
static void module_on_kernel(void)
{
	static u8 kernel[sizeof(file)] __attribute__((aligned(8)));
	struct kprof_btf base, btf;
	u32 type, own, proto, shared;
	size_t size;

	begin(NULL);
	type = add_int(8);
	shared = add_string("shared");
	add_function("of_kernel", VOID, 8, type, VOID);
	size = finish();
	memcpy(kernel, file, size);
	CHECK_INT(kprof_btf_begin(&base, kernel, size, NULL), 0);

	begin(&base);
	own = add_struct(24);
	add_function("of_module", VOID, 7, type, own);
	/* A string that the kernel has, too, is not there twice. */
	proto = add_type(BTF_KIND_FUNC_PROTO, "", 0, VOID);
	add_word(shared);
	add_word(BTF_KIND_FUNC << 24);
	add_word(proto);
	made.nr_types++;
	CHECK_INT(kprof_btf_begin(&btf, file, finish(), &base), 0);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_module"), 4);
	CHECK_INT(kprof_btf_stack_words(&btf, "of_kernel"), -ENOENT);
	CHECK_INT(kprof_btf_stack_words(&btf, "shared"), 0);
	CHECK_INT(kprof_btf_stack_words(&base, "of_kernel"), 2);
	kprof_btf_end(&btf);
	kprof_btf_end(&base);
}

/* A copy of exactly its size, so that the sanitizer sees a step beyond. */
static int try(const u8 *data, size_t size)
{
	u8 *copy = malloc(size ?: 1);
	struct kprof_btf btf;
	int err;

	memcpy(copy, data, size);
	err = kprof_btf_begin(&btf, copy, size, NULL);
	if (!err) {
		kprof_btf_stack_words(&btf, "f");
		kprof_btf_stack_words(&btf, "twice");
	}
	kprof_btf_end(&btf);
	free(copy);
	return err;
}

static size_t make_any(void)
{
	u32 type;

	begin(NULL);
	type = add_int(8);
	add_function("f", VOID, 7, add_type(BTF_KIND_CONST, "", 0, type), add_struct(24));
	add_function("twice", type, 3, type, VOID);
	return finish();
}

static void damaged(void)
{
	size_t size = make_any(), i;
	unsigned int seed = 1;
	u8 copy[4096];
	int kept = 0;

	CHECK_INT(try(file, size), 0);
	for (i = 0; i < size; i++)
		CHECK_INT(try(file, i), -EINVAL);
	for (i = 0; i < FLIPS; i++) {
		memcpy(copy, file, size);
		copy[rand_r(&seed) % size] = rand_r(&seed);
		copy[rand_r(&seed) % size] ^= 1 << rand_r(&seed) % 8;
		kept += !try(copy, size);
	}
	/* Some damage is no damage to the form; most of these bytes are. */
	CHECK(kept > 0 && kept < FLIPS);
}

static void wrong_headers(void)
{
	struct btf_header *header = (struct btf_header *)file;
	static const u32 wild[] = { 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff };
	size_t size, i, field;

	for (field = 1; field < sizeof(*header) / sizeof(u32); field++) {
		for (i = 0; i < ARRAY_SIZE(wild); i++) {
			size = make_any();
			((u32 *)header)[field] = wild[i];
			/* Strings may be anywhere, and few. */
			if (field < 4 || wild[i] > 1)
				CHECK_INT(try(file, size), -EINVAL);
		}
	}
	size = make_any();
	header->version = 2;
	CHECK_INT(try(file, size), -EINVAL);
	size = make_any();
	file[size - 1] = 'x';			/* the last string has no end */
	CHECK_INT(try(file, size), -EINVAL);
	begin(NULL);
	add_type(25, "of the future", 0, 0);
	CHECK_INT(try(file, finish()), -EINVAL);
}

static void no_memory(void)
{
	struct kprof_btf btf;
	size_t size = make_any();

	shim_vmallocs_left = 0;
	CHECK_INT(kprof_btf_begin(&btf, file, size, NULL), -ENOMEM);
	kprof_btf_end(&btf);
	shim_vmallocs_left = -1;
}

static const struct unit_test tests[] = {
	{ "words of integers are exact", words_of_integers },
	{ "words of structures are enough", words_of_structures },
	{ "what is not understood proves nothing", words_of_the_rest },
	{ "arguments are pointers or none, and all or not", arguments_of_functions },
	{ "a module's BTF goes on where the kernel's ends", module_on_kernel },
	{ "damage is refused, or does no harm", damaged },
	{ "wrong headers are refused", wrong_headers },
	{ "without memory there is an error", no_memory },
	{ }
};

int main(void)
{
	return unit_run(tests);
}
