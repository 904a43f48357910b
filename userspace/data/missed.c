// SPDX-License-Identifier: GPL-2.0-only
/*
 * missed.c - time in which a CPU could not be sampled, by cause: rows of their own
 */
#include "data/missed.h"

#define ABI_TELLS	5	/* from this version on, there are records of late samples */

const struct missed_cause missed_causes[] = {
	[KPROF_CAUSE_NOT_KNOWN] = {
		"[late]", "a program ran, and no sample came: the host or the firmware had the processor, "
			  "or a\n#   handler of an interrupt that the kernel does not count; which of "
			  "them is not known",
	},
	[KPROF_CAUSE_STOLEN] = {
		"[stolen]", "the host of this virtual machine ran something else (steal time)",
	},
	[KPROF_CAUSE_HANDLERS] = {
		"[interrupt handlers]", "handlers of interrupts ran, in which no sample is taken",
	},
	[KPROF_NR_CAUSES] = { NULL, NULL }
};

bool missed_is_told(const struct data *d)
{
	return data_text_number(&d->text[DATA_STATS_BEFORE], "abi") >= ABI_TELLS;
}

uint32_t missed_row(const struct kprof_record *late)
{
	uint32_t cause = KPROF_INFO_CAUSE(late->info);

	/* A cause that only a later version of kprof knows is not known. */
	if (cause >= KPROF_NR_CAUSES)
		cause = KPROF_CAUSE_NOT_KNOWN;
	if (cause == KPROF_CAUSE_NOT_KNOWN && !(late->info & KPROF_INFO_USER))
		return 0;
	return (KPROF_REC_LATE << KPROF_INFO_KIND_SHIFT) | (cause << KPROF_INFO_CAUSE_SHIFT);
}

const char *missed_name(uint32_t info)
{
	if (KPROF_INFO_KIND(info) != KPROF_REC_LATE)
		return NULL;
	return missed_causes[KPROF_INFO_CAUSE(info)].name;
}
