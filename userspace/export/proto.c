// SPDX-License-Identifier: GPL-2.0-only
/*
 * proto.c - write messages of protocol buffers
 */
#include "export/proto.h"

/* How a field is encoded: the lowest three bits of its tag. */
enum { PROTO_VARINT = 0, PROTO_LEN = 2 };

void proto_varint(struct buf *to, uint64_t value)
{
	unsigned char bytes[10];
	size_t len = 0;

	for (; value >= 0x80; value >>= 7)
		bytes[len++] = (unsigned char)value | 0x80;
	bytes[len++] = (unsigned char)value;
	buf_add(to, bytes, len);
}

void proto_u64(struct buf *to, int field, uint64_t value)
{
	if (!value)
		return;
	proto_varint(to, (uint64_t)field << 3 | PROTO_VARINT);
	proto_varint(to, value);
}

void proto_bytes(struct buf *to, int field, const void *bytes, size_t len)
{
	proto_varint(to, (uint64_t)field << 3 | PROTO_LEN);
	proto_varint(to, len);
	buf_add(to, bytes, len);
}

void proto_message(struct buf *to, int field, struct buf *inner)
{
	proto_bytes(to, field, inner->len ? inner->data : "", inner->len);
	inner->len = 0;
}
