// SPDX-License-Identifier: GPL-2.0-only
/*
 * marker_args.c - where an argument of a marker (USDT) is, as the module's keys have it
 *
 *	ARGUMENT	[-]BYTES@OPERAND		"-" if it is signed
 *	OPERAND		x86: %REGISTER | [OFFSET](%REGISTER) | $NUMBER
 *			arm64: REGISTER | [REGISTER] | [REGISTER, OFFSET] | NUMBER
 *
 * Compilers write other operands, too: what is at a fixed address, or is found by two registers.
 * The module has no keys for those.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/number.h"
#include "user/markers.h"

/* The names of a register of x86: of 64, 32, 16 and 8 bits; the first is the module's. */
static const char *const x86_registers[][5] = {
	{ "ax", "rax", "eax", "ax", "al" }, { "bx", "rbx", "ebx", "bx", "bl" },
	{ "cx", "rcx", "ecx", "cx", "cl" }, { "dx", "rdx", "edx", "dx", "dl" },
	{ "si", "rsi", "esi", "si", "sil" }, { "di", "rdi", "edi", "di", "dil" },
	{ "bp", "rbp", "ebp", "bp", "bpl" }, { "sp", "rsp", "esp", "sp", "spl" },
	{ "r8", "r8", "r8d", "r8w", "r8b" }, { "r9", "r9", "r9d", "r9w", "r9b" },
	{ "r10", "r10", "r10d", "r10w", "r10b" }, { "r11", "r11", "r11d", "r11w", "r11b" },
	{ "r12", "r12", "r12d", "r12w", "r12b" }, { "r13", "r13", "r13d", "r13w", "r13b" },
	{ "r14", "r14", "r14d", "r14w", "r14b" }, { "r15", "r15", "r15d", "r15w", "r15b" },
};

/* A number as assemblers write it: "-16", "0x18". */
static bool take_number(const char **at, int64_t *value)
{
	const char *digits = *at + (**at == '-');
	bool is_negative = **at == '-', is_hex = !strncmp(digits, "0x", 2);
	uint64_t number;

	digits += is_hex ? 2 : 0;
	if (!number_take(&digits, is_hex ? NUMBER_HEX : NUMBER_DECIMAL, &number) ||
	    number > INT64_MAX)
		return false;
	*value = is_negative ? -(int64_t)number : (int64_t)number;
	*at = digits;
	return true;
}

/* An offset that the module takes. */
static bool take_offset(const char **at, int64_t *value)
{
	return take_number(at, value) && *value <= INT32_MAX && *value >= -INT32_MAX;
}

/* Take a register's name; NULL if it is none, or no general one. */
static const char *take_x86_register(const char **at)
{
	const char *name = *at + 1;
	size_t len = 0, i, j;

	if (**at != '%')
		return NULL;
	while (isalnum((unsigned char)name[len]))
		len++;
	for (i = 0; i < sizeof(x86_registers) / sizeof(*x86_registers); i++) {
		for (j = 1; j < 5; j++) {
			const char *one = x86_registers[i][j];

			if (strlen(one) == len && !memcmp(one, name, len)) {
				*at = name + len;
				return x86_registers[i][0];
			}
		}
	}
	return NULL;
}

/* "x3", "w3", "sp"; w3 is the lower half of x3. */
static const char *take_arm64_register(const char **at, char room[8])
{
	const char *digits = *at + 1;
	uint64_t number;

	if (!strncmp(*at, "sp", 2) && !isalnum((unsigned char)(*at)[2])) {
		*at += 2;
		return "sp";
	}
	if ((**at != 'x' && **at != 'w') || !number_take(&digits, NUMBER_DECIMAL, &number) ||
	    number > 30 || isalnum((unsigned char)*digits))
		return NULL;
	*at = digits;
	snprintf(room, 8, "x%hhu", (unsigned char)number);
	return room;
}

static void set_memory(struct user_marker_argument *arg, int64_t offset, const char *name)
{
	snprintf(arg->fetch, sizeof(arg->fetch), "%c%" PRId64 "(%%%s)", offset < 0 ? '-' : '+',
		 offset < 0 ? -offset : offset, name);
}

static bool parse_x86(const char *at, struct user_marker_argument *arg)
{
	const char *name = take_x86_register(&at);
	int64_t offset = 0;

	if (name) {
		snprintf(arg->fetch, sizeof(arg->fetch), "%%%s", name);
		return !*at;
	}
	if (*at != '(' && !take_offset(&at, &offset))
		return false;
	if (*at++ != '(')
		return false;
	name = take_x86_register(&at);
	if (!name || strcmp(at, ")"))
		return false;
	set_memory(arg, offset, name);
	return true;
}

static bool parse_arm64(const char *at, struct user_marker_argument *arg)
{
	bool is_memory = *at == '[';
	const char *name;
	int64_t offset = 0;
	char room[8];

	at += is_memory;
	name = take_arm64_register(&at, room);
	if (!name)
		return false;
	if (!is_memory) {
		snprintf(arg->fetch, sizeof(arg->fetch), "%%%s", name);
		return !*at;
	}
	if (*at == ',') {
		at += 1 + strspn(at + 1, " #");
		if (!take_offset(&at, &offset))
			return false;
	}
	if (strcmp(at, "]"))
		return false;
	set_memory(arg, offset, name);
	return true;
}

static bool is_constant(const struct user_marker *marker, const char *operand)
{
	int64_t value;

	if (marker->machine != USER_ARM64)
		return *operand == '$';
	return take_number(&operand, &value) && !*operand;
}

/* Copy argument @number, from 1 on; spaces inside of brackets are part of it. */
static bool split(const char *arguments, unsigned int number, char *one, size_t size,
		  unsigned int *nr)
{
	bool found = false;

	for (*nr = 0; *(arguments += strspn(arguments, " ")); ) {
		size_t len = 0;
		bool inside = false;

		for (; arguments[len] && (inside || arguments[len] != ' '); len++)
			inside = arguments[len] == '[' || (inside && arguments[len] != ']');
		if (++*nr == number) {
			found = true;
			snprintf(one, size, "%.*s", (int)len, arguments);
		}
		arguments += len;
	}
	return found;
}

static bool parse(const struct user_marker *marker, const char *one,
		  struct user_marker_argument *arg, const char **operand)
{
	bool is_signed = *one == '-';
	const char *end = one + is_signed;
	uint64_t bytes = 0;

	number_take(&end, NUMBER_DECIMAL, &bytes);

	*operand = *end == '@' ? end + 1 : one;
	if (*end != '@' || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
		return false;
	arg->bytes = bytes;
	snprintf(arg->type, sizeof(arg->type), "%c%d", is_signed ? 's' : 'u', (int)bytes * 8);
	switch (marker->machine) {
	case USER_X86_64:
	case USER_X86:
		return parse_x86(*operand, arg);
	case USER_ARM64:
		return parse_arm64(*operand, arg);
	default:
		return false;
	}
}

unsigned int user_marker_nr_arguments(const struct user_marker *marker)
{
	unsigned int nr;

	split(marker->arguments, 0, NULL, 0, &nr);
	return nr;
}

bool user_marker_argument(const struct user_marker *marker, unsigned int number,
			  struct user_marker_argument *arg, struct buf *why)
{
	const char *operand;
	char one[64];
	unsigned int nr;

	if (!split(marker->arguments, number, one, sizeof(one), &nr)) {
		buf_printf(why, "it has %u argument%s", nr, nr == 1 ? "" : "s");
		return false;
	}
	if (parse(marker, one, arg, &operand))
		return true;
	if (is_constant(marker, operand))
		buf_printf(why, "it is always %s there", operand + (*operand == '$'));
	else
		buf_printf(why, "it is at \"%s\", and keys are general registers and what is in "
			   "memory beside one", one);
	return false;
}
