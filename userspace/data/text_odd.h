/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_odd.h - warn of what nobody can mean: frames without a name, names that look alike
 */
#ifndef KPROF_TEXT_ODD_H
#define KPROF_TEXT_ODD_H

#include "data/folded.h"
#include "lib/input.h"

/*
 * Skip the mark of UTF-8 at the beginning of a text. Returns NULL, or an error if the text has the
 * mark of another encoding.
 */
const char *text_odd_skip_mark(struct input *in);

/* Warn of it, by the numbers of lines, in the text that was read, which messages call @from. */
void text_odd_tell(const struct folded *f, const char *from);

#endif /* KPROF_TEXT_ODD_H */
