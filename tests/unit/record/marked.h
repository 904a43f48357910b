/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * marked.h - what test_user_marker.c defines by assembler: the places of its markers
 */
#ifndef TESTS_MARKED_H
#define TESTS_MARKED_H

#include "../../vm/programs/marker.h"

extern const char at_plain[], at_strange[], at_first[], at_second[];
extern unsigned short test_counter;

void has_markers(void);

#endif /* TESTS_MARKED_H */
