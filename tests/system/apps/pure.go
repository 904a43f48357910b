// SPDX-License-Identifier: GPL-2.0-only
/* half() takes half of the time, quarter() and other() a quarter each */
package main

//go:noinline
func half(n uint32) uint32 { return spin(2 * n) }
