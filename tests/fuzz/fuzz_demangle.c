// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_demangle.c - names of functions, which are made readable
 *
 * The library that does it is not instrumented, so that nothing leads to names that it takes for
 * mangled ones. Of most inputs each byte is a piece of such a name; the others are the name itself.
 */
#include <string.h>

#include "fuzz.h"
#include "user/readable.h"

#define NAME_LENGTH	2047
#define READABLE_LENGTH	16384

static const char *const cplus[] = {
	"S_", "S0_", "S1_", "S2_", "S3_", "S4_", "S5_", "T_", "T0_", "E", "I", "J", "N",
	"K", "P", "R", "O", "F", "v", "i", "c", "z", "St4pair", "Sa", "Ss", "St", "1a",
	"3foo", "12abcdefghijkl", "C1", "D0", "L", "Lj1E", "Li0E", "X", "sr", "dt", "cv",
	"Dp", "DT", "Dv4_", "A4_", "M", "Z", "_", "U", "UlvE_", "Ut_", "B3abi", "sZ", "fp_",
	"fpT", "cl", "pl", "ix", "st", "TV", "GV", "W", "Th", "n", "h", "_Z", ".part.0",
	"cvT_", "Q", "tl", "il", "on", "sp",
};

static const char *const rust[] = {
	"B_", "B0_", "B1_", "B2_", "B5_", "Ba_", "N", "v", "t", "I", "E", "C", "Cs_", "1a",
	"3foo", "3bar", "M", "X", "Y", "s_", "s0_", "u3foo", "u8gdel_5qa", "T", "R", "Q",
	"P", "O", "S", "A", "j", "h", "b", "c", "e", "Kj7b_", "Kcn0_", "p", "F", "U", "K",
	"D", "G_", "L_", "L0_", "u", "_", "k", "m", ".llvm.1",
};

static const char *const dlang[] = {
	"3foo", "5stdio", "Qb", "Qd", "Qf", "Ql", "Qba", "F", "Z", "v", "i", "Aa", "A", "H", "G4",
	"P", "x", "y", "S", "C", "E", "T", "B3", "D", "__T3bar", "V", "i3", "S3foo", "M", "U", "W",
	"Na", "Nb", "NgA", "X", "Y", "K", "J", "L", "0", "_", "__initZ", "6__ctor",
};

static const struct {
	const char *begin;
	const char *const *piece;
	size_t nr;
} languages[] = {
	{ "_R", rust, sizeof(rust) / sizeof(*rust) },
	{ "_Z", cplus, sizeof(cplus) / sizeof(*cplus) },
	{ "_D", dlang, sizeof(dlang) / sizeof(*dlang) },
};

static void compose(struct buf *name, const uint8_t *data, size_t size, int language)
{
	buf_printf(name, "%s", languages[language].begin);
	while (size--)
		buf_printf(name, "%s", languages[language].piece[*data++ % languages[language].nr]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf name = { 0 }, text = { 0 };

	if (!size || size > NAME_LENGTH)
		return 0;
	if (*data & 3)
		compose(&name, data + 1, size - 1, (*data & 3) - 1);
	else
		buf_add(&name, data + 1, size - 1);
	fuzz_begin();
	readable_name(&text, name.data);
	fuzz_end(size, 0);
	if (strlen(text.data) > READABLE_LENGTH)
		fuzz_fail("a name is too long", text.data, text.len);
	buf_free(&name);
	buf_free(&text);
	return 0;
}
