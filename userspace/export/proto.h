/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proto.h - write messages of protocol buffers
 *
 * A message is built in a buffer, field by field; a message inside of another one is a field of
 * bytes. As in proto3, a number that is 0 is left out.
 */
#ifndef KPROF_EXPORT_PROTO_H
#define KPROF_EXPORT_PROTO_H

#include <stdint.h>

#include "lib/buf.h"

void proto_u64(struct buf *to, int field, uint64_t value);
void proto_bytes(struct buf *to, int field, const void *bytes, size_t len);
/* Append a varint without a field: an element of a packed list, which is a field of bytes. */
void proto_varint(struct buf *to, uint64_t value);
/* Make @inner a field of @to, and empty @inner, whose memory is kept. */
void proto_message(struct buf *to, int field, struct buf *inner);

#endif /* KPROF_EXPORT_PROTO_H */
