/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marker.h - markers (USDT) as <sys/sdt.h> of SystemTap makes them
 *
 * COUNTER is the name of its semaphore, or 0; ARGUMENTS a text with operands of the assembler.
 */
#ifndef TESTS_MARKER_H
#define TESTS_MARKER_H

#define MARKER(provider, name, counter, arguments, ...) \
({ \
	__asm__ volatile("990:	nop\n" \
			 ".pushsection .note.stapsdt, \"\", %%note\n" \
			 ".balign 4\n" \
			 ".4byte 992f - 991f, 994f - 993f, 3\n" \
			 "991:	.asciz \"stapsdt\"\n" \
			 "992:	.balign 4\n" \
			 "993:	.8byte 990b, _.stapsdt.base, " counter "\n" \
			 ".asciz \"" provider "\", \"" name "\", \"" arguments "\"\n" \
			 "994:	.balign 4\n" \
			 ".popsection\n" \
			 ".ifndef _.stapsdt.base\n" \
			 ".pushsection .stapsdt.base, \"aG\", %%progbits, .stapsdt.base, comdat\n" \
			 ".weak _.stapsdt.base\n" \
			 ".hidden _.stapsdt.base\n" \
			 "_.stapsdt.base: .space 1\n" \
			 ".size _.stapsdt.base, 1\n" \
			 ".popsection\n" \
			 ".endif\n" : : __VA_ARGS__); \
})

#endif /* TESTS_MARKER_H */
