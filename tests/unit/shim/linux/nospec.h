/* SPDX-License-Identifier: GPL-2.0-only */
/* nospec.h - an index masked to its bounds, for the host: 0 if it is not below them */
#ifndef KPROF_SHIM_NOSPEC_H
#define KPROF_SHIM_NOSPEC_H

#define array_index_nospec(index, size) \
	({ __typeof__(index) i_ = (index); i_ < (size) ? i_ : 0; })

#endif /* KPROF_SHIM_NOSPEC_H */
