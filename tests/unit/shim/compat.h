/* SPDX-License-Identifier: GPL-2.0-only */
/* compat.h - there is one host, which differs from no other */
