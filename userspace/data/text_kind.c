// SPDX-License-Identifier: GPL-2.0-only
/*
 * text_kind.c - the kinds of texts of stacks, by which programs print them
 */
#include "data/text_kind.h"

const char *const text_kind_words[TEXT_NR_KINDS + 1] = {
	[TEXT_AUTO] = "auto",
	[TEXT_FOLDED] = "folded",
	[TEXT_PERF] = "perf",
	[TEXT_BPFTRACE] = "bpftrace",
	[TEXT_BPFTRACE_JSON] = "bpftrace-json",
	[TEXT_LIST] = "list",
};

static const char *const names[TEXT_NR_KINDS] = {
	[TEXT_AUTO] = "a text",
	[TEXT_FOLDED] = "folded text",
	[TEXT_PERF] = "a text of perf script",
	[TEXT_BPFTRACE] = "a text of bpftrace",
	[TEXT_BPFTRACE_JSON] = "JSON of bpftrace",
	[TEXT_LIST] = "a list of stacks",
};

const char *text_kind_name(enum text_kind kind)
{
	return names[kind];
}
