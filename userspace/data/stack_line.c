// SPDX-License-Identifier: GPL-2.0-only
/*
 * stack_line.c - what a line looks like of stacks that are printed a frame a line
 */
#include <ctype.h>
#include <string.h>

#include "data/stack_line.h"
#include "lib/scan.h"

#define DTRACE_INDENT	14	/* of its frames */

struct span stack_line_trim(const char *line, size_t len)
{
	const char *end = line + scan_trim(line, len);

	return (struct span){ scan_spaces(line, end), end };
}

bool stack_line_is_number(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);

	return s.at < s.end && scan_digits(s.at, s.end) == s.end;
}

bool stack_line_is_count(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);
	const char *p;

	for (p = s.at; p < s.end; p++)
		if (!isdigit((unsigned char)*p) && !strchr(p == s.at ? "+-." : ",.", *p))
			return false;
	return s.at < s.end && isdigit((unsigned char)s.end[-1]);
}

bool stack_line_is_party(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);
	const char *behind = scan_word(s.at, s.end);

	return s.at > line && s.end - behind > 2 && isspace((unsigned char)behind[1]) &&
	       (scan_begins(s.at, behind - s.at, "waker:") ||
		scan_begins(s.at, behind - s.at, "target:"));
}

bool stack_line_is_bar(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);
	const char *p = s.at + (s.at < s.end && *s.at == '-');
	const char *behind = scan_digits(p, s.end);

	return behind > p && scan_begins(behind, s.end - behind, " |");
}

bool stack_line_is_of_dtrace(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);

	return memchr(s.at, '`', s.end - s.at) ||
	       (s.at - line == DTRACE_INDENT && scan_begins(s.at, s.end - s.at, "0x") &&
		scan_hex(s.at + 2, s.end) == s.end);
}

bool stack_line_has_address(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);

	return scan_begins(s.at, s.end - s.at, "0x") ||
	       scan_hex(s.at, s.end) - s.at >= STACK_LINE_ADDRESS;
}

bool stack_line_may_have_address(const char *line, size_t len)
{
	struct span s = stack_line_trim(line, len);
	const char *behind = scan_hex(s.at, s.end);

	if (s.at < s.end && *s.at == '-')
		return true;
	return behind - s.at >= STACK_LINE_SHORT && behind < s.end &&
	       isspace((unsigned char)*behind);
}
