/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the program and its truth
 */
#ifndef WHO_WRITES_PARAMS_H
#define WHO_WRITES_PARAMS_H

#include "lib/derive.h"

#define DISK		"/dev/nullb0"
#define SECTOR		512
#define WRITERS		3
#define WHO_ELSEWHERE	(1ull << 20)	/* sectors: beyond all that the culprit writes to */
#define PERIOD_MS	10	/* of the culprit's writes; the others' are derived from it */

enum who_way {
	WHO_DIRECT,	/* around the page cache, by io_submit */
	WHO_SYNC_RANGE,	/* into it, and then there is sync_file_range */
	WHO_MSYNC,	/* nothing is written but memory, and msync follows */
	WHO_WRITE_SYNC,	/* into it, and the file was opened with O_SYNC: pwrite waits */
	WHO_NR
};

struct who_params {
	enum who_way way;
	u32 culprit;		/* which of the three names it has */
	u32 turn;		/* which of the other two has the next name */
	u32 bytes;		/* of one of its writes */
	u32 first;		/* sector */
	u32 places;		/* that it writes to, one after the other, before it begins again */
};

static inline void who_params(struct who_params *p, u64 token)
{
	p->way = derive_pick(token, "way", WHO_NR);
	p->culprit = derive_pick(token, "culprit", WRITERS);
	p->turn = derive_pick(token, "turn", 2);
	p->bytes = derive_range(token, "bytes", 4096, 16 * 4096, 4096);
	p->first = derive_range(token, "first", 8000, 480000, 8);
	switch (derive_pick(token, "again", 3)) {
	case 0:
		p->places = 1;
		break;
	case 1:
		p->places = derive_range(token, "places", 3, 12, 1);
		break;
	default:
		p->places = derive_range(token, "places", 120, 240, 1);
	}
}

#endif /* WHO_WRITES_PARAMS_H */
