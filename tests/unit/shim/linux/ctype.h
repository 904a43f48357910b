/* SPDX-License-Identifier: GPL-2.0-only */
/* ctype.h - kinds of characters, for the host: ASCII in any locale */
#ifndef KPROF_SHIM_CTYPE_H
#define KPROF_SHIM_CTYPE_H

#define iscntrl(c)	((unsigned char)(c) < ' ' || (c) == 127)
#define isdigit(c)	((c) >= '0' && (c) <= '9')

#endif /* KPROF_SHIM_CTYPE_H */
